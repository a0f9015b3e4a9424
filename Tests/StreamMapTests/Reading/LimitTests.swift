import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Each limit at its value and one beyond it.
@Suite struct LimitTests {
  private func error(
    _ feed: String, _ mapping: OutputMapping = .raw, _ change: (inout Limits) -> Void
  ) throws -> MappingError? {
    var limits = Limits()
    change(&limits)
    let records = try Routes.run(output: mapping, feed, limits: limits)
    return try #require(records.first).error
  }

  @Test func `nesting beyond the depth limit is refused`() throws {
    for levels in [1, 2, 7, 512] {
      let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      #expect(try Mapper(output: .raw).decode(text.utf8).error == nil)
      var limits = Limits()
      limits.depth = levels
      #expect(try Mapper(output: .raw, limits: limits).decode(text.utf8).error == nil)
      limits.depth = levels - 1
      let error = try #require(try Mapper(output: .raw, limits: limits).decode(text.utf8).error)
      #expect(error.code == .limitExceeded)
      #expect(error.position?.bytes == levels - 1..<levels)
      #expect(
        error.message
          == "expected at most \(levels - 1) levels of nesting (Limits.depth), found more"
      )
    }
    #expect(try error(#"{"a":{"b":[]}}"#, FeedCase.nothing) { $0.depth = 3 } == nil)
    #expect(
      try error(#"{"a":{"b":[]}}"#, FeedCase.nothing) { $0.depth = 2 }?.path.description == "$.a.b")
    let deep = String(repeating: "[", count: 513)
    #expect(try Mapper(output: .raw).decode(deep.utf8).error?.code == .limitExceeded)
  }

