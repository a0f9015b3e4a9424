extension Mapping {
  /// An object as a dictionary whose keys are values: numbers, identifiers, cases of an enum.
  ///
  /// ```swift
  /// let perHour: Mapping<[Int: Double]> = .dictionary(keyedBy: .number, of: .double)     // {"7": 0.5}
  /// let users: Mapping<[UUID: User]> = .dictionary(keyedBy: .uuid, of: .declared)
  /// let prices: Mapping<[Plan: Decimal]> = .dictionary(keyedBy: .rawValue, of: .decimal)  // an enum of Strings
  /// ```
  ///
  /// A key that the conversion does not accept is an error at this key, and its value is passed over. So is a key that stands for the
  /// same value as another one before it, ``ErrorCode/duplicateKey``: one of the members would be lost. Two keys with one text follow
  /// the policy of duplicate keys, as in ``dictionary(of:)``.
  ///
  /// Encoding writes the members in the order of the keys' texts. With a one-way conversion, the value cannot be encoded.
  ///
  /// - Parameters:
  ///   - key: Makes each key from its text. If it has a ``Conversion/mistake``, compiling the mapping throws.
  ///   - value: Maps each member.
  /// - Returns: The mapping of the dictionary.
  /// - Complexity: O(*n*) in the number of members.
  public static func dictionary<Key: Hashable & SendableMetatype, Member: SendableMetatype>(
    keyedBy key: Conversion<String, Key>, of value: Mapping<Member>
  ) -> Mapping
  where Value == [Key: Member] {
    if let mistake = key.mistake { return .mistaken(mistake, name: "keys: \(key.name)") }
    return Mapping(
      Definition(
        .dictionary(value.definition, duplicateKeys: nil),
        operations: KeyedDictionaryOperations<Key, Member>(
          forward: key.forward, reverse: key.reverse),
        expected: "an object"))
  }
}
