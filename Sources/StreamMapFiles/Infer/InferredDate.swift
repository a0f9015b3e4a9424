import StreamMap
import StreamMapPlatform

/// A form of dates, as far as a sample tells it.
enum InferredDate: Equatable {
  /// RFC 3339, as `type: date` alone reads it.
  case standard
  /// RFC 3339 without a zone in some texts; the pattern that all of them have, if there is one.
  case local(pattern: String?)
  /// A form by its name, or a pattern.
  case form(String)

  /// The form that days are written in.
  static let day = "yyyy-MM-dd"

  /// Whether it has no time of the day.
  var isDay: Bool {
    guard case .form(let form) = self else { return false }
    return form.contains("dd") && !form.contains("HH")
  }

  /// Whether its values are numbers.
  var isNumber: Bool {
    guard case .form(let form) = self else { return false }
    return DateFormat(form).isNumber
  }

  /// What a field with it says.
  var keys: [String] {
    switch self {
    case .standard: ["type: date"]
    case .local: ["type: date", "zone: UTC"]
    case .form(let form):
      ["type: date", "format: \(YAMLText.quoted(form))"] + (isDay ? ["as: \(Self.day)"] : [])
    }
  }

  /// What was assumed, for a comment.
  var note: String? {
    let utc = "UTC where no zone is named"
    switch self {
    case .standard: return nil
    case .local: return utc
    case .form(let form):
      if isNumber { return "numbers that may be times" }
      return form.contains("HH") && !form.contains("Z") ? utc : nil
    }
  }
}

/// The forms of dates that all texts of a place have, so far.
struct DateProfile {
  /// A form, and how a mapping with it reads a text.
  private struct Form: Sendable {
    let date: InferredDate
    let reads: @Sendable (String) -> Bool

    init(_ date: InferredDate, _ read: @escaping @Sendable (String) throws -> JSONValue) {
      self.date = date
      reads = { (try? read($0)) != nil }
    }

    init(_ form: String) {
      let date = InferredDate.form(form)
      let written = date.isDay ? DateForm(format: DateFormat(InferredDate.day)) : nil
      let reader = DateReader([DateFormat(form)], nil, written)
      self.init(date) { try reader.value($0) }
    }
  }

  /// The likeliest first.
  private static let forms: [Form] = {
    let local = DateReader([.rfc3339], .gmt)
    return [
      Form(.standard) { try ScalarType.date.string(fromText: $0, schemes: []) }, Form("rfc3339"),
      Form("rfc822"), Form("yyyy-MM-dd"), Form(.local(pattern: nil)) { try local.value($0) },
    ]
      + [
        "yyyy-MM-dd HH:mm", "yyyy/MM/dd", dayFirst, monthFirst, "dd.MM.yyyy",
        "EEE MMM dd HH:mm:ss Z yyyy",
      ].map { Form($0) }
  }()
  /// What tells a program, whose dates have no zone besides their form, how local times are written.
  private static let localPatterns: [(pattern: String, form: Form)] = ["'T'", " "].flatMap {
    separator in
    ["", ".SSS", ".SSSSSS"].map { fraction in
      let pattern = "yyyy-MM-dd\(separator)HH:mm:ss\(fraction)"
      return (pattern: pattern, form: Form(pattern))
    }
  }

  private static let dayFirst = "dd/MM/yyyy"
  private static let monthFirst = "MM/dd/yyyy"

  /// The forms that are left, by their numbers.
  private var possible = Array(forms.indices)
  private var possiblePatterns = Array(localPatterns.indices)

  mutating func add(_ text: String) {
    if possible.isEmpty { return }
    possible.removeAll { !Self.forms[$0].reads(text) }
    possiblePatterns.removeAll { !Self.localPatterns[$0].form.reads(text) }
  }

  mutating func merge(_ other: DateProfile) {
    possible.removeAll { !other.possible.contains($0) }
    possiblePatterns.removeAll { !other.possiblePatterns.contains($0) }
  }

  /// What the texts are; nil if they are no dates, or dates of several forms that mean different days.
  var type: InferredType? {
    guard let first = possible.first.map({ Self.forms[$0].date }) else { return nil }
    switch first {
    case .standard: return .date(.standard)
    case .local:
      return .date(.local(pattern: possiblePatterns.first.map { Self.localPatterns[$0].pattern }))
    case .form(let form):
      let isUnsure =
        form == Self.dayFirst
        && possible.contains { Self.forms[$0].date == .form(Self.monthFirst) }
      return isUnsure ? .unsureDate([Self.dayFirst, Self.monthFirst]) : .date(first)
    }
  }
}
