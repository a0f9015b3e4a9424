import StreamMap

/// What a mapping file says of a text before it is read: steps, a pattern, a table; in this order.
struct TextSpec: Equatable {
  var steps: [TextStep] = []
  var pattern: PatternSpec?
  var lookup: LookupSpec?

  var isEmpty: Bool { steps.isEmpty && pattern == nil && lookup == nil }

  func change(otherwise: JSONValue?) -> TextChange {
    TextChange(
      steps: steps, extraction: pattern?.extraction, table: lookup?.table(otherwise: otherwise))
  }
}

/// A pattern; a part of its match is taken.
struct PatternSpec: Equatable {
  let text: String
  let pattern: LinearPattern

  static func == (a: PatternSpec, b: PatternSpec) -> Bool { a.text == b.text }

  var expected: String { "a text with a match of '\(text)'" }

  fileprivate var extraction: TextChange.Extraction {
    let group = pattern.groupCount > 0 ? 1 : 0
    return TextChange.Extraction(name: "extract '\(text)'", expected: expected) {
      [pattern] text in
      pattern.part(of: text, group: group)
    }
  }

  /// The named groups of a text's match, as the members of an object.
  func groups(of source: OutputMapping, into mapping: OutputMapping) -> OutputMapping {
    let numbers = pattern.groups.map { pattern.number(ofGroup: $0) }
    return .groups(
      pattern.groups, of: source, name: "groups of '\(text)'", expected: expected, into: mapping
    ) { [pattern] text in
      pattern.parts(of: text, groups: numbers)
    }
  }
}

/// A table from a file, as a mapping file names it.
struct LookupSpec: Equatable {
  let name: String
  let table: LookupTable

  static func == (a: LookupSpec, b: LookupSpec) -> Bool { a.table === b.table }

  fileprivate func table(otherwise: JSONValue?) -> TextTable {
    TextTable(
      name: "lookup in \(name)", expected: "a key of \(name)", isOneToOne: table.isOneToOne,
      otherwise: otherwise
    ) { [table] in
      table.value(of: $0)
    }
  }
}

/// The key of an object that wraps a value, and what is under it.
struct WrapperSpec: Equatable, Sendable {
  let key: String
  let content: WrappedContent
}

/// Another form of a value, as a mapping file says it.
indirect enum ShapeSpec: Equatable, Sendable {
  case split(String, of: ScalarSpec)
  /// The JSON in a string.
  case json(in: ScalarSpec)
  /// The object that a table has for a text.
  case row(of: ValueSpec)
  /// The query of a URL.
  case query(in: ScalarSpec)
  /// The named groups of a pattern.
  case groups(PatternSpec, of: ScalarSpec)
  case entries(key: String, value: String, DuplicateKeyPolicy)
  case fromEntries(key: String, value: String)
  /// Wrapped values, by the keys of the objects around them.
  case unwrapped([WrapperSpec])
  /// The array of all that a path selects.
  case selected(PathPattern)
  /// What steps make of the elements of an array.
  case list([ListStepSpec])
  /// Several lists as one.
  case zip(ZipSpec)

  /// Whether it makes null of a value that is there: of an empty list its last element, nothing of lists that are all missing, or a null that
  /// was wrapped.
  var mayMakeNull: Bool {
    switch self {
    case .list, .zip, .unwrapped: true
    case .split, .json, .row, .query, .groups, .entries, .fromEntries, .selected: false
    }
  }

  /// Whether a list is what it is made of.
  var takesList: Bool {
    switch self {
    case .list, .fromEntries, .unwrapped: true
    case .split, .json, .row, .query, .groups, .entries, .selected, .zip: false
    }
  }

  /// The shaped value, mapped by another mapping.
  func mapping(into mapping: OutputMapping) -> OutputMapping {
    switch self {
    case .split(let separator, let text):
      .splitting(text.mapping, by: separator, into: mapping)
    case .json(let text): .parsingJSON(text.mapping, into: mapping)
    case .row(let text): .parsingJSON(text.mapping, into: mapping)
    case .query(let text): .parsingQuery(text.mapping, into: mapping)
    case .groups(let pattern, let text): pattern.groups(of: text.mapping, into: mapping)
    case .entries(let key, let value, let duplicates):
      .entries(key: key, value: value, into: mapping, duplicateKeys: duplicates)
    case .fromEntries(let key, let value): .fromEntries(key: key, value: value, into: mapping)
    case .unwrapped(let wrappers):
      .unwrapping(wrappers.map { (key: $0.key, value: $0.content) }, into: mapping)
    case .selected(let pattern): .selecting(pattern, into: mapping)
    case .list(let steps): .list(steps.map(\.step), into: mapping)
    case .zip(let zip): .zip(zip.source, by: zip.path.map { .path($0) }, into: mapping)
    }
  }
}
