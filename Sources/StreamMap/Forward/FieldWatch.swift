/// Which fields of a plan have found something so far, in all records of a run.
///
/// The makers of records of all threads and of all feeds of the run share it. They only tell it what they find for the first time.
/// A checkpoint keeps what they found. At the end, `UnfoundFields` goes over the plan and names the fields that are missing here.
package final class FieldFinds: Sendable {
  /// What was found, by the plan's numbers.
  ///
  /// A run that stops can write it down and continue with it.
  package struct Found: Codable, Sendable {
    /// The fields that found a value, or null.
    package fileprivate(set) var fields: Set<Int32> = []
    /// The objects that were there, whatever their fields found.
    package fileprivate(set) var objects: Set<Int32> = []
    /// The values from outside the records whose paths occurred.
    package fileprivate(set) var context: Set<Int> = []

    /// Nothing yet.
    package init() {}
  }

  private let state = Locked(Found())

  init() {}

  /// What was found so far.
  var found: Found {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Notes that the path of a value from outside the records occurred.
  func note(contextValue number: Int) {
    state.withLock { _ = $0.context.insert(number) }
  }

  /// Notes that an object was there, and which of its fields found something for the first time.
  fileprivate func note(_ fields: [Int32], of object: Int32) {
    state.withLock {
      $0.objects.insert(object)
      $0.fields.formUnion(fields)
    }
  }
}

/// What one maker of records still looks for: the fields that have found nothing yet.
///
/// A field is found where its member is there, whatever it holds. Once all are found, records are not looked at any more.
/// It looks at the states of an object before they are settled, or at the cells of its block. A row program shows it each row until
/// then.
///
/// Not thread-safe.
final class FieldWatch {
  /// What is looked for in an object, as ranges of `numbers`.
  private struct Look: BitwiseCopyable {
    /// The fields that have found nothing yet.
    var firstOpen: Int32
    var openCount: Int32
    /// For rows: the fields that lead to objects with such fields, right after the others.
    var innerCount: Int32
  }

  private let finds: FieldFinds
  private let plan: PlanTables
  // PERF: the tables, which the plan keeps alive, without counting references to it.
  private let nodes: UnsafePointer<PlanNode>
  private let fields: UnsafePointer<PlanField>
  private let rows: Rows?

  /// How fields find their cells.
  private struct Rows: BitwiseCopyable {
    let cells: UnsafePointer<Int32>
    let groups: UnsafePointer<RowTables.Group>
    let groupOfObject: UnsafePointer<Int32>
    let entries: UnsafePointer<Int32>
    let groupOfDispatch: UnsafePointer<Int32>
    let discriminators: UnsafePointer<Int32>
  }

  /// An alternative that is one scalar: a program tries them without telling.
  private struct Alternative: BitwiseCopyable {
    let object: Int32
    let cell: Int32
    let kind: JSONKind?
  }

  private let choices: [RowMaker.Choice]
  /// By field: its alternatives, if all are scalars.
  private let alternatives: [[Alternative]]

  /// By node: the alternatives that a program tries.
  private let turns: [[Int32]]
  private let needs: ObjectNeeds

  /// By object: the fields that have found nothing yet.
  private var open: [[Int32]]
  private var met: [Bool]
  // PERF: rebuilt when something is found, so that a record without news costs a few loads.
  private var looks = FlatTable<Look>([])
  private var numbers = FlatTable<Int32>([])
  /// Whether all fields have found something.
  private(set) var isOver = false

  init(_ plan: PlanTables, _ finds: FieldFinds) {
    self.plan = plan
    self.finds = finds
    nodes = plan.nodes.start
    fields = plan.fields.start
    rows = plan.rows.map {
      Rows(
        cells: $0.cells.start, groups: $0.groups.start, groupOfObject: $0.groupOfObject.start,
        entries: $0.entries.start, groupOfDispatch: $0.groupOfDispatch.start,
        discriminators: $0.discriminators.start)
    }
    let found = finds.found
    open = (0..<Int32(plan.objects.count)).map { number in
      plan.fieldsWithSources(of: number).filter { !found.fields.contains($0) }
    }
    met = (0..<Int32(plan.objects.count)).map { found.objects.contains($0) }
    choices = plan.dispatches.map { RowMaker.Choice($0) }
    alternatives = Self.alternatives(plan)
    turns = (0..<plan.nodes.count).map {
      let node = plan.nodes.start[$0]
      return node.opcode == .firstOf ? Array(plan.triedInTurn(node)) : []
    }
    needs = ObjectNeeds(plan)
    settle()
  }

  private static func alternatives(_ plan: PlanTables) -> [[Alternative]] {
    var all = [[Alternative]](repeating: [], count: plan.fields.count)
    guard let rows = plan.rows else { return all }
    for number in 0..<Int32(plan.objects.count) {
      let object = plan.objects[number].pointee
      for field in object.firstField..<object.firstField + object.fieldCount {
        let node = plan.nodes[plan.fields[field].pointee.node].pointee
        guard let fields = plan.scalarAlternatives(of: node, inBlockOf: number) else { continue }
        all[Int(field)] = zip(node.child..<node.child + node.second, fields).map { entry, field in
          Alternative(
            object: plan.nodes[plan.alternatives[entry].pointee].pointee.child,
            cell: rows.cells[field].pointee,
            kind: plan.nodes[plan.fields[field].pointee.node].pointee.strictKind)
        }
      }
    }
    return all
  }

  /// An object ends: looks which of its fields found something.
  @inline(__always)
  func note(_ object: Int, isFound: (Int32) -> Bool) {
    let look = looks.start[object]
    if look.openCount == 0 { return }
    var hasNews = !met[object]
    for number in look.firstOpen..<look.firstOpen + look.openCount
    where isFound(numbers.start[Int(number)]) { hasNews = true }
    if hasNews { take(object, open[object].filter(isFound)) }
  }

  @inline(never)
  private func take(_ object: Int, _ found: [Int32]) {
    met[object] = true
    finds.note(found, of: Int32(object))
    let known = Set(found)
    open[object].removeAll { known.contains($0) }
    settle()
  }

  /// Looks at a record that was written by a program; a maker that opens containers looks at these itself.
  @inline(never)
  func note(_ row: RecordRow) { note(row.cells, as: plan.root, of: row) }

  /// Looks at a value that was written by a program, of a node of the plan.
  func note(_ cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow) {
    guard let rows else { return }
    let node = nodes + Int(index)
    if cell.pointee.isClosed { return note(closed: cell, as: index, of: row) }
    switch node.pointee.opcode.family {
    case .object:
      guard cell.pointee.kind == .object else { return }
      let object = Int(node.pointee.child)
      let look = looks.start[object]
      if look.openCount == 0, look.innerCount == 0 { return }
      let block = row.cells + Int(cell.pointee.start)
      if block.pointee.isBlock {
        let group = rows.groups + Int(rows.groupOfObject[object])
        // It was opened for the parts that another value wants.
        if Int32(bitPattern: block.pointee.next) != group.pointee.entry {
          return note(closed: cell, as: index, of: row)
        }
      }
      // What is found changes the tables, and these stay as they are until all is looked at.
      let numbers = numbers
      note(object) { block[Int(rows.cells[Int($0)])].kind != .absent }
      let firstInner = look.firstOpen + look.openCount
      for number in firstInner..<firstInner + look.innerCount {
        let field = Int(numbers.start[Int(number)])
        if alternatives[field].isEmpty {
          // A field that takes the whole object has no cell of its own.
          let own = Int(rows.cells[field])
          note(own > 0 ? block + own : cell, as: fields[field].node, of: row)
        } else {
          note(alternatives[field], rows, block)
        }
      }
    case .collection:
      if node.pointee.opcode == .array {
        let first = row.cells + Int(cell.pointee.start)
        if cell.pointee.kind == .array, first.pointee.isBlock {
          return note(closed: cell, as: index, of: row)
        }
        noteElements(of: cell, as: node.pointee.child, of: row)
      } else if cell.pointee.kind == .object {
        // One that something else looks at, too, says where it is.
        if row.place(ofContainer: cell) != nil { return note(closed: cell, as: index, of: row) }
        noteMembers(from: cell.pointee.end, as: node.pointee.child, of: row)
      }
    case .change, .remap: note(cell, as: node.pointee.child, of: row)
    case .choice(.dispatch): noteChosen(by: cell, as: index, of: row)
    case .choice(.first): noteTried(cell, as: index, of: row)
    case .scalar, .json: break
    }
  }

  /// Looks at what the program tried: up to the first that is not surely wrong.
  ///
  /// All else is left to a maker, which tells what it finds.
  private func noteTried(
    _ cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow
  ) {
    for chosen in turns[Int(index)] {
      note(cell, as: chosen, of: row)
      if !isWrong(cell, as: chosen, of: row) { return }
    }
  }

  /// Whether a value is surely wrong.
  private func isWrong(
    _ cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow
  ) -> Bool {
    let node = nodes + Int(index)
    guard node.pointee.opcode == .object, let rows else {
      return cell.pointee.kind.isWrong(for: node.pointee.strictKind)
    }
    guard cell.pointee.kind == .object else { return false }
    let object = node.pointee.child
    let entry = rows.groups[Int(rows.groupOfObject[Int(object)])].entry
    let mark = row.mark
    defer { row.release(to: mark) }
    guard let opened = opened(cell, by: entry, of: row) else { return false }
    return needs.areMissing(of: object, in: row.cells + Int(opened.pointee.start))
  }

  /// An object that is open for the parts that a node of the selection wants; nil if that cannot be done.
  private func opened(
    _ cell: UnsafeMutablePointer<RowCell>, by entry: Int32, of row: RecordRow
  ) -> UnsafeMutablePointer<RowCell>? {
    if !cell.pointee.isClosed {
      let first = row.cells + Int(cell.pointee.start)
      if !first.pointee.isBlock || Int32(bitPattern: first.pointee.next) == entry { return cell }
    }
    guard entry >= 0, let place = row.place(ofContainer: cell) else { return nil }
    return row.open(place, by: entry)
  }

  /// Looks at what a label chose, as the program did.
  private func noteChosen(
    by cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow
  ) {
    let number = Int(nodes[Int(index)].child)
    guard let rows, cell.pointee.kind == .object, !choices[number].isByKind else { return }
    let first = row.cells + Int(cell.pointee.start)
    let entry = rows.groups[Int(rows.groupOfDispatch[number])].entry
    if first.pointee.isBlock, Int32(bitPattern: first.pointee.next) != entry {
      return note(closed: cell, as: index, of: row)
    }
    let label = first + Int(rows.discriminators[number])
    guard let chosen = choices[number].node(for: label, of: row), chosen >= 0 else { return }
    // The program leaves all else to a maker, which tells what it finds.
    if nodes[Int(chosen)].opcode == .object { note(cell, as: chosen, of: row) }
  }

  /// Looks at alternatives as the program did: up to the first that is there and is not surely wrong.
  private func note(
    _ alternatives: [Alternative], _ rows: Rows, _ block: UnsafeMutablePointer<RowCell>
  ) {
    for one in alternatives {
      note(Int(one.object)) { block[Int(rows.cells[Int($0)])].kind != .absent }
      let kind = block[Int(one.cell)].kind
      if kind != .absent, !kind.isWrong(for: one.kind) { return }
    }
  }

  /// Opens a container again, as the program did.
  private func note(
    closed cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow
  ) {
    guard let rows else { return }
    let node = nodes + Int(index)
    let entry: Int32
    switch node.pointee.opcode.family {
    case .object:
      let object = Int(node.pointee.child)
      let look = looks.start[object]
      if look.openCount == 0, look.innerCount == 0 { return }
      entry = rows.groups[Int(rows.groupOfObject[object])].entry
    case .collection: entry = rows.entries[Int(index)]
    case .change, .remap: return note(closed: cell, as: node.pointee.child, of: row)
    case .choice(.dispatch):
      let number = Int(node.pointee.child)
      guard !choices[number].isByKind else { return }
      entry = rows.groups[Int(rows.groupOfDispatch[number])].entry
    case .choice(.first): return noteTried(cell, as: index, of: row)
    case .scalar, .json: return
    }
    let mark = row.mark
    defer { row.release(to: mark) }
    guard entry >= 0, let place = row.place(ofContainer: cell),
      let opened = row.open(place, by: entry)
    else { return }
    if node.pointee.opcode == .dictionary {
      noteMembers(from: opened.pointee.end, as: node.pointee.child, of: row)
    } else {
      note(opened, as: index, of: row)
    }
  }

  /// Looks at the elements of an array.
  private func noteElements(
    of cell: UnsafeMutablePointer<RowCell>, as index: Int32, of row: RecordRow
  ) {
    guard cell.pointee.kind == .array else { return }
    var element = row.cells + Int(cell.pointee.start)
    if element.pointee.isHead { element = row.cells + Int(element.pointee.next) }
    for _ in 0..<cell.pointee.end {
      note(element, as: index, of: row)
      element = row.cells + Int(element.pointee.next)
    }
  }

  /// Looks at the values of an object's members, from its first key on.
  private func noteMembers(from first: UInt32, as index: Int32, of row: RecordRow) {
    var next = first
    while next > 0 {
      let key = row.cells + Int(next)
      note(key + 1, as: index, of: row)
      next = key.pointee.next
    }
  }

  /// Works out what is left to look for.
  private func settle() {
    isOver = open.allSatisfy(\.isEmpty)
    var looks: [Look] = []
    var numbers: [Int32] = []
    for object in open.indices {
      let first = Int32(numbers.count)
      let inner = innerFields(of: Int32(object))
      numbers += open[object] + inner
      looks.append(
        Look(
          firstOpen: first, openCount: Int32(open[object].count), innerCount: Int32(inner.count)))
    }
    self.looks = FlatTable(looks)
    self.numbers = FlatTable(numbers)
  }

  /// The fields of an object that lead to objects with open fields.
  private func innerFields(of number: Int32) -> [Int32] {
    guard rows != nil, !isOver else { return [] }
    let object = plan.objects[number].pointee
    return (object.firstField..<object.firstField + object.fieldCount).filter {
      var visited: Set<Int32> = []
      return alternatives[Int($0)].contains { !open[Int($0.object)].isEmpty }
        || leadsToOpen(plan.fields[$0].pointee.node, &visited)
    }
  }

  private func leadsToOpen(_ index: Int32, _ visited: inout Set<Int32>) -> Bool {
    let node = plan.nodes[index].pointee
    switch node.opcode.family {
    // What a value is mapped to again is looked at where that is done.
    case .collection, .change, .remap: return leadsToOpen(node.child, &visited)
    case .object:
      guard visited.insert(node.child).inserted else { return false }
      if !open[Int(node.child)].isEmpty { return true }
      let object = plan.objects[node.child].pointee
      return (object.firstField..<object.firstField + object.fieldCount).contains {
        leadsToOpen(plan.fields[$0].pointee.node, &visited)
      }
    case .choice(.dispatch):
      guard !choices[Int(node.child)].isByKind else { return false }
      return plan.dispatches[Int(node.child)].nodes.contains { leadsToOpen($0, &visited) }
    case .choice(.first): return turns[Int(index)].contains { leadsToOpen($0, &visited) }
    case .scalar, .json: return false
    }
  }
}

extension PlanTables {
  /// The fields of an object that a path leads to, those for further sources and those that formulas read, too; but not what a
  /// formula expects to be missing.
  func fieldsWithSources(of object: Int32) -> [Int32] {
    let object = objects[object].pointee
    return (object.firstField..<object.hiddenFields.upperBound).filter {
      !constants.contains($0) && !sources[Int($0)].components.isEmpty && !mayMiss($0)
    }
  }

  /// Whether only formulas read a field, and all of them say what happens where it is missing.
  func mayMiss(_ field: Int32) -> Bool {
    nodes[fields[field].pointee.node].pointee.isOperand && !needed.contains(field)
  }
}
