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
