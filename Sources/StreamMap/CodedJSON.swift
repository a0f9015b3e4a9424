/// JSON on its way through a coder of any format.
struct CodedJSON: Codable {
  let value: JSONValue

  /// Any key.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  init(value: JSONValue) { self.value = value }

  /// Makes a value of what is there; what `make` says is wrong becomes an error of the decoder.
  static func read<Value>(
    from decoder: any Decoder, _ make: (JSONValue) throws(RejectForm.Mistake) -> Value
  ) throws -> Value {
    let json = try CodedJSON(from: decoder).value
    do {
      return try make(json)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description))
    }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      value = .object(
        try object.allKeys.map {
          .init($0.stringValue, try object.decode(CodedJSON.self, forKey: $0).value)
        })
    } else if var array = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !array.isAtEnd { elements.append(try array.decode(CodedJSON.self).value) }
      value = .array(elements)
    } else {
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .null
      } else if let bool = try? single.decode(Bool.self) {
        value = .bool(bool)
      } else if let number = try? single.decode(Int.self) {
        value = .number("\(number)")
      } else {
        value = .string(try single.decode(String.self))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .object(let members):
      var object = encoder.container(keyedBy: Key.self)
      for member in members {
        try object.encode(CodedJSON(value: member.value), forKey: Key(stringValue: member.key))
      }
    case .array(let elements):
      var array = encoder.unkeyedContainer()
      for element in elements { try array.encode(CodedJSON(value: element)) }
    case .null:
      var single = encoder.singleValueContainer()
      try single.encodeNil()
    case .bool(let bool):
      var single = encoder.singleValueContainer()
      try single.encode(bool)
    case .number(let text):
      var single = encoder.singleValueContainer()
      if let number = Int(text) { try single.encode(number) } else { try single.encode(text) }
    case .string(let text):
      var single = encoder.singleValueContainer()
      try single.encode(text)
    }
  }
}
