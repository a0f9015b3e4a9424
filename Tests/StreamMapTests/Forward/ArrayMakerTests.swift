import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Arrays of scalars that are made in one step are those that are made element by element.
@Suite struct ArrayMakerTests {
  private struct Lists: Equatable {
    let texts: [String]
    let numbers: [Double]
    let flags: [Bool]?
    let small: [Int8]
    let named: [String]
    let days: [Date]
  }

  private static let lists = Mapping.object(Lists.self) { field in
    let texts = field("texts", \.texts)
    let numbers = field("numbers", \.numbers)
    let flags = field("flags", \.flags)
    let small = field("small", \.small, .array(of: .int8, omitsInvalid: true))
    let named = field("named", \.named, .array(of: .string.default("none")))
    let days = field("days", \.days, .array(of: .date).default([]))
    return field.make(Lists.init, texts, numbers, flags, small, named, days)
  }

  private static func text(_ lists: [String: String]) -> String {
    let plain = [
      "texts": #"["a","longer than fifteen bytes","é"]"#, "numbers": "[1,-2.5,1e3]",
      "flags": "[true,false]", "small": "[1,-128]", "named": #"["x"]"#,
      "days": #"["2024-02-29T12:00:00Z"]"#,
    ]
    let members = plain.merging(lists) { $1 }.sorted { $0.key < $1.key }
    return "{" + members.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
  }

  /// Lists that are not as plain as most.
  private static let odd = [
    "[]", "null", "[null]", "7", "{}", "[[]]", "[{}]", "[1]", #"["1"]"#, "[true]", "[1,true]",
    #"["a",null]"#, #"["a\n","\u00e9"]"#, #"["\u0000"]"#, "[1,1e999]", "[1,200,3]", "[ 1 , 2 ]",
    #"["2024-02-29T12:00:00Z","2023-02-29T12:00:00Z"]"#, #"["a",["b"]]"#,
  ]

  @Test func `whatever the elements are, all routes agree`() throws {
    for name in ["texts", "numbers", "flags", "small", "named", "days"] {
      for list in Self.odd {
        let lines = [Self.text([:]), Self.text([name: list]), Self.text([:])]
        let records = try Routes.run(
          try Mapper(Self.lists), Array(lines.joined(separator: "\n").utf8), at: [],
          format: .ndjson, pieceSizes: [1, 40, 200]
        ) { "\($0)" }
        #expect(records.count == 3)
        #expect(try records[0].get() == records[2].get())
      }
    }
  }

  @Test func `the values are those of the text`() throws {
    let lists = try Mapper(Self.lists).decode(
      Self.text(["named": #"["x",null]"#, "small": "[1,200,3]"]).utf8
    ).get()
    #expect(lists.texts == ["a", "longer than fifteen bytes", "é"])
    #expect(lists.numbers == [1, -2.5, 1000])
    #expect(lists.flags == [true, false])
    #expect(lists.small == [1, 3])
    #expect(lists.named == ["x", "none"])
    #expect(lists.days == [Date(timeIntervalSince1970: 1_709_208_000)])
  }

  @Test func `a list may have as many elements as the limit says`() throws {
    var limits = Limits()
    limits.elements = 3
    for count in 0...5 {
      let list = "[\((0..<count).map { "\($0)" }.joined(separator: ","))]"
      let records = try Routes.run(
        try Mapper(Self.lists, limits: limits), Array(Self.text(["numbers": list]).utf8), at: [],
        format: .ndjson, pieceSizes: [1, 40]
      ) { "\($0)" }
      let record = try #require(records.first)
      #expect(record.error?.code == (count > 3 ? .limitExceeded : nil))
    }
  }
}
