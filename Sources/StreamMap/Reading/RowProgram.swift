import CScan

/// How rows are written as JSON text, without a call of code for a value; `CScan/row_writer.c` does it.
///
/// It holds what is plain, and refuses what it cannot be sure of.
final class RowProgram: @unchecked Sendable {
  /// What a program is made of.
  ///
  /// Values, objects and fields refer to each other by their numbers.
  struct Parts {
    fileprivate(set) var values: [sm_written_value] = []
    fileprivate(set) var objects: [sm_written_object] = []
    fileprivate(set) var fields: [sm_written_field] = []
    fileprivate(set) var steps: [UInt32] = []
    fileprivate(set) var texts: [UInt8] = []

    /// A value of one token, with what is written instead of a null and of nothing; nil refuses these.
    mutating func add(_ scalar: Scalar, null: [UInt8]?, absent: [UInt8]?) -> UInt32 {
      var value = sm_written_value()
      switch scalar {
      case .any: value.kind = UInt8(SM_WRITE_SCALAR.rawValue)
      case .string: value.kind = UInt8(SM_WRITE_STRING.rawValue)
      case .boolean: value.kind = UInt8(SM_WRITE_BOOLEAN.rawValue)
      case .number: value.kind = UInt8(SM_WRITE_NUMBER.rawValue)
      case .decimal(let most):
        value.kind = UInt8(SM_WRITE_DECIMAL.rawValue)
        value.most = most
      case .integer(let most, let takesMinus):
        value.kind = UInt8(SM_WRITE_INTEGER.rawValue)
        value.most = most
        value.takes_minus = takesMinus
      }
      return add(value, null, absent)
    }

    mutating func addArray(of element: UInt32, null: [UInt8]?, absent: [UInt8]?) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_ARRAY.rawValue)
      value.child = element
      return add(value, null, absent)
    }

    /// An object with at least one field; `steps` are the cells of the members that only paths lead through.
    mutating func addObject(
      _ members: [Member], steps: [UInt32], null: [UInt8]?, absent: [UInt8]?
    ) -> UInt32 {
      var value = sm_written_value()
      value.kind = UInt8(SM_WRITE_OBJECT.rawValue)
      value.child = UInt32(objects.count)
      objects.append(
        sm_written_object(
          first_field: UInt32(fields.count), field_count: UInt32(members.count),
          first_step: UInt32(self.steps.count), step_count: UInt32(steps.count)))
      self.steps += steps
      for (number, member) in members.enumerated() {
        let start = number == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
        let value = values[Int(member.value)]
        fields.append(
          sm_written_field(
            cell: member.cell, value: member.value, name: add([start] + member.name),
            kind: value.kind, most: min(value.most, 8)))
      }
      return add(value, null, absent)
    }

    private mutating func add(
      _ value: sm_written_value, _ null: [UInt8]?, _ absent: [UInt8]?
    ) -> UInt32 {
      var value = value
      if let null {
        value.has_null = true
        value.null = add(null)
      }
      if let absent {
        value.has_absent = true
        value.absent = add(absent)
      }
      values.append(value)
      return UInt32(values.count - 1)
    }

    private mutating func add(_ text: [UInt8]) -> sm_written_text {
      defer { texts += text }
      return sm_written_text(start: UInt32(texts.count), length: UInt32(text.count))
    }
  }

  /// A scalar and how its values are recognized.
  enum Scalar {
    case any, string, boolean, number
    /// A number without an exponent, of at most so many bytes.
    case decimal(most: UInt8)
    /// At most so many digits.
    case integer(most: UInt8, takesMinus: Bool)
  }

  /// A member of an object: its value, and where that comes from.
  struct Member {
    /// In the block of its object.
    let cell: UInt32
    let value: UInt32
    /// Its name as it is written, with the colon.
    let name: [UInt8]
  }

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
  private let steps: UnsafeMutableBufferPointer<UInt32>
  private let texts: UnsafeMutableBufferPointer<UInt8>
  let program: UnsafeMutablePointer<sm_row_program>

  /// A program that writes the value `root`, which is an object, and refuses longer arrays.
  init(_ parts: Parts, root: UInt32, mostElements: Int) {
    values = Self.table(parts.values)
    objects = Self.table(parts.objects)
    fields = Self.table(parts.fields)
    steps = Self.table(parts.steps)
    texts = Self.table(parts.texts + Array(repeating: 0, count: SM_WRITE_ROOM))
    program = .allocate(capacity: 1)
    program.initialize(
      to: sm_row_program(
        values: values.baseAddress, objects: objects.baseAddress, fields: fields.baseAddress,
        steps: steps.baseAddress, texts: texts.baseAddress, root: root,
        most_elements: UInt64(clamping: mostElements)))
  }

  deinit {
    values.deallocate()
    objects.deallocate()
    fields.deallocate()
    steps.deallocate()
    texts.deallocate()
    program.deallocate()
  }

  private static func table<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let table = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(elements.count, 1))
    _ = table.initialize(from: elements)
    return table
  }

  /// What became of a row.
  enum Outcome {
    /// So many bytes of the output are used now.
    case written(Int)
    case refused
    /// The output has to grow.
    case noRoom
  }

  /// Writes a row after what the output has.
  func write(_ row: RecordRow, to output: Output) -> Outcome {
    var memory = output.memory
    // RowCell has the layout of sm_cell.
    let cells = UnsafeMutableRawPointer(row.cells).assumingMemoryBound(to: sm_cell.self)
    let result = sm_write_row(
      sm_row(cells: cells, text: row.text, readable: row.readable), program, &memory)
    switch result {
    case SM_WRITTEN: return .written(memory.count)
    case SM_NO_ROOM: return .noRoom
    default: return .refused
    }
  }
}
