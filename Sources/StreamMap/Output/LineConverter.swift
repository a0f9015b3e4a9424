/// Converts a feed to lines of JSON, piece by piece.
///
/// Not thread-safe.
package final class LineConverter: PieceConverter {
  private static let pieceSize = 256 << 10

  private let converter: OutputConverter
  package private(set) var mapped = 0
  package private(set) var dropped = 0

  /// A converter with its own place in a feed and its own output.
  package init(_ plan: OutputPlan, jobs: Int = 1) {
    converter = OutputConverter(plan, layout: .lines)
    converter.jobs = jobs
  }

  package func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError) {
    try converter.begin(format: format, file: file, from: part?.start, to: part?.end)
  }

  package var room: UnsafeMutableRawBufferPointer? { converter.room }

  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    converter.input(bytes, isFinal: isFinal)
  }

  package func drain() -> Bool { converter.drain() }

  package var hasPiece: Bool { converter.outputCount > 0 }
  package var ending: FeedEnding { converter.ending }
  package var unseenPaths: [PathPattern] { converter.unseenPaths }
  package var unfound: Unfound { converter.unfound }

  package func next() -> PieceStep {
    while converter.outputCount < Self.pieceSize {
      let written = converter.writeRecords(enough: Self.pieceSize)
      mapped += written.mapped
      dropped += written.dropped
      if written.mapped + written.dropped > 0 { continue }
      switch converter.next() {
      case .input: return .input
      case .record(let record):
        if record.error == nil { mapped += 1 }
        if record.error != nil || !record.issues.isEmpty { return .record(record) }
      case .records(let mapped, let dropped, _):
        self.mapped += mapped
        self.dropped += dropped
      case .dropped: dropped += 1
      case .end: return .end
      }
    }
    return .piece
  }

  /// Takes the lines of a piece.
  package func take() -> [UInt8] {
    var bytes: [UInt8] = []
    converter.takeOutput { bytes = Array($0) }
    return bytes
  }
}
