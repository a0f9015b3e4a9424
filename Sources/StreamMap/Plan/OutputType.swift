/// The types of output records and of the values in them, which the mapping says before any feed is read.
///
/// What writes tables (CSV, SQL, Arrow) and schemas asks this. It is a tree: the elements of arrays and the members of objects keep
/// their own types.
package indirect enum OutputType: Sendable, Hashable {
  /// What one token makes; ``ScalarType/any`` is a string, a number or a boolean. A date is a text by RFC 3339, in UTC.
  case scalar(ScalarType)
  /// A date without a time of day, as a text: `2026-11-22`.
  case day
  /// One of these scalars, none of which is null.
  case oneOf([JSONValue])
  case array(OutputValue)
  /// An object whose keys only the feed knows.
  case dictionary(OutputValue)
  case object(OutputObject)
  /// Any value at all.
  case json

  /// The type of scalars that includes these; nil for values that are not scalars, or need not be.
  package var scalar: ScalarType? {
    switch self {
    case .scalar(let type): type
    case .day: .string
    case .oneOf(let values):
      values.dropFirst().reduce(values.first.map(ScalarType.init(of:)) ?? .any) {
        $0.union(ScalarType(of: $1))
      }
    case .array, .dictionary, .object, .json: nil
    }
  }

  /// The type of one value.
  init(of value: JSONValue) {
    switch value {
    // No scalar at all; null is noted beside it.
    case .null: self = .oneOf([])
    case .bool, .number, .string: self = .oneOf([value])
    case .array(let elements):
      self = .array(OutputValue(ofAny: elements.map { OutputValue(of: $0) }))
    case .object(let members):
      self = .object(
        OutputObject(members: members.map { .init(name: $0.key, value: OutputValue(of: $0.value)) })
      )
    }
  }

  /// The type of what is of either.
  func union(_ other: OutputType) -> OutputType {
    if self == other { return self }
    switch (self, other) {
    case (.oneOf([]), _): return other
    case (_, .oneOf([])): return self
    case (.oneOf(let values), .oneOf(let more)):
      return .oneOf(values + more.filter { !values.contains($0) })
    case (.array(let element), .array(let another)): return .array(element.union(another))
    case (.dictionary(let value), .dictionary(let another)):
      return .dictionary(value.union(another))
    case (.object(let object), .object(let another)): return .object(object.union(another))
    default: break
    }
    guard let type = scalar, let another = other.scalar else { return .json }
    return .scalar(type.union(another))
  }

  /// The type, where this value may stand in.
  func including(_ value: JSONValue) -> OutputType {
    includes(value) ? self : union(OutputType(of: value))
  }

  fileprivate func includes(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.scalar(let type), _): type.includes(value)
    case (.oneOf(let values), _): values.contains(value)
    case (.array(let element), .array(let elements)): elements.allSatisfy(element.includes)
    case (.dictionary(let member), .object(let members)):
      members.allSatisfy { member.includes($0.value) }
    case (.object(let object), .object(let members)):
      object.members.count == members.count
        && zip(object.members, members).allSatisfy {
          $0.name == $1.key && $0.value.includes($1.value)
        }
    case (.json, _): true
    default: false
    }
  }
}

/// A type, and whether null may be there instead.
package struct OutputValue: Sendable, Hashable {
  package var type: OutputType
  package var isNullable: Bool

  package init(_ type: OutputType, isNullable: Bool = false) {
    self.type = type
    self.isNullable = isNullable
  }

  /// Any value at all, null included.
  package static let json = OutputValue(.json, isNullable: true)

  /// The type of one value.
  init(of value: JSONValue) {
    self.init(OutputType(of: value), isNullable: value == .null)
  }

  /// The type of what is of any of these; without any, it is any value.
  init(ofAny values: [OutputValue]) {
    self = values.dropFirst().reduce(values.first ?? .json) { $0.union($1) }
  }

  func union(_ other: OutputValue) -> OutputValue {
    OutputValue(type.union(other.type), isNullable: isNullable || other.isNullable)
  }

  /// The type, where this value may stand in.
  package func including(_ value: JSONValue) -> OutputValue {
    value == .null
      ? OutputValue(type, isNullable: true)
      : OutputValue(type.including(value), isNullable: isNullable)
  }

  fileprivate func includes(_ value: JSONValue) -> Bool {
    value == .null ? isNullable : type.includes(value)
  }
}

/// The members of an object in output records.
package struct OutputObject: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package let name: String
    package var value: OutputValue
    /// Whether some of these objects are without it.
    package var isOptional = false
  }

  /// In the order in which they are written.
  package var members: [Member]
  /// Whether other members follow, which only the feed knows (`rest: keep`).
  package var isOpen = false

  func union(_ other: OutputObject) -> OutputObject {
    var members = members
    var places: [ExactText: Int] = [:]
    for (place, member) in members.enumerated() where places[ExactText(member.name)] == nil {
      places[ExactText(member.name)] = place
    }
    let others = Set(other.members.map { ExactText($0.name) })
    for place in members.indices where !others.contains(ExactText(members[place].name)) {
      members[place].isOptional = true
    }
    for var member in other.members {
      if let place = places[ExactText(member.name)] {
        members[place].value = members[place].value.union(member.value)
        if member.isOptional { members[place].isOptional = true }
      } else {
        member.isOptional = true
        members.append(member)
      }
    }
    return OutputObject(members: members, isOpen: isOpen || other.isOpen)
  }
}
