import StreamMap
import StreamMapFiles
import Testing

/// Records that a mapping made, on their way back: mapped again, what comes of them is the same bytes.
@Suite struct WayBackTests {
  private static func texts(_ mapper: Mapper<RawJSON>, _ feed: [String]) throws -> [String] {
    let bytes = Array(feed.joined(separator: "\n").utf8)
    return try mapper.records(in: Feed(bytes, format: .ndjson)).map { record in
      record.value?.description ?? record.error?.description ?? "nothing"
    }
  }

  /// What a mapping makes of records, and what the way back makes of that, which is mapped again.
  @discardableResult
  private func there(_ mapping: String, _ feed: [String]) throws -> (
    mapped: [String], back: [String]
  ) {
    let file = try MappingFile(yaml: "streammap: 1\n" + mapping)
    let mapped = try Self.texts(file.mapper(), feed)
    #expect(!mapped.contains { $0.hasPrefix("fatal") }, "\(mapping)\n\(feed)\n\(mapped)")
    let back = try Self.texts(file.reversed().mapper(), mapped)
    let again = try Self.texts(file.mapper(), back)
    #expect(again == mapped, "\(mapping)\n\(feed)\n\(mapped)\n\(back)")
    return (mapped, back)
  }

  private static let dates = [
    "\"2026-03-29T02:30:00+01:00\"", "\"2026-03-29T02:30:00.5Z\"", "\"2016-12-31T23:59:60Z\"",
    "\"2026-03-29t02:30:00.1234567890123z\"",
  ]

  @Test(arguments: [
    "type: date", "type: date, nullable: true", "type: date, default: null",
    "type: date, validate: { min: 2000-01-01 }",
  ])
  func `a date without a form keeps its text both ways`(keys: String) throws {
    let feed = Self.dates.map { "{\"b\":\($0)}" }
    let found = try there("record: { d: { from: b, \(keys) } }", feed)
    #expect(found.back == feed)
  }

  @Test(arguments: [
    ("each: date", "[%,%]"), ("map: date", "{\"x\":%}"),
    ("object: { x: { from: y, type: date } }", "{\"y\":%}"),
    ("each: date, joined: ' '", "[%,%]"), ("map: { each: date }", "{\"x\":[%]}"),
  ])
  func `a date inside keeps its text, too`(keys: String, sample: String) throws {
    let feed = Self.dates.map { "{\"b\":\(sample.replacing("%", with: $0))}" }
    let found = try there("record: { d: { from: b, \(keys) } }", feed)
    #expect(found.back == feed)
  }

