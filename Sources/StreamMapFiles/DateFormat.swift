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

  /// From a text to the instant, and back.
  ///
  /// - Parameters:
  ///   - zone: Of texts that do not say theirs: by a pattern, or by RFC 3339, which has to say it where no zone is given.
  ///   - isRead: Whether texts are read by it, and not only written: then a pattern needs a year.
  /// - Returns: The conversion.
  func conversion(_ zone: Zone?, isRead: Bool = true) -> Conversion<String, Instant> {
    switch self {
    case .rfc3339: zone.map { .rfc3339Instant(local: $0) } ?? .rfc3339Instant
    case .rfc822: .rfc822Instant
    case .dotnet: .dotNetInstant()
    case .unix(let unit): .instantNumber(since1970: unit)
    case .pattern(let pattern): .instantFormat(pattern, timeZone: zone ?? .gmt, isRead: isRead)
    }
  }
}

/// The form that dates are written in.
struct DateForm: Equatable {
  var format: DateFormat
  var zone = Zone.gmt

  /// From an instant to its text.
  fileprivate var conversion: Conversion<String, Instant> {
    format == .rfc3339 ? .rfc3339Instant : format.conversion(zone, isRead: false)
  }
}

/// Reads dates in the first of some formats that has one, in the years 0 to 9999, and writes them in a form: by RFC 3339 in UTC, if
/// nothing else is said.
struct DateReader: Sendable {
  let expected: String
  private let formats: [Conversion<String, Instant>]
  private let written: Conversion<String, Instant>
  private let isNumber: Bool
  /// PERF: if RFC 3339 becomes a number, that takes no String.
  private let quickUnit: TimeUnit?

  init(_ formats: [DateFormat], _ zone: Zone?, _ form: DateForm? = nil) {
    if formats == [.rfc3339], zone == nil, case .unix(let unit)? = form?.format {
      quickUnit = unit
    } else {
      quickUnit = nil
    }
    self.formats = formats.map { $0.conversion(zone) }
    written = form?.conversion ?? .rfc3339Instant
    isNumber = form?.format.isNumber == true
    expected = "a date (\(formats.map(\.name).joined(separator: ", ")))"
  }

  /// The same as JSON text, in the room.
  func json(_ text: UnsafeBufferPointer<UInt8>, _ room: TextRoom) throws
    -> UnsafeBufferPointer<UInt8>
  {
    let result = room.next()
    if let quickUnit, let instant = Instant(rfc3339: text),
      instant.append(wholeNumberOf: quickUnit, to: result)
    {
      return result.text
    }
    result.append(Array(try value(String(decoding: text, as: UTF8.self)).description.utf8))
    return result.text
  }

  func value(_ text: String) throws -> JSONValue {
    var failure = ConversionFailure(expected: expected)
    for format in formats {
      do {
        let instant = try format.forward(text)
        guard let text = try written.reverse?(instant) else { continue }
        return isNumber ? .number(text) : .string(text)
      } catch let error as ConversionFailure where [.outOfYears, .neverShown].contains(error) {
        failure = error
      } catch {
        continue
      }
    }
    throw failure
  }
}
