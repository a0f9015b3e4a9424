import StreamMap
import StreamMapFiles
import Testing

/// Mapping files that have several mappings.
@Suite struct SeveralInOneFileTests {
  private static func all(_ text: String, arguments: [String: String] = [:])
    throws(MappingFile.Mistakes) -> [MappingFile]
  {
    try MappingFile.all(
      Array(text.utf8), named: "m.yaml", arguments: ExactText.keys(of: arguments), isAlone: true,
      checking: { _ in [] },
      reading: { name, _ throws(UnreadableFile) in
        guard name == "one.yaml" else { throw UnreadableFile("cannot open \(name)") }
        return Array("streammap: 1\nrecord: { c: c }\n".utf8)
      })
  }

  private static func mistakes(_ text: String) -> [String] {
    do throws(MappingFile.Mistakes) {
      _ = try all(text)
      return []
    } catch {
      return error.mistakes.map(\.description)
    }
  }

  private func map(_ mapping: MappingFile, _ feed: String) throws -> [String] {
    try mapping.mapper().records(in: Feed(Array(feed.utf8))).compactMap {
      $0.value.map { "\($0)" }
    }
  }

  @Test func `each mapping has what stands beside them and what it says itself`() throws {
    let all = try Self.all(
      """
      streammap: 1
      args: { day: string }
      use: { one: one.yaml }
      record: { id: id, day: { arg: day } }
      mappings:
        high: { where: { from: id, min: 5 } }
        low: { where: { from: id, max: 4 }, errors: { mode: skip } }
        inner: { name: parts, record: { p: { from: p, use: one, nullable: true } }, output: { format: csv } }
      """, arguments: ["day": "mon"])
    #expect(all.map(\.member) == ["high", "low", "inner"])
    #expect(all.map(\.name) == ["high", "low", "parts"])
    #expect(all.map(\.errors.mode) == [.fail, .skip, .fail])
    #expect(all.map(\.output.format) == [nil, nil, .csv])
    #expect(
      all.map(\.files) == [
        ["m.yaml", "one.yaml"], ["m.yaml", "one.yaml"], ["m.yaml", "one.yaml"],
      ])
    #expect(Set(all.map(\.digest)).count == 3)
    let feed = "{\"id\":7}\n{\"id\":3,\"p\":{\"c\":1}}\n"
    #expect(try map(all[0], feed) == [#"{"id":7,"day":"mon"}"#])
    #expect(try map(all[1], feed) == [#"{"id":3,"day":"mon"}"#])
    #expect(try map(all[2], feed) == [#"{"p":null}"#, #"{"p":{"c":1}}"#])
  }

  @Test func `a file of one mapping has one, without a name of its own`() throws {
    let all = try Self.all("streammap: 1\nrecord: { a: a }\n")
    #expect(all.count == 1 && all[0].member == nil && all[0].name == nil)
  }

  @Test func `all mistakes of all mappings come at once in their places`() {
    #expect(
      Self.mistakes(
        """
        streammap: 1
        use: { one: two.yaml }
        mappings:
          a:
            record: { x: { from: x, tpye: int64 } }
          b:
            recrod: { x: x }
          c:
            record: { x: { from: y, join: [a, b] } }
        """) == [
          "m.yaml:2:13: error: use: cannot open two.yaml",
          "m.yaml:5:29: error: unknown key 'tpye' in field 'x'; did you mean 'type'?",
          "m.yaml:7:5: error: record is missing: it says what becomes of each record",
          "m.yaml:7:5: error: unknown key 'recrod' in mapping 'b'; did you mean 'record'?",
          "m.yaml:9:29: error: field 'x' has 'from' and 'join'; keep one of them",
        ])
    // Those that the compiler finds, and those of the output.
    #expect(
      Self.mistakes(
        """
        streammap: 1
        mappings:
          a:
            input: { records: [$.a, '$.a[*]'] }
            record: { x: x }
          b:
            record: { x: { from: x, each: string } }
            output: { format: text, arrays: { explode: y } }
        """
      ).map { $0.split(separator: ":")[1] } == ["4", "8"])
  }

  @Test(arguments: [
    ("mappings: { a: { record: { x: x } } }", "1:1: error: 'streammap: 1' is missing"),
    ("streammap: 1\nmappings: {}", "2:11: error: mappings has to be a map of names and mappings"),
    ("streammap: 1\nmappings: [a]", "2:11: error: mappings has to be a map of names and mappings"),
    (
      "streammap: 1\nmappings: { a: b }",
      "2:16: error: mapping 'a' has to be a map with name, input"
    ),
    (
      "streammap: 1\nmappings: { a=b: { record: $ } }",
      "2:13: error: the name of a mapping must not be empty or have '='"
    ),
    (
      "streammap: 1\nmappings: { a: { record: $ }, a: { record: $ } }",
      "2:31: error: duplicate key 'a': the first one is in line 2"
    ),
    (
      "streammap: 1\nmappings: { a: { record: $ } }\nmappings: { b: { record: $ } }",
      "3:1: error: duplicate key 'mappings'"
    ),
    (
      "streammap: 1\nmappings: { a: { record: $, mappings: { b: { record: $ } } } }",
      "2:29: error: unknown key 'mappings' in mapping 'a'"
    ),
    (
      "streammap: 1\nmappings: { a: { streammap: 1, record: $ } }",
      "2:18: error: unknown key 'streammap' in mapping 'a'"
    ),
    ("streammap: 2\nmappings: { a: { record: $ } }", "1:12: error: streammap has to be 1"),
  ])
  func `what is no map of mappings is a mistake in its place`(text: String, mistake: String) {
    let found = Self.mistakes(text)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("m.yaml:" + mistake) == true, "\(found)")
  }

  @Test func `where one mapping is taken several are refused`() throws {
    let several = "streammap: 1\nmappings: { a: { record: { x: x } } }\n"
    func mistakes(_ text: String) -> [String] {
      do throws(MappingFile.Mistakes) {
        _ = try MappingFile(
          Array(text.utf8), named: "m.yaml", reading: { _, _ in Array(several.utf8) })
        return []
      } catch {
        return error.mistakes.map(\.description)
      }
    }
    #expect(
      mistakes(several) == [
        "m.yaml:2:1: error: the file has several mappings, and one is taken here: only stream-map run, check, explain and ddl"
          + " take several"
      ])
    #expect(
      mistakes("streammap: 1\nuse: { a: a.yaml }\nrecord: { x: { from: x, use: a } }\n") == [
        "a.yaml:2:1: error: a file that others use needs a record, and has several mappings"
      ])
  }
}
