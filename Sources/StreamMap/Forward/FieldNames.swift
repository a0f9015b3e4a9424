/// The names of fields as they are written: `"name":`.
struct FieldNames {
  /// How many bytes after the start of each are readable at least, and how many are after the last one.
  static let padding = 16

  private let text: FlatTable<UInt8>
  /// Where each starts, and where the last one ends.
  private let starts: FlatTable<Int>

  /// The names of a plan's fields; empty if a field's value stands for its object.
  init(_ plan: PlanTables) {
    let buffer = OutputBuffer()
    var starts = [0]
    for name in plan.names {
      if let name = name.first {
        JSONText.append(quoted: name, to: buffer)
        buffer.append(UInt8(ascii: ":"))
      }
      starts.append(buffer.count)
    }
    text = FlatTable(Array(buffer.bytes) + Array(repeating: 0, count: Self.padding))
    self.starts = FlatTable(starts)
  }

  /// Only for fields of the plan.
  @inline(__always)
  subscript(field: Int) -> UnsafeBufferPointer<UInt8> {
    let start = starts.start[field]
    return UnsafeBufferPointer(start: text.start + start, count: starts.start[field + 1] - start)
  }
}
