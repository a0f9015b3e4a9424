@testable import StreamMap

/// How the records of a feed relate to its bytes, whatever its framing: each record is a document, nothing significant
/// lies between them, and a rejected record is also rejected alone, for the same reason at the same place.
enum Framing {
  /// A surrogate pair.
  private static let longestEscape = 12

  static func check(
    _ rows: [Row], _ bytes: [UInt8], _ format: FeedFormat, _ document: ([UInt8]) -> Row?
  ) -> Finding? {
    var end = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for row in rows {
      guard let position = row.position, 0...bytes.count ~= position.bytes.upperBound,
        position == self.position(position.bytes, in: bytes)
      else { return Finding(kind: "address of a record", details: row.text) }
      if row.isOtherEncoding { return nil }
      if row.code != nil {
        guard let at = row.errorPosition, 0...bytes.count ~= at.bytes.upperBound,
          at == self.position(at.bytes, in: bytes)
        else { return Finding(kind: "address of an error", details: row.text) }
        // A line, or everything that is left: by itself it is not JSON.
        let rest = bytes[end...]
        let part =
          format == .ndjson ? line(of: at.bytes.lowerBound, in: bytes, from: end) : rest
        // By itself, it may begin with bytes that would be a byte-order mark there.
        let isComparable =
          (format == .ndjson || format == .concatenated) && !part.starts(with: [0xEF, 0xBB, 0xBF])
        if isComparable, document(Array(part))?.code == nil {
          return Finding(kind: "rejected, but a document by itself", details: row.text)
        }
        if isComparable, format == .ndjson, let alone = document(Array(part)),
          !alone.isOtherEncoding,
          let there = alone.errorPosition?.bytes,
          there.lowerBound + part.startIndex != at.bytes.lowerBound
            // If the end of the document cuts something off, the error has another name where a line feed is in that
            // place.
            || (alone.code != row.code && there.lowerBound + longestEscape < part.count)
        {
          return Finding(
            kind: "rejected as a line as otherwise not", details: "\(row.text)\n\(alone.text)")
        }
        end = format == .ndjson ? part.endIndex : max(end, at.bytes.upperBound)
        continue
      }
      if format == .json, rows.count != 1 {
        return Finding(kind: "one document, several records", details: row.text)
      }
      let hasGapOnly =
        end <= position.bytes.lowerBound
        && bytes[end..<position.bytes.lowerBound].allSatisfy {
          [0x20, 0x09, 0x0A, 0x0D].contains($0)
            || ($0 == 0x1E && format != .ndjson && format != .json)
        }
      // After a fault, reading continues somewhere in the malformed text.
      if !hasGapOnly, format != .sequence, format != .auto {
        return Finding(kind: "something between records", details: row.text)
      }
      let alone = document(Array(bytes[position.bytes]))
      if alone?.value != row.value || alone?.value == nil {
        return Finding(
          kind: "a record is another by itself", details: "\(row.text)\n\(alone?.text ?? "nothing")"
        )
      }
      end = position.bytes.upperBound
    }
    return nil
  }

  /// The line that contains a place, including its line end.
  private static func line(of place: Int, in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    let first = bytes[start..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? start
    let last = bytes[place...].firstIndex(of: 0x0A).map { $0 } ?? bytes.count
    return bytes[first..<last]
  }

  /// The address of a range, by counting.
  private static func position(_ range: Range<Int>, in bytes: [UInt8]) -> SourcePosition {
    let before = bytes[..<range.lowerBound]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return SourcePosition(
      bytes: range, line: before.count { $0 == 0x0A } + 1,
      column: range.lowerBound - lineStart + 1)
  }
}
