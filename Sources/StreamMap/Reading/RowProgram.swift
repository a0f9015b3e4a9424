import CScan

/// How rows are written as JSON text; `CScan/row_writer.c` does it.
///
/// Plain values are written without a call of code for a value. For anything else, and for conditions that are more than an
/// interval, the program calls its maker. It refuses what it cannot be sure of.
final class RowProgram: @unchecked Sendable {
  /// How many bytes of room are tried for a row, which has at most 64 KiB of the feed: what needs more is made in another way.
  static let mostRoom = 256 << 20

  /// Memory that text is written to.
  struct Output {
    let start: UnsafeMutablePointer<UInt8>
    let count: Int
    let capacity: Int

    var memory: sm_output { sm_output(start: start, count: count, capacity: capacity) }
  }

  // Invariant: written only in `init`; all that C reads is in the tables.
  private let values: UnsafeMutableBufferPointer<sm_written_value>
  private let objects: UnsafeMutableBufferPointer<sm_written_object>
  private let fields: UnsafeMutableBufferPointer<sm_written_field>
  private let pieces: UnsafeMutableBufferPointer<sm_written_piece>
  private let intervals: UnsafeMutableBufferPointer<sm_interval>
  private let conditions: UnsafeMutableBufferPointer<sm_condition>
  private let steps: UnsafeMutableBufferPointer<sm_written_step>
  private let texts: UnsafeMutableBufferPointer<UInt8>
  let program: UnsafeMutablePointer<sm_row_program>
  // The program refers to them.
  private let calls: RowCalls
  /// By node of the plan: the value that is made of it alone; nil if there is none.
  private let inner: [UInt32?]
  /// Whether its calls ask what the record knows about itself.
  let asksForRecord: Bool

  /// A program that writes the value `root`, and refuses longer arrays.
  init(
    _ parts: Parts, root: UInt32, inner: [UInt32?], omitsNulls: Bool, limits: Limits,
    calls: RowCalls,
    asksForRecord: Bool
  ) {
    self.calls = calls
    self.inner = inner
    self.asksForRecord = asksForRecord
    values = Self.table(parts.values)
    objects = Self.table(parts.objects)
    fields = Self.table(parts.fields)
    pieces = Self.table(parts.pieces)
    intervals = Self.table(parts.intervals)
    conditions = Self.table(parts.conditions)
    steps = Self.table(parts.steps)
    texts = Self.table(parts.texts + Array(repeating: 0, count: SM_WRITE_ROOM))
    program = .allocate(capacity: 1)
    program.initialize(
      to: sm_row_program(
        values: values.baseAddress, objects: objects.baseAddress, fields: fields.baseAddress,
        pieces: pieces.baseAddress, intervals: intervals.baseAddress,
        conditions: conditions.baseAddress,
        steps: steps.baseAddress, texts: texts.baseAddress, root: root,
        omits_nulls: omitsNulls, most_elements: UInt64(clamping: limits.elements),
        most_members: UInt64(clamping: limits.members),
        most_work: UInt64(clamping: limits.replayed),
        most_opened: UInt64(clamping: limits.capturedValue),
        call: RowCalls.answer,
        context: Unmanaged.passUnretained(calls).toOpaque()))
  }

  deinit {
    values.deallocate()
    objects.deallocate()
    fields.deallocate()
    pieces.deallocate()
    intervals.deallocate()
    conditions.deallocate()
    steps.deallocate()
    texts.deallocate()
    program.deallocate()
  }

  private static func table<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let table = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = table.initialize(from: elements)
    return table
  }

  var fieldCount: Int { fields.count }

  /// What became of a row.
  enum Outcome {
    /// So many bytes of the output are used now.
    case written(Int)
    case refused
    /// There is no value, and calls noted why.
    case failed
    /// A condition leaves the row out.
    case leftOut
    /// The output has to grow.
    case noRoom
  }

  /// Writes a row after what the output has; calls note what is wrong with it.
  func writeOrTell(_ row: RecordRow, to output: Output) -> Outcome {
    var memory = output.memory
    return outcome(sm_write_row_or_tell(row.memory, program, &memory), memory)
  }

  /// Writes a value that is not a record, of a node of the plan, after what the output has.
  func write(
    _ cell: UnsafeMutablePointer<RowCell>, of row: RecordRow, as node: Int, to output: Output
  ) -> Outcome {
    guard let number = inner[node] else { return .refused }
    var memory = output.memory
    // RowCell has the layout of sm_cell.
    let cell = UnsafeRawPointer(cell).assumingMemoryBound(to: sm_cell.self)
    let result = sm_write_inner_row(row.memory, cell, number, program, &memory)
    return outcome(result, memory)
  }

  private func outcome(_ result: sm_write_result, _ memory: sm_output) -> Outcome {
    switch result {
    case SM_WRITTEN: return .written(memory.count)
    case SM_NO_ROOM: return .noRoom
    case SM_LEFT_OUT: return .leftOut
    case SM_FAILED: return .failed
    default: return .refused
    }
  }
}
