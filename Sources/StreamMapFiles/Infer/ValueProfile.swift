import StreamMap
import StreamMapPlatform

/// What all values at one place of the records have in common.
final class ValueProfile {
  /// Places beyond this number are not told apart; no feed that people can look at has so many.
  private static let mostPlaces = 50_000
  private static let mostExamples = 3
  private static let longestExample = 40

  /// The number of values, nulls included.
  private(set) var count = 0
  private(set) var nullCount = 0
  private(set) var boolCount = 0
  private(set) var numbers = NumberProfile()
  private(set) var texts = TextProfile()
  private(set) var objects = ObjectProfile()
  private(set) var arrayCount = 0
  /// What all elements of the arrays here have in common; nil if there was none.
  private(set) var elements: ValueProfile?
  /// The first different scalars, as they are in the feed.
  private(set) var examples: [JSONValue] = []
  private let places: Places

  /// How many places there are of all profiles of a feed.
  final class Places {
    fileprivate var count = 0
  }

  init(_ places: Places = Places()) {
    self.places = places
    places.count += 1
  }

  /// A place inside this one; nil if there are too many.
  fileprivate func inside() -> ValueProfile? {
    places.count < Self.mostPlaces ? ValueProfile(places) : nil
  }

  func add(_ value: JSONValue) {
    count += 1
    switch value {
    case .null: nullCount += 1
    case .bool: boolCount += 1
    case .number(let text): numbers.add(text)
    case .string(let text): texts.add(text)
    case .array(let values):
      arrayCount += 1
      for value in values {
        if elements == nil { elements = inside() }
        elements?.add(value)
      }
    case .object(let members): objects.add(members, of: self)
    }
    note(example: value)
  }

  private func note(example: JSONValue) {
    guard examples.count < Self.mostExamples else { return }
    switch example {
    case .string(let text) where text.count > Self.longestExample: return
    case .string, .number, .bool: if !examples.contains(example) { examples.append(example) }
    case .null, .array, .object: return
    }
  }

  /// Adds all values of another profile: two places become one.
  func merge(_ other: ValueProfile) {
    count += other.count
    nullCount += other.nullCount
    boolCount += other.boolCount
    numbers.merge(other.numbers)
    texts.merge(other.texts)
    objects.merge(other.objects, in: self)
    arrayCount += other.arrayCount
    if let more = other.elements {
      if elements == nil { elements = inside() }
      elements?.merge(more)
    }
    for example in other.examples { note(example: example) }
  }
}

/// What all objects at one place have in common.
struct ObjectProfile {
  private(set) var count = 0
  /// In the order in which they first came.
  private(set) var keys: [ExactText] = []
  private(set) var members: [ExactText: ValueProfile] = [:]
  /// The number of members of all objects.
  private var memberCount = 0

  fileprivate mutating func add(_ object: [JSONValue.Member], of owner: ValueProfile) {
    count += 1
    // The last member with a key counts.
    var values: [ExactText: JSONValue] = [:]
    for member in object {
      let key = ExactText(member.key)
      if values.updateValue(member.value, forKey: key) != nil { continue }
      if members[key] == nil, let place = owner.inside() {
        members[key] = place
        keys.append(key)
      }
    }
    memberCount += values.count
    for (key, value) in values { members[key]?.add(value) }
  }

  fileprivate mutating func merge(_ other: ObjectProfile, in owner: ValueProfile) {
    count += other.count
    memberCount += other.memberCount
    for key in other.keys {
      guard let more = other.members[key] else { continue }
      if members[key] == nil, let place = owner.inside() {
        members[key] = place
        keys.append(key)
      }
      members[key]?.merge(more)
    }
  }

  /// Whether the keys are data rather than names: then the objects are dictionaries.
  ///
  /// That is so if all of several keys are numbers or UUIDs, or if there are many keys and each object has few of them.
  var areDictionaries: Bool {
    guard keys.count >= 5 else { return false }
    if keys.allSatisfy(Self.isIdentifier) { return true }
    guard keys.count >= 30, count >= 10 else { return false }
    return memberCount * 5 < keys.count * count
  }

  private static func isIdentifier(_ key: ExactText) -> Bool {
    let key = key.text
    if !key.isEmpty, key.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return (try? Conversion<String, UUID>.uuid.forward(key)) != nil
  }

  /// What all members have in common, whatever their key.
  var values: ValueProfile {
    let all = ValueProfile()
    for key in keys { if let member = members[key] { all.merge(member) } }
    return all
  }
}
