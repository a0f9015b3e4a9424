/// What became of a value.
enum Made: UInt8, BitwiseCopyable {
  case made
  /// There is none: it is wrong itself.
  case rejected
  /// There is none: something in it is wrong.
  case failed
  /// There is none, because it, or what it lacks, is not there.
  case absent
  /// A condition leaves it out.
  case omitted
  /// The machine has to make it: something is not known here.
  case refused
}

/// Makes records from rows: the short way, beside the machine.
///
/// It goes over the fields of an object in the plan's order and makes each from its cell. So no event is sent, and no state is
/// kept of what came already. Alternatives look at the same cell, one after the other. A dispatch looks up one cell, several sources
/// are read in their order, and what a second mapping makes of a value is read as a row of its own (`sm_row_text`).
///
/// It notes errors as the machine does (`RowMaker+Errors`). Where it does not know all of an error, it destroys what it made and gives up:
/// `FeedReader.redo` puts the walker back to the record's first byte, and the machine maps the record. So code of the mapping's author may
/// run twice for such a record.
///
/// There are no rows for the mapping of an update, nor for another parser than ``RecordParser/auto``.
///
/// This is the walk over the plan; `ValueRowMaker` and `TextRowMaker` make what it comes to.
class RowMaker {
  final let plan: PlanTables
  final let nodes: UnsafePointer<PlanNode>
  final let root: UnsafePointer<PlanNode>
  final let objects: UnsafePointer<PlanObject>
  final let fields: UnsafePointer<PlanField>
  final let rows: RowTables
  final let cells: UnsafePointer<Int32>
  final let groups: UnsafePointer<RowTables.Group>
  final let steps: UnsafePointer<RowTables.Step>
  final let elementLimit: Int
  final let memberLimit: Int
  final let captureLimit: Int
  final let replayLimit: Int
  /// Makes what stands in for a value, and looks at the rules of what is made.
  final let output: any Builder
  /// Where output records are written; nil for typed values.
  final let written: OutputBuffer?
  final let arena = SlotArena()
  final let layouts: UnsafePointer<ValueLayout>
  private let layoutTable: FlatTable<ValueLayout>
  final let decoder = StringDecoder()
  final let choices: [Choice]
  final var keys = KeySet()
  /// By field: how it finds its value.
  final let sources: UnsafePointer<Source>
  private let sourceTable: FlatTable<Source>
  /// What notes which fields find something; nil if that is not wanted.
  final var watch: FieldWatch?
  /// The containers that are being made, one inside the other.
  final var depth = 0
  /// The texts of values that are made of other values, one inside the other.
  final var texts: [OutputBuffer] = []
  final var textDepth = 0
  /// The errors of the record.
  final let errors: ErrorLog
  /// What the author's code threw for the value that is rejected.
  final var thrown: (any Error)?
  final let trail = RowTrail()
  /// The trail's, which it keeps alive.
  final let counts: UnsafeMutablePointer<RowTrail.Counts>
  /// For errors alone.
  private(set) final lazy var fieldPlaces = FieldPlaces(plan)

  /// Deeper values are for the machine, which needs no stack for them.
  static let deepest = 64

  /// How a field finds its value.
  enum Source: UInt8, BitwiseCopyable { case cell, severalCells, fact, members }

  /// Nil if the plan cannot be made from rows.
  init?(_ plan: PlanTables, builder: any Builder, written: OutputBuffer? = nil, limits: Limits) {
    guard let rows = plan.rows else { return nil }
    self.plan = plan
    self.rows = rows
    output = builder
    self.written = written
    nodes = plan.nodes.start
    root = plan.nodes.start + Int(plan.root)
    objects = plan.objects.start
    fields = plan.fields.start
    cells = rows.cells.start
    groups = rows.groups.start
    steps = rows.steps.start
    elementLimit = limits.elements
    memberLimit = limits.members
    captureLimit = limits.capturedValue
    replayLimit = limits.replayed
    errors = ErrorLog(limit: limits.errorsPerRecord)
    counts = trail.counts
    layoutTable = ValueLayout.table(plan, builder)
    layouts = layoutTable.start
    choices = plan.dispatches.map { Choice($0) }
    sourceTable = FlatTable(plan.sourcesInRows)
    sources = sourceTable.start
  }

  /// Makes a record in uninitialised memory.
  func make(record row: RecordRow, in destination: UnsafeMutableRawPointer) -> Made {
    make(row.cells, as: root, of: row, in: destination)
  }

  /// Makes a value inside a record in uninitialised memory.
  ///
  /// - Returns: Refused, with nothing left behind, if the row was read for something else, or anything is to be reported.
  final func make(
    _ value: FeedReader.InnerRow, readBy reader: Int32, as number: Int32,
    in slot: UnsafeMutableRawPointer
  ) -> Made {
    guard rows.readers[number].pointee == reader else { return .refused }
    walker = value.row.walker
    let node = nodes + Int(number)
    let start = written?.count ?? 0
    // The first fault is enough: the machine finds all.
    quiet += 1
    defer { quiet -= 1 }
    var made = makeAtOnce(value.cell, node, value.row, slot)
    if made == .refused { made = make(value.cell, as: node, of: value.row, in: slot) }
    if noted == 0, made == .made || made == .omitted { return made }
    if made == .made { output.discard(as: node, in: slot) }
    written?.truncate(to: start)
    clearNotes()
    return .refused
  }

  // MARK: What the subclasses make

