/// Compiles a definition into a plan, and reports all its mistakes together.
struct PlanCompiler {
  let registrations: Registrations
  var draft = PlanDraft()
  var mistakes: [DefinitionError.Mistake] = []
  /// The targets of references, each resolved once, so that recursion ends.
  private var resolved: [Definition.Identity: Definition] = [:]
  /// Whether the values of references are redacted, as far as that was asked.
  private var hiding: [Definition.Identity: Bool] = [:]
  private var references: [ReferenceKey: Int32] = [:]
  /// The nodes of fields with several sources, and the nodes from which they are made once all are known.
  var contested: [(copy: Int32, original: Int32)] = []
  /// The nodes that decode as a reference does, whose node may not be complete before all are known, and those nodes.
  private var splitReferences: [Int32: Int32] = [:]
  private var objectIndices: [Definition.Identity: Int32] = [:]
  /// The cases of dispatches that a member chooses: what each is must take objects.
  private(set) var choices: [(node: Int32, path: [DefinitionError.Mistake.Step])] = []
  /// Where in the mapping the compiler is, for mistakes.
  private var path: [DefinitionError.Mistake.Step] = []
  /// Whether a surrounding mapping looks at the compiled part as a `JSONValue`.
  private var isLookedAt: Bool

  /// A reference as it is used: the same mapping may be nullable in one place and required in another.
  private struct ReferenceKey: Hashable {
    let identity: Definition.Identity
    let isWrapped: Bool
    let policy: String
    let checks: Int
  }

  private init(_ registrations: Registrations, isLookedAt: Bool) {
    self.registrations = registrations
    self.isLookedAt = isLookedAt
  }

  /// Compiles a definition; its references are looked up in the registrations.
  ///
  /// If conditions look at output records, each part of these must be able to become a tree.
  static func compile(
    _ definition: Definition, _ registrations: Registrations = Registrations(),
    isLookedAt: Bool = false
  ) throws(DefinitionError) -> Plan {
    var compiler = PlanCompiler(registrations, isLookedAt: isLookedAt)
    let root = compiler.node(definition)
    compiler.fillSplitReferences()
    compiler.fillContested()
    compiler.draft.redactsRecord = definition.hidesValue(registrations, &compiler.hiding)
    compiler.checkEnds()
    compiler.checkChoices()
    guard compiler.mistakes.isEmpty else { throw DefinitionError(mistakes: compiler.mistakes) }
    return Plan(tables: PlanTables(compiler.draft, root: root))
  }

  // MARK: Nodes

  mutating func node(_ definition: Definition) -> Int32 {
    if case .reference(let identity, let resolve) = definition.kind {
      return reference(definition, identity, resolve)
    }
    let index = reserveNode()
    fill(index, definition, as: nil)
    return index
  }

  mutating func reserveNode() -> Int32 {
    draft.nodes.append(
      PlanNode(
        opcode: .scalar, storesOptional: false, omitsElements: false, absent: fail, null: fail,
        invalid: fail,
        child: -1, detail: -1, operations: nil))
    return Int32(draft.nodes.count - 1)
  }

  /// Makes each node of a split whose decoding mapping is a reference like the node of that reference.
  private mutating func fillSplitReferences() {
    for (index, first) in splitReferences.sorted(by: { $0.key < $1.key }) {
      var target = first
      var visited: Set = [index]
      while let next = splitReferences[target], visited.insert(target).inserted { target = next }
      if splitReferences[target] != nil { return report("a mapping decodes only as itself does") }
      let reverse = draft.nodes[Int(index)].reverse
      draft.nodes[Int(index)] = draft.nodes[Int(target)]
      draft.nodes[Int(index)].reverse = reverse
    }
  }

  private var fail: PlanAction { PlanAction(kind: .fail, isReported: false, substitute: -1) }

