/// Output that was taken from a converter with its memory, or empty memory for more of it.
///
/// It belongs to one thread at a time.
// PERF: the buffer itself stays internal. What other modules can reach is checked for exclusive access each time.
package struct OutputPiece {
  let buffer: OutputBuffer

  init(_ buffer: OutputBuffer) { self.buffer = buffer }

  /// Empty memory.
  package init() { buffer = OutputBuffer() }

  /// The output; valid until the piece is cleared or given back.
  package var bytes: UnsafeBufferPointer<UInt8> { buffer.bytes }

  /// Makes it empty again.
  package func clear() { buffer.clear() }
}
