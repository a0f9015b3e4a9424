/// What takes the bytes of a feed, piece by piece.
package protocol FeedConsumer {
  /// Where the next piece of the feed has to be read; nil if it may lie anywhere.
  ///
  /// Valid until it is given.
  var room: UnsafeMutableRawBufferPointer? { get }
  /// Gives the next piece of the feed: what was read into ``room``.
  ///
  /// Where that is nil, gives bytes that stay unchanged until more is asked for.
  func input(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool)
  /// Makes all complete records come out; false if there are none.
  ///
  /// Call it instead of `input`, before waiting for input.
  func drain() -> Bool
}

/// Reads a feed for what takes its bytes.
struct FeedSupply {
  /// What came of a request for more.
  enum Step {
    /// There is more, or records that were read before come out first.
    case more
    /// The input is a part of the feed and used up, and all that was read is taken.
    case partEnd
    /// The feed cannot be read any further, and all that was read is taken.
    case failure(MappingError)
  }

  let input: any FeedInput
  /// Whether the feed ends with the input.
  let endsHere: Bool
  private lazy var window = FeedWindow()
  private var failure: MappingError?
  /// Whether the input is a part of the feed, and used up.
  private var isPartRead = false

  init(_ input: any FeedInput, endsHere: Bool = true) {
    self.input = input
    self.endsHere = endsHere
  }

  /// Gives the next piece of the feed, or its end.
  mutating func supply(_ consumer: some FeedConsumer) -> Step {
    // Input that is already read must not wait for input that is not.
    if !input.isReady, consumer.drain() { return .more }
    if let failure { return .failure(failure) }
    do throws(MappingError) {
      let bytes = isPartRead ? UnsafeBufferPointer(start: nil, count: 0) : try piece(consumer.room)
      isPartRead = bytes.isEmpty && !endsHere
      if isPartRead { return consumer.drain() ? .more : .partEnd }
      consumer.input(bytes, isFinal: bytes.isEmpty)
      return .more
    } catch {
      failure = error
      return consumer.drain() ? .more : .failure(error)
    }
  }

  private mutating func piece(
    _ room: UnsafeMutableRawBufferPointer?
  ) throws(MappingError) -> UnsafeBufferPointer<UInt8> {
    guard let room else { return try window.fill(from: input) }
    let count = try input.read(into: room)
    return UnsafeRawBufferPointer(rebasing: room[..<count]).bindMemory(to: UInt8.self)
  }
}
