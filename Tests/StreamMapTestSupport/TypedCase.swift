import Foundation

@testable import StreamMap

/// A random typed mapping, and values that it makes and takes back.
struct TypedCase: Sendable {
  let mapping: Mapping<Erased>
  /// The kinds of JSON that it may take.
  let kinds: Set<JSONKind>
  /// Whether sets are in it: they are written in no particular order.
  var hasSets = false
  let value: @Sendable (inout RandomCases) -> Erased

  /// The same values by another mapping.
  func by(_ mapping: Mapping<Erased>, kinds: Set<JSONKind>? = nil) -> TypedCase {
    TypedCase(mapping: mapping, kinds: kinds ?? self.kinds, hasSets: hasSets, value: value)
  }
}

extension TypedCase {
  static func leaf<Value: Hashable & Sendable>(
    _ mapping: Mapping<Value>, _ kinds: JSONKind...,
    value: @escaping @Sendable (inout RandomCases) -> Value
  ) -> TypedCase {
    TypedCase(mapping: .erased(mapping), kinds: Set(kinds)) { Erased(value(&$0)) }
  }

  enum Color: String, Mappable, CaseIterable, Sendable { case red, green, blue }

  struct Address: Codable, Hashable {
    var street: String
    var number: Int?
  }

  /// Values of each kind that Swift's own types and the standard conversions have.
  static let leaves: [TypedCase] = scalars + dates + texts

  private static let scalars: [TypedCase] = [
    leaf(.string, .string) { $0.plainString() },
    leaf(.bool, .boolean) { $0.below(2) == 0 },
    leaf(.int, .number) { $0.integer() },
    leaf(.int8, .number) { Int8(truncatingIfNeeded: $0.integer()) },
    leaf(.uint16, .number) { UInt16(truncatingIfNeeded: $0.integer()) },
    leaf(.int32, .number) { Int32(truncatingIfNeeded: $0.integer()) },
    leaf(.uint64, .number) { UInt64(bitPattern: Int64($0.integer())) },
    leaf(.double, .number) { Double($0.integer()) / 1024 },
    leaf(.float, .number) { Float($0.below(4000)) / 8 - 100 },
    leaf(.decimal, .number) { Decimal($0.integer()) / 1000 },
    leaf(.duration, .number) { Duration(attoseconds: Int128($0.integer()) * 1_000_000_001) },
    leaf(.duration(in: .hours), .number) { Duration.seconds($0.integer() * 9) },
    leaf(.uuid, .string) { cases in
      UUID(
        uuidString:
          "01234567-89AB-CDEF-0123-\(String(0x1000_0000_0000 + cases.below(1 << 44), radix: 16))")
        ?? UUID()
    },
    leaf(.url, .string) { cases in
      URL(string: "https://a.b/" + ["", "c?d=e", "%20#x"][cases.below(3)]) ?? URL(filePath: "/")
    },
    leaf(.json, .null, .boolean, .number, .string, .array, .object) { $0.json() },
    leaf(.raw, .null, .boolean, .number, .string, .array, .object) {
      RawJSON(unchecked: Array($0.json().description.utf8))
    },
  ]

  /// A date that is written to the second, minute or hour: no other mapping takes it back, which might do so only in part.
  struct CoarseDate: Hashable { let date: Date, form: String }

  private static func coarse(
    _ form: String, _ mapping: Mapping<Date>, _ kind: JSONKind, unit: Int
  ) -> TypedCase {
    TypedCase(
      mapping: .erased(
        mapping, { CoarseDate(date: $0, form: form) },
        {
          guard $0.form == form else { throw ConversionFailure(expected: form) }
          return $0.date
        }), kinds: [kind]
    ) { cases in
      let date = Date(timeIntervalSince1970: Double(cases.seconds() / unit * unit))
      return Erased(CoarseDate(date: date, form: form))
    }
  }

  private static let dates: [TypedCase] = [
    leaf(.date, .string) { Date(timeIntervalSince1970: Double($0.seconds()) + 0.25) },
    leaf(.date(.dotNet), .string) { Date(timeIntervalSince1970: Double($0.seconds()) + 0.5) },
    leaf(.anyDate, .string) { Date(timeIntervalSince1970: Double($0.seconds())) },
    leaf(.date(since1970: .milliseconds), .number) {
      Date(timeIntervalSince1970: Double($0.seconds()) - 0.5)
    },
    coarse("RFC 822", .date(.rfc822), .string, unit: 1),
    leaf(.date(since1970: .microseconds), .number) {
      Date(timeIntervalSince1970: Double($0.seconds()) + 0.125)
    },
    coarse("hours", .date(since1970: .hours), .number, unit: 3600),
    coarse("days", .date(since1970: .days), .number, unit: 86400),
    coarse("minutes", .date(format: "yyyy-MM-dd HH:mm"), .string, unit: 60),
  ]

  private static let texts: [TypedCase] = [
    leaf(.data, .string) { cases in Data((0..<cases.below(9)).map { _ in UInt8(cases.below(256)) })
    },
    leaf(.declared as Mapping<Color>, .string) { $0.one(of: Color.allCases) },
    leaf(.enumeration(["A": 1, "B": 2, "": 3]), .string) { 1 + $0.below(3) },
    leaf(.enumeration(of: .string) as Mapping<Color>, .string) { $0.one(of: Color.allCases) },
    leaf(.int(from: .string), .string) { $0.integer() },
    leaf(.decimal(from: .string), .string) { Decimal($0.integer()) / 100 },
    leaf(.double(from: .string), .string) { Double($0.integer()) / 8 },
    leaf(.string(from: .int), .number) { "\($0.integer())" },
    leaf(.bool(from: .int), .number) { $0.below(2) == 0 },
    leaf(.bool(from: .string), .string) { $0.below(2) == 0 },
    leaf(.text, .string, .number, .boolean, .array, .object) { $0.plainString() },
    leaf(.codable() as Mapping<Address>, .object) {
      Address(street: $0.plainString(), number: $0.below(2) == 0 ? nil : $0.below(99))
    },
  ]
}

extension RandomCases {
  mutating func plainString() -> String {
    (0..<below(6)).map { _ in one(of: ["a", "é", "😀", "\u{0}", "\"", "\\", "\n", " ", "7"]) }
      .joined()
  }

  mutating func integer() -> Int {
    let magnitude = Int.random(in: 0...(1 << one(of: [3, 8, 20, 40])), using: &random)
    return below(3) == 0 ? -magnitude : magnitude
  }

  /// Seconds since 1970, from the year 1900 to 2200.
  mutating func seconds() -> Int { Int.random(in: -2_200_000_000...7_200_000_000, using: &random) }

  /// A JSON value without equal keys.
  mutating func json(depth: Int = 0) -> JSONValue {
    switch below(depth > 3 ? 5 : 8) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .number(number())
    case 3, 4: return .string(plainString())
    case 5: return .array((0..<below(4)).map { _ in json(depth: depth + 1) })
    default:
      var members: [JSONValue.Member] = []
      for key in Self.keys where below(3) == 0 {
        members.append(JSONValue.Member(key, json(depth: depth + 1)))
      }
      return .object(members)
    }
  }
}
