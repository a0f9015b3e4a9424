/// Makes pieces of output of a feed; each one is taken before the next one is made.
package protocol PieceConverter: AnyObject, FeedConsumer {
  /// What makes the output.
  var converter: OutputConverter { get }
  /// How many bytes of text are a piece; columns have their own size.
  static var pieceSize: Int { get }
  /// How many records are in pieces, and how many their condition dropped.
  var mapped: Int { get set }
  var dropped: Int { get set }
}

extension PieceConverter {
  /// Starts a feed, or a part of one.
  ///
  /// - Throws: ``MappingError`` if memory runs out, or no converter can have been at the part's start.
  package func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError) {
    try converter.begin(format: format, file: file, from: part?.start, to: part?.end)
  }

  package var room: UnsafeMutableRawBufferPointer? { converter.room }

  package func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) {
    converter.input(bytes, isFinal: isFinal)
  }

  package func drain() -> Bool { converter.drain() }

  /// Whether there is something to take.
  package var hasPiece: Bool { converter.outputCount > 0 }
  /// What the faults up to the last record say about the end of the feed.
  package var ending: FeedEnding { converter.ending }
  /// The record paths that did not occur in the feed.
  package var unseenPaths: [PathPattern] { converter.unseenPaths }
  /// What the mapping did not find in the feed.
  package var unfound: Unfound { converter.unfound }

  /// Advances to what has to be reported or taken, or to the end of the input.
  package func next() -> PieceStep {
    while !converter.hasPiece(of: Self.pieceSize) {
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
}

/// What a converter of pieces has, or needs.
package enum PieceStep {
  /// Another piece of the feed.
  case input
  /// A record with something to report is over: an error, or issues.
  case record(Record<Void>)
  /// A piece of output is full, and has to be taken.
  case piece
  /// The feed is over; there may be a last piece.
  case end
}

/// A feed that is read piece by piece of its output: a converter and what it reads from.
///
/// Not thread-safe.
package final class PieceFeed<Converter: PieceConverter> {
  package let converter: Converter
  private var supply: FeedSupply
  private var fault: LastFault
  /// Why the feed ends early, once all that came before is taken.
  private var failure: (any Error)?
  private var isOver = false

  /// Begins a feed.
  ///
  /// - Parameters:
  ///   - converter: What makes the columns.
  ///   - input: Where the bytes come from.
  ///   - format: How records follow each other.
  ///   - name: The feed's name, for fields that show it.
  ///   - part: The part of the feed that the input is; nil for all of it.
  /// - Throws: ``MappingError`` if memory runs out, or no reader can have been at the part's start.
  package init(
    _ converter: Converter, _ input: any FeedInput, format: FeedFormat, named name: String?,
    part: PartReading? = nil
  ) throws(MappingError) {
    self.converter = converter
    supply = FeedSupply(input)
    fault = LastFault(format: format)
    try converter.begin(format: format, file: name, part: part)
  }

  /// Advances to the next piece, which has to be taken; false at the end of the feed.
  ///
  /// Records before an error come out before it is thrown.
  ///
  /// - Parameter report: Is given each record with an error or issues; what it throws ends the feed.
  /// - Returns: Whether there is a piece.
  /// - Throws: What `report` throws; ``MappingError`` if the feed cannot be read any further.
  package func next(_ report: (Record<Void>) throws -> Void) throws -> Bool {
    while !isOver {
      switch converter.next() {
      case .piece: return true
      case .record(let record):
        fault.note(record.error)
        do {
          try report(record)
        } catch {
          end(with: error)
        }
      case .input:
        switch supply.supply(converter) {
        case .more: break
        case .partEnd: isOver = true
        case .failure(let error): end(with: error)
        }
      case .end:
        switch fault.end(converter.ending) {
        case .feed(let error): end(with: error)
        case .record, .whole: isOver = true
        }
      }
    }
    if converter.hasPiece { return true }
    guard let failure else { return false }
    self.failure = nil
    throw failure
  }

  private func end(with error: any Error) {
    failure = error
    isOver = true
  }
}
