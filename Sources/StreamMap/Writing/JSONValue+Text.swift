extension JSONValue: CustomStringConvertible {
  /// The value as JSON text without white space.
  public var description: String {
    let writer = JSONWriter()
    emit(to: writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension RawJSON: CustomStringConvertible {
  /// The text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONValue {
  /// What can be wrong with a value that a program made.
  enum Flaw {
    /// The text of a number that RFC 8259 does not allow.
    case number(String)
    case depth
  }

  /// The first flaw of a value that may have so many levels; values from a feed have no wrong numbers.
  func flaw(mostLevels: Int) -> Flaw? {
    var left = [(value: self, level: 1)]
    while let (value, level) = left.popLast() {
      switch value {
      case .null, .bool, .string: continue
      case .number(let text): if !NumberText.isNumber(text) { return .number(text) }
      case .array(let elements):
        if level > mostLevels { return .depth }
        left += elements.reversed().map { ($0, level + 1) }
      case .object(let members):
        if level > mostLevels { return .depth }
        left += members.reversed().map { ($0.value, level + 1) }
      }
    }
    return nil
  }
}

extension RawJSON {
  /// Whether the text has more levels than this.
  func isDeeper(than mostLevels: Int) -> Bool {
    // Nearly all texts are too short for that.
    guard bytes.count >= mostLevels else { return false }
    var (level, isInString, isEscaped) = (0, false, false)
    for byte in bytes {
      if isInString {
        if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        level += 1
        if level > mostLevels { return true }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
      default: break
      }
    }
    return false
  }
}
