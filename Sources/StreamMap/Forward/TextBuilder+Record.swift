// What a record knows about itself, and the values from outside it.
extension TextBuilder {
  /// Writes a value from outside the record as JSON.
  func append(contextValue number: Int, to text: OutputBuffer) {
    if let context = record.context {
      text.append(context.text(number))
    } else {
      text.append("null")
    }
  }

  /// Writes a fact of the record as JSON; false if the record has none.
  func append(_ fact: RecordFact, to text: OutputBuffer) -> Bool {
    switch fact {
    case .number: text.append(decimal: UInt64(clamping: record.number))
    case .offset: text.append(decimal: record.start.start)
    case .line: text.append(decimal: record.start.line)
    case .file: text.append(file)
    case .key:
      guard case .key(var key)? = record.step else { return false }
      key.withUTF8 { JSONText.append(quoted: $0, to: text) }
    case .index:
      guard case .index(let index)? = record.step else { return false }
      text.append(decimal: UInt64(clamping: index))
    }
    return true
  }

  func value(of fact: RecordFact) -> JSONValue? {
    switch fact {
    case .number: return .number("\(record.number)")
    case .offset: return .number("\(record.start.start)")
    case .line: return .number("\(record.start.line)")
    case .file: return fileName.map { .string($0) } ?? .null
    case .key:
      if case .key(let key)? = record.step { return .string(key) }
    case .index:
      if case .index(let index)? = record.step { return .number("\(index)") }
    }
    return nil
  }
}