  /// A value that is not a record in one step; refused where its parts have to be made one by one.
  func makeAtOnce(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// A scalar; only of a node of scalars.
  func makeScalar(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// An object, from the block of its group.
  func makeObject(
    _ node: UnsafePointer<PlanNode>, _ block: borrowing Block, _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// Whether an object is to be made, by its condition on the source.
  func holdsEarly(_ object: Int, _ block: Block) -> Made { .refused }

  /// An array, from the cell of its first element.
  func makeArray(
    _ count: UInt32, _ element: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>,
    _ row: RecordRow, _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// A dictionary, from its first key; 0 if it has none.
  func makeDictionary(
    _ first: UInt32, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  func makeTransform(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// A whole sub-tree.
  func makeJSON(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made { .refused }

  /// Maps a value that another mapping made, without a row of its text.
  ///
  /// - Returns: Nil if that is not possible: then the value stays where it is.
  func remake(
    _ made: UnsafeMutableRawPointer, as node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? { nil }

  /// Moves the JSON of a value that a node made out of its slot.
  func takeJSON(
    of node: UnsafePointer<PlanNode>, from slot: UnsafeMutableRawPointer, to text: OutputBuffer
  ) {}

  // MARK: The walk

  /// Makes a value in its slot; where it is not made, nothing is left there, but some text may be.
  final func make(
    _ cell: UnsafeMutablePointer<RowCell>, as node: UnsafePointer<PlanNode>, of row: RecordRow,
    in slot: UnsafeMutableRawPointer
  ) -> Made {
    if cell.pointee.kind.isMissing, let made = makeMissing(cell, node, row, slot) { return made }
    let start = written?.count ?? 0
    let notedBefore = noted
    let made: Made
    switch node.pointee.opcode.family {
    case .scalar: made = makeScalar(cell, node, row, slot)
    case .object: made = openObject(cell, node, row, slot)
    case .collection:
      made =
        node.pointee.opcode == .array
        ? openArray(cell, node, row, slot) : openDictionary(cell, node, row, slot)
    case .change: made = makeTransform(cell, node, row, slot)
    case .json: made = mayCapture(cell, row) ? makeJSON(cell, node, row, slot) : .refused
    case .remap: made = rewrite(cell, node, row, slot)
    case .choice(let choice): made = make(choice, cell, node, row, slot)
    }
    if made == .made {
      return node.pointee.checkCount == 0 ? .made : checked(cell, node, row, slot)
    }
    written?.truncate(to: start)
    // What takes the object decides on one that its condition leaves out.
    if made == .omitted, node.pointee.opcode == .object { return .omitted }
    return fallBack(cell, node, row, after: made, notedBefore: notedBefore, slot)
  }

  /// What becomes of an absent value, a null, or one that paths cannot go through; nil if the node makes something of it.
  @inline(never)
  private final func makeMissing(
    _ cell: UnsafeMutablePointer<RowCell>, _ node: UnsafePointer<PlanNode>, _ row: RecordRow,
    _ slot: UnsafeMutableRawPointer
  ) -> Made? {
    switch cell.pointee.kind {
    case .blocked: return block(cell, node, row, slot)
    case .null:
      switch node.pointee.null.kind {
      case .take: return nil
      case .leave: return .refused
      case .contested:
        return make(cell, as: nodes + Int(node.pointee.null.substitute), of: row, in: slot)
      case .fail, .useNil, .substitute:
        if node.pointee.null.isAsked {
          let notedBefore = noted
          let made = misfit(cell, Int(node.pointee.child), row)
          if made == .omitted { return made }
          if made != .rejected {
            return fallBack(cell, node, row, after: made, notedBefore: notedBefore, slot)
          }
        }
        return lack(.null, node.pointee.null, cell, node, row, slot)
      }
    default:
      if node.pointee.absent.kind == .take, node.pointee.opcode.takesAbsent { return nil }
      return lack(.missing, node.pointee.absent, cell, node, row, slot)
    }
  }

  /// Whether a record may be looked at again for so many values: the machine counts that, too, and knows the limits exactly.
  final func mayRepeat(_ row: RecordRow, times: Int32 = 1) -> Bool {
    let most = row.work
    return row.count(most &* Int(times)) <= replayLimit && most <= captureLimit
  }

  private final func mayCapture(_ cell: UnsafeMutablePointer<RowCell>, _ row: RecordRow) -> Bool {
    !cell.pointee.kind.isContainer || row.work <= captureLimit
  }

  /// How many errors of the record were noted.
  @inline(__always)
  final var noted: Int {
    get { counts.pointee.noted }
    set { counts.pointee.noted = newValue }
  }

  /// The reader of the record; rows of other texts have others.
  @inline(__always)
  final var walker: OpaquePointer? {
    get { counts.pointee.walker }
    set { counts.pointee.walker = newValue }
  }

  @inline(__always)
  final var quiet: Int {
    get { counts.pointee.quiet }
    set { counts.pointee.quiet = newValue }
  }

  @inline(__always)
  final var odd: Int {
    get { counts.pointee.odd }
    set { counts.pointee.odd = newValue }
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

  /// By field: how it finds its value in a row.
  var sourcesInRows: [RowMaker.Source] {
    var sources = [RowMaker.Source](repeating: .cell, count: fields.count)
    for number in 0..<contests.count { sources[Int(contests.start[number].field)] = .severalCells }
    for number in 0..<facts.count { sources[Int(facts.start[number].field)] = .fact }
    for number in 0..<objects.count where objects.start[number].collector >= 0 {
      sources[Int(objects.start[number].collector)] = .members
    }
    return sources
  }
}
