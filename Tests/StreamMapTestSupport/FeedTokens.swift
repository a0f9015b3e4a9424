import CScan

@testable import StreamMap

/// A token as the walker makes it; Swift reads the same memory.
func feedToken(
  _ start: Int, _ end: Int, line: Int = 1, lineStart: Int = 0, isKey: Bool = false,
  hasEscapes: Bool = false, isAbsent: Bool = false, tag: Int = 0
) -> FeedToken {
  var token = sm_token()
  token.start = UInt64(start)
  token.end = UInt64(end)
  token.line = UInt64(line)
  token.line_start = UInt64(lineStart)
  token.is_key = isKey ? 1 : 0
  token.has_escapes = hasEscapes ? 1 : 0
  token.is_absent = isAbsent ? 1 : 0
  token.tag = UInt64(tag)
  return withUnsafeBytes(of: token) { $0.loadUnaligned(as: FeedToken.self) }
}

/// The tokens of a text, given by their strings in order: a string before a colon is a key.
func feedTokens(of text: String, _ parts: [String]) -> [FeedToken] {
  let bytes = Array(text.utf8)
  var tokens: [FeedToken] = []
  var position = 0
  for part in parts {
    let part = Array(part.utf8)
    while !bytes[position...].starts(with: part) { position += 1 }
    let end = position + part.count
    tokens.append(
      feedToken(
        position, end, isKey: end < bytes.count && bytes[end] == UInt8(ascii: ":"),
        hasEscapes: part.contains(UInt8(ascii: "\\"))))
    position = end
  }
  return tokens
}