  private mutating func reference(
    _ definition: Definition, _ identity: Definition.Identity,
    _ resolve: (Registrations) -> Definition
  ) -> Int32 {
    let policy =
      definition.policy.map { "\(name($0.absent)) \(name($0.null)) \(name($0.invalid))" } ?? ""
    // Rules are closures and cannot be compared: a reference with its own rules gets its own node.
    let key = ReferenceKey(
      identity: identity, isWrapped: definition.wrapsReference, policy: policy,
      checks: definition.checks.isEmpty ? 0 : draft.nodes.count)
    if let known = references[key] { return known }
    var target = resolved[identity] ?? resolve(registrations)
    resolved[identity] = target
    var visited: Set = [identity]
    while case .reference(let next, let resolveNext) = target.kind {
      guard visited.insert(next).inserted else {
        report("\(identity.name) refers only to itself")
        return reserveNode()
      }
      target = target.merged(over: resolved[next] ?? resolveNext(registrations))
    }
    let index = reserveNode()
    references[key] = index
    fill(index, definition.merged(over: target), as: identity)
    return index
  }

  private func name(_ action: Policy.Action) -> String {
    switch action {
    case .unsaid: "unsaid"
    case .fail: "fail"
    case .take(let isSaid): "take\(isSaid)"
    case .leave: "leave"
    case .useNil(let reported): "nil\(reported)"
    case .substitute(let substitute, let reported): "\(ObjectIdentifier(substitute))\(reported)"
    }
  }

  private mutating func fill(
    _ index: Int32, _ definition: Definition, as identity: Definition.Identity?
  ) {
    if case .split(let forward, let reverse) = definition.kind {
      if case .reference = forward.kind {
        let decoded = forward.changed {
          $0.policy = definition.policy
          $0.checks += definition.checks
        }
        splitReferences[index] = self.node(decoded)
      } else {
        let policy = definition.policy ?? forward.policy ?? Policy()
        fill(index, forward.with(policy: policy).with(checks: definition.checks), as: identity)
      }
      draft.nodes[Int(index)].reverse = self.node(reverse)
      return
    }
    let isLookedAtAround = isLookedAt
    defer { isLookedAt = isLookedAtAround }
    if definition.looksAtOutput { isLookedAt = true }
    var node = draft.nodes[Int(index)]
    let policy = definition.policy ?? Policy()
    node.absent = action(policy.absent)
    node.null = action(policy.null)
    node.invalid = action(policy.invalid)
    var name = ""
    var options: ScalarOptions?
    switch definition.kind {
    case .scalar(let type, let asked):
      node.opcode = .scalar
      node.scalar = type
      node.options = asked.map(Unmanaged.passUnretained)
      options = asked
      name = type.rawValue + (asked?.description ?? "")
    case .json(let form):
      node.opcode = form == .value ? .jsonValue : .rawJSON
      // A typed part that is raw stays text.
      node.becomesTree = form == .value || isLookedAt && definition.operations == nil
      name = "json"
    case .array(let element, let rule):
      node.opcode = .array
      node.omitsElements = rule == .omit
      node.child = within(.elements) { $0.node(element) }
      name = "array"
    case .dictionary(let value, let duplicateKeys):
      node.opcode = .dictionary
      node.duplicateKeys = duplicateKeys ?? registrations.duplicateKeys
      node.child = within(.members) { $0.node(value) }
      name = "dictionary"
    case .object(let object):
      node.opcode = .object
      node.child = objectIndex(object, as: identity)
      // A value that a condition leaves out is never an error.
      node.null.isAsked = object.conditionParts.early != nil && node.null.kind != .take
      name = object.name
    case .transform(let inner):
      node.opcode = .transform
      node.child = self.node(inner)
      node.seesIssues = definition.operations?.seesIssues == true
      node.literalTable = literalTable(of: definition, node.child)
      name = (definition.operations as? OutputOperations)?.transform.explanation ?? ""
    case .rewritten(let source, let then):
      node.opcode = .rewritten
      node.child = self.node(source)
      node.second = self.node(then)
      name = "rewritten"
    case .firstOf(let alternatives, let reportsEarlier):
      node.opcode = .firstOf
      node.reportsEarlier = reportsEarlier
      if alternatives.isEmpty { report("there are no alternatives; give at least one") }
      let nodes = alternatives.enumerated().map { number, alternative in
        within(.alternative(number + 1)) { $0.node(alternative) }
      }
      node.child = Int32(draft.alternatives.count)
      node.second = Int32(nodes.count)
      draft.alternatives += nodes
      name = "first of"
    case .dispatch(let dispatch):
      node.opcode = .dispatch
      node.child = dispatchIndex(dispatch)
      name = dispatch.name ?? ""
    case .mistake(let reason):
      report(reason)
    case .split, .reference:
      report("a reference that was not resolved")
    }
    if let operations = definition.operations {
      draft.operations.append(operations)
      node.operations = Unmanaged.passUnretained(operations)
      node.storesOptional = operations.isOptional
      if operations.alignment > SlotArena.alignment {
        report("values aligned to \(operations.alignment) bytes cannot be mapped")
      }
    }
    node.firstCheck = Int32(draft.checks.count)
    node.checkCount = Int32(definition.checks.count)
    draft.checks += definition.checks
    for check in definition.checks {
      if let mistake = check.mistake {
        report("the rule '\(check.name)' cannot be used: \(mistake)")
      }
    }
    draft.details.append(
      PlanTables.Detail(
        expected: definition.expected, name: name, options: options,
        isRedacted: definition.isRedacted))
    node.detail = Int32(draft.details.count - 1)
    draft.nodes[Int(index)] = node
  }

