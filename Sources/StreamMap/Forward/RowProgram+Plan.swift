extension RowProgram {
  /// The program of a plan for output records; nil if they are not made from rows.
  convenience init?(_ plan: PlanTables, maker: TextRowMaker, limits: Limits) {
    guard let rows = plan.rows else { return nil }
    var compiler = Compiler(plan: plan, rows: rows, maker: maker)
    let root = compiler.value(plan.root)
    self.init(
      compiler.parts, root: root, inner: compiler.numbers, omitsNulls: maker.omitsNulls,
      limits: limits,
      calls: TextRowCalls(maker, compiler.calls),
      asksForRecord: plan.facts.count > 0 || plan.substitutes.contains(where: \.isOfRecord))
  }

  private struct Compiler {
    let plan: PlanTables
    let rows: RowTables
    let maker: TextRowMaker
    var parts = Parts()
    var calls: [TextRowCalls.Call] = []
    /// By node: its value.
    private(set) var numbers: [UInt32?]
    private let needs: [FieldNeed]
    /// The nodes that are being compiled: one that contains itself is called for inside of it.
    private var open: Set<Int32> = []

    init(plan: PlanTables, rows: RowTables, maker: TextRowMaker) {
      self.plan = plan
      self.rows = rows
      self.maker = maker
      numbers = Array(repeating: nil, count: plan.nodes.count)
      needs = plan.needs()
    }

    /// A value, which is called for where it is not plain.
    mutating func value(_ index: Int32) -> UInt32 {
      if let plain = plainValue(index) {
        numbers[Int(index)] = plain
        return plain
      }
      let node = plan.nodes[index].pointee
      return parts.addCalled(call(index), null: text(node.null), absent: text(node.absent))
    }

    private mutating func call(_ index: Int32) -> Int {
      calls.append(.value(index))
      return calls.count - 1
    }

    private mutating func plainValue(_ index: Int32) -> UInt32? {
      if let value = unchanged(index) { return value }
      let node = plan.nodes[index].pointee
      if isOfRecord(node.null) || isOfRecord(node.absent) || node.checkCount > 0 { return nil }
      return changed(index, null: text(node.null), absent: text(node.absent))
    }

    /// What changes make of the text of a plain value; nil if there are none, or the value is not plain.
    ///
    /// If a field takes its whole object, the value has to be one of the same block.
    private mutating func changed(
      _ index: Int32, ofBlock object: Int32? = nil, null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32? {
      var source = index
      var part: UInt32?
      while part == nil {
        let node = plan.nodes[source].pointee
        guard node.checkCount == 0, node.opcode.family == .change || node.opcode.family == .remap
        else { return nil }
        if node.opcode.family == .remap { _ = value(node.second) }
        source = node.child
        part = object.map { plainObject(source, inBlockOf: $0) } ?? unchanged(source)
      }
      guard let part else { return nil }
      if object == nil { numbers[Int(source)] = part }
      calls.append(.change(index, from: source))
      let change = calls.count - 1
      return parts.addChanged(
        part, ofBlock: object != nil, by: change, call: call(index), null: null, absent: absent)
    }

    /// What is not made by changing a text, nor by mapping a value again, but for what is written in one step.
    private mutating func unchanged(_ index: Int32) -> UInt32? {
      let node = plan.nodes[index].pointee
      let (null, absent) = (text(node.null), text(node.absent))
      if isOfRecord(node.null) || isOfRecord(node.absent) { return nil }
      if node.opcode == .scalar {
        guard let demands = demands(node), let scalar = scalar(node.scalar, demands.places),
          demands.interval == nil || scalar.isNumber
        else { return nil }
        return parts.add(
          scalar, in: demands.interval, isStrict: node.strictKind != nil, call: call(index),
          null: null, absent: absent)
      }
      guard node.checkCount == 0, open.insert(index).inserted else { return nil }
      defer { open.remove(index) }
      switch node.opcode.family {
      case .collection:
        let entry = rows.entries[index].pointee
        if node.opcode == .array {
          return parts.addArray(of: value(node.child), entry: entry, null: null, absent: absent)
        }
        if entry < 0 { return nil }
        return parts.addMembers(
          of: value(node.child), entries: nil, entry: entry, call: call(index), null: null,
          absent: absent)
      case .object: return self.object(node.child, null: null, absent: absent)
      case .json:
        let taken = node.null.kind == .take ? Array("null".utf8) : null
        return parts.addJSON(call: call(index), null: taken, absent: absent)
      case .remap: return reshaped(index, node, null, absent)
      case .change:
        return count(index, by: node, null, absent) ?? entries(index, of: node, null, absent)
      case .choice(.dispatch): return choice(index, node, null, absent)
      case .choice(.first): return tried(index, node, null, absent)
      case .scalar: return nil
      }
    }

    /// How many elements an array has, counted by a change; nil for any other change.
    private mutating func count(
      _ index: Int32, by change: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      guard isCount(change) else { return nil }
      var array = change.child
      let chooser = plan.nodes[array].pointee
      if chooser.opcode == .dispatch, chooser.checkCount == 0 {
        let choice = maker.choices[Int(chooser.child)]
        guard choice.isByKind, choice.node(of: .array) >= 0 else { return nil }
        array = choice.node(of: .array)
      }
      let list = plan.nodes[array].pointee
      if list.keepsJSON {
        return parts.addCount(entry: nil, call: call(index), null: null, absent: absent)
      }
      guard list.opcode == .array, list.checkCount == 0, plan.nodes[list.child].pointee.keepsJSON
      else { return nil }
      return parts.addCount(
        entry: rows.entries[array].pointee, call: call(index), null: null, absent: absent)
    }

    private func isCount(_ change: PlanNode) -> Bool {
      switch transform(change) {
      case let shape as ShapeTransform: if case .count = shape.shape { true } else { false }
      case let list as ListTransform:
        if list.operations.count == 1, case .count = list.operations[0] { true } else { false }
      default: false
      }
    }

    /// The entries of an object, the parts of a text or the count of an array, if nothing else becomes of them; nil for anything else that is mapped twice.
    private mutating func reshaped(
      _ index: Int32, _ node: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      let first = plan.nodes[node.child].pointee
      let second = plan.nodes[node.second].pointee
      guard first.opcode == .transform, first.checkCount == 0, second.checkCount == 0 else {
        return nil
      }
      if second.opcode == .scalar, second.scalar == .int64, second.options == nil,
        let count = count(index, by: first, null, absent)
      {
        return count
      }
      let source = plan.nodes[first.child].pointee
      let element = second.opcode == .array ? plan.nodes[second.child].pointee : second
      let keepsStrings = second.opcode == .array && element.isStrictString
      guard source.checkCount == 0, element.checkCount == 0 else { return nil }
      switch shape(first) {
      case .split(let separator):
        guard source.isStrictString, keepsStrings || element.keepsJSON else { return nil }
        return parts.addSplit(
          by: Array(separator.utf8), call: call(index), null: null, absent: absent)
      case .entries:
        return element.keepsJSON ? entries(index, of: first, null, absent) : nil
      case .joined, .template, .json, .query, .count, .fromEntries, .unwrapped, nil: return nil
      }
    }

    /// The entries of an object that keeps its values as they stand, which a change makes; nil for any other change.
    private mutating func entries(
      _ index: Int32, of change: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      let source = plan.nodes[change.child].pointee
      let entry = rows.entries[change.child].pointee
      guard case .entries(let key, let value)? = shape(change), source.opcode == .dictionary,
        source.checkCount == 0, entry >= 0, plan.nodes[source.child].pointee.keepsJSON
      else { return nil }
      let names = [key, value].map { WrittenKey($0).quoted + [UInt8(ascii: ":")] }
      return parts.addMembers(
        of: self.value(source.child), entries: (key: names[0], value: names[1]), entry: entry,
        call: call(index), null: null, absent: absent)
    }

    /// One of several values by the kind of a token, if each is a scalar or any JSON.
    private mutating func choice(
      _ index: Int32, _ node: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      let choice = maker.choices[Int(node.child)]
      guard choice.isByKind else { return labelled(index, node, null, absent) }
      var values: [Int32: UInt32] = [:]
      for kind in JSONKind.allCases {
        let chosen = choice.node(of: kind)
        if chosen < 0 || values[chosen] != nil { continue }
        let node = plan.nodes[chosen].pointee
        guard node.opcode == .scalar || node.isJSON else { return nil }
        values[chosen] = value(chosen)
      }
      // A null may be a mistake, or something else, before it is a kind.
      let takesNull = node.null.kind == .take
      return parts.add(
        byKind: { $0 == .null && !takesNull ? nil : values[choice.node(of: $0)] },
        call: call(index), null: null, absent: absent)
    }

    /// The first of several values, as far as they are plain; nil if the first is not.
    private mutating func tried(
      _ index: Int32, _ node: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      var values: [UInt32] = []
      for chosen in plan.triedInTurn(node) {
        guard let plain = plainValue(chosen) else { break }
        numbers[Int(chosen)] = plain
        values.append(plain)
      }
      if values.isEmpty { return nil }
      return parts.add(
        firstOf: node.second, values, call: call(index), null: null, absent: absent)
    }

    /// One of several values by the text of a member; nil if paths may go through two kinds of values.
    private mutating func labelled(
      _ index: Int32, _ node: PlanNode, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32? {
      let dispatch = plan.dispatches[Int(node.child)]
      let group = rows.groupOfDispatch[node.child].pointee
      guard group >= 0, let steps = steps(ofGroup: group) else { return nil }
      var values: [Int32: UInt32] = [:]
      for chosen in dispatch.nodes where values[chosen] == nil {
        let node = plan.nodes[chosen].pointee
        let isOfBlock =
          node.opcode == .object && rows.groupOfObject[node.child].pointee == group
        guard isOfBlock || node.isJSON, let plain = plainValue(chosen) else { continue }
        numbers[Int(chosen)] = plain
        values[chosen] = plain
      }
      return parts.add(
        byLabel: UInt32(rows.discriminators[node.child].pointee), through: steps,
        dispatch.cases.map { (ExactText($0.label), values[$0.node]) },
        otherwise: dispatch.fallback.flatMap { values[$0] },
        entry: rows.groups[group].pointee.entry,
        call: call(index), null: null, absent: absent)
    }

    /// An object, or what its one field without a name makes of it: then the conditions of both have to hold.
    private mutating func object(_ number: Int32, null: [UInt8]?, absent: [UInt8]?) -> UInt32? {
      var objects = [number]
      while let last = objects.last, let inner = inner(last) { objects.append(inner) }
      let innermost = objects[objects.count - 1]
      let object = plan.objects[innermost].pointee
      guard let steps = steps(innermost),
        let members = members(object, innermost, isWrapped: objects.count > 1)
      else { return nil }
      if object.rest >= 0 { calls.append(.rest(object: innermost)) }
      let rest = object.rest >= 0 ? calls.count - 1 : nil
      return parts.addObject(
        members, rest: rest, steps: steps,
        isStrict: objects.contains { plan.objects[$0].pointee.unknownKeys != .ignore },
        early: objects.compactMap { condition(plan.objects[$0].pointee.earlyCondition, $0) },
        late: objects.reversed().compactMap {
          condition(plan.objects[$0].pointee.lateCondition, $0)
        },
        entry: rows.groups[rows.groupOfObject[number].pointee].pointee.entry, null: null,
        absent: absent)
    }

    /// The object that another one is but for its conditions: what its only field, which has no name, makes of the same block.
    private func inner(_ number: Int32) -> Int32? {
      let object = plan.objects[number].pointee
      let field = object.firstField
      guard takesOnlyFields(object, number), object.fieldCount == 1, object.rest < 0,
        maker.names[Int(field)].isEmpty, plan.fields[field].pointee.making < 0,
        maker.sources[Int(field)] == .cell, rows.takesWhole[field].pointee
      else { return nil }
      let node = plan.nodes[plan.fields[field].pointee.node].pointee
      guard node.opcode == .object, node.checkCount == 0,
        rows.groupOfObject[node.child].pointee == rows.groupOfObject[number].pointee
      else { return nil }
      return node.child
    }

    /// Whether an object is made of the fields of one value.
    ///
    /// What takes other values than objects, or has a field with unnamed members, is made as a whole.
    private func takesOnlyFields(_ object: PlanObject, _ number: Int32) -> Bool {
      maker.formulas.slots(of: Int(number)) == nil && object.takes.objects
        && !object.takes.arrays && object.collector < 0
    }

    /// The cells of what the paths of an object's group go through; nil if they go through objects and arrays in the same place.
    private func steps(_ object: Int32) -> [RowProgram.Step]? {
      steps(ofGroup: rows.groupOfObject[object].pointee)
    }

    private func steps(ofGroup number: Int32) -> [RowProgram.Step]? {
      let group = rows.groups[number].pointee
      let steps = (group.firstStep..<group.firstStep + group.stepCount).map {
        rows.steps[$0].pointee
      }
      if steps.contains(where: { $0.takesObjects && $0.takesArrays }) { return nil }
      return steps.map(RowProgram.Step.init)
    }

    /// The members of an object; nil if it is made as a whole.
    ///
    /// What becomes of one inside another, if it is wrong, is not known.
    private mutating func members(
      _ object: PlanObject, _ number: Int32, isWrapped: Bool
    ) -> [Member]? {
      guard object.fieldCount > 0, takesOnlyFields(object, number) else { return nil }
      let fields = object.firstField..<object.firstField + object.fieldCount
      guard fields.allSatisfy({ !maker.names[Int($0)].isEmpty }) else { return nil }
      return fields.map { field in
        let need = isWrapped ? FieldNeed() : needs[Int(field)]
        return Member(
          cell: UInt32(rows.cells[field].pointee), value: value(ofField: field, of: number),
          name: Array(maker.names[Int(field)]), isNeeded: need.value,
          takesNoNull: need.noNull, told: told(field, of: number))
      }
    }

    /// The call that makes a field of a record and tells what is wrong with it; nil if that has to be found with the whole record.
    private mutating func told(_ field: Int32, of object: Int32) -> Int? {
      let root = plan.nodes[plan.root].pointee
      let here = plan.objects[object].pointee
      guard root.opcode == .object, root.child == object, here.lateCondition < 0,
        !here.isTransparent
      else { return nil }
      calls.append(.told(field: field, object: object))
      return calls.count - 1
    }

    private mutating func value(ofField field: Int32, of object: Int32) -> UInt32 {
      let isMade = plan.fields[field].pointee.making >= 0
      let isOfCell =
        maker.sources[Int(field)] == .cell && !rows.takesWhole[field].pointee
      if !isMade, isOfCell { return value(plan.fields[field].pointee.node) }
      calls.append(
        isMade ? .made(field: field, object: object) : .field(field, object: object))
      let call = calls.count - 1
      if !isMade, maker.sources[Int(field)] == .cell,
        let pieces = pieces(ofField: field, of: object)
      {
        return parts.add(pieces, call: call)
      }
      let node = plan.fields[field].pointee.node
      if !isMade, maker.sources[Int(field)] == .cell, plan.nodes[node].pointee.checkCount == 0,
        let value = changed(node, ofBlock: object, null: nil, absent: nil)
      {
        return value
      }
      return parts.addCalled(call, null: nil, absent: nil)
    }

    /// What a field that takes its whole object makes of scalars in the same block; nil if it is not that plain.
    private mutating func pieces(ofField field: Int32, of object: Int32) -> Pieces? {
      let node = plan.nodes[plan.fields[field].pointee.node].pointee
      guard node.checkCount == 0 else { return nil }
      if node.opcode == .firstOf { return alternatives(node, of: object) }
      guard node.opcode == .transform, case .template(let template)? = shape(node) else {
        return nil
      }
      let inner = plan.nodes[node.child].pointee
      guard let fields = plan.plainFields(inner, inBlockOf: object) else { return nil }
      var values: [(cell: UInt32, value: UInt32)] = []
      for field in fields {
        guard let value = plainScalar(ofField: field) else { return nil }
        values.append((UInt32(rows.cells[field].pointee), value))
      }
      return .template(pieces(template.pieces, values))
    }

    private func pieces(
      _ pieces: [TextTemplate.Piece], _ values: [(cell: UInt32, value: UInt32)]
    ) -> [Piece] {
      pieces.map { piece in
        switch piece {
        case .text(let text): .text(ShapeTransform.inside(text))
        case .value(let number): .value(cell: values[number].cell, values[number].value)
        case .optional(let inner): .optional(self.pieces(inner, values))
        }
      }
    }

    private func shape(_ node: PlanNode) -> Shape? {
      (transform(node) as? ShapeTransform)?.shape
    }

    private func transform(_ node: PlanNode) -> (any OutputTransform)? {
      node.operations?._withUnsafeGuaranteedRef { ($0 as? OutputOperations)?.transform }
    }

    /// An object that is made of the same block as another one.
    private mutating func plainObject(_ index: Int32, inBlockOf object: Int32) -> UInt32? {
      let node = plan.nodes[index].pointee
      guard node.opcode == .object, node.checkCount == 0,
        rows.groupOfObject[node.child].pointee == rows.groupOfObject[object].pointee
      else { return nil }
      return self.object(node.child, null: nil, absent: nil)
    }

    /// Alternatives that are each one scalar of the object: what is absent, or surely wrong, leads to the next one.
    private mutating func alternatives(_ node: PlanNode, of object: Int32) -> Pieces? {
      guard let fields = plan.scalarAlternatives(of: node, inBlockOf: object) else { return nil }
      var values: [(cell: UInt32, value: UInt32)] = []
      for field in fields {
        guard let value = plainScalar(ofField: field) else { return nil }
        values.append((UInt32(rows.cells[field].pointee), value))
      }
      return .first(values)
    }

    private mutating func plainScalar(ofField field: Int32) -> UInt32? {
      let index = plan.fields[field].pointee.node
      guard plan.fields[field].pointee.making < 0, maker.sources[Int(field)] == .cell,
        !rows.takesWhole[field].pointee, plan.nodes[index].pointee.opcode == .scalar
      else { return nil }
      return plainValue(index)
    }

    private mutating func condition(_ index: Int32, _ object: Int32) -> Requirement? {
      guard index >= 0 else { return nil }
      let formula = plan.formulas[index].pointee
      let interval = formula.formula._withUnsafeGuaranteedRef { $0.interval }
      if let interval = interval.flatMap({ Interval($0) }) {
        let field = plan.formulaFields[formula.firstField].pointee
        // What is not in the record has no cell.
        if maker.sources[Int(field)] == .cell {
          return .number(cell: UInt32(rows.cells[field].pointee), interval)
        }
      }
      calls.append(.condition(index, object: object))
      return .called(calls.count - 1)
    }

    /// What the rules of a value ask, where its digits tell whether it keeps them; nil if they do not.
    private func demands(_ node: PlanNode) -> (interval: Interval?, places: Int?)? {
      var demands: (interval: Interval?, places: Int?)
      for number in 0..<node.checkCount {
        let check = plan.checks[node.firstCheck + number].pointee
          ._withUnsafeGuaranteedRef { (interval: $0.interval, places: $0.places) }
        if let places = check.places, demands.places == nil {
          demands.places = places
        } else if let interval = check.interval.flatMap({ Interval($0) }), demands.interval == nil {
          demands.interval = interval
        } else {
          return nil
        }
      }
      return demands
    }

    /// What is written instead of a value; nil if that is not the same for all records.
    private func text(_ action: PlanAction) -> [UInt8]? {
      if action.isReported || action.isAsked { return nil }
      switch action.kind {
      case .fail, .take, .leave, .contested: return nil
      case .useNil: return Array("null".utf8)
      case .substitute: return maker.builder.text(ofSubstitute: action.substitute)
      }
    }

    /// Whether what stands for a value is another text for each record.
    private func isOfRecord(_ action: PlanAction) -> Bool {
      action.kind == .substitute && plan.substitutes[Int(action.substitute)].isOfRecord
    }

    /// Numbers that are surely values of their types: those of so few digits that none is out of range.
    private func scalar(_ type: ScalarType, _ places: Int?) -> Scalar? {
      let facts = type.facts
      guard let places else { return facts.row }
      guard case .decimal = facts.column, case .decimal(let most, nil)? = facts.row else {
        return nil
      }
      return .decimal(most: min(most, UInt8(38 - places)), places: UInt8(places))
    }
  }
}

extension RowProgram.Scalar {
  /// Whether all its values are numbers.
  fileprivate var isNumber: Bool {
    switch self {
    case .number, .decimal, .integer: true
    case .any, .string, .boolean: false
    }
  }
}
