import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// After a malformed record inside a document the next one is read, where that is asked for.
@Suite struct ResyncTests {
  /// Malformed records, with the code of their error.
  ///
  /// None has a bracket too many or too few.
  private static let texts: [(String, ErrorCode)] = [
    (#"{"n":01}"#, .syntax), (#"{"n":nul}"#, .syntax), (#"{"n":"a\x"}"#, .syntax),
    (#"{"n":"\ud800 ]"}"#, .invalidUTF8), (#"{"n" 1}"#, .syntax), (#"{"n":1,}"#, .syntax),
    ("{,}", .syntax), ("{\"n\":\"a\tb}]\"}", .syntax), ("01", .syntax), ("nul", .syntax),
    (#"{"n":[1,2,,3],"m":{"k":["]"]}}"#, .syntax), (#"{"n":[1 2]}"#, .syntax), ("", .syntax),
    (#"{"n":"]}"x,"m":"\"]}"}"#, .syntax), (#"{"n":1 "m":"\\"}"#, .syntax), ("{1:2}", .syntax),
    ("{\"n\":1,\n\"m\" : tru,\n\"k\":[]}", .syntax), (#"{"k":{"n":-}}"#, .syntax),
    (#"{"n":"0123456789012345678901234567890123456789]}"}"#, .limitExceeded),
    (#"{"0123456789012345678901234567890123456789]}":1}"#, .limitExceeded),
    (#"{"n":[[[[[[[[[[1]]]]]]]]]]}"#, .limitExceeded),
    (#"{"n":12345678901234567890123456789}"#, .limitExceeded),
  ]
  private static let notUTF8 = Array(#"{"n":"a"#.utf8) + [0xFF] + Array(#"]}"}"#.utf8)
  private static let broken: [(text: [UInt8], code: ErrorCode)] =
    texts.map { (Array($0.0.utf8), $0.1) } + [(notUTF8, .invalidUTF8)]

  private static let limits: Limits = {
    var limits = Limits()
    limits.string = 30
    limits.key = 30
    limits.number = 20
    limits.depth = 8
    return limits
  }()

  private static let options: FeedOptions = {
    var options = FeedOptions()
    options.resynchronizes = true
    return options
  }()

  private static let number: OutputMapping = .object([OutputField("n", from: "n", .int8)])

  /// The outcomes of a feed's records by every route and in pieces of every size, which are the same.
  private func outcomes(
    _ feed: [UInt8], at path: String = "$.items[*]", from position: FeedPosition? = nil
  ) throws -> [Record<RawJSON>] {
    var first: [Record<RawJSON>]?
    for parser in [RecordParser.auto, .index, .yajl] {
      var mapper = try Mapper(output: Self.number, limits: Self.limits)
      mapper.parser = parser
      let tables = try FeedSelection(
        mapper.plan.tables.selection, at: [try PathPattern(parsing: path)])
      for size in [feed.count] + Routes.pieceSizes {
        let route = try mapper.makeRoute(
          FeedRequest(tables, format: .json, from: position, options: Self.options))
        let records = Routes.collect(
          route, Array(feed.dropFirst(position?.offset ?? 0)), pieceSize: size)
        let text = Routes.describe(records) { "\($0)" }
        if let first {
          #expect(
            text == Routes.describe(first) { "\($0)" }, "\(parser), pieces of \(size)")
        }
        first = first ?? records
      }
    }
    return first ?? []
  }

  @Test(arguments: broken.indices)
  func `a malformed element costs only itself, wherever it is in its list`(index: Int) throws {
    let (text, code) = Self.broken[index]
    for place in 0...3 where !text.isEmpty || place < 3 {
      var elements = (1...3).map { Array("{\"n\":\($0)}".utf8) }
      elements.insert(text, at: place)
      let before = Array("{\"a\":[1],\n\"items\": [".utf8)
      var feed = before
      feed += elements.joined(separator: Array(" ,\n ".utf8))
      feed += Array("], \"b\":{}}\n".utf8)
      let records = try outcomes(feed)
      #expect(records.count == 4, "\(place)")
      for (number, record) in records.enumerated() {
        guard number == place else {
          #expect(
            record.value.map { "\($0)" } == "{\"n\":\(number < place ? number + 1 : number)}",
            "\(place)")
          continue
        }
        let error = try #require(record.error)
        #expect(error.code == code)
        #expect(error.path.description.hasPrefix("$.items[\(place)]"), "\(error.path)")
        #expect(error.record == place + 1)
        let bytes = try #require(record.position?.bytes)
        let passed = String(decoding: feed[bytes], as: UTF8.self)
        #expect(passed.hasPrefix(String(decoding: text, as: UTF8.self)), "\(passed)")
        #expect(passed.utf8.count <= text.count + 3, "\(passed)")
      }
    }
  }

  @Test func `a string that is too long costs only its record, wherever a piece ends in it`() throws
  {
    let text = #"{"n":1,"m":{"k":"0123456789012345678901234567890123456789]}"}}"#
    let short = #"{"n":1,"m":{"k":"0"}}"#
    let feed = Array("{\"items\":[\(short),\(text),\(short)]}".utf8)
    let fields = [OutputField("n", from: "n", .int8), OutputField("m", from: "m.k", .string)]
    let mapper = try Mapper(output: .object(fields), limits: Self.limits)
    for size in 1...feed.count {
      for parser in [RecordParser.auto, .index, .yajl] {
        var mapper = mapper
        mapper.parser = parser
        let tables = try FeedSelection(
          mapper.plan.tables.selection, at: [try PathPattern(parsing: "$.items[*]")])
        let route = try mapper.makeRoute(
          FeedRequest(tables, format: .json, options: Self.options))
        let records = Routes.collect(route, feed, pieceSize: size)
        #expect(
          records.map(\.error?.code) == [nil, .limitExceeded, nil], "\(parser), pieces of \(size)")
      }
    }
  }

  @Test func `a member of an object is passed over as an element is`() throws {
    let records = try outcomes(
      Array(#"{"items":{"a":{"n":1},"b":{"n":},"c":{"n":3}},"x":1}"#.utf8), at: "$.items.*")
    #expect(records.map { $0.value.map { "\($0)" } } == [#"{"n":1}"#, nil, #"{"n":3}"#])
    #expect(records[1].error?.path.description == "$.items.b.n")
  }

  @Test func `a quote that is missing costs no more than its line`() throws {
    let records = try outcomes(
      Array("{\"items\":[\n{\"n\":1},\n{\"n\":\"a,\n\"m\":2},\n{\"n\":3}\n]}".utf8))
    #expect(records.map { $0.value.map { "\($0)" } } == [#"{"n":1}"#, nil, #"{"n":3}"#])
  }

  @Test func `a bracket that is missing costs the rest, and no record is made of it`() throws {
    let records = try outcomes(Array(#"{"items":[{"n":1},{"n":[2},{"n":3},{"n":4}]}"#.utf8))
    #expect(records.first?.value.map { "\($0)" } == #"{"n":1}"#)
    #expect(records.compactMap(\.value).count == 1)
    #expect(records.last?.error?.code == .syntax)
  }

  @Test func `a fault outside the records ends the document`() throws {
    for end in [#"{"items":[{"n":1}}"#, #"{"items":[{"n":1},}]}"#, #"{"items":[{"n":1},nul}]}"#] {
      let records = try outcomes(Array(end.utf8))
      #expect(records.last?.error?.code == .syntax)
      #expect(records.last?.endsFeed == true)
    }
    let records = try outcomes(Array(#"{"items":[{"n":1}],"b":x,"items":[{"n":2}]}"#.utf8))
    #expect(records.count == 2)
    #expect(records.last?.error?.code == .syntax)
    let whole = try outcomes(Array(#"{"n":x}"#.utf8), at: "$")
    #expect(whole.count == 1)
  }

  @Test func `reading continues from the position after a record that was passed over`() throws {
    let feed = Array(#"{"items":[{"n":1},{"n":x},{"n":3},{"n":nul},{"n":5}]}"#.utf8)
    let mapper = try Mapper(output: Self.number)
    let records = try mapper.records(in: Feed(feed, at: "$.items[*]", options: Self.options))
    let all = try outcomes(feed)
    var count = 0
    for record in records {
      count += 1
      #expect(record.number == count)
      guard let position = records.position else { continue }
      let rest = try outcomes(feed, from: position)
      #expect(
        Routes.describe(rest) { "\($0)" } == Routes.describe(Array(all[count...])) { "\($0)" })
    }
    #expect(count == 5)
    #expect(records.verdict == .complete)
  }

  @Test(.long, arguments: FuzzCount.seeds(40))
  func `damage at any place is reported in the same way by every route`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let elements = (1...12).map {
      "{\"n\":\($0),\"t\":\"a\\\"]}é\\u00e9\",\"l\":[\($0),{\"k\":[\"{\"]}]}"
    }
    var feed = Array("{\"a\":{},\"items\":[\(elements.joined(separator: ",\n"))],\"z\":1}".utf8)
    for _ in 0...Int.random(in: 0..<4, using: &random) {
      let place = Int.random(in: 20..<feed.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: feed.remove(at: place)
      case 1: feed[place] = Array("{}[]\",:0\\x\n\u{1}é".utf8).randomElement(using: &random) ?? 0
      default:
        feed.insert(Array("{}[]\",:0\\x\n".utf8).randomElement(using: &random) ?? 0, at: place)
      }
    }
    let records = try outcomes(feed)
    // Each record lies after the one before it.
    var end = 0
    for record in records {
      let bytes = try #require(record.position?.bytes)
      #expect(record.endsFeed || bytes.lowerBound >= end, "\(record.number)")
      end = bytes.upperBound
    }
  }
}
