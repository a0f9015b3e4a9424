/// JSON text with each member and element on its own line, as `jq .` writes it.
enum IndentedText {
  private static let spaces = 2

  /// Appends a value, and a line feed.
  ///
  /// - Parameters:
  ///   - text: JSON that is known to be right; strings and numbers stay as they are written.
  ///   - output: Where it is appended.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to output: OutputBuffer) {
    guard let cells = JSONCells(text) else { return }
    var depth = 0
    var index = 0
    while index < cells.count {
      let byte = cells.text[index]
      switch byte {
      case UInt8(ascii: "\""):
        var hasEscapes = false
        let end = cells.endOfString(at: index, &hasEscapes)
        output.append(UnsafeBufferPointer(start: cells.text + index, count: end - index))
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        if cells.has("}", at: index + 1) || cells.has("]", at: index + 1) {
          output.append(cells.text[index + 1])
          index += 1
        } else {
          depth += 1
          newLine(depth, output)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        newLine(depth, output)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        newLine(depth, output)
      case UInt8(ascii: ":"): output.append(": ")
      default: output.append(byte)
      }
      index += 1
    }
    output.append(UInt8(ascii: "\n"))
  }

  private static func newLine(_ depth: Int, _ output: OutputBuffer) {
    let width = max(depth, 0) * spaces
    output.append(upTo: width + 1) { room in
      room.initialize(repeating: UInt8(ascii: " "), count: width + 1)
      room[0] = UInt8(ascii: "\n")
      return width + 1
    }
  }
}
