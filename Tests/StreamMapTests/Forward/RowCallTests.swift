import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Records with rules, conditions, formulas and changed texts, which a program writes with the help of calls, are those that the
/// machine writes from tokens.
@Suite struct RowCallTests {
  private static let short = Rule<WrittenValue>("short", expecting: "a short text") {
    $0.text.count < 30
  }

  private static func numbers(_ first: String?, _ last: String?, ends: Bool = true)
    -> Rule<WrittenValue>
  {
    .numbers(
      Rule("between", expecting: "a number between others") { _ in true },
      in: ExactNumber.Interval(
        first.flatMap { ExactNumber($0) }, last.flatMap { ExactNumber($0) }, includesEnds: ends))
  }

  private static func upper(_ mapping: OutputMapping) -> OutputMapping {
    .text(
      mapping, TextChange(steps: [.trim, .upper, .replace(" ", with: "_"), .suffix("\"!")]), .text,
      expected: "a string")
  }

  /// An object with parts that conditions leave out; few records of the feed have one that is good.
  private static func object() -> OutputField {
    let item = OutputMapping.object([
      OutputField("n", from: "name", .string),
      OutputField("codes", from: "codes", .array(of: .int16).validated([short])),
    ])
    let object = OutputMapping.object([
      OutputField(
        "items", from: "items",
        .array(of: item.filtered(by: .value(at: "name"))).default(.array([]))),
      OutputField(
        "item", from: "item", item.filtered(by: .value(at: "name", exists: true, [])).default(.null)
      ),
    ])
    return OutputField("object", from: "object", object.default(.string("none")))
  }

  private static func fields() -> [OutputField] {
    [
      OutputField("int8", from: "int8", .int8.validated([numbers("-100", "99.5")])),
      OutputField(
        "int64", from: "int64",
        .int64.validated([numbers(nil, "1e17", ends: false)]).default(.number("0"))),
      OutputField("ms", from: "http.timing.ms", .double.validated([numbers("-0.5", nil)])),
      OutputField("string", from: "string", .string.validated([short])),
      OutputField("upper", from: "string", upper(.string)),
      OutputField("any", from: "any", .any),
      OutputField("sum", calculated: "int8 * 2.5 + (int16 ?? 1)", .decimal),
      OutputField("text", calculated: "any ?? 'none'", .any),
      OutputField("checked", calculated: "uint8 + 1", .number.validated([numbers("0", "300")])),
      OutputField(
        "size",
        cases: [
          (
            .value(at: "uint16", exists: true, [numbers("60", nil)]),
            OutputField("case", constant: "L")
          ),
          (.calculated("uint16 > 30"), OutputField("case", from: "string", upper(.string))),
        ], otherwise: OutputField("case", from: "uint16", .uint16.default(.null))),
    ]
  }

  /// Some labels choose an object, one of them with a condition, and one that finds nothing; a text, a number or a boolean may be the label.
  private static func labelled(on label: FieldSource) -> OutputMapping {
    let item = OutputMapping.object([
      OutputField("n", from: "name", .string.default(.null)),
      OutputField("no", from: "nothing", .string.default(.null)),
    ])
    let short = OutputMapping.object([
      OutputField("int8", from: "int8", .int8.default(.null)),
      OutputField("any", from: "any", .any),
      OutputField("item", from: "object", .object([OutputField("i", from: "item", item)])),
    ])
    let some = OutputMapping.object([OutputField("upper", from: "string", upper(.string))])
      .filtered(by: .value(at: "int16", exists: true, [numbers("30", nil)]))
    let never = OutputMapping.object([OutputField("no", from: "string", .string)])
    return .dispatch(
      on: label,
      ["true": short, "text 3": short, "5": some, "6": .raw, "never": never, "1.25": short],
      otherwise: .object([
        OutputField("ms", from: "http.timing.ms", .double.default(.null)),
        OutputField("uint8", from: "uint8", .uint8),
      ]))
  }

  /// Alternatives of records and of elements: the first one suits most of them.
  private static func alternatives(reportsEarlier: Bool) -> OutputMapping {
    let item = OutputMapping.object([
      OutputField("n", from: "name", .string),
      OutputField("no", from: "no", .string.default(.null)),
    ])
    return .firstOf(
      [
        .object([
          OutputField("int8", from: "int8", .int8.validated([numbers("-100", nil)])),
          OutputField("items", from: "object.items", .array(of: .firstOf(item, .raw))),
          OutputField("either", from: "any", .firstOf(.uint8, .string).default(.null)),
        ]),
        .object([OutputField("any", from: "any", .any)]), .raw,
      ], reportsEarlier: reportsEarlier)
  }

