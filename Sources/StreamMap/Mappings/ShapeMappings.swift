// Values in another form than the one they come in.

extension Mapping {
  /// The JSON in a string, mapped like any other.
  ///
  /// ```swift
  /// let event: Mapping<Event> = .parsingJSON(.of(Event.self))
  /// // "{\"id\":7}", a string  →  Event(id: 7)
  /// ```
  ///
  /// The string is read as strictly as a feed: RFC 8259, strict UTF-8, limits. Errors in it have the string's address in the
  /// feed, and the path inside it after the string's own. The way back writes the value's JSON as a string. The JSON becomes a
  /// ``JSONValue`` first, so it may have at most ``JSONValue/maximumDepth`` levels.
  ///
  /// - Parameters:
  ///   - mapping: Maps the JSON.
  ///   - limits: What the JSON in the string may demand.
  /// - Returns: The mapping of the string.
  public static func parsingJSON(_ mapping: Mapping, limits: Limits = Limits()) -> Mapping {
    .piped(
      .converted(
        from: .string, { try JSONInText.value(of: $0, limits: limits) }, reverse: { $0.description }
      ), into: mapping)
  }

  /// An object as a list of its members, mapped like any other array.
  ///
  /// ```swift
  /// let sizes: Mapping<[Size]> = .entries(key: "name", value: "size", into: .array(of: .of(Size.self)))
  /// // {"S":1,"M":2}  →  what [{"name":"S","size":1},{"name":"M","size":2}] becomes
  /// ```
  ///
  /// The last member with a key counts. The way back makes the object again. The value becomes a ``JSONValue``
  /// first, within ``Limits/capturedValue``.
  ///
  /// - Parameters:
  ///   - key: The name of the member's key in an entry.
  ///   - value: The name of the member's value in an entry.
  ///   - mapping: Maps the list.
  /// - Returns: The mapping of the object.
  public static func entries(key: String, value: String, into mapping: Mapping) -> Mapping {
    .preTransformed(mapping) {
      try Entries(key: key, value: value).list(of: $0)
    } reverse: {
      try Entries(key: key, value: value).object(of: $0)
    }
  }

  /// A list of entries as an object, mapped like any other: the reverse of ``entries(key:value:into:)``.
  ///
  /// ```swift
  /// let tags: Mapping<[String: String]> = .fromEntries(key: "Key", value: "Value", into: .dictionary(of: .string))
  /// // [{"Key":"env","Value":"live"}]  →  ["env": "live"]
  /// ```
  ///
  /// An entry's key is a string, a number or a boolean; its value is null if it is absent. The last entry with a key
  /// counts.
  ///
  /// - Parameters:
  ///   - key: The name of the member's key in an entry.
  ///   - value: The name of the member's value in an entry.
  ///   - mapping: Maps the object.
  /// - Returns: The mapping of the list.
  public static func fromEntries(key: String, value: String, into mapping: Mapping) -> Mapping {
    .preTransformed(mapping) {
      try Entries(key: key, value: value).object(of: $0)
    } reverse: {
      try Entries(key: key, value: value).list(of: $0)
    }
  }

  /// A value whose parts are wrapped in objects of one member, as what they hold, mapped like any other; one-way.
  ///
  /// DynamoDB, MongoDB's extended JSON and others write `{"N":"7"}` for 7: the only key of an object says what its value is. Such objects are
  /// found at any depth; every other object stays, and its members are looked at.
  ///
  /// ```swift
  /// let item: Mapping<Item> = .unwrapping(
  ///   ["S": .value, "N": .number, "BOOL": .value, "NULL": .null, "L": .value, "M": .members],
  ///   into: .of(Item.self))
  /// // {"id":{"N":"7"},"tags":{"L":[{"S":"a"}]}}  →  what {"id":7,"tags":["a"]} becomes
  /// ```
  ///
  /// The whole value becomes a ``JSONValue``, within ``Limits/capturedValue``. Errors of the mapping have paths in what was unwrapped, and the
  /// address of the value in the feed. The way back is unknown, so encoding is an error.
  ///
  /// - Parameters:
  ///   - contents: What objects with these keys hold.
  ///   - mapping: Maps what is left.
  /// - Returns: The mapping of the value.
  /// - Complexity: O(*n*) in the value, times the number of keys.
  public static func unwrapping(
    _ contents: KeyValuePairs<String, WrappedContent>, into mapping: Mapping
  ) -> Mapping {
    let wrappers = Wrappers(contents.map { ($0.key, $0.value) })
    return .piped(.oneWay(from: .json) { try wrappers.unwrapped($0) }, into: mapping)
  }
}

extension Mapping where Value == Int {
  /// The number of an array's elements, or of an object's members; one-way.
  ///
  /// The whole value is recorded for it, within ``Limits/capturedValue``.
  public static var count: Mapping {
    .oneWay(from: .json) { json in
      switch json {
      case .array(let elements): return elements.count
      case .object(let members): return members.count
      default: throw ConversionFailure(expected: "an array or an object", code: .wrongType)
      }
    }
  }
}

/// The two forms of an object's members.
private struct Entries {
  let key: String
  let value: String

  func list(of json: JSONValue) throws -> JSONValue {
    guard case .object(let members) = json else {
      throw ConversionFailure(expected: "an object", code: .wrongType)
    }
    return .array(
      members.map { .object([.init(key, .string($0.key)), .init(value, $0.value)]) })
  }

  func object(of json: JSONValue) throws -> JSONValue {
    guard case .array(let entries) = json else {
      throw ConversionFailure(expected: "an array", code: .wrongType)
    }
    var members: [JSONValue.Member] = []
    var indices: [ExactText: Int] = [:]
    for entry in entries {
      let name: String
      switch entry[key] {
      case .string(let text), .number(let text): name = text
      case .bool(let flag): name = "\(flag)"
      default:
        throw ConversionFailure(
          expected: "entries that are objects with a string, number or boolean at '\(key)'")
      }
      let member = JSONValue.Member(name, entry[value] ?? .null)
      if let index = indices[ExactText(name)] {
        members[index] = member
      } else {
        indices[ExactText(name)] = members.count
        members.append(member)
      }
    }
    return .object(members)
  }
}
