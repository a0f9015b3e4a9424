/// Makes pieces of output of a feed; each one is taken before the next one is made.
package protocol PieceConverter: AnyObject, FeedConsumer {
  /// How many records are in pieces, and how many their condition dropped.
  var mapped: Int { get }
  var dropped: Int { get }
  /// Starts a feed, or a part of one.
  ///
  /// - Throws: ``MappingError`` if memory runs out, or no converter can have been at the part's start.
  func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError)
  /// Advances to what has to be reported or taken, or to the end of the input.
  func next() -> PieceStep
  /// Whether there is something to take.
  var hasPiece: Bool { get }
  /// What the faults up to the last record say about the end of the feed.
  var ending: FeedEnding { get }
  /// The record paths that did not occur in the feed.
  var unseenPaths: [PathPattern] { get }
  /// What the mapping did not find in the feed.
  var unfound: Unfound { get }
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