  @Test func `dates in a split text keep their texts, and numbers in it are read`() throws {
    let feed = Self.dates.map { "{\"b\":\"\($0.dropFirst().dropLast()) 2026-01-01T00:00:00Z\"}" }
    let found = try there("record: { d: { from: b, split: ' ', each: date } }", feed)
    #expect(found.back == feed)
    let numbers = "record: { d: { from: b, split: ' ', each: { type: date, format: unix_s } } }"
    #expect(
      try there(numbers, ["{\"b\":\"0 1\"}"]).mapped == [
        "{\"d\":[\"1970-01-01T00:00:00Z\",\"1970-01-01T00:00:01Z\"]}"
      ])
    let invalid = try MappingFile(
      yaml: "streammap: 1\nrecord: { d: { from: b, split: ' ', each: date } }")
    #expect(
      try Self.texts(invalid.mapper(), ["{\"b\":\"2026-13-01T00:00:00Z\"}"])[0].contains(
        "invalidValue at $.b"))
  }

  @Test(arguments: [
    ("{ from: b, type: json }", "{\"b\":null}", "{}"),
    ("{ from: b, type: json, validate: { not: { equal_to: 1 } } }", "{\"b\":null}", "{}"),
    ("{ from: b.c, type: json }", "{\"b\":{\"c\":null}}", "{}"),
    ("{ from: b, object: { e: { from: c, type: json } } }", "{\"b\":{\"c\":null}}", "{\"d\":{}}"),
    (
      "{ from: b, object: { e: { from: c, type: json } }, nullable: true }", "{\"b\":{\"c\":null}}",
      "{\"d\":{}}"
    ),
    (
      "{ from: b, each: { object: { e: { from: c, type: json } } } }",
      "{\"b\":[{\"c\":null},{\"c\":1}]}", "{\"d\":[{},{\"e\":1}]}"
    ),
    (
      "{ from: b, map: { object: { e: { from: c, type: json } } } }",
      "{\"b\":{\"x\":{\"c\":null}}}", "{\"d\":{\"x\":{}}}"
    ),
    ("{ from: b, each: json }", "{\"b\":[null]}", "{\"d\":[null]}"),
    ("{ from: b, each: { from: c, type: json } }", "{\"b\":[{\"c\":null}]}", "{\"d\":[null]}"),
    ("{ first_of: [b, c], type: json }", "{\"b\":null}", "{}"),
    ("{ from: $, type: json }", "null", "{}"),
  ])
  func `null that is a value and was left out comes back`(
    field: String, record: String, mapped: String
  ) throws {
    let found = try there("record: { d: \(field) }\noutput: { nulls: omit }", [record])
    #expect(found.mapped == [mapped])
    #expect(found.back == [record])
  }

  @Test(arguments: ["keep", "omit"])
  func `paths that may all be null have a way back`(nulls: String) throws {
    let found = try there(
      """
      record: { d: { first_of: [{ from: b, type: "int64?" }, { from: c, type: "int64?" }] } }
      output: { nulls: \(nulls) }
      """, ["{\"b\":1}", "{\"b\":null}"])
    #expect(found.back == ["{\"b\":1}", "{\"b\":null}"])
  }

  // MARK: Random mappings

  private struct Draw {
    var state: UInt64

    mutating func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }

    mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }
  }

  /// What stands beside a path, and values that are there; nil for none.
  private struct Value {
    let keys: String
    let sample: (inout Draw) -> String?
  }

  private static let scalars: [(keys: String, samples: [String])] = [
    ("type: string", ["\"x\"", "\"é\\n\"", "\"\""]),
    ("type: any", ["1.50", "true", "\"y\""]),
    ("type: json", ["null", "1.0", "{\"x\":null}", "[null,{}]"]),
    ("type: int64", ["7", "-3"]),
    ("type: decimal, scale: 0.001", ["1500", "-7"]),
    ("type: date", dates),
    ("type: date, format: unix_ms", ["1390186634595", "-1"]),
    ("type: date, format: rfc3339", dates),
    ("type: date, as: yyyy-MM-dd", dates),
    ("values: { A: active, D: 1, X: false }", ["\"A\"", "\"D\"", "\"X\""]),
    ("each: { type: date }, joined: ' '", ["[\(dates[0]),\(dates[1])]"]),
    ("split: ' ', each: { type: date }", ["\"2026-03-29T02:30:00.5Z 2016-12-31T23:59:60Z\""]),
    ("split: ',', each: { type: int64 }", ["\"1,2\""]),
  ]

  private static func value(_ draw: inout Draw, _ depth: Int) -> Value {
    let made = required(&draw, depth)
    switch draw.below(4) {
    case 0: return optional(made, "nullable: true")
    case 1: return optional(made, "default: null")
    default: return made
    }
  }

  private static func optional(_ value: Value, _ policy: String) -> Value {
    Value(keys: "\(value.keys), \(policy)") { draw in
      switch draw.below(4) {
      case 0: nil
      case 1: "null"
      default: value.sample(&draw)
      }
    }
  }

  private static func required(_ draw: inout Draw, _ depth: Int) -> Value {
    switch draw.below(depth > 2 ? 4 : 8) {
    case 4, 5:
      let object = object(&draw, depth + 1)
      return Value(keys: "object: { \(object.keys) }", sample: object.sample)
    case 6:
      let element = value(&draw, depth + 1)
      return Value(keys: "each: { \(element.keys) }") { draw in
        let parts = (0..<draw.below(3)).map { _ in element.sample(&draw) ?? "null" }
        // An element is there, or null.
        return "[\(parts.joined(separator: ","))]"
      }
    case 7:
      let member = value(&draw, depth + 1)
      return Value(keys: "map: { \(member.keys) }") { draw in
        let parts = (0..<draw.below(3)).map { number in
          "\"m\(number)\":\(member.sample(&draw) ?? "null")"
        }
        return "{\(parts.joined(separator: ","))}"
      }
    default:
      let scalar = scalars[draw.below(scalars.count)]
      return Value(keys: scalar.keys) { $0.one(of: scalar.samples) }
    }
  }

  private static func object(_ draw: inout Draw, _ depth: Int) -> Value {
    let values = (0..<1 + draw.below(3)).map { _ in value(&draw, depth) }
    let fields = values.enumerated().map { number, value in
      "f\(number): { from: k\(number), \(value.keys) }"
    }
    return Value(keys: fields.joined(separator: ", ")) { draw in
      let members = values.enumerated().compactMap { number, value in
        value.sample(&draw).map { "\"k\(number)\":\($0)" }
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  @Test(arguments: ["keep", "omit"])
  func `whatever a random mapping makes is made again after its way back`(nulls: String) throws {
    for seed in 1...300 {
      var draw = Draw(state: UInt64(seed))
      let record = Self.object(&draw, 0)
      let feed = (0..<8).compactMap { _ in record.sample(&draw) }
      try there("record: { \(record.keys) }\noutput: { nulls: \(nulls) }", feed)
    }
  }
}
