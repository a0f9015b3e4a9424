import StreamMap
import StreamMapPlatform

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
  private var areDouble = true
  /// Whether all of them lie where seconds or milliseconds since 1970 lie that are not far from now.
  private var areSeconds = true
  private var areMilliseconds = true

  mutating func add(_ text: String) {
    count += 1
    let whole = Int64(text)
    if whole == nil { areInt64 = false }
    if UInt64(text) == nil { areUInt64 = false }
    if areDecimal { areDecimal = Self.isDecimal(text) }
    if areDouble { areDouble = (try? ScalarType.double.number(fromText: text)) != nil }
    areSeconds = areSeconds && whole.map { (631_152_000..<4_102_444_800).contains($0) } ?? false
    areMilliseconds =
      areMilliseconds && whole.map { (631_152_000_000..<4_102_444_800_000).contains($0) } ?? false
  }

  mutating func merge(_ other: NumberProfile) {
    count += other.count
    areInt64 = areInt64 && other.areInt64
    areUInt64 = areUInt64 && other.areUInt64
    areDecimal = areDecimal && other.areDecimal
    areDouble = areDouble && other.areDouble
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
    return .scalar(areDecimal ? .decimal : areDouble ? .double : .number)
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
  // An enum has two values or more, at most so many, and each was there at least so often. A text that always came, and a rare one,
  // say nothing of what comes next.
  private static let mostCases = 12
  private static let leastRepeats = 20
  private static let longestCase = 40

  private static let schemes = ["http", "https"]

  private(set) var count = 0
  private var dates = DateProfile()
  private var areUUIDs = true
  private var areURLs = true
  /// The different strings, in their order, and how often each was there; nil once there are too many.
  private var cases: [(text: String, count: Int)]? = []

  mutating func add(_ text: String) {
    count += 1
    dates.add(text)
    // Asked of what the mapping asks, so that it takes all of them.
    if areUUIDs { areUUIDs = (try? ScalarType.uuid.string(fromText: text, schemes: [])) != nil }
    if areURLs {
      areURLs = (try? ScalarType.url.string(fromText: text, schemes: Self.schemes)) != nil
    }
    noteCase(text, 1)
  }

  private mutating func noteCase(_ text: String, _ times: Int) {
    guard let known = cases else { return }
    if let index = known.firstIndex(where: { $0.text.utf8.elementsEqual(text.utf8) }) {
      cases?[index].count += times
      return
    }
    let isCase = known.count < Self.mostCases && text.count <= Self.longestCase && !text.isEmpty
    if isCase { cases?.append((text, times)) } else { cases = nil }
  }

  mutating func merge(_ other: TextProfile) {
    if other.count == 0 { return }
    count += other.count
    dates.merge(other.dates)
    areUUIDs = areUUIDs && other.areUUIDs
    areURLs = areURLs && other.areURLs
    if let more = other.cases {
      for (text, times) in more { noteCase(text, times) }
    } else {
      cases = nil
    }
  }

  var type: InferredType {
    if let type = dates.type { return type }
    if areUUIDs { return .scalar(.uuid) }
    if areURLs { return .url(Self.schemes) }
    if let cases, cases.count > 1, cases.allSatisfy({ $0.count >= Self.leastRepeats }) {
      return .cases(cases.map(\.text).sorted())
    }
    return .scalar(.string)
  }
}
