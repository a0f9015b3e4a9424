extension Mapping {
  /// An object as a dictionary whose keys are values: numbers, identifiers, cases of an enum.
  ///
  /// ```swift
  /// let perHour: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)     // {"7": 0.5}
  /// let users: Mapping<[UUID: User]> = .dictionary(keyedBy: .uuid, of: .declared)
  /// let prices: Mapping<[Plan: Decimal]> = .dictionary(keyedBy: .rawValue, of: .decimal)  // an enum of Strings
  /// ```
  ///
  /// A key that the conversion does not accept is an error at the object; it names the key. Two keys that stand for one value
  /// are an error, too, ``ErrorCode/duplicateKey``: one of the members would be lost. Two keys with one text, or with texts that
  /// Swift's `String` considers equal, follow the policy of duplicate keys, as in ``dictionary(of:)``.
  ///
  /// Encoding writes the members in the order of the keys' texts. With a one-way conversion, the value cannot be encoded.
  ///
  /// - Parameters:
  ///   - key: Makes each key from its text. If it has a ``Conversion/mistake``, compiling the mapping throws.
  ///   - value: Maps each member.
  /// - Returns: The mapping of the dictionary.
  /// - Complexity: O(*n*) in the number of members; they are put into two dictionaries, first by their texts.
  public static func dictionary<Key: Hashable & SendableMetatype, Member: SendableMetatype>(
    keyedBy key: Conversion<String, Key>, of value: Mapping<Member>
  ) -> Mapping
  where Value == [Key: Member] {
    let forward: @Sendable ([String: Member]) throws -> Value = { members in
      var result: Value = [:]
      result.reserveCapacity(members.count)
      for (text, member) in members {
        let made = try converted(text, by: key.forward)
        guard result.updateValue(member, forKey: made) == nil else {
          throw ConversionFailure(
            expected:
              "keys for different values; another key is the same as \(JSONPath.quoted(text))",
            code: .duplicateKey)
        }
      }
      return result
    }
    let reverse = key.reverse.map { back in
      { @Sendable (members: Value) throws -> [String: Member] in
        var result: [String: Member] = [:]
        for (key, member) in members {
          let text = try back(key)
          guard result.updateValue(member, forKey: text) == nil else {
            throw ConversionFailure(
              expected:
                "keys whose texts Swift's String tells apart; two have the text \(JSONPath.quoted(text))",
              code: .duplicateKey)
          }
        }
        return result
      }
    }
    return .converted(
      from: .dictionary(of: value),
      by: Conversion(
        name: "keys: \(key.name)", forward: forward, reverse: reverse, mistake: key.mistake))
  }

  /// The value of a key; what is wrong with it is said with the key.
  private static func converted<Key>(
    _ text: String, by convert: @Sendable (String) throws -> Key
  ) throws -> Key {
    do {
      return try convert(text)
    } catch let failure as ConversionFailure {
      throw ConversionFailure(
        expected: "\(failure.expected) for each key; one is \(JSONPath.quoted(text))",
        code: failure.code)
    }
  }
}