  /// Alternatives that differ by the fields that they need, and by the kinds of these; the first one is always wrong.
  private static func shapes(reportsEarlier: Bool) -> OutputMapping {
    let missing = OutputField("missing", from: "missing", .string.default(.null))
    let kinds = OutputMapping.firstOf(
      [.bool, .int16, .double, .string, .array(of: .raw)], reportsEarlier: reportsEarlier)
    let named = OutputMapping.object([
      OutputField("name", from: "item.name", .string), missing,
      OutputField("items", from: "items", .array(of: .raw)),
    ])
    let other = OutputMapping.object([
      OutputField("item", from: "item", .raw), OutputField("no", from: "no", .raw.default(.null)),
    ])
    return .firstOf(
      [
        .object([
          OutputField("any", from: "any", .any), OutputField("never", from: "never", .raw),
          OutputField("string", from: "string", .string), missing,
        ]),
        .object([
          OutputField("upper", from: "string", upper(.string)),
          OutputField("any", from: "any", .bool), OutputField("int8", from: "int8", .int8),
        ]),
        .object([
          OutputField("int16", from: "int16", .int16), OutputField("any", from: "any", kinds),
          OutputField("ms", from: "http.timing.ms", .double),
          OutputField(
            "object", from: "object",
            .firstOf([named, other, .raw], reportsEarlier: reportsEarlier)),
        ]),
        .object([
          OutputField("lists", from: "lists", .array(of: kinds)), missing,
          OutputField("uint8", from: "uint8", .uint8),
        ]).default(.string("none")),
        .object([OutputField("string", from: "string", .raw)]),
      ], reportsEarlier: reportsEarlier)
  }

  /// Alternatives none of which finds all its fields: what the second one, which suits, does not find is told, too.
  private static func incomplete() -> OutputMapping {
    let missing = OutputField("missing", from: "missing", .string.default(.null))
    let never = OutputField("never", from: "never", .raw)
    let kind = OutputField("kind", from: "kind", .int16)
    let object = OutputMapping.firstOf(
      [.object([kind]), .object([OutputField("item", from: "item", .raw), missing])],
      reportsEarlier: false)
    return .firstOf(
      [
        .object([OutputField("any", from: "any", .any), never]),
        .object([OutputField("object", from: "object", object), missing]),
      ], reportsEarlier: false)
  }

  /// Values that are made of others, which are mapped again: their fields are found where they are read.
  private static func remade() -> OutputMapping {
    let pair = OutputMapping.object([
      OutputField("a", from: "a", .raw.default(.null)),
      OutputField("no", from: "no", .any.default(.null)),
    ])
    let zipped = [
      OutputField("a", from: "lists", .array(of: .raw)),
      OutputField("b", from: "nothing", .array(of: .raw).default(.null)),
    ]
    return .object([
      OutputField("upper", from: "string", upper(.string.default(.string("none")))),
      OutputField(
        "zip", from: .keys([]),
        .zip(.object(zipped), by: nil, into: .array(of: pair)).default(.null)),
      OutputField(
        "first", from: "lists", .list([.element(0)], into: .array(of: .raw).default(.null))),
      OutputField(
        "last", from: "lists",
        .list([.element(-1)], into: .list([.count], into: .number).default(.null))),
      OutputField(
        "entries", from: "object",
        .entries(key: "k", value: "v", into: .list([.count], into: .uint8)).default(.null)),
    ])
  }

