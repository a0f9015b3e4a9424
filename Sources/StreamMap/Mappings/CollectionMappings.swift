extension Mapping {
  /// An array whose elements are all mapped the same way.
  ///
  /// ```swift
  /// let strict: Mapping<[Int]> = .array(of: .int)
  /// let lenient: Mapping<[Int]> = .array(of: .int, omitsInvalid: true)
  /// // [1, "x", 3]  →  [1, 3], and an issue at $[1]
  /// ```
  ///
  /// All elements are checked, and all their errors are reported.
  ///
  /// - Parameters:
  ///   - element: Maps each element.
  ///   - omitsInvalid: Whether elements that fail are left out, each with an issue, instead of failing the array.
  /// - Returns: The mapping of the array.
  /// - Complexity: O(*n*) in the number of elements.
  @inlinable
  public static func array<Element>(of element: Mapping<Element>, omitsInvalid: Bool = false)
    -> Mapping
  where Value == [Element] {
    array(of: element, omitsInvalid, ArrayAccess.of(Element.self))
  }

  @usableFromInline
  static func array<Element>(
    of element: Mapping<Element>, _ omitsInvalid: Bool, _ access: ArrayAccess
  ) -> Mapping
  where Value == [Element] {
    Mapping(
      Definition(
        .array(element.definition, onInvalid: omitsInvalid ? .omit : .fail),
        operations: ArrayOperations<Element>(access: access), expected: "an array"))
  }

  /// An object as a dictionary: all members are mapped the same way, each under its key.
  ///
  /// If a key occurs twice, the later member wins, unless ``duplicateKeys(_:)`` or the mapper's ``Registry`` says
  /// otherwise. Keys that Swift's `String` considers equal although their code points differ ("é" as one code point or as
  /// two) are different keys in JSON, but the dictionary can hold only one of them. The policy says which one stays; that one is
  /// lost is always reported, as ``ErrorCode/duplicateKey``: an issue if it is not an error.
  ///
  /// Encoding writes the members in the order of their keys' Unicode scalars.
  ///
  /// - Complexity: O(*n*) in the number of members.
  @inlinable
  public static func dictionary<Member>(of value: Mapping<Member>) -> Mapping
  where Value == [String: Member] {
    dictionary(of: value, DictionaryAccess.of(Member.self))
  }

  @usableFromInline
  static func dictionary<Member>(of value: Mapping<Member>, _ access: DictionaryAccess) -> Mapping
  where Value == [String: Member] {
    Mapping(
      Definition(
        .dictionary(value.definition, duplicateKeys: nil),
        operations: DictionaryOperations<Member>(access: access),
        expected: "an object"))
  }
}