  /// A table of the texts for which the result of a transform of plain strings is known, so that no string and no call is needed.
  private mutating func literalTable(of definition: Definition, _ inner: Int32) -> Unmanaged<
    KeyTable
  >? {
    let source = draft.nodes[Int(inner)]
    guard source.opcode == .scalar, source.scalar == .string, source.checkCount == 0,
      let texts = definition.operations?.literals, !texts.isEmpty
    else { return nil }
    let table = KeyTable(texts.enumerated().map { ($1, Int32($0)) })
    draft.keyTables.append(table)
    return Unmanaged.passUnretained(table)
  }

  private mutating func action(_ action: Policy.Action) -> PlanAction {
    switch action {
    case .unsaid, .fail: return fail
    case .take: return PlanAction(kind: .take, isReported: false, substitute: -1)
    case .leave: return PlanAction(kind: .leave, isReported: false, substitute: -1)
    case .useNil(let reported):
      return PlanAction(kind: .useNil, isReported: reported, substitute: -1)
    case .substitute(let substitute, let reported):
      draft.substitutes.append(substitute)
      return PlanAction(
        kind: .substitute, isReported: reported, substitute: Int32(draft.substitutes.count - 1))
    }
  }

  private mutating func dispatchIndex(_ dispatch: DispatchDefinition) -> Int32 {
    var labels: [ExactText: Int32] = [:]
    var cases: [(label: String, node: Int32)] = []
    var dispatch = dispatch
    if case .member(let keys) = dispatch.choice, !keys.isEmpty {
      dispatch = dispatch.map { $0.knowing(keys) }
    }
    for (label, definition) in dispatch.cases {
      let node = within(.dispatchCase(label)) { $0.node(definition) }
      if case .member = dispatch.choice { choices.append((node, path + [.dispatchCase(label)])) }
      if labels.updateValue(node, forKey: ExactText(label)) != nil {
        report("there are two cases for '\(label)'")
      }
      cases.append((label, node))
    }
    if dispatch.cases.isEmpty { report("there are no cases; give at least one") }
    let fallback = dispatch.fallback.map { definition in
      within(.otherCases) { $0.node(definition) }
    }
    var path: [[UInt8]] = []
    let names = dispatch.cases.map { "'\($0.label)'" }.joined(separator: ", ")
    var expected = names
    switch dispatch.choice {
    case .kind:
      let kinds = dispatch.cases.compactMap { JSONKind(rawValue: $0.label) }
      expected = kinds.map(\.phrase).joined(separator: " or ")
    case .member(let keys):
      path = keys.map { Array($0.utf8) }
      if keys.isEmpty { report("the path of the discriminator is empty") }
      if dispatch.cases.count > 1 { expected = "one of " + names }
    }
    draft.dispatches.append(
      PlanTables.Dispatch(
        path: path, labels: labels, cases: cases, fallback: fallback, expected: expected))
    return Int32(draft.dispatches.count - 1)
  }