  /// Conditions of records: none, by intervals, by calls, on fields that are written otherwise than they stand.
  private static let mappings: [OutputMapping] = [
    .object(fields()),
    .object(fields()).filtered(by: .value(at: "uint8", exists: true, [numbers("20", "70.25")])),
    .object(fields()).filtered(
      by: .field("int8", inside: [], exists: true, [numbers("-1", "40", ends: false)])),
    .object(fields()).filtered(by: .calculated("uint8 > 20 and int8 != 30")),
    .object(fields()).filtered(
      by: .all(
        .value(at: "bool"), .field("string"),
        .field("int8", inside: [], exists: true, [numbers("10", nil)]))),
    .object(fields()).filtered(by: .field("upper")),
    .object(fields()).filtered(by: .field("int64", inside: [], exists: true, [numbers("5", nil)])),
    .value(
      of: OutputField("value", from: "string", upper(.string)), duplicateKeys: .last),
    OutputMapping.object([OutputField("int8", from: "int8", .int8)])
      .filtered(by: .value(at: "int8", exists: true, [numbers("1000", nil)])),
    .object([object()]),
    labelled(on: "string"), labelled(on: "bool"), labelled(on: "uint8"), labelled(on: "object"),
    labelled(on: "http.timing.ms"),
    .object([
      OutputField("object", from: "object", .dispatch(on: "item", [("x", .raw)], otherwise: .raw)),
      OutputField(
        "http", from: "http",
        .dispatch(
          on: "timing", [("x", .raw)],
          otherwise: .object([
            OutputField("ms", from: "timing.ms", .double)
          ]))),
    ]),
    remade(), alternatives(reportsEarlier: true), alternatives(reportsEarlier: false),
    .object(fields()).filtered(
      by: .any(.field("size", inside: [], exists: false, []), .field("int8"))),
    .raw, shapes(reportsEarlier: false), shapes(reportsEarlier: true),
  ]

  @Test(arguments: mappings.indices, [false, true])
  func `what is called for is what the machine makes`(_ number: Int, omitsNulls: Bool) throws {
    let feed = RowProgramTests.feed(UInt64(40 + number), records: 700)
    var mapper = try Mapper(output: Self.mappings[number], omitsNulls: omitsNulls)
    var texts: [[Substring]] = []
    for parser in [RecordParser.auto, .index] {
      mapper.parser = parser
      let records = Array(try mapper.records(in: Feed(feed, format: .ndjson), jobs: 1))
      texts.append(Routes.describe(records) { $0.description }.split(separator: "\n"))
    }
    let odd = zip(texts[0], texts[1]).first { $0.0 != $0.1 }
    #expect(texts[0].count == texts[1].count)
    if let odd { Issue.record("\(odd.0) for \(odd.1)") }
  }

  @Test(.long, arguments: mappings.indices, [OutputLayout.lines, .array])
  func `written at once, one by one and by several jobs, records are the same`(
    _ number: Int, _ layout: OutputLayout
  ) throws {
    for omitsNulls in [false, true] {
      try expectSame(number, layout, omitsNulls: omitsNulls)
    }
  }

