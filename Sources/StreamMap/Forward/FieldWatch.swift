/// Which fields of a plan have found something so far, in all records of a run.
///
/// The makers of records of all threads and of all feeds of the run share it. They only tell it what they find for the first time.
package final class FieldFinds: Sendable {
  /// What was found, by the plan's numbers.
  ///
  /// A run that stops can write it down and go on with it.
  package struct Found: Codable, Sendable {
    /// The fields that found a value, or null.
    package fileprivate(set) var fields: Set<Int32> = []
    /// The objects that were there, whatever their fields found.
    package fileprivate(set) var objects: Set<Int32> = []

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

  fileprivate func noteField(_ number: Int32) { state.withLock { _ = $0.fields.insert(number) } }
  fileprivate func noteObject(_ number: Int32) { state.withLock { _ = $0.objects.insert(number) } }
}

/// What one maker of records still looks for: the fields that have found nothing yet.
///
/// A field is found where its member is there, whatever it holds. Once all are found, records are not looked at any more.
///
/// Not thread-safe.
final class FieldWatch {
  private let finds: FieldFinds
  private let plan: PlanTables
  /// By object: the fields that have found nothing yet.
  private var open: [[Int32]]
  /// By object, for rows: the fields that lead to objects with open fields.
  private var inner: [[Int32]] = []
  private var met: [Bool]
  /// Whether all fields have found something.
  private(set) var isOver = false

  init(_ plan: PlanTables, _ finds: FieldFinds) {
    self.plan = plan
    self.finds = finds
    let found = finds.found
    open = (0..<Int32(plan.objects.count)).map { number in
      plan.fieldsWithSources(of: number).filter { !found.fields.contains($0) }
    }
    met = (0..<Int32(plan.objects.count)).map { found.objects.contains($0) }
    settle()
  }

  /// An object ends: looks which of its fields found something.
  func note(_ object: Int, isFound: (Int32) -> Bool) {
    if open[object].isEmpty { return }
    if !met[object] {
      met[object] = true
      finds.noteObject(Int32(object))
    }
    guard open[object].contains(where: isFound) else { return }
    for field in open[object] where isFound(field) { finds.noteField(field) }
    open[object].removeAll(where: isFound)
    settle()
  }

  /// Looks at a record that was made from a row.
  func note(_ row: RecordRow) {
    var record = RowCell(kind: .object)
    withUnsafePointer(to: &record) { note($0, as: plan.root, of: row) }
  }

  private func note(_ cell: UnsafePointer<RowCell>, as index: Int32, of row: RecordRow) {
    let node = plan.nodes[index]
    switch node.pointee.opcode {
    case .object:
      guard cell.pointee.kind == .object, let rows = plan.rows else { return }
      let object = Int(node.pointee.child)
      let block = row.cells + Int(cell.pointee.start)
      note(object) { block[Int(rows.cells[$0].pointee)].kind != .absent }
      for field in inner[object] {
        note(
          block + Int(rows.cells[field].pointee), as: plan.fields[field].pointee.node, of: row)
      }
    case .array:
      guard cell.pointee.kind == .array else { return }
      var element = UnsafePointer(row.cells + Int(cell.pointee.start))
      for _ in 0..<cell.pointee.end {
        note(element, as: node.pointee.child, of: row)
        element = UnsafePointer(row.cells + Int(element.pointee.next))
      }
    case .transform: note(cell, as: node.pointee.child, of: row)
    default: break
    }
  }

  /// Works out what is left to look for.
  private func settle() {
    isOver = open.allSatisfy(\.isEmpty)
    // Only rows are looked at from the outside inwards; their plans do not contain themselves.
    guard plan.rows != nil, !isOver else { return }
    inner = (0..<Int32(plan.objects.count)).map { number in
      let object = plan.objects[number].pointee
      return (object.firstField..<object.firstField + object.fieldCount).filter {
        leadsToOpen(plan.fields[$0].pointee.node)
      }
    }
  }

  private func leadsToOpen(_ index: Int32) -> Bool {
    let node = plan.nodes[index].pointee
    switch node.opcode {
    case .array, .transform: return leadsToOpen(node.child)
    case .object:
      if !open[Int(node.child)].isEmpty { return true }
      let object = plan.objects[node.child].pointee
      return (object.firstField..<object.firstField + object.fieldCount).contains {
        leadsToOpen(plan.fields[$0].pointee.node)
      }
    default: return false
    }
  }
}

extension PlanTables {
  /// The fields of an object that a path leads to, those for further sources too.
  func fieldsWithSources(of object: Int32) -> [Int32] {
    let object = objects[object].pointee
    return (object.firstField..<object.firstField + object.fieldCount + object.otherSourceCount)
      .filter { !constants.contains($0) && !sources[Int($0)].components.isEmpty }
  }
}
