import StreamMap

/// A format of dates, as mapping files name it.
enum DateFormat: Equatable {
  case rfc3339, rfc822, dotnet
  /// A number of units since 1970.
  case unix(TimeUnit)
  /// A pattern by Unicode.
  case pattern(String)

  static let named: [(name: String, format: DateFormat)] = [
    ("rfc3339", .rfc3339), ("rfc822", .rfc822), ("dotnet", .dotnet),
    ("unix_s", .unix(.seconds)), ("unix_ms", .unix(.milliseconds)),
    ("unix_us", .unix(.microseconds)), ("unix_ns", .unix(.nanoseconds)),
    ("unix_min", .unix(.minutes)), ("unix_h", .unix(.hours)), ("days", .unix(.days)),
  ]

  static let names = named.map(\.name).joined(separator: ", ")

  /// The format that is meant by a word that is none; nil if there is no likely one.
  static func meant(by text: String) -> String? {
    let names = named.map(\.name)
    // A pattern is no misspelling of another one.
    if case .name(let name)? = OtherWords.meaning(of: text, among: names + ["yyyy-MM-dd"]) {
      return name
    }
    return translated(text) ?? Suggestion.nearest(to: text, among: names)
  }

  /// The letters of strftime, as patterns by Unicode write them.
  private static let directives: [Character: String] = [
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "H": "HH", "I": "hh", "M": "mm",
    "S": "ss",
    "f": "SSSSSS", "L": "SSS", "p": "a", "b": "MMM", "h": "MMM", "B": "MMMM", "a": "E", "A": "EEEE",
    "z": "Z", "Z": "z", "F": "yyyy-MM-dd", "T": "HH:mm:ss", "R": "HH:mm", "D": "MM/dd/yy",
  ]

  /// The pattern for a format of strftime (`%Y-%m-%d`), or of those who write days with D and years with Y; nil if it is none.
  private static func translated(_ text: String) -> String? {
    if text.contains("%") {
      var pattern = ""
      var letters = text[...]
      while let letter = letters.popFirst() {
        if letter == "%" {
          guard let directive = letters.popFirst(), let part = directives[directive] else {
            return nil
          }
          pattern += part
        } else {
          pattern += letter.isLetter ? "'\(letter)'" : String(letter)
        }
      }
      return pattern
    }
    guard text.contains("YYYY"), text.contains("DD") else { return nil }
    return String(text.map { $0 == "Y" ? "y" : $0 == "D" ? "d" : $0 })
  }

  init(_ text: String) {
    self = Self.named.first { $0.name == text }?.format ?? .pattern(text)
  }

  var name: String {
    if case .pattern(let text) = self { return text }
    return Self.named.first { $0.format == self }?.name ?? ""
  }

  var isNumber: Bool {
    if case .unix = self { true } else { false }
  }

  /// Whether texts of the format may leave their zone to be said elsewhere.
  var takesZone: Bool { self == .rfc3339 || isPattern }

  var isPattern: Bool {
    if case .pattern = self { true } else { false }
  }

  /// What is wrong with it; nil if it makes sense.
  ///
  /// - Parameter isRead: Whether texts are read by it, and not only written: then a pattern needs a year.
  /// - Returns: The mistake.
  func mistake(isRead: Bool) -> String? {
    guard case .pattern(let text) = self else { return nil }
    return Conversion<String, Instant>.instantFormat(text, isRead: isRead).mistake
  }

  /// What reads and writes it; nil for a pattern that is a mistake.
  ///
  /// - Parameters:
  ///   - zone: Of texts that do not say theirs: by a pattern, or by RFC 3339, which has to say it where no zone is given.
  ///   - isRead: Whether texts are read by it, and not only written: then a pattern needs a year.
  /// - Returns: The form.
  func form(_ zone: Zone?, isRead: Bool = true) -> InstantForm? {
    switch self {
    case .rfc3339: zone.map { .rfc3339(local: $0) } ?? .rfc3339
    case .rfc822: .rfc822
    case .dotnet: .dotNet
    case .unix(let unit): .number(since1970: unit)
    case .pattern(let text): .pattern(text, timeZone: zone ?? .gmt, isRead: isRead)
    }
  }
}

/// The form that dates are written in.
struct DateForm: Equatable {
  var format: DateFormat
  var zone = Zone.gmt
}

/// Reads dates in the first of some formats that has one, in the years 0 to 9999, and writes them in a form: by RFC 3339 in UTC, if
/// nothing else is said.
struct DateReader: Sendable {
  let expected: String
  private let forms: [InstantForm]
  private let written: InstantForm
  private let isNumber: Bool

  init(_ formats: [DateFormat], _ zone: Zone?, _ form: DateForm? = nil) {
    forms = formats.compactMap { $0.form(zone) }
    // By RFC 3339, a zone says which texts are read.
    written =
      form.flatMap { $0.format == .rfc3339 ? nil : $0.format.form($0.zone, isRead: false) }
      ?? .rfc3339
    isNumber = form?.format.isNumber == true
    expected = "a date (\(formats.map(\.name).joined(separator: ", ")))"
  }

  /// The same as JSON text, in the room.
  func json(_ text: UnsafeBufferPointer<UInt8>, _ room: TextRoom) throws
    -> UnsafeBufferPointer<UInt8>
  {
    let result = room.next()
    if !isNumber, !written.isPlain {
      result.append(Array(try value(text).description.utf8))
      return result.text
    }
    if !isNumber { result.append(UInt8(ascii: "\"")) }
    for form in forms {
      guard let instant = form.instant(text), written.append(instant, to: result) else { continue }
      if !isNumber { result.append(UInt8(ascii: "\"")) }
      return result.text
    }
    throw failure(text)
  }

  func value(_ text: String) throws -> JSONValue {
    var text = text
    return try text.withUTF8 { try value($0) }
  }

  private func value(_ text: UnsafeBufferPointer<UInt8>) throws -> JSONValue {
    for form in forms {
      guard let instant = form.instant(text), let text = written.text(instant) else { continue }
      return isNumber ? .number(text) : .string(text)
    }
    throw failure(text)
  }

  /// Why a text is no date in any of the formats.
  private func failure(_ text: UnsafeBufferPointer<UInt8>) -> ConversionFailure {
    let reasons = forms.compactMap { form in
      // What is read has no text to be written.
      form.instant(text) == nil ? form.failure(text) : ConversionFailure.outOfYears
    }
    return reasons.last ?? ConversionFailure(expected: expected)
  }
}
