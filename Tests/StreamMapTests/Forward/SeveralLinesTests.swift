import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records on several lines come as rows, as those on one line do; the errors of both have the same paths, and each its own lines.
@Suite struct SeveralLinesTests {
  private static let mapping = OutputMapping.object([
    OutputField("id", from: "id", .int64),
    OutputField("name", from: "who.name", .string),
    OutputField("tags", from: "tags", .array(of: .string)),
    OutputField("who", from: "who", .raw),
    OutputField("more", from: "more", .dictionary(of: .double)),
  ])

  /// Records, some of them wrong, with a break where white space may be.
  private static func records(_ lineBreak: String) -> [String] {
    (0..<60).map { number in
      let id = number % 9 == 4 ? #""x""# : "\(number)"
      let name = number % 7 == 3 ? "[~1~]" : #""A\u00e9 {\"\#(number)\n\"}""#
      let more = number % 11 == 5 ? #"{~"a":1.50~,"b":null~}~"# : "{}"
      let who = #"{~"name":\#(name)~,"age":\#(number)~}"#
      let text =
        #"{~"id" :~ \#(id)~,~"who":\#(who)~,"tags":[~"a"~,~"b"~]~,"more":\#(more)}"#
      return text.replacing("~", with: lineBreak)
    }
  }

  private static func document(_ lineBreak: String) -> String {
    let separator = "\(lineBreak),\(lineBreak)"
    return
      "[\(lineBreak)\(records(lineBreak).joined(separator: separator))\(lineBreak)]\(lineBreak)"
  }

  @Test(arguments: ["\n", "\n  ", "\r\n\t", " \n\n   "])
  func `a record on several lines is mapped like one on one line`(lineBreak: String) throws {
    func records(_ feed: String) throws -> [Record<RawJSON>] {
      try Routes.run(output: Self.mapping, feed, at: ["$[*]"])
    }
    let (text, onOneLine) = (Self.document(lineBreak), try records(Self.document("")))
    let onSeveral = try records(text)
    #expect(onOneLine.count == 60 && onSeveral.count == 60)
    let bytes = Array(text.utf8)
    for (one, several) in zip(onOneLine, onSeveral) {
      #expect(one.value?.bytes == several.value?.bytes)
      #expect(one.error?.leaves.map(\.path) == several.error?.leaves.map(\.path))
      for error in several.error?.leaves ?? [] {
        let position = try #require(error.position)
        let before = bytes[..<position.bytes.lowerBound]
        #expect(position.line == before.count { $0 == UInt8(ascii: "\n") } + 1)
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        #expect(position.column == position.bytes.lowerBound - lineStart + 1)
      }
    }
    #expect(onSeveral.count { $0.error != nil } > 10)
  }

  @Test(arguments: [FeedFormat.json, .concatenated, .sequence])
  func `records on several lines come as rows`(format: FeedFormat) throws {
    let tables = try Mapper(output: Self.mapping).plan.tables
    let paths = format == .json ? [try PathPattern(parsing: "$[*]")] : []
    let reader = try FeedReader.make(
      FeedSelection(tables.selection, at: paths), format: format, limits: Limits(), form: .index)
    reader.takeRows()
    let text =
      format == .json
      ? Self.document("\n    ")
      : Self.records("\n    ").map { format == .sequence ? "\u{1E}\($0)\n" : $0 }.joined()
    var (rows, others) = (0, 0)
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      reader.input(bytes, isFinal: true)
      while true {
        switch reader.next() {
        case .row: rows += 1
        case .record: others += 1
        case .chunk, .innerRows, .fault, .input, .end: return
        }
      }
    }
    #expect(rows == 60 && others == 0)
  }

  // MARK: What rows had to learn

  @Test func `what was noted of a member counts only if no later one replaces it`() throws {
    let numbers: Mapping<[String: Int]> =
      .dictionary(of: .int.default(0, when: .missingOrInvalid))
    for text in [#"{"a":"x","b":"y","a":1}"#, "{\"a\":\"x\",\n\"b\":\"y\",\"a\":1}"] {
      let records = try Routes.run(Mapper(numbers), Array(text.utf8), at: [], format: .json) {
        $0.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
      }
      let record = try #require(records.first)
      #expect(record.value == ["a": 1, "b": 0])
      #expect(record.issues.map(\.path.description) == ["$.b"])
    }
  }

  @Test func `members that are kept are looked at though a field fails`() throws {
    let part = OutputMapping.object([OutputField("n", from: "n", .int64)], rest: .kept)
      .duplicateKeys(.report)
    let mapping = OutputMapping.object([
      OutputField("o", from: "o", .nullable(part, when: .failing))
    ])
    let records = try Routes.run(output: mapping, #"{"o":{"n":"x","k":1,"k":2}}"#)
    let record = try #require(records.first)
    #expect(record.issues.map(\.code) == [.wrongType, .duplicateKey])
  }

  @Test func `what a function throws about a null on the way has the address of the null`() throws {
    struct Odd: Error {}
    struct Holder { let value: Int }
    let odd: Mapping<Int> = .converted(
      from: .json, { _ in throw Odd() }, reverse: { .number("\($0)") })
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in
        field.make(Holder.init, field("far.below", \.value, odd))
      })
    let records = try Routes.run(
      mapper, Array(#"{"a":"some text before","far":null}"#.utf8), at: [], format: .json
    ) { "\($0)" }
    let error = try #require(records.first?.error?.leaves.first)
    #expect(error.code == .conversionFailed && error.path.description == "$.far")
    #expect(error.position?.bytes == 30..<34)
  }
}
