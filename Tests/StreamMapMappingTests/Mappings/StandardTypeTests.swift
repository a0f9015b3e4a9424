import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// The types that declare a mapping by themselves, each in a property without one.
@Suite struct StandardTypeTests {
  @Mappable
  fileprivate struct Row: Equatable {
    let bytes: Data
    let part: Substring
    let large: Int128
    let whole: UInt128
    let set: Set<Int>
  }

  @Test func `bytes, parts of strings, large integers and sets map as they are`() throws {
    let text =
      #"{"bytes":"AQID","part":"é","large":-170141183460469231731687303715884105728,"#
      + #""whole":340282366920938463463374607431768211455,"set":[7]}"#
    let row: Row = try roundTrip(text)
    #expect(
      row
        == Row(bytes: Data([1, 2, 3]), part: "é", large: .min, whole: .max, set: [7]))
    let other = #"{"bytes":"","part":"","large":1.0,"whole":1e3,"set":[7,7]}"#
    #expect(
      try Mapper(Row.self).decode(other).get()
        == Row(bytes: Data(), part: "", large: 1, whole: 1000, set: [7]))
  }

  @Test(arguments: [
    (#""large":"1""#, "wrongType $.large"), (#""large":1.5"#, "invalidValue $.large"),
    (#""large":170141183460469231731687303715884105728"#, "numberOutOfRange $.large"),
    (#""whole":-1"#, "numberOutOfRange $.whole"), (#""whole":null"#, "null $.whole"),
    (#""bytes":"?""#, "invalidValue $.bytes"), (#""set":{}"#, "wrongType $.set"),
    (#""part":1"#, "wrongType $.part"),
  ])
  func `a value that such a type does not take has an address`(_ member: String, _ finding: String)
    throws
  {
    let plain = [
      "bytes": #""""#, "part": #""""#, "large": "1", "whole": "1", "set": "[]",
    ]
    let name = String(member.dropFirst().prefix { $0 != "\"" })
    let members = plain.map { $0 == name ? member : "\"\($0)\":\($1)" }.joined(separator: ",")
    #expect(try findings(Row.self, "{\(members)}") == ["fatal \(finding)"])
  }

  // MARK: Durations

  @Test(arguments: [
    ("1.5", Duration.milliseconds(1500)), ("0", .zero), ("-0.25", .milliseconds(-250)),
    ("0.000000000000000001", Duration(attoseconds: 1)),
    ("86400", .seconds(86400)), ("1000000000.1", .nanoseconds(1_000_000_000_100_000_000)),
    ("170141183460469231731.687303715884105727", Duration(attoseconds: .max)),
    ("-170141183460469231731.687303715884105728", Duration(attoseconds: .min)),
  ])
  func `a Duration is a number of seconds, to the attosecond`(_ text: String, _ value: Duration)
    throws
  {
    for record in try Routes.run(Duration.mapping, text) { #expect(try record.get() == value) }
    let mapper = try Mapper(Duration.self)
    #expect(String(decoding: try mapper.encode(value), as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("15e-1", Duration.milliseconds(1500)), ("1.50", .milliseconds(1500)),
    ("-0.0", .zero), ("0e999999999999", .zero), ("2E2", .seconds(200)),
  ])
  func `a Duration may be written in any way that a number has`(_ text: String, _ value: Duration)
    throws
  {
    #expect(try Mapper(Duration.self).decode(text).get() == value)
  }

  @Test(arguments: [
    (#""1.5""#, "wrongType $"), ("null", "null $"), ("0.0000000000000000001", "invalidValue $"),
    ("1.0000000000000000000000000000000000000000000001", "invalidValue $"),
    ("1e-999999999999", "invalidValue $"), ("1e999999999999", "numberOutOfRange $"),
    ("170141183460469231731.687303715884105728", "numberOutOfRange $"),
    ("-170141183460469231731.687303715884105729", "numberOutOfRange $"),
    ("400000000000000000000", "numberOutOfRange $"),
  ])
  func `what no Duration is has an address`(_ text: String, _ finding: String) throws {
    #expect(try findings(Duration.self, text) == ["fatal \(finding)"])
  }

  @Test func `a Duration counts in other units`() throws {
    let units: [(TimeUnit, String, Duration)] = [
      (.nanoseconds, "1.000000001", Duration(attoseconds: 1_000_000_001)),
      (.microseconds, "-2.5", .nanoseconds(-2500)), (.milliseconds, "1500", .milliseconds(1500)),
      (.minutes, "1.5", .seconds(90)), (.hours, "0.25", .seconds(900)),
      (.days, "0.0000000000000000000125", Duration(attoseconds: 1080)),
      (.minutes, "0.00000000000000000005", Duration(attoseconds: 3)),
    ]
    for (unit, text, value) in units {
      let mapper = try Mapper(Mapping<Duration>.duration(in: unit))
      #expect(try mapper.decode(text).get() == value)
      #expect(String(decoding: try mapper.encode(value), as: UTF8.self) == text)
    }
    let minutes = try Mapper(Mapping<Duration>.duration(in: .minutes))
    let error = #expect(throws: MappingError.self) { try minutes.encode(.seconds(1)) }
    #expect(error?.description.contains("a number of minutes gives exactly") == true)
    #expect(minutes.decode("0.01666666666666666666").error?.code == .invalidValue)
  }

  @Test func `random Durations come back in every unit that counts them`() throws {
    var random = SeededGenerator(seed: 36)
    for unit in TimeUnit.allCases {
      let mapper = try Mapper(Mapping<Duration>.duration(in: unit))
      // All that is a multiple of 27 attoseconds has an end in each unit.
      for _ in 0..<500 {
        let bits = Int.random(in: 0..<128, using: &random)
        let units = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(random.next())
        let value = Duration(attoseconds: (units >> Int128(127 - bits)) / 27 * 27)
        #expect(try mapper.decode(mapper.encode(value)).get() == value)
      }
    }
  }

  // MARK: Two Optionals

  @Test(arguments: [
    ("{}", Int??.none), (#"{"n":null}"#, Int??.some(nil)), (#"{"n":7}"#, Int??.some(7)),
  ])
  func `of two Optionals the outer one is absent and the inner one null`(
    _ text: String, _ expected: Int??
  ) throws {
    struct Row: Equatable { let n: Int?? }
    let given: [Mapping<Row>] = [
      .object { field in field.make(Row.init, field("n", \.n)) },
      .object { field in field.make(Row.init, field("n", \.n, .nullable(.nullable(.int)))) },
      .object { field in field.make(Row.init, field("n", \.n, .nullable(.int))) },
    ]
    for mapping in given {
      let record = try #require(try Routes.run(mapping, text).first)
      #expect(try record.get() == Row(n: expected))
      let mapper = try Mapper(mapping)
      #expect(String(decoding: try mapper.encode(Row(n: expected)), as: UTF8.self) == text)
      try mapper.check(Row(n: expected))
    }
  }

  @Test func `two Optionals in an array have one null`() throws {
    let mapper = try Mapper([Int??].self)
    let values = try mapper.decode("[1,null]").get()
    #expect(values == [1, .some(nil)])
    #expect(
      String(decoding: try mapper.encode([1, .some(nil), .none]), as: UTF8.self) == "[1,null,null]")
  }

  @Test func `an update writes null into the inner Optional and leaves what is absent`() throws {
    final class Row { var n: Int?? = 5 }
    let mapper = try Mapper(
      Mapping.object(Row.self) { field in field.make(creating: Row.init, field("n", \.n)) })
    var row = Row()
    try mapper.update(&row, from: "{}")
    #expect(row.n == 5)
    try mapper.update(&row, from: #"{"n":null}"#)
    #expect(row.n == .some(nil))
  }

  @Test func `an error inside two Optionals has its address`() throws {
    let mapper = try Mapper([String: Int??].self)
    let error = mapper.decode(#"{"a":"x"}"#).error
    #expect(error.map { "\($0.code) \($0.path)" } == "wrongType $.a")
  }
}
