import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Output mappings by every route and against the reference interpreter: a table of mappings times a table of documents.
@Suite struct MappingTableTests {
  static let mappings: [(id: String, mapping: OutputMapping)] = [
    (
      "scalars",
      .object([OutputField("s", from: "a", .string), OutputField("n", from: "b", .int32)])
    ),
    (
      "nullable",
      .object([
        OutputField("s", from: "a", .nullable(.string)),
        OutputField("n", from: "b", .nullable(.number)),
      ])
    ),
    (
      "default",
      .object([
        OutputField("s", from: "a", .string.default(.string("x"))),
        OutputField("b", from: "b", .nullable(.any)),
      ])
    ),
    (
      "default with an issue",
      .object([OutputField("s", from: "a", .uint8.default(.number("7"), when: .missingOrInvalid))])
    ),
    (
      "paths",
      .object([
        OutputField("p", from: "a.b", .any), OutputField("q", from: "a.c.d", .nullable(.any)),
      ])
    ),
    (
      "indices",
      .object([
        OutputField("p", from: "a[1]", .any), OutputField("q", from: "a[3].b", .nullable(.any)),
      ])
    ),
    (
      "record by index",
      .object([
        OutputField("p", from: "$[0]", .any), OutputField("q", from: "[2]", .nullable(.any)),
      ])
    ),
    (
      "whole and part",
      .object([OutputField("w", from: "a", .raw), OutputField("p", from: "a.b", .nullable(.any))])
    ),
    (
      "twice",
      .object([
        OutputField("x", from: "a", .nullable(.any)),
        OutputField("y", from: "a", .nullable(.string, when: .missingOrInvalid)),
      ])
    ),
    (
      "itself",
      .object([OutputField("raw", from: "$", .raw), OutputField("a", from: "a", .nullable(.any))])
    ),
    ("array", .object([OutputField("l", from: "a", .array(of: .int64))])),
    (
      "lenient array",
      .object([OutputField("l", from: "a", .array(of: .int64, omitsInvalid: true))])
    ),
    (
      "objects",
      .object([
        OutputField("l", from: "a", .array(of: .object([OutputField("x", from: "b", .any)])))
      ])
    ),
    (
      "lenient objects",
      .object([
        OutputField(
          "l", from: "a",
          .array(of: .object([OutputField("x", from: "b", .string)]), omitsInvalid: true)),
        OutputField("k", constant: .string("c")),
      ])
    ),
    ("dictionary", .object([OutputField("d", from: "a", .dictionary(of: .nullable(.any)))])),
    ("strict dictionary", .dictionary(of: .int8)),
    (
      "nested",
      .object([
        OutputField(
          "o", from: "a",
          .nullable(
            .object([OutputField("x", from: "b", .string), OutputField("y", from: "c", .any)]),
            when: .missingOrInvalid))
      ])
    ),
    ("root array", .array(of: .nullable(.any))),
    ("json", .raw),
    (
      "formats",
      .array(
        of: .object([
          OutputField("u", from: "u", .nullable(.uuid, when: .missingOrInvalid)),
          OutputField("w", from: "w", .nullable(.url(schemes: ["http"]), when: .missingOrInvalid)),
          OutputField("d", from: "d", .nullable(.date, when: .missingOrInvalid)),
        ]))
    ),
  ]

  static let documents = [
    #"{"a":"x","b":5}"#, #"{"a":null,"b":null}"#, #"{}"#, #"{"a":5,"b":"y"}"#,
    #"{"b":1e3,"a":"\u00e9\n\ud83d\ude00"}"#,
    #"{"a":300,"b":3000000000}"#, #"{"a":{"b":1,"c":{"d":[1,{"x":2}]}}}"#,
    #"{"a":{"b":null,"c":null}}"#,
    #"{"a":{"b":"s","c":5,"z":[{},[],[[1]]]},"zz":{"a":1}}"#, #"{"a":[1,2,3]}"#,
    #"{"a":[null,"x",{"b":1},{"b":2}]}"#,
    #"{"a":[{"b":"1"},{"b":2},{"c":3},4,null,[5]]}"#, #"{"a":[]}"#, #"{"a":{}}"#,
    #"[1,[2,3],{"a":4}]"#, #"[]"#, #"7"#,
    #""text""#, #"null"#, #"{"a":1,"a":"again"}"#, #"{"a":{"b":1},"a":{"c":2}}"#,
    #"{"a":{"k":"bad","k":1,"l":2,"k":3}}"#,
    #"{"x":"bad","y":200,"x":1}"#, "{ \"a\" :\n [ 1 ,\t2.0,\r\n 1e2 , 1.5 ] ,\n\n\"b\": true }",
    #"{"\u0061":"escaped key","b":false}"#, #"{"a":9223372036854775808,"b":-0}"#,
    #"[{"u":"01234567-89ab-cdef-0123-456789ABCDEF","w":"http://x.y/z","d":"2026-11-21T09:30:00Z"},{"u":"0","w":"ftp://x","d":"yesterday"}]"#,
    #"{"a":{"b":{"deep":[[[[{"e":[1,2,{"f":null}]}]]]]},"c":{"d":"\\\""}}}"#,
  ]

  @Test(arguments: mappings.indices)
  func `every route agrees with the interpreter on all documents`(_ index: Int) throws {
    let (_, mapping) = Self.mappings[index]
    for document in Self.documents {
      let records = try Routes.run(output: mapping, document)
      try #require(records.count == 1, "\(document)")
      try Routes.compare(records[0], mapping.definition, document)
    }
  }

  @Test func `records in each format keep their number and position`() throws {
    let mapping = Self.mappings[1].mapping
    let documents = Self.documents.filter { !$0.contains("\n") }
    for (format, feed) in [
      (FeedFormat.ndjson, documents.joined(separator: "\n")),
      (.ndjson, documents.joined(separator: "\r\n\r\n") + "\n"),
      (.concatenated, documents.joined(separator: " ")), (.auto, documents.joined(separator: "\n")),
      (.sequence, documents.map { "\u{1E}\($0)\n" }.joined()),
      (.auto, documents.map { "\u{1E}\($0)\n" }.joined()),
    ] {
      let records = try Routes.run(output: mapping, feed, format: format)
      #expect(records.count == documents.count)
      for (number, record) in records.enumerated() {
        #expect(record.number == number + 1)
        let bytes = Array(feed.utf8)[try #require(record.position).bytes]
        #expect(String(decoding: bytes, as: UTF8.self) == documents[number])
      }
    }
  }
}
