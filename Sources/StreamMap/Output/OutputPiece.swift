/// Output that was taken from a converter with its memory, or memory for more of it: text, or columns.
///
/// It belongs to one thread at a time.
// PERF: the buffer itself stays internal. What other modules can reach is checked for exclusive access each time.
package struct OutputPiece {
  let buffer: OutputBuffer?
  /// The records, where they are columns.
  package let columns: RecordColumns?

  init(_ buffer: OutputBuffer) {
    self.buffer = buffer
    columns = nil
  }

  init(_ columns: RecordColumns) {
    buffer = nil
    self.columns = columns
  }

  /// Nothing yet, not even memory.
  package init() {
    buffer = nil
    columns = nil
  }

  /// The output, where it is text; valid until the piece is cleared or given back.
  package var bytes: UnsafeBufferPointer<UInt8> {
    buffer?.bytes ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  /// How many bytes it has: of text, or of values.
  package var count: Int { buffer?.count ?? columns?.bytes ?? 0 }

  /// Makes it empty again.
  package func clear() {
    buffer?.clear()
    columns?.clear()
  }
}
