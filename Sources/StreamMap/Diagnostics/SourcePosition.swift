/// A position in the feed.
///
/// All numbers count from the first byte of the feed, including a byte-order mark, whatever the sizes of the buffers in
/// which it arrived.
public struct SourcePosition: Sendable, Hashable, Codable {
  /// The bytes, as zero-based offsets: a string with its quotes, an object with its braces.
  public var bytes: Range<Int>
  /// The line of the first byte, from 1 up; lines end at a line feed.
  ///
  /// It is 0 in a part of a feed that does not know how many lines come before it (``FeedPart/tellsNumbers``).
  public var line: Int
  /// The column of the first byte in its line, in bytes, from 1 up.
  public var column: Int

  /// A position.
  public init(bytes: Range<Int>, line: Int, column: Int) {
    self.bytes = bytes
    self.line = line
    self.column = column
  }
}

extension SourcePosition: CustomStringConvertible {
  /// The text, as in `line 3, column 14, bytes 103..<110`.
  public var description: String {
    (line > 0 ? "line \(line), " : "")
      + "column \(column), bytes \(bytes.lowerBound)..<\(bytes.upperBound)"
  }
}
