/// Copies whole records as they stand: the short way of a mapping that keeps all of each, beside the machine.
///
/// It writes the same text as `JSONWriter` for the machine: no white space, and only the escapes that are needed. It takes
/// no record that lies in several pieces, or in which a string is refused; the machine maps those.
final class RecordCopier {
  private let output: OutputBuffer
  private let decoder = StringDecoder()

  /// A copier that appends to a buffer.
  init(output: OutputBuffer) {
    self.output = output
  }

  /// Copies a record, and puts the range of its text in a slot; false, with nothing written, where the machine has to map it.
  func copy(_ chunk: RecordChunk.Index, in slot: UnsafeMutableRawPointer) -> Bool {
    let start = output.count
    guard chunk.joined.isEmpty, append(chunk) else {
      output.truncate(to: start)
      return false
    }
    slot.initializeMemory(as: TextRange.self, to: TextRange(start: start, end: output.count))
    return true
  }

  // PERF: tokens with nothing but a comma or a colon between them are copied together, so a record without white space and escapes
  // is copied at once.
  private func append(_ chunk: RecordChunk.Index) -> Bool {
    guard let first = chunk.tokens.first else { return false }
    // What is not copied yet, in offsets of the feed.
    var (start, end) = (first.start, first.start)
    // Whether something stands between the last token and one that opens or is a value, and whether it is a colon.
    var isSeparated = false
    var isAfterKey = false
    for token in chunk.tokens {
      let text = token.text(from: chunk.origin)
      guard let byte = text.first, !token.isAbsent else { return false }
      let isClosing = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      let gap: UInt64 = isSeparated && !isClosing ? 1 : 0
      if token.hasEscapes || token.start != end &+ gap {
        output.append(FeedToken(start: start, end: end).text(from: chunk.origin))
        if gap == 1 { output.append(isAfterKey ? UInt8(ascii: ":") : UInt8(ascii: ",")) }
        start = token.start
        if token.hasEscapes {
          guard let decoded = decoder.decoded(Token.inside(text)) else { return false }
          JSONText.append(quoted: decoded, to: output)
          start = token.end
        }
      }
      end = token.end
      isAfterKey = token.isKey
      isSeparated = byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
    }
    output.append(FeedToken(start: start, end: end).text(from: chunk.origin))
    return true
  }
}
