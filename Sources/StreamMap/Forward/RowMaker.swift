/// Makes records from rows: the short way, beside the machine.
///
/// It goes over the fields of an object in the plan's order and makes each from its cell. So no event is sent, and no state is
/// kept of what came already.
///
/// It never makes an error. Where anything is wrong or unusual, it destroys what it made and gives up. The record is then mapped by
/// the machine, which finds all errors, with their addresses.
class RowMaker {
  final let nodes: UnsafePointer<PlanNode>
  final let objects: UnsafePointer<PlanObject>
  final let fields: UnsafePointer<PlanField>
  final let cells: UnsafePointer<Int32>
  final let elementLimit: Int
  private final let root: Int32
  private final let firstSteps: UnsafePointer<Int32>
  private final let steps: UnsafePointer<RowTables.Step>
  private final let decoder = StringDecoder()
  // Keeps the tables alive.
  private final let plan: PlanTables

  /// Nil if the plan cannot be made from rows.
  init?(_ plan: PlanTables, limits: Limits) {
    guard let rows = plan.rows else { return nil }
    self.plan = plan
    root = plan.root
    nodes = plan.nodes.start
    objects = plan.objects.start
    fields = plan.fields.start
    cells = rows.cells.start
    firstSteps = rows.firstSteps.start
    steps = rows.steps.start
    elementLimit = limits.elements
  }

  /// Whether a condition leaves out the record that was not made.
  final var isOmitted = false

  /// Makes a record in uninitialised memory; false if the machine has to.
  final func make(_ row: RecordRow, in destination: UnsafeMutableRawPointer) -> Bool {
    isOmitted = false
    var record = RowCell(kind: .object)
    return withUnsafeMutablePointer(to: &record) {
      make($0, as: nodes + Int(root), of: row, in: destination)
    }
  }

  /// Makes the record's value from a cell.
  func make(
    _ cell: UnsafeMutablePointer<RowCell>, as node: UnsafePointer<PlanNode>, of row: RecordRow,
    in destination: UnsafeMutableRawPointer
  ) -> Bool { false }

  /// Looks at what the paths of an object go through: null is null for all that is inside; false if there is anything else
  /// than an object.
  @inline(__always)
  final func passSteps(of object: Int, in block: UnsafeMutablePointer<RowCell>) -> Bool {
    var number = Int(firstSteps[object])
    let end = Int(firstSteps[object + 1])
    while number < end {
      let step = steps[number]
      let kind = block[Int(step.cell)].kind
      if kind != .object, kind != .absent {
        guard kind == .null else { return false }
        for cell in Int(step.cell) + 1...Int(step.cell + step.inside) { block[cell].kind = .null }
      }
      number += 1
    }
    return true
  }

  /// The token of a scalar, which is not null; nil for anything else.
  @inline(__always)
  final func token(_ cell: UnsafeMutablePointer<RowCell>, of row: RecordRow) -> Token? {
    // Only strings have escapes.
    cell.pointee.hasEscapes ? decoded(row.characters(of: cell)) : row.plainToken(of: cell)
  }

  @inline(never)
  private final func decoded(_ content: UnsafeBufferPointer<UInt8>) -> Token? {
    decoder.decoded(content).map { Token(kind: .string, text: $0) }
  }
}

extension PlanTables {
  /// By field: whether it is a string without rules.
  func arePlainStrings() -> FlatTable<Bool> {
    FlatTable(
      (0..<fields.count).map { field in
        let node = nodes[fields[Int32(field)].pointee.node].pointee
        return node.scalar == .string && node.isPlainScalar
      })
  }
}
