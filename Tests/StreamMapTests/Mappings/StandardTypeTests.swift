import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap

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
