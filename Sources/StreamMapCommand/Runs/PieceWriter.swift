import StreamMap

/// Hands a converter's output on, piece by piece: to where it is written, or to the threads that write it.
///
/// Other threads do so if several jobs map, or if writing is much work.
final class PieceWriter {
  private let converter: OutputConverter
  private let output: any RunOutput
  private let queue: OutputQueue?
  /// Memory for a piece, if there is no queue.
  private var spare = OutputPiece()

  init(_ converter: OutputConverter, to output: any RunOutput) {
    self.converter = converter
    self.output = output
    queue =
      if converter.jobs > 1 || output.needsThread {
        OutputQueue(output, pool: output.waits ? WorkerPool(threads: 1) : converter.pool)
      } else {
        nil
      }
  }

  /// Hands on pieces of so many bytes of text, or full batches; it may return before they are written.
  ///
  /// - Returns: How many bytes they have.
  func write(_ size: Int) throws -> Int {
    let before = converter.outputCount
    while converter.hasPiece(of: size) { try writePiece() }
    return before - converter.outputCount
  }

  /// Hands on all output.
  ///
  /// - Returns: How many bytes it has.
  func writeAll() throws -> Int {
    let before = converter.outputCount
    while converter.outputCount > 0 { try writePiece() }
    return before
  }

  /// Waits until all that was handed on is written.
  func flush() throws { try queue?.flush() }

  private func writePiece() throws {
    if let queue { return try queue.write(converter.takeOutput(leaving:)) }
    let piece = try converter.takeOutput(leaving: spare)
    try output.write(piece)
    piece.clear()
    spare = piece
  }
}
