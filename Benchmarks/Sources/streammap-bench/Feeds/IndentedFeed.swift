import Foundation

/// The values of a line feed again, as the elements of one array with each part on a line of its own.
enum IndentedFeed {
  static func write(linesAt lines: String, to path: String) throws {
    let feed = try MappedFile(path: lines)
    let file = try OutputFile(path: path)
    var depth = 0
    var inString = false
    var isEscaped = false
    func put(_ byte: UInt8) throws { try file.write(CollectionOfOne(byte)) }
    func breakLine() throws {
      try file.write("\n".utf8)
      try file.write(repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    func put(outsideStrings byte: UInt8) throws {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        try put(byte)
        depth += 1
        try breakLine()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        try breakLine()
        try put(byte)
      case UInt8(ascii: ","):
        try put(byte)
        try breakLine()
      case UInt8(ascii: ":"): try file.write(": ".utf8)
      case UInt8(ascii: " "), UInt8(ascii: "\n"): break
      default: try put(byte)
      }
    }
    func put(_ text: some Sequence<UInt8>) throws {
      for byte in text {
        if inString { try put(byte) } else { try put(outsideStrings: byte) }
        if byte == UInt8(ascii: "\""), !isEscaped { inString.toggle() }
        isEscaped = inString && byte == UInt8(ascii: "\\") && !isEscaped
      }
    }
    try put("[".utf8)
    var isFirst = true
    for line in feed.lines {
      if !isFirst { try put(",".utf8) }
      isFirst = false
      try put(line)
    }
    try put("]".utf8)
    try file.close()
  }
}
