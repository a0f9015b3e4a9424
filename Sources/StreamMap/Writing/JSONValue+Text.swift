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
  /// The text of a number in it that RFC 8259 does not allow.
  ///
  /// Values from a feed have none, but a program may make one.
  var firstInvalidNumber: String? {
    var left = [self]
    while let value = left.popLast() {
      switch value {
      case .null, .bool, .string: continue
      case .number(let text): if !NumberText.isNumber(text) { return text }
      case .array(let elements): left += elements.reversed()
      case .object(let members): left += members.reversed().map(\.value)
      }
    }
    return nil
  }
}
