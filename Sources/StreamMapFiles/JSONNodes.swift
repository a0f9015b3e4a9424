import StreamMap

/// Reads JSON into located nodes.
///
/// The engine checks the text first, all of the grammar; what is left to do here is to find the
/// places.
struct JSONNodes {
  private let bytes: [UInt8]
  private let mapper: Mapper<JSONValue>
  private var index = 0
  private var line = 1
  private var lineStart = 0

  /// The file's root; nil after a mistake.
  static func read(_ text: String, _ mistakes: FileMistakes) throws(DefinitionError)
    -> LocatedNode?
  {
    let mapper = try Mapper(JSONValue.self)
    let bytes = Array(text.utf8)
    if let error = mapper.decode(bytes).error {
      var nodes = JSONNodes(bytes: bytes, mapper: mapper)
      nodes.advance(to: error.position?.bytes.lowerBound ?? 0)
      mistakes.add(nodes.mark, "not JSON: \(error.message)")
      return nil
    }
    var nodes = JSONNodes(bytes: bytes, mapper: mapper)
    return nodes.node()
  }

  private init(bytes: [UInt8], mapper: Mapper<JSONValue>) {
    self.bytes = bytes
    self.mapper = mapper
  }

  private var mark: FileMark {
    let scalars = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 }
    return FileMark(line: line, column: scalars + 1)
  }

  private mutating func advance(to end: Int) {
    while index < min(end, bytes.count) {
      if bytes[index] == UInt8(ascii: "\n") {
        line += 1
        lineStart = index + 1
      }
      index += 1
    }
  }

  /// Goes on to the next byte that is none of these and no white space.
  private mutating func skip(_ separator: Unicode.Scalar? = nil) -> UInt8? {
    while index < bytes.count {
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
      let end = bytes[start...].firstIndex { ",]} \t\r\n".utf8.contains($0) } ?? bytes.count
      advance(to: end)
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      return LocatedNode(
        mark: mark, content: .scalar(LocatedNode.Scalar(text: text, isPlain: true)))
    }
  }

  private mutating func entries() -> [LocatedNode.Entry] {
    var entries: [LocatedNode.Entry] = []
    index += 1
    while let byte = skip(","), byte != UInt8(ascii: "}") {
      let mark = self.mark
      let key = string()
      _ = skip(":")
      entries.append(LocatedNode.Entry(key: key, mark: mark, value: node()))
    }
    index += 1
    return entries
  }

  private mutating func elements() -> [LocatedNode] {
    var elements: [LocatedNode] = []
    index += 1
    while let byte = skip(","), byte != UInt8(ascii: "]") { elements.append(node()) }
    index += 1
    return elements
  }

  private mutating func string() -> String {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, bytes.count)
    guard case .string(let text)? = mapper.decode(bytes[start..<index]).value else { return "" }
    return text
  }
}
