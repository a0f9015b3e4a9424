import StreamMap

/// What the values at a place become, as far as a sample tells.
indirect enum InferredType {
  case scalar(ScalarType)
  case date(InferredDate)
  /// Dates that are other days in each of several forms: they stay texts.
  case unsureDate([String])
  case url([String])
  /// Strings with few different values.
  case cases([String])
  case object([InferredField])
  case array(InferredValue)
  case dictionary(InferredValue)
  /// Values of kinds that have nothing in common, or of none.
  case json

  /// Whether it takes more than a line of YAML.
  var isLong: Bool {
    switch self {
    case .object: true
    case .array(let element), .dictionary(let element): element.type.isLong
    case .scalar, .date, .unsureDate, .url, .cases, .json: false
    }
  }

  /// What was assumed, or what a person has to decide; nil if there is nothing of it.
  var note: String? {
    switch self {
    case .date(let date): date.note
    case .unsureDate(let forms):
      "not clear whether days or months come first: write "
        + forms.map { "format: \($0)" }.joined(separator: " or ")
        + ", with type: date and as: \(InferredDate.day)"
    case .array(let element), .dictionary(let element): element.type.note
    case .scalar, .url, .cases, .object, .json: nil
    }
  }
}

/// A type, and whether null stands in for it.
struct InferredValue {
  let type: InferredType
  let isNullable: Bool

  /// The best mapping of everything that a profile has seen.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - name: The member's key: it tells whether numbers may be dates.
  ///   - mayBeAbsent: Whether the value is sometimes not there.
  ///   - level: How many objects and arrays it is in.
  init(
    _ profile: ValueProfile, named name: String = "", mayBeAbsent: Bool = false, level: Int = 0
  ) {
    type = Self.type(profile, name, level)
    isNullable = mayBeAbsent || profile.nullCount > 0
  }

  /// Deeper values are copied: files that describe them could not be read by people, nor by all parsers of YAML.
  private static let mostLevels = 64

  private static func type(_ profile: ValueProfile, _ name: String, _ level: Int) -> InferredType {
    let kinds = [
      profile.boolCount, profile.numbers.count, profile.texts.count, profile.objects.count,
      profile.arrayCount,
    ]
    guard let most = kinds.max(), most > 0 else { return .json }
    if kinds.count(where: { $0 > 0 }) > 1 {
      return profile.objects.count + profile.arrayCount == 0 ? .scalar(.any) : .json
    }
    if profile.boolCount > 0 { return .scalar(.bool) }
    if profile.texts.count > 0 { return profile.texts.type }
    if profile.numbers.count > 0 {
      if let form = profile.numbers.dateForm, isOfTime(name) { return .date(.form(form)) }
      return profile.numbers.type
    }
    if level == mostLevels { return .json }
    if profile.arrayCount > 0 {
      return profile.elements.map { .array(InferredValue($0, level: level + 1)) } ?? .json
    }
    let objects = profile.objects
    if objects.keys.isEmpty { return .json }
    if objects.areDictionaries {
      return .dictionary(InferredValue(objects.values, level: level + 1))
    }
    return .object(InferredField.all(of: objects, level: level + 1))
  }

  /// Whether a member of this name may be a time: `created_at`, `eventTime`, `ts`.
  private static func isOfTime(_ name: String) -> Bool {
    let words = KeyCase.snakeCase.key(for: name).split(separator: "_")
    let times = [
      "at", "date", "time", "timestamp", "ts", "created", "updated", "modified", "start", "end",
      "expires", "seen",
    ]
    return words.contains { times.contains(String($0)) }
  }
}

/// A field of a record or of an object inside.
struct InferredField {
  private static let longestExamples = 60

  /// The member's key, also the field's name where it has no other.
  let key: String
  /// Its name, if the key cannot be it.
  var name: String?
  let value: InferredValue
  /// How many of the objects have it, and how many there are.
  let count: Int
  let objectCount: Int
  var examples: [JSONValue]
  /// Whether there were no values of a kind that is shown.
  let isUnknown: Bool
  /// All texts that there were, if they are few.
  var cases: [String] = []

  static func all(of objects: ObjectProfile, level: Int) -> [InferredField] {
    objects.keys.compactMap { key in
      objects.members[key].map { member in
        InferredField(
          key: key.text,
          value: InferredValue(
            member, named: key.text, mayBeAbsent: member.count < objects.count, level: level),
          count: member.count, objectCount: objects.count, examples: member.examples,
          isUnknown: member.examples.isEmpty)
      }
    }
  }

  /// The same field with another value.
  func with(_ value: InferredValue) -> InferredField {
    InferredField(
      key: key, value: value, count: count, objectCount: objectCount, examples: examples,
      isUnknown: isUnknown)
  }

  /// As in `97 %: 7, 12`.
  var comment: String {
    var text = "always"
    if count < objectCount {
      let share = count * 1000 / max(objectCount, 1)
      text = share == 0 ? "in fewer than 0.1 %" : "in \(share / 10).\(share % 10) %"
    }
    if let note = value.type.note { text += ", \(note)" }
    if case .json = value.type, isUnknown { text += ", nothing is known of its values" }
    if !cases.isEmpty {
      return text + ", one of "
        + ShownText.of(cases.map { JSONValue.string($0).description }.joined(separator: ", "))
    }
    var shown = ""
    for example in examples.map({ ShownText.of($0.description) }) {
      if !shown.isEmpty, shown.count + example.count > Self.longestExamples { break }
      shown += (shown.isEmpty ? ": " : ", ") + example
    }
    return text + shown
  }
}
