/// The objects of a line feed again, as lists of their values: the rows that databases write.
enum ListFeed {
  static func write(linesAt lines: String, to path: String) throws {
    let feed = try MappedFile(path: lines)
    let file = try OutputFile(path: path)
    for line in feed.lines {
      var depth = 0
      var inString = false
      var isEscaped = false
      var inKey = false
      for byte in line {
        let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
        isEscaped = inString && byte == UInt8(ascii: "\\") && !isEscaped
        if isQuote { inString.toggle() }
        if inKey {
          inKey = inString || byte != UInt8(ascii: ":")
          continue
        }
        var written = byte
        if !inString {
          switch byte {
          case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth == 1 { (written, inKey) = (UInt8(ascii: "["), true) }
          case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { written = UInt8(ascii: "]") }
          case UInt8(ascii: ","): if depth == 1 { inKey = true }
          default: break
          }
        }
        try file.write(CollectionOfOne(written))
      }
      try file.write("\n".utf8)
    }
    try file.close()
  }
}
