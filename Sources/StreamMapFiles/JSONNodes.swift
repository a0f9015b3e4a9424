import StreamMap

/// Reads JSON into located nodes.
///
/// The engine checks the text first, all of the grammar; it only finds the places. Time is linear in the text, wherever its
/// lines end.
struct JSONNodes<Bytes: RandomAccessCollection> where Bytes.Element == UInt8, Bytes.Index == Int {
  private let bytes: Bytes
  private var index = 0
  /// The place of `index`.
  private var mark = FileMark.start

  /// The file's root; nil after a mistake.
  static func read(_ bytes: Bytes, _ mistakes: FileMistakes) throws(DefinitionError)
    -> LocatedNode?
  {
    var nodes = JSONNodes(bytes)
    if let error = try Mapper(JSONValue.self).decode(Array(bytes)).error {
      nodes.advance(to: error.position?.bytes.lowerBound ?? 0)
      mistakes.add(nodes.mark, "not JSON: \(error.message)")
      return nil
    }
    return nodes.node()
  }

  private init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  private mutating func advance(to end: Int) {
    while index < min(end, bytes.endIndex) {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\n") {
        mark = FileMark(line: mark.line + 1, column: 1)
      } else if index == bytes.endIndex || bytes[index] & 0xC0 != 0x80 {
        mark.column += 1
      }
    }
  }

  /// Advances to the next byte that is none of these and no white space.
  private mutating func skip(_ separator: Unicode.Scalar? = nil) -> UInt8? {
    while index < bytes.endIndex {
      let byte = bytes[index]
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      guard isSpace || separator.map({ UInt8(ascii: $0) == byte }) == true else { return byte }
      advance(to: index + 1)
    }
    return nil
  }

  private mutating func node() -> LocatedNode {
    let first = skip()
    let mark = self.mark
    switch first {
    case UInt8(ascii: "{"): return LocatedNode(mark: mark, content: .map(entries()))
    case UInt8(ascii: "["): return LocatedNode(mark: mark, content: .list(elements()))
    case UInt8(ascii: "\""):
      return LocatedNode(
        mark: mark, content: .scalar(LocatedNode.Scalar(text: string(), isPlain: false)))
    default:
      let start = index
      let end = bytes[start...].firstIndex { ",]} \t\r\n".utf8.contains($0) } ?? bytes.endIndex
      advance(to: end)
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      return LocatedNode(
        mark: mark, content: .scalar(LocatedNode.Scalar(text: text, isPlain: true)))
    }
  }

  private mutating func entries() -> [LocatedNode.Entry] {
    var entries: [LocatedNode.Entry] = []
    advance(to: index + 1)
    while let byte = skip(","), byte != UInt8(ascii: "}") {
      let mark = self.mark
      let key = string()
      _ = skip(":")
      entries.append(LocatedNode.Entry(key: key, mark: mark, value: node()))
    }
    advance(to: index + 1)
    return entries
  }

  private mutating func elements() -> [LocatedNode] {
    var elements: [LocatedNode] = []
    advance(to: index + 1)
    while let byte = skip(","), byte != UInt8(ascii: "]") { elements.append(node()) }
    advance(to: index + 1)
    return elements
  }

  private mutating func string() -> String {
    let start = index + 1
    var end = start
    var hasEscapes = false
    while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\"") {
      let isEscape = bytes[end] == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      end += isEscape ? 2 : 1
    }
    end = min(end, bytes.endIndex)
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    advance(to: end + 1)
    return hasEscapes ? EscapedText.decoded(text) : text
  }
}
