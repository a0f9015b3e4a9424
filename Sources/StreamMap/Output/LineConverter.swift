/// Converts a feed to lines of JSON, piece by piece.
///
/// Not thread-safe.
package final class LineConverter: PieceConverter {
  package static let pieceSize = 256 << 10

  package let converter: OutputConverter
  package var mapped = 0
  package var dropped = 0

  /// A converter with its own place in a feed and its own output.
  package init(_ plan: OutputPlan, jobs: Int = 1) {
    converter = OutputConverter(plan, layout: .lines)
    converter.jobs = jobs
  }

  /// Takes the lines of a piece.
  package func take() -> [UInt8] {
    var bytes: [UInt8] = []
    converter.takeOutput { bytes = Array($0) }
    return bytes
  }
}
