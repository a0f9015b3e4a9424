/// An element mapping whose failures leave the element out instead of failing the array.
///
/// ```swift
/// let numbers: Mapping<[Int]> = .array(of: .optionally(.int))
/// // [1, "x", 3]  →  [1, 3], and an issue at $[1]
/// ```
public struct LenientElement<Element>: Sendable {
  let definition: Definition

  /// Elements that this mapping takes; others are left out, each reported with its index.
  public static func optionally(_ element: Mapping<Element>) -> LenientElement {
    LenientElement(definition: element.definition)
  }
}

extension Mapping {
  /// An array whose elements all map; one that does not fails the array.
  ///
  /// All are examined.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @inlinable
  public static func array<Element>(of element: Mapping<Element>) -> Mapping
  where Value == [Element] {
    array(of: element, ArrayAccess.of(Element.self))
  }

  /// An array of those elements that map; the others are left out and reported as issues.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  @inlinable
  public static func array<Element>(of element: LenientElement<Element>) -> Mapping
  where Value == [Element] {
    array(of: element, ArrayAccess.of(Element.self))
  }

  @usableFromInline
  static func array<Element>(of element: Mapping<Element>, _ access: ArrayAccess) -> Mapping
  where Value == [Element] {
    Mapping(
      Definition(
        .array(element.definition, onInvalid: .fail),
        operations: ArrayOperations<Element>(access: access), expected: "an array"))
  }

  @usableFromInline
  static func array<Element>(of element: LenientElement<Element>, _ access: ArrayAccess) -> Mapping
  where Value == [Element] {
    Mapping(
      Definition(
        .array(element.definition, onInvalid: .omit),
        operations: ArrayOperations<Element>(access: access), expected: "an array"))
  }

  /// An object as a dictionary: every member maps by the same mapping, under its key.
  ///
  /// Of equal keys the last wins, unless ``duplicateKeys(_:)`` or the mapper's ``Registry`` says otherwise. Two spellings of one
  /// letter that Swift's `String` takes for the same ("é" as one code point or as two) are two keys of JSON; the dictionary keeps
  /// the later.
  ///
  /// The reverse writes members in the order of their keys' Unicode scalars.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public static func dictionary<Member>(of value: Mapping<Member>) -> Mapping
  where Value == [String: Member] {
    Mapping(
      Definition(
        .dictionary(value.definition, duplicateKeys: nil),
        operations: DictionaryOperations<Member>(),
        expected: "an object"))
  }
}
