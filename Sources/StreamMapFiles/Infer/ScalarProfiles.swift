import Foundation
import StreamMap

/// What all numbers at one place have in common.
struct NumberProfile {
  /// `Decimal` and databases hold so many.
  private static let mostDigits = 38
  /// With more places after the point, numbers are measured, not counted.
  private static let mostPlaces = 6

  private(set) var count = 0
  private var areInt64 = true
  private var areUInt64 = true
  private var areDecimal = true
  /// Whether all of them lie where seconds or milliseconds since 1970 lie that are not far from now.
  private var areSeconds = true
  private var areMilliseconds = true

  mutating func add(_ text: String) {
    count += 1
    let whole = Int64(text)
    if whole == nil { areInt64 = false }
    if UInt64(text) == nil { areUInt64 = false }
    if areDecimal { areDecimal = Self.isDecimal(text) }
    areSeconds = areSeconds && whole.map { (631_152_000..<4_102_444_800).contains($0) } ?? false
    areMilliseconds =
      areMilliseconds && whole.map { (631_152_000_000..<4_102_444_800_000).contains($0) } ?? false
  }

  mutating func merge(_ other: NumberProfile) {
    count += other.count
    areInt64 = areInt64 && other.areInt64
    areUInt64 = areUInt64 && other.areUInt64
    areDecimal = areDecimal && other.areDecimal
    areSeconds = areSeconds && other.areSeconds
    areMilliseconds = areMilliseconds && other.areMilliseconds
  }

  private static func isDecimal(_ text: String) -> Bool {
    if text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) { return false }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let places = parts.count > 1 ? parts[1].count : 0
    return places <= mostPlaces
      && text.utf8.count(where: { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") })
        <= mostDigits
  }

  var type: InferredType {
    if areInt64 { return .scalar(.int64) }
    if areUInt64 { return .scalar(.uint64) }
    return .scalar(areDecimal ? .decimal : .double)
  }

  /// The form of dates that the numbers may be: only their name can tell.
  var dateForm: String? {
    if count == 0 { return nil }
    if areSeconds { return "unix_s" }
    return areMilliseconds ? "unix_ms" : nil
  }
}

/// What all strings at one place have in common.
struct TextProfile {
  /// An enum has at most so many values, and each was there at least so often on average.
  private static let mostCases = 12
  private static let casesRepeat = 10
  private static let longestCase = 40

  /// The forms of dates that are recognised.
  static let dateForms = [
    "rfc3339", "rfc822", "yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss",
    "yyyy-MM-dd HH:mm", "yyyy/MM/dd", "dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy",
    "EEE MMM dd HH:mm:ss Z yyyy",
  ]
  private static let dates = dateForms.map { DateFormat($0).conversion(.gmt) }
  private static let url = Conversion<String, URL>.url(schemes: ["http", "https"])

  private(set) var count = 0
  /// The forms, by their numbers, that all strings so far have.
  private var possibleDates = Array(dateForms.indices)
  private var areUUIDs = true
  private var areURLs = true
  /// The different strings, in their order; nil once there are too many.
  private var cases: [String]? = []

  mutating func add(_ text: String) {
    count += 1
    if !possibleDates.isEmpty {
      possibleDates.removeAll { (try? Self.dates[$0].forward(text)) == nil }
    }
    if areUUIDs { areUUIDs = (try? Conversion<String, UUID>.uuid.forward(text)) != nil }
    if areURLs { areURLs = (try? Self.url.forward(text)) != nil }
    noteCase(text)
  }

  private mutating func noteCase(_ text: String) {
    guard let known = cases, !known.contains(text) else { return }
    let isCase = known.count < Self.mostCases && text.count <= Self.longestCase && !text.isEmpty
    if isCase { cases?.append(text) } else { cases = nil }
  }

  mutating func merge(_ other: TextProfile) {
    if other.count == 0 { return }
    count += other.count
    possibleDates.removeAll { !other.possibleDates.contains($0) }
    areUUIDs = areUUIDs && other.areUUIDs
    areURLs = areURLs && other.areURLs
    if let more = other.cases {
      for text in more { noteCase(text) }
    } else {
      cases = nil
    }
  }

  var type: InferredType {
    if let form = possibleDates.first { return .date(Self.dateForms[form]) }
    if areUUIDs { return .scalar(.uuid) }
    if areURLs { return .url(["http", "https"]) }
    if let cases, cases.count * Self.casesRepeat <= count { return .cases(cases.sorted()) }
    return .scalar(.string)
  }
}
