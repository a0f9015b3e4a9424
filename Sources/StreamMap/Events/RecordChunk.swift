/// The form in which reading hands over what is wanted of a record.
enum ChunkForm {
  /// The table of its tokens.
  case index
  /// JSON text, and the tokens.
  case text
}

/// A part of a record as reading hands it over, to be made into events after the part before it.
enum RecordChunk {
  /// JSON text, and its tokens.
  struct Text {
    /// No token is cut off at its end.
    let json: UnsafeBufferPointer<UInt8>
    /// One for each event.
    let tokens: UnsafeBufferPointer<FeedToken>
  }

  /// Tokens; their texts stay where they were read.
  struct Index {
    let tokens: UnsafeBufferPointer<FeedToken>
    /// Where the tokens' starts count from in memory: see ``FeedToken/text(from:)``.
    let origin: UInt
    /// The text of the first token, where the feed was cut in the middle of it; else empty.
    let joined: UnsafeBufferPointer<UInt8>

    /// The bytes from the first to the last text that stays where it was read, and the first one's offset in the feed.
    ///
    /// Nil if there are none.
    var stretch: (offset: UInt64, bytes: UnsafeBufferPointer<UInt8>)? {
      let there = joined.isEmpty ? tokens[...] : tokens.dropFirst()
      guard let first = there.first, let last = there.last else { return nil }
      let all = FeedToken(start: first.start, end: last.end)
      return (first.start, all.text(from: origin))
    }
  }

  case text(Text)
  case index(Index)

  /// One for each event.
  var tokens: UnsafeBufferPointer<FeedToken> {
    switch self {
    case .text(let text): text.tokens
    case .index(let index): index.tokens
    }
  }
}
