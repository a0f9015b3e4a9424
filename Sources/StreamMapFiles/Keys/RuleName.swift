import StreamMap

/// The rules, as mapping files name them: the keys of `validate`.
enum RuleName: String, MapKey {
  case min, max, range
  case greaterThan = "greater_than"
  case greaterThanOrEqualTo = "greater_than_or_equal_to"
  case lessThan = "less_than"
  case lessThanOrEqualTo = "less_than_or_equal_to"
  case multipleOf = "multiple_of"
  case equalTo = "equal_to"
  case oneOf = "one_of"
  case matches
  case matchesAnywhere = "matches_anywhere"
  case length
  case minLength = "min_length"
  case maxLength = "max_length"
  case lengthRange = "length_range"
  case count
  case minCount = "min_count"
  case maxCount = "max_count"
  case countRange = "count_range"
  case unique
  case either, not, all

  static let keys = KeyTable(allCases)

  /// Whether it compares one value, so that conditions have it, too.
  var isComparison: Bool {
    switch self {
    case .equalTo, .either, .not, .all: false
    case .min, .max, .range, .greaterThan, .greaterThanOrEqualTo, .lessThan, .lessThanOrEqualTo,
      .multipleOf, .oneOf, .matches, .matchesAnywhere, .length, .minLength, .maxLength,
      .lengthRange,
      .count, .minCount, .maxCount, .countRange, .unique:
      true
    }
  }

  /// What the rule is about; nil for any value.
  var domains: [RuleDomain]? {
    switch self {
    case .min, .max, .range, .greaterThan, .greaterThanOrEqualTo, .lessThan, .lessThanOrEqualTo:
      [.number, .date]
    case .multipleOf: [.number]
    case .matches, .matchesAnywhere, .length, .minLength, .maxLength, .lengthRange: [.text, .date]
    case .count, .minCount, .maxCount, .countRange: [.array, .object]
    case .unique: [.array]
    case .equalTo, .oneOf, .either, .not, .all: nil
    }
  }

  var spec: KeySpec {
    switch self {
    case .min: KeySpec(Self.limit, "At least.")
    case .max: KeySpec(Self.limit, "At most.")
    case .range: KeySpec(Self.pair(Self.limit), "From one to the other.")
    case .greaterThan: KeySpec(Self.limit, "More than.")
    case .greaterThanOrEqualTo: KeySpec(Self.limit, "This or more.")
    case .lessThan: KeySpec(Self.limit, "Less than.")
    case .lessThanOrEqualTo: KeySpec(Self.limit, "This or less.")
    case .multipleOf: KeySpec(.number(), "A multiple of this number.")
    case .equalTo: KeySpec(.notNull, "This value.")
    case .oneOf: KeySpec(.list(of: .notNull, atLeast: 1), "One of these values.")
    case .matches: KeySpec(.text(), "A text that matches the pattern (RE2) as a whole.")
    case .matchesAnywhere:
      KeySpec(.text(), "A text with a match of the pattern (RE2) in it.")
    case .length: KeySpec(Self.size, "So many characters (Unicode scalars).")
    case .minLength: KeySpec(Self.size, "At least so many characters.")
    case .maxLength: KeySpec(Self.size, "At most so many characters.")
    case .lengthRange: KeySpec(Self.pair(Self.size), "From so many characters to so many.")
    case .count: KeySpec(Self.size, "So many elements.")
    case .minCount: KeySpec(Self.size, "At least so many elements.")
    case .maxCount: KeySpec(Self.size, "At most so many elements.")
    case .countRange: KeySpec(Self.pair(Self.size), "From so many elements to so many.")
    case .unique: KeySpec(.values { [true] }, "No two elements are equal.")
    case .either: KeySpec(.list(of: .part(.rules), atLeast: 1), "At least one of these.")
    case .not: KeySpec(.part(.rules), "None of these together.")
    case .all: KeySpec(.list(of: .part(.rules)), "All of these.")
    }
  }

  private static var size: KeyForm { .whole(atLeast: 0) }

  /// A number, or a date.
  private static var limit: KeyForm {
    .either([.number(), .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}")])
  }

  private static func pair(_ form: KeyForm) -> KeyForm { .tuple([form, form]) }
}