  // MARK: Objects

  private mutating func objectIndex(_ object: ObjectDefinition, as identity: Definition.Identity?)
    -> Int32
  {
    if let identity, let known = objectIndices[identity] { return known }
    let index = Int32(draft.objects.count)
    draft.objects.append(
      PlanObject(
        firstField: 0, fieldCount: 0, rootPlace: 0, placeCount: 0, statesOffset: 0, seenOffset: 0,
        frameSize: 0))
    if let identity { objectIndices[identity] = index }
    within(.object(object.name)) { $0.compile(object, at: index) }
    return index
  }

  private mutating func compile(_ object: ObjectDefinition, at index: Int32) {
    let isLookedAtAround = isLookedAt
    defer { isLookedAt = isLookedAtAround }
    if object.condition?.looksAtFields == true { isLookedAt = true }
    // The fields' nodes come first: they may contain objects with fields of their own.
    var nodes: [Int32] = []
    for (number, field) in object.fields.enumerated() {
      nodes.append(within(.field(number + 1, field.name)) { $0.node(field.definition) })
    }
    let caseNodes = object.fields.enumerated().map { number, field in
      within(.field(number + 1, field.name)) { $0.caseNodes(of: field) }
    }
    checkTargets(object)
    let names = object.targets
    // An error in a part is one of the value that is made of it.
    let targets = object.isOfParts ? names.map { _ in [] } : names
    draft.targets += targets
    draft.names += names
    // The targets of the further sources.
    for (number, field) in object.fields.enumerated() {
      draft.targets += field.fallbacks.map { _ in targets[number] }
      draft.names += field.fallbacks.map { _ in names[number] }
    }

    let first = Int32(draft.fields.count)
    let firstContest = Int32(draft.contests.count)
    var fields = allSources(of: object, &nodes, first: first)
    let hidden = fields.count
    let formulas = addFormulas(of: object, caseNodes, to: &fields, &nodes, first: first)
    var offset = 0
    for (field, node) in zip(fields, nodes) {
      let operations =
        field.definition.operations ?? typed(contested.first { $0.copy == node }?.original ?? node)
      let alignment = operations?.alignment ?? MemoryLayout<TextRange>.alignment
      offset = (offset + alignment - 1) / alignment * alignment
      draft.fields.append(
        PlanField(
          node: node, offset: Int32(clamping: offset),
          making: formulas.makings[Int32(draft.fields.count)] ?? -1))
      offset += operations?.size ?? MemoryLayout<TextRange>.stride
      draft.redacted.append(field.definition.hidesValue(registrations, &hiding))
      if field.needsParts { draft.needParts.insert(Int32(draft.fields.count - 1)) }
    }

    var tree = PlaceTree()
    var takes = PlanKinds()
    var collector: Int32 = -1
    let firstFact = Int32(draft.facts.count)
    for (number, field) in fields.enumerated() {
      // Those after it only serve the condition.
      if number == formulas.firstAsked { takes = tree.kinds }
      var path = JSONPath()
      switch field.source {
      case .constant: draft.constants.insert(first + Int32(number))
      case .fact(let fact):
        draft.constants.insert(first + Int32(number))
        draft.facts.append(PlanFact(field: first + Int32(number), fact: fact))
      case .unknown:
        draft.constants.insert(first + Int32(number))
        if collector >= 0 {
          report("only one field can collect the unknown members; this object has two")
        }
        collector = first + Int32(number)
      case .path(let source):
        path = source
        tree.add(field: first + Int32(number), at: source.components[...])
      case .invalid(let error):
        within(.field(number + 1, field.name)) { $0.report("\(error)") }
      }
      draft.sources.append(path)
    }
    if formulas.firstAsked >= fields.count { takes = tree.kinds }
    let keyRules = registrations.keyRules(of: object)
    let rest = object.rest.map { restIndex($0, of: object, &tree) } ?? -1
    if rest >= 0, collector >= 0 {
      report(
        "the members that no field names are kept beside the fields, or collected in one of them; not both"
      )
    }
    visitMembers(of: object, keyRules, isKept: rest >= 0 || collector >= 0, &tree)
    // Where fields take a value as a whole, unknown members matter only if something else looks at them.
    let looksAtOthers = keyRules.unknown != .ignore || collector >= 0
    tree.looksAtMembers = rest >= 0 || tree.isTaken && looksAtOthers
    takes.all = takes.all || object.isChosen
    if rest >= 0 || looksAtOthers && !object.knownKeys.isEmpty {
      takes.objects = true
    }
    // What a mapping of the whole value looks for in an array has unknown members, too.
    if keyRules.unknown != .ignore, takes.all, tree.kinds.arrays { takes.arrays = true }
    let rootPlace = Int32(draft.places.count)
    _ = tree.flatten(
      into: &draft, step: nil, object: index, asksKeys: keyRules.unknown != .ignore)

    // The states, and what follows them, are cleared in words.
    offset = (offset + 7) & ~7
    for number in fields.indices {
      draft.fields[Int(first) + number].state = Int32(clamping: offset + number)
    }
    let placeCount = draft.places.count - Int(rootPlace)
    let seenOffset = offset + fields.count
    draft.objects[Int(index)] = PlanObject(
      firstField: first, fieldCount: Int32(object.fields.count), firstContest: firstContest,
      contestCount: Int32(draft.contests.count) - firstContest,
      otherSourceCount: Int32(hidden - object.fields.count),
      hiddenCount: Int32(fields.count - hidden), firstMaking: formulas.firstMaking,
      makingCount: formulas.makingCount, earlyCondition: formulas.early,
      lateCondition: formulas.late, rootPlace: rootPlace,
      placeCount: Int32(placeCount), statesOffset: Int32(clamping: offset),
      seenOffset: Int32(clamping: seenOffset),
      frameSize: Int32(clamping: (seenOffset + placeCount + 7) & ~7), unknownKeys: keyRules.unknown,
      duplicateKeys: keyRules.duplicate, collector: collector, rest: rest, firstFact: firstFact,
      factCount: Int32(draft.facts.count) - firstFact, takes: takes, patch: object.patch,
      notesParts: object.notesParts, isTransparent: object.isTransparent || object.isOfParts)
    draft.places[Int(rootPlace)].asksKeys = draft.objects[Int(index)].wantsUnknownKeys
    for place in Int(rootPlace)..<draft.places.count {
      layOut(place, of: draft.objects[Int(index)])
    }
    let root = draft.places[Int(rootPlace)]
    let made = draft.objects[Int(index)]
    let isPlain =
      root.fieldCount == 0 && root.elementCount == 0 && made.patch == nil && !made.notesParts
      && !made.wantsUnknownKeys && made.contestCount == 0 && made.factCount == 0
    draft.objects[Int(index)].isPlain = isPlain && !formulas.isAny
  }

  /// Stores in a place the offsets, in its object's frame, of everything that an event there touches.
  private mutating func layOut(_ index: Int, of object: PlanObject) {
    var place = draft.places[index]
    place.seen = object.seenOffset + Int32(index) - object.rootPlace
    if place.fieldCount == 1, !place.leadsOn, place.role != .kept {
      let field = draft.placeFields[Int(place.fieldStart)]
      place.onlyField = field
      place.onlyNode = draft.fields[Int(field)].node
      place.onlySlot = draft.fields[Int(field)].offset
      place.onlyState = draft.fields[Int(field)].state
    }
    draft.places[index] = place
  }

  private func typed(_ node: Int32) -> ValueOperations? {
    draft.nodes[Int(node)].operations.map { operations in operations._withUnsafeGuaranteedRef { $0 }
    }
  }

  // MARK: Mistakes

  mutating func within<Result>(
    _ step: DefinitionError.Mistake.Step, _ body: (inout PlanCompiler) -> Result
  ) -> Result {
    path.append(step)
    defer { path.removeLast() }
    return body(&self)
  }

  mutating func report(_ reason: String) {
    mistakes.append(DefinitionError.Mistake(path: path, reason: reason))
  }
}
