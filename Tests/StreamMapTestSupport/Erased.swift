@testable import StreamMap

/// A comparable value of any type: the result of random typed mappings.
struct Erased: Hashable, Sendable, CustomStringConvertible {
  private let base: any Hashable & Sendable

  init(_ base: some Hashable & Sendable) { self.base = base }

  static func == (a: Erased, b: Erased) -> Bool { AnyHashable(a.base) == AnyHashable(b.base) }

  func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }

  func value<Value>(as _: Value.Type = Value.self) -> Value? { base as? Value }

  /// The same text for equal values.
  var description: String {
    switch base {
    case let set as Set<Erased>: "\(set.map(\.description).sorted())"
    case let members as [String: Erased]: "\(members.sorted { $0.key < $1.key })"
    case let members as [Int: Erased]: "\(members.sorted { $0.key < $1.key })"
    default: "\(base)"
    }
  }
}

/// The result of tuples: a type of its own, so that no other mapping takes it for its array.
struct ErasedPair: Hashable, Sendable, CustomStringConvertible {
  let first: Erased
  let second: Erased

  var description: String { "(\(first), \(second))" }
}

/// The result of object mappings: the values of their fields, and the number of the mapping, so that only it can encode them.
struct ErasedRow: Hashable, Sendable, CustomStringConvertible {
  var number: Int
  var values: [Erased]
  var optionals: [Erased?] = []
  var others: [String: JSONValue] = [:]
  var children: [ErasedRow] = []

  var description: String {
    "(\(values) \(optionals) \(others.sorted { $0.key < $1.key }) \(children))"
  }

  subscript(field index: Int) -> Erased {
    get { values.indices.contains(index) ? values[index] : Erased("no such field") }
    set { if values.indices.contains(index) { values[index] = newValue } }
  }

  subscript(optional index: Int) -> Erased? {
    get { optionals.indices.contains(index) ? optionals[index] : nil }
    set { if optionals.indices.contains(index) { optionals[index] = newValue } }
  }
}

extension Mapping where Value == Erased {
  /// A typed mapping without its type; it cannot encode values of other types.
  static func erased<Typed: Hashable & Sendable>(_ mapping: Mapping<Typed>) -> Mapping {
    .converted(from: mapping, { Erased($0) }, reverse: { try taken($0) })
  }

  /// A typed mapping, with a way to compare its values.
  static func erased<Typed, Comparable: Hashable & Sendable>(
    _ mapping: Mapping<Typed>, _ wrap: @escaping @Sendable (Typed) -> Comparable,
    _ unwrap: @escaping @Sendable (Comparable) throws -> Typed
  ) -> Mapping {
    .converted(from: mapping, { Erased(wrap($0)) }, reverse: { try unwrap(taken($0)) })
  }

  private static func taken<Typed>(_ value: Erased) throws -> Typed {
    guard let typed: Typed = value.value() else {
      throw ConversionFailure(expected: "\(Typed.self)")
    }
    return typed
  }
}
