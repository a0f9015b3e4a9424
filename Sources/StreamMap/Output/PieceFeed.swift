/// Makes pieces of output of a feed; each one is taken before the next one is made.
package protocol PieceConverter: AnyObject {
  /// How many records are in pieces, and how many their condition dropped.
  var mapped: Int { get }
  var dropped: Int { get }
  /// Starts a feed, or a part of one.
  ///
  /// - Throws: ``MappingError`` if memory runs out, or no converter can have been at the part's start.
  func begin(format: FeedFormat, file: String?, part: PartReading?) throws(MappingError)
  /// Where the next piece of the feed has to be read; nil if it may lie anywhere.
  var room: UnsafeMutableRawBufferPointer? { get }
  /// Gives the next piece of the feed.
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)
  /// Makes all complete records come out; false if there are none.
  func drain() -> Bool
  /// Advances to what has to be reported or taken, or to the end of the input.
  func next() -> PieceStep
  /// Whether there is something to take.
  var hasPiece: Bool { get }
  /// What the last record says of the end of the feed.
  var endedAtFault: Bool { get }
  var isCutOff: Bool { get }
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
  private let input: any FeedInput
  private let format: FeedFormat
  private lazy var window = FeedWindow()
  /// Why the feed ends early, once all that came before is taken.
  private var failure: (any Error)?
  /// Why it cannot be read any further.
  private var inputFailure: MappingError?
  /// The last record, if the feed is malformed there.
  private var fault: MappingError?
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
    self.input = input
    self.format = format
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
        do {
          if let error = record.error { fault = Self.isFault(error) ? error : nil }
          try report(record)
        } catch {
          end(with: error)
        }
      case .input: readOn()
      case .end:
        if let fault, endsFeed(fault) { end(with: fault) } else { isOver = true }
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

  private func readOn() {
    guard let room = converter.room else {
      do throws(MappingError) {
        let bytes = try window.fill(from: input)
        converter.input(bytes, isFinal: bytes.isEmpty)
      } catch {
        end(with: error)
      }
      return
    }
    // Input that is already read must not wait for input that is not.
    if !input.isReady, converter.drain() { return }
    if let inputFailure { return end(with: inputFailure) }
    do throws(MappingError) {
      let count = try input.read(into: room)
      converter.input(
        UnsafeRawBufferPointer(rebasing: room[..<count]).bindMemory(to: UInt8.self),
        isFinal: count == 0)
    } catch {
      inputFailure = error
      if !converter.drain() { end(with: error) }
    }
  }

  /// Whether an error says that the feed is malformed, or that it cannot be read: an error of the mapping has a target.
  private static func isFault(_ error: MappingError) -> Bool {
    error.target == nil && error.code.category != .data
  }

  /// Whether a fault cost the feed, and not only one record.
  private func endsFeed(_ fault: MappingError) -> Bool {
    guard converter.endedAtFault || converter.isCutOff else { return false }
    return converter.endedAtFault || (format == .auto && (fault.record ?? 0) <= 1)
  }
}