  @Test func `a mapped string beyond its limit is refused`() throws {
    #expect(try error(#"["éab"]"#) { $0.string = 4 } == nil)
    let error = try #require(try error(#"["éabc"]"#) { $0.string = 4 })
    #expect(
      error.description
        == "fatal limitExceeded at $[0] (record 1, line 1, column 2, bytes 1..<6): expected at most 4 bytes in a "
        + "mapped string (Limits.string), found more")
    // As written: an escape of six bytes counts six.
    #expect(try self.error(#"["\u0041"]"#) { $0.string = 6 } == nil)
    #expect(try self.error(#"["\u0041"]"#) { $0.string = 5 } != nil)
    // What is not mapped is not limited.
    var limits = Limits()
    limits.string = 1
    let mapper = try Mapper(output: FeedCase.nothing, limits: limits)
    #expect(mapper.decode(#"{"a":"0123456789","b":["0123456789"]}"#.utf8).error == nil)
  }

  @Test func `a record beyond the record limit is refused`() throws {
    // What is not mapped counts, too, and so does white space inside it.
    let all = OutputMapping.raw
    let list = OutputMapping.object([OutputField("n", from: "n", .array(of: .raw))])
    let some = OutputMapping.object([OutputField("n", from: "n", .any)])
    let cases: [(String, OutputMapping)] = [
      (#"{ "key" : "text" , "n" : [ -12.5 , true , { } ] }"#, all),
      (#"{"k\u0065y":"t\u0065xt","n":12345,"m":null}"#, all),
      (#"{"x":"0123456789","n":"text","y":[1,2,3]}"#, some),
      (#"{"n":[{"a":1}, 2]}"#, list), ("1234567", all), (#""text""#, all),
    ]
    for (feed, mapping) in cases {
      for piece in [1, 2, 3, 5, feed.utf8.count] {
        let size = feed.utf8.count
        #expect(try codes(feed, mapping, piece, record: size) == [nil])
        #expect(try codes(feed, mapping, piece, record: size - 1) == [.limitExceeded])
      }
    }
  }

  /// The errors of a feed's records, given in pieces, with a limit of their bytes.
  private func codes(_ feed: String, _ mapping: OutputMapping, _ piece: Int, record: Int) throws
    -> [ErrorCode?]
  {
    var limits = Limits()
    limits.record = record
    var codes: [ErrorCode?] = []
    let stream = try Mapper(output: mapping, limits: limits).stream(format: .json)
    let bytes = Array(feed.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      stream.feed(bytes[start..<min(start + piece, bytes.count)]) {
        codes.append($0.error?.code)
      }
    }
    stream.finish { codes.append($0.error?.code) }
    return codes
  }

  @Test func `a number beyond its limit is refused`() throws {
    for mapping in [OutputMapping.raw, FeedCase.nothing] {
      #expect(try error("{\"a\":-1.5e10}", mapping) { $0.number = 7 } == nil)
      let error = try #require(try error("{\"a\":-1.5e10}", mapping) { $0.number = 6 })
      #expect(error.position?.bytes == 5..<12)
      #expect(
        error.message
          == "expected at most 6 characters in a number (Limits.number), found more"
      )
    }
    let digits = String(repeating: "9", count: 1000)
    #expect(try Mapper(output: .raw).decode("[\(digits)]".utf8).value != nil)
    #expect(try Mapper(output: .raw).decode("[\(digits)9]".utf8).error?.code == .limitExceeded)
  }

  @Test func `a key beyond its limit is refused`() throws {
    for mapping in [OutputMapping.raw, FeedCase.nothing] {
      #expect(try error(#"{"k":{"abcd":1}}"#, mapping) { $0.key = 4 } == nil)
      let error = try #require(try error(#"{"k":{"abcd":1}}"#, mapping) { $0.key = 3 })
      #expect(error.position?.bytes == 6..<10)
      #expect(
        error.message == "expected at most 3 bytes in a key (Limits.key), found more")
    }
    let key = String(repeating: "k", count: 64 << 10)
    #expect(try Mapper(output: .raw).decode("{\"\(key)\":1}".utf8).value != nil)
    #expect(try Mapper(output: .raw).decode("{\"\(key)k\":1}".utf8).error?.code == .limitExceeded)
  }

  @Test func `errors of a record beyond their limit are only counted`() throws {
    let mapping: OutputMapping = .array(of: .int8)
    for (limit, shown) in [(1, 1), (3, 3), (4, 4), (5, 4), (100, 4)] {
      let error = try #require(
        try error(#"["a",1,"b","c",true]"#, mapping) { $0.errorsPerRecord = limit })
      #expect(error.code == .severalErrors)
      #expect(error.underlying.count == shown)
      #expect(error.omittedCount == 4 - shown)
      #expect(error.message == "4 errors")
      #expect(error.description.contains("and \(4 - shown) more") == (shown < 4))
    }
  }

  @Test func `errors that were only counted are forgotten with the value that they are about`()
    throws
  {
    let mapping: OutputMapping = .object([
      OutputField("x", from: "x", .firstOf([.array(of: .int8), .array(of: .string)])),
      OutputField("a", from: "a", .int8),
    ])
    let error = try #require(
      try error(#"{"x":["p","q","r"],"a":"no"}"#, mapping) { $0.errorsPerRecord = 2 })
    #expect(
      error.code == .wrongType && error.path.description == "$.a" && error.omittedCount == 0,
      "\(error)")
  }

  @Test func `errors that were only counted stay when a later value does without its own`() throws {
    let mapping: OutputMapping = .object([
      OutputField("f", from: "f", .int8), OutputField("g", from: "g", .int8),
      OutputField("h", from: "h", .int8),
      OutputField("o", from: "o", .array(of: .int8, omitsInvalid: true)),
    ])
    // The second "f" takes away the error of the first, so there is room when the element of "o" fails.
    let error = try #require(
      try error(#"{"f":"p","g":"q","h":"r","f":1,"o":["x"]}"#, mapping) { $0.errorsPerRecord = 2 })
    #expect(error.code == .severalErrors && error.omittedCount == 1, "\(error)")
    let fatal = error.underlying.compactMap { $0 as? MappingError }.filter { $0.severity == .fatal }
    #expect(fatal.map(\.path.description) == ["$.g"], "\(error)")
  }

  @Test func `a captured part beyond its limit is refused`() throws {
    let mapping = OutputMapping.object([
      OutputField("j", from: "j", .raw), OutputField("n", from: "n", .any),
    ])
    let text = #"{"n":1,"j":{"a":["b"]}}"#
    let all = try #require(try Routes.run(output: mapping, text).first)
    #expect(all.value?.description == #"{"j":{"a":["b"]},"n":1}"#)
    var least = 0
    while try error(text, mapping, { $0.capturedValue = least }) != nil { least += 1 }
    #expect(least > 8 && least < 64)
    let error = try #require(try error(text, mapping) { $0.capturedValue = least - 1 })
    #expect(
      error.description
        == "fatal limitExceeded at $.j → j (record 1, line 1, column 12, bytes 11..<22): expected at most \(least - 1) "
        + "bytes in a part mapped as a whole (Limits.capturedValue)")
  }

  /// A part that several fields take: all of them say so.
  @Test func `a captured part beyond its limit fails each of its fields`() throws {
    let mapping = OutputMapping.object([
      OutputField("j", from: "j", .raw), OutputField("a", from: "j.a", .any),
      OutputField("k", from: "j", .nullable(.raw)),
    ])
    let error = try #require(
      try error(#"{"j":{"a":"0123456789"}}"#, mapping) { $0.capturedValue = 5 })
    let codes = error.underlying.compactMap { ($0 as? MappingError)?.code }
    #expect(codes == [.limitExceeded, .limitExceeded, .limitExceeded])
  }

  /// The routes read such a record in different ways, and agree.
  @Test(arguments: [true, false])
  func `a record that several fields take beyond a small limit is refused by every route`(
    isCaptured: Bool
  ) throws {
    let part = OutputMapping.object([OutputField("a", from: "a", .any)])
    let mapping = OutputMapping.object([
      OutputField("x", from: "$", part), OutputField("y", from: "$", part),
    ])
    let feed = "{\"a\":\"\(String(repeating: "x", count: 5000))\"}"
    #expect(try error(feed, mapping) { _ in } == nil)
    #expect(
      try error(feed, mapping) {
        if isCaptured { $0.capturedValue = 1000 } else { $0.replayed = 1000 }
      } != nil)
  }

  /// Once the records have a layout, the parts that are opened again are not compared.
  @Test(arguments: ["note", "tags"])
  func `a long string in a part that several fields open is refused in each record alike`(
    place: String
  ) throws {
    func part(_ key: String) -> OutputMapping {
      .object([OutputField(key, from: .key(key), .raw)])
    }
    let mapping = OutputMapping.object([
      OutputField("a", from: "who", part("name")), OutputField("b", from: "who", part(place)),
    ])
    let lines = (0..<60).map { number in
      let text = String(repeating: "x", count: number == 50 ? 31 : 30)
      let value = place == "note" ? #""\#(text)""# : #"["a","\#(text)"]"#
      // Strings beyond ASCII, and with escapes, come when the layout is known.
      let name = number < 40 ? "Ann" : ["é", #"\n\\"#, "Bo"][number % 3]
      let rest = Array(repeating: #""zzzz""#, count: 12).joined(separator: ",")
      return #"{"id":\#(number),"who":{"name":"\#(name)","\#(place)":\#(value)},"rest":[\#(rest)]}"#
    }
    var limits = Limits()
    limits.string = 30
    let records = try Routes.run(
      output: mapping, lines.joined(separator: "\n"), format: .ndjson, limits: limits)
    #expect(records.count == 60)
    for (number, record) in records.enumerated() {
      #expect(record.error?.code == (number == 50 ? .limitExceeded : nil))
    }
    for (number, name) in [(42, "é"), (43, #"\n\\"#), (59, "Bo")] {
      let text = String(decoding: try records[number].get().bytes, as: UTF8.self)
      #expect(text.hasPrefix(#"{"a":{"name":"\#(name)"},"b":{"\#(place)":"#))
    }
  }

  // MARK: Long strings

  @Test func `a string as long as its limit is mapped whole`() throws {
    struct Holder { let s: String? }
    let mapper = try Mapper(
      Mapping.object(Holder.self) { field in field.make(Holder.init, field("s", \.s)) })
    let piece = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    for (key, megabytes, isWhole) in [("s", 16, true), ("t", 64, false)] {
      let stream = try mapper.stream(format: .json)
      var records: [Record<Holder>] = []
      stream.feed(Array("{\"\(key)\":\"".utf8)) { records.append($0) }
      for _ in 0..<megabytes { stream.feed(piece) { records.append($0) } }
      stream.feed(Array("\"}".utf8)) { records.append($0) }
      stream.finish { records.append($0) }
      let value = try #require(records.first).get()
      #expect(value.s?.utf8.count == (isWhole ? 16 << 20 : nil))
    }
    let stream = try mapper.stream(format: .json)
    var records: [Record<Holder>] = []
    stream.feed(Array("{\"s\":\"x".utf8)) { records.append($0) }
    for _ in 0..<16 { stream.feed(piece) { records.append($0) } }
    #expect(records.first?.error?.code == .limitExceeded)
  }
}