  private func expectSame(_ number: Int, _ layout: OutputLayout, omitsNulls: Bool) throws {
    let mapping = Self.mappings[number]
    let feed = RowProgramTests.feed(UInt64(60 + number), records: 500)
    let each = try RowProgramTests.convert(
      mapping, feed, layout, pieceSize: feed.count, enough: 0, omitsNulls: omitsNulls)
    #expect(each.count == 500)
    let byMachine = try RowProgramTests.convert(
      mapping, feed, layout, pieceSize: feed.count, enough: 0, parser: .index,
      omitsNulls: omitsNulls)
    #expect(each.output == byMachine.output)
    #expect(each.report == byMachine.report)
    #expect(each.unfound == byMachine.unfound)
    #expect((each.dropped > 0) == [1, 2, 3, 4, 6, 8, 12].contains(number))
    for size in [feed.count, 7000] {
      let atOnce = try RowProgramTests.convert(
        mapping, feed, layout, pieceSize: size, enough: 2000,
        omitsNulls: omitsNulls)
      #expect(atOnce.output == each.output)
      #expect(atOnce.report == each.report)
      #expect(atOnce.count == 500)
      #expect(atOnce.dropped == each.dropped)
      // Without a record before them, elements of an array come one by one; and each record of the last mapping has issues.
      if number != Self.mappings.count - 1, each.dropped < 500 || layout.separatorLength == 0 {
        #expect(
          atOnce.atOnce > 0, "of \(500 - each.dropped - each.report.count) records that are good")
      }
      #expect(atOnce.unfound == each.unfound)
    }
    let byJobs = try RowProgramTests.convert(mapping, feed, layout, jobs: 2, omitsNulls: omitsNulls)
    #expect(byJobs.output == each.output)
    #expect(byJobs.report == each.report)
    #expect(byJobs.count == 500)
    #expect(byJobs.dropped == each.dropped)
    #expect(byJobs.unfound == each.unfound)
  }

  @Test func `a field that is never found does not keep records from being written at once`() throws
  {
    let line = #"{"id":1,"in":{"a":2},"list":[{"b":3}]}"# + "\n"
    let feed = Array(String(repeating: line, count: 200).utf8)
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64),
      OutputField("no", from: "nothing", .string.default(.null)),
      OutputField(
        "list", from: "list",
        .array(of: .object([OutputField("c", from: "c", .int64.default(.null))]))),
    ])
    let made = try RowProgramTests.convert(
      mapping, feed, .lines, pieceSize: feed.count, enough: 1 << 20)
    #expect(made.atOnce > 190)
    #expect(made.unfound.count == 2)
    #expect(
      made.unfound
        == (try RowProgramTests.convert(mapping, feed, .lines, pieceSize: feed.count, enough: 0))
        .unfound)
  }

  /// One case takes an element of what another one takes as a list, and a third as a dispatch of its own.
  private static func mixed() -> OutputMapping {
    let item = OutputMapping.object([
      OutputField("n", from: "name", .string),
      OutputField("no", from: "no", .string.default(.null)),
    ])
    let items = OutputField("items", from: "object.items", .array(of: item))
    let inner = OutputMapping.dispatch(
      on: "kind", [("k", .object([OutputField("i", from: "item", item)]))], otherwise: .raw)
    return .dispatch(
      on: "string",
      [
        ("text 3", .object([OutputField("n", from: "object.items[0].name", .string)])),
        ("text 4", .object([items])),
      ], otherwise: .object([OutputField("object", from: "object", inner)]))
  }

  @Test(arguments: [
    labelled(on: "string"), labelled(on: "bool"), remade(), mixed(),
    alternatives(reportsEarlier: true), shapes(reportsEarlier: false), incomplete(),
  ])
  func `a program that writes all records tells what they have`(_ mapping: OutputMapping) throws {
    let members =
      #""int8":1,"int16":40,"uint8":5,"any":1,"bool":true,"lists":[[1]],"http":{"timing":{"ms":1.25}}"#
    let lines = ["text 3", "text 4", "text 5"].map {
      #"{"string":"\#($0)",\#(members),"object":{"kind":"k","item":{"name":"x"},"items":[{"name":"y"}]}}"#
        + "\n"
    }
    let feed = Array(String(repeating: lines.joined(), count: 100).utf8)
    let made = try RowProgramTests.convert(
      mapping, feed, .lines, pieceSize: feed.count, enough: 1 << 20)
    let byMachine = try RowProgramTests.convert(
      mapping, feed, .lines, pieceSize: feed.count, enough: 1 << 20, parser: .index)
    #expect(made.report == [])
    #expect(made.atOnce > 190)
    #expect(made.output == byMachine.output)
    #expect(made.unfound == byMachine.unfound)
  }

  @Test func `a program opens containers that paths go through, too`() throws {
    let lines = [
      #"{"id":1,"in":{"a":2,"b":[3,4]},"list":[{"b":3},{"b":4}]}"#,
      #"{ "id" : 2 , "in" : { "b" : [ ] , "a" : 5 } , "list" : [ { "b" : 6 } ] }"#,
      #"{"id":3,"in":null,"list":[]}"#, #"{"id":4,"list":null}"#, #"{"id":5,"in":[1],"list":7}"#,
      #"{"id":6,"in":{"a":"x","b":[3]},"list":[{},{"b":null}]}"#,
    ]
    let feed = Array((0..<600).map { lines[$0 / 100 % 6] + "\n" }.joined().utf8)
    let item = OutputMapping.object([OutputField("c", from: "b", .int64.default(.null))])
    let inside = OutputMapping.object([
      OutputField("twice", from: "a", .int64.default(.null)),
      OutputField("list", from: "b", .array(of: .int64).default(.null)),
      OutputField("no", from: "c", .int64.default(.null)),
    ])
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64),
      OutputField("a", from: "in.a", .int64.default(.null)),
      OutputField("first", from: "in.b[0]", .int64.default(.null)),
      OutputField("in", from: "in", inside.default(.null)),
      OutputField("head", from: "list[0].b", .int64.default(.null)),
      OutputField("list", from: "list", .array(of: item).default(.null)),
    ])
    try expectSame(mapping, feed, .lines, atOnce: 200)
    // Only the program sees these.
    let plain = Array(String(repeating: lines[0] + "\n", count: 100).utf8)
    let written = try RowProgramTests.convert(
      mapping, plain, .lines, pieceSize: plain.count, enough: 1 << 20)
    #expect(written.atOnce == 100)
    #expect(written.unfound.count == 1)
  }

  @Test func `a program writes what has any members, and splits texts`() throws {
    let lines = [
      #"{"id":1,"all":{"a":1,"b":"x","c":null,"d":[1,{"e":2}],"f":true},"text":"a, b, c","parts":{"x":{"n":1},"y":{"n":2}}}"#,
      #"{ "id" : 2 , "all" : { "a" : { } , "b" : [ 1 , 2 ] } , "text" : "" , "parts" : { } }"#,
      #"{"id":3,"all":{},"text":"none","parts":{"x":{"n":3,"m":4}}}"#,
      #"{"id":4,"all":{"a":1,"a":2},"text":"a, \u0062","parts":{"x":{"n":1},"x":{"n":2}}}"#,
      #"{"id":5,"all":{"\u0061":"\/","b":[ "\/" ]},"text":", ","parts":{"x":{}}}"#,
      #"{"id":6,"all":[1],"text":7,"parts":null}"#, #"{"id":7,"all":null}"#,
      #"{"id":8,"all":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,"10":10},"text":"a,b","parts":{"x":{"n":"no"}}}"#,
      #"{"id":9,"all":"x","text":null,"parts":{"x":{"n":null},"y":7}}"#,
      #"{"id":10,"all":-1.50,"text":"é, ü","parts":{"x":{"n":1},"":{"n":2}}}"#,
    ]
    let feed = Array((0..<1000).map { lines[$0 / 100 % 10] + "\n" }.joined().utf8)
    let part = OutputMapping.object([
      OutputField("n", from: "n", .int64.default(.null)),
      OutputField("no", from: "no", .int64.default(.null)),
    ])
    let byKind = OutputMapping.dispatch(
      byKind: [.number: .double, .string: .string, .object: .raw], otherwise: .raw)
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64),
      OutputField("first", from: "all.a", .raw.default(.null)),
      OutputField("json", from: "all", .raw.default(.null)),
      OutputField("map", from: "all", .dictionary(of: .raw).default(.null)),
      OutputField("entries", from: "all", .entries(key: "k", value: "v").default(.null)),
      OutputField("kind", from: "all", byKind.default(.null)),
      OutputField("kinds", from: "all", .dictionary(of: byKind).default(.null)),
      OutputField("parts", from: "parts", .dictionary(of: part).default(.null)),
      OutputField("text", from: "text", .splitting(by: ", ").default(.null)),
    ])
    for layout in [OutputLayout.lines, .array, .indented] {
      try expectSame(mapping, feed, layout, atOnce: 300)
    }
    // Only the program sees these.
    let plain = Array(String(repeating: lines[0] + "\n", count: 100).utf8)
    let written = try RowProgramTests.convert(
      mapping, plain, .lines, pieceSize: plain.count, enough: 1 << 20)
    #expect(written.atOnce == 100)
    #expect(written.unfound.count == 1)
    #expect(
      String(decoding: written.output.prefix { $0 != 0x0A }, as: UTF8.self)
        == #"{"id":1,"first":1,"json":{"a":1,"b":"x","c":null,"d":[1,{"e":2}],"f":true},"#
        + #""map":{"a":1,"b":"x","c":null,"d":[1,{"e":2}],"f":true},"#
        + #""entries":[{"k":"a","v":1},{"k":"b","v":"x"},{"k":"c","v":null},{"k":"d","v":[1,{"e":2}]},{"k":"f","v":true}],"#
        + #""kind":{"a":1,"b":"x","c":null,"d":[1,{"e":2}],"f":true},"#
        + #""kinds":{"a":1,"b":"x","c":null,"d":[1,{"e":2}],"f":true},"#
        + #""parts":{"x":{"n":1,"no":null},"y":{"n":2,"no":null}},"text":["a","b","c"]}"#)
    var mapper = try Mapper(output: mapping)
    mapper.parser = .index
    let tokens = Array(try mapper.records(in: Feed(plain, format: .ndjson), jobs: 1))
    #expect(tokens.count == 100)
    #expect(
      try tokens[0].get().description
        == String(decoding: written.output.prefix { $0 != 0x0A }, as: UTF8.self))
  }

  @Test func `a program counts the elements of an array`() throws {
    let many = (0..<70).map { "\($0)" }.joined(separator: ",")
    let lines = [
      #"{"id":1,"a":["x","y"],"b":[true,1.5,null,"z"]}"#, #"{"id":2,"a":[],"b":[ ]}"#,
      #"{ "id" : 3 , "a" : [ "x" , "y" , "z" ] , "b" : [\#(many)] }"#,
      #"{"id":4,"a":["\u0061","\n"],"b":["\/"]}"#, #"{"id":5,"a":["x"],"b":[[1],{"c":2}]}"#,
      #"{"id":6,"a":null}"#, #"{"id":7,"a":["x",1],"b":{"c":1,"d":2,"c":3}}"#,
      #"{"id":8,"a":"x","b":7}"#, #"{"id":9,"a":["\ud800"],"b":["\ud800"]}"#,
    ]
    let feed = Array((0..<900).map { lines[$0 / 100 % 9] + "\n" }.joined().utf8)
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64),
      OutputField("all", from: "a", .array(of: .string).default(.null)),
      OutputField("n", from: "a", .count.default(.null)),
      OutputField("list", from: "a", .list([.count], into: .int64).default(.null)),
      OutputField("alone", from: "b", .list([.count], into: .int64).default(.null)),
      OutputField("any", from: "b", .count.default(.null)),
    ])
    for layout in [OutputLayout.lines, .array, .indented] {
      try expectSame(mapping, feed, layout, atOnce: 300)
    }
    let plain = Array(String(repeating: lines[0] + "\n", count: 100).utf8)
    let written = try RowProgramTests.convert(
      mapping, plain, .lines, pieceSize: plain.count, enough: 1 << 20)
    #expect(written.atOnce == 100)
    #expect(
      String(decoding: written.output.prefix { $0 != 0x0A }, as: UTF8.self)
        == #"{"id":1,"all":["x","y"],"n":2,"list":2,"alone":4,"any":4}"#)
  }

  @Test(arguments: [false, true])
  func `a program writes strings with other escapes than it needs`(_ isIndented: Bool) throws {
    let layout = isIndented ? OutputLayout.indented : .lines
    let lines = [
      #"{"id":1,"s":"caf\u00e9","a":["\/","x","\u0041"],"j":{"\u006b":"\ud83d\ude00"},"t":"\u00e9"}"#,
      #"{"id":2,"s":"\u0022\u005c\u000a\u001F\n","a":[],"j":["\u00e9", "\t"],"t":"x\/"}"#,
      #"{ "id" : 3 , "s" : "\u20ac" , "a" : [ "\u00e9" ] , "j" : "\/" , "t" : "" }"#,
    ]
    let feed = Array((0..<600).map { lines[$0 / 50 % 3] + "\n" }.joined().utf8)
    let mapping = OutputMapping.object([
      OutputField("id", from: "id", .int64), OutputField("s", from: "s", .string),
      OutputField("a", from: "a", .array(of: .string)), OutputField("j", from: "j", .raw),
      OutputField("any", from: "t", .any), OutputField("upper", from: "t", Self.upper(.string)),
    ])
    let made = try RowProgramTests.convert(
      mapping, feed, layout, pieceSize: feed.count, enough: 1 << 20)
    let byMachine = try RowProgramTests.convert(
      mapping, feed, layout, pieceSize: feed.count, enough: 0, parser: .index)
    #expect(made.atOnce == 600)
    #expect(made.output == byMachine.output)
    if !isIndented {
      #expect(
        String(decoding: made.output.prefix { $0 != 0x0A }, as: UTF8.self)
          == #"{"id":1,"s":"café","a":["/","x","A"],"j":{"k":"😀"},"any":"é","upper":"É\"!"}"#)
    }
  }

  /// Records that are written at once, at least so many, are those that are written one by one.
  private func expectSame(
    _ mapping: OutputMapping, _ feed: [UInt8], _ layout: OutputLayout, atOnce least: Int
  ) throws {
    let made = try RowProgramTests.convert(
      mapping, feed, layout, pieceSize: feed.count, enough: 1 << 20)
    let each = try RowProgramTests.convert(mapping, feed, layout, pieceSize: feed.count, enough: 0)
    #expect(made.output == each.output)
    #expect(made.report == each.report)
    #expect(made.atOnce >= least)
    #expect(made.unfound == each.unfound)
  }
}
