import Foundation
import StreamMap
import StreamMapFoundation

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
    ("unix_min", .unix(.minutes)), ("unix_h", .unix(.hours)),
  ]

  /// What words that are no formats mean elsewhere.
  private static let others: [(words: [String], format: String)] = [
    (["iso", "iso8601", "rfc5424", "datetime", "timestamp"], "rfc3339"),
    (["rfc1123", "rfc2822", "rfc5322", "rfc7231", "http"], "rfc822"),
    (["unix", "epoch", "posix", "seconds"], "unix_s"),
    (["millis", "milliseconds", "epochmillis", "javascript"], "unix_ms"),
    (["date", "day"], "yyyy-MM-dd"),
  ]

  /// The format that is meant by a word that is none; nil where nobody knows.
  static func meant(by text: String) -> String? {
    let word = text.lowercased().filter { !"-_ ".contains($0) }
    return others.first { $0.words.contains(word) }?.format
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

  var isPattern: Bool {
    if case .pattern = self { true } else { false }
  }

  /// From a text to the date.
  func conversion(_ zone: TimeZone) -> Conversion<String, Date> {
    switch self {
    case .rfc3339: .rfc3339
    case .rfc822: .rfc822
    case .dotnet: .dotNet
    case .unix(let unit): Conversion<String, Double>.number.then(.date(since1970: unit))
    case .pattern(let pattern): .localizedDateFormat(pattern, timeZone: zone)
    }
  }
}

/// The form that dates are written in.
struct DateForm: Equatable {
  var format: DateFormat
  var zone = TimeZone.gmt

  /// From a date to its text.
  fileprivate var conversion: Conversion<String, Date> { format.conversion(zone) }
}

/// Reads dates in any of some formats, and writes them in a form: by RFC 3339 in UTC, if nothing else is said.
struct DateReader: Sendable {
  let expected: String
  private let formats: [Conversion<String, Date>]
  private let written: Conversion<String, Date>
  private let isNumber: Bool

  init(_ formats: [DateFormat], _ zone: TimeZone, _ form: DateForm? = nil) {
    self.formats = formats.map { $0.conversion(zone) }
    written = form?.conversion ?? .rfc3339
    isNumber = form?.format.isNumber == true
    expected = "a date (\(formats.map(\.name).joined(separator: ", ")))"
  }

  func value(_ text: String) throws -> JSONValue {
    for format in formats {
      guard let date = try? format.forward(text) else { continue }
      guard let text = try written.reverse?(date) else { continue }
      return isNumber ? .number(text) : .string(text)
    }
    throw ConversionFailure(expected: expected)
  }
}
