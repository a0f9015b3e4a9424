import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Half-built values are released, wherever a record breaks off.
@Suite struct LifetimeTests {
  struct Refused: Error {}

  struct Leaf {
    let tag: LifetimeTracked
    let extra: LifetimeTracked?
  }

  struct Everything {
    let one: LifetimeTracked
    let maybe: LifetimeTracked?
    let byDefault: LifetimeTracked
    let lenient: LifetimeTracked?
    let deep: LifetimeTracked
    let second: LifetimeTracked
    let list: [LifetimeTracked]
    let grid: [[LifetimeTracked]]
    let picked: [LifetimeTracked]
    let table: [String: LifetimeTracked]
    let leaf: Leaf
    let leaves: [Leaf]
    let wrapped: [LifetimeTracked]
    let copy: LifetimeTracked
    let fork: [String: LifetimeTracked]
    let forked: LifetimeTracked?
    let whole: LifetimeTracked
    let constant: LifetimeTracked
  }

  let counter = LifetimeCounter()

  /// A string as a tracked object; "refused" fails its conversion.
  var tracked: Mapping<LifetimeTracked> {
    let counter = counter
    return .converted(
      from: .string,
      { text in
        let made = LifetimeTracked(text, counter)
        if text == "refused" { throw Refused() }
        return made
      },
      reverse: { $0.text })
  }

  var leaf: Mapping<Leaf> {
    Mapping.object(Leaf.self) { field in
      field.make(Leaf.init, field("tag", \.tag, tracked), field("extra", \.extra, tracked))
    }
  }

  /// With `forked`, a field takes the record as a whole: then it is recorded, and made when it is over.
  func everything(forked: Bool = false) -> Mapping<Everything> {
    let counter = counter
    let wrapped: Mapping<[LifetimeTracked]> = .converted(
      from: .array(of: tracked),
      { list in
        if list.contains(where: { $0.text == "no" }) { throw Refused() }
        return list + [LifetimeTracked("wrapped", counter)]
      },
      reverse: { $0 })
    let whole: Mapping<LifetimeTracked> = .converted(
      from: .raw, { LifetimeTracked($0.description, counter) }, reverse: { _ in throw Refused() })
    return Mapping.object(Everything.self) { field in
      let f0 = field("one", \.one, tracked)
      let f1 = field("maybe", \.maybe, tracked)
      let f2 = field(
        "default", \.byDefault, tracked.default(LifetimeTracked("default", counter)))
      let f3 = field("lenient", \.lenient, .nullable(tracked, when: .missingOrInvalid))
      let f4 = field("p.q", \.deep, tracked)
      let f5 = field("l[1]", \.second, tracked)
      let f6 = field("list", \.list, .array(of: tracked))
      let f7 = field("grid", \.grid, .array(of: .array(of: tracked)))
      let f8 = field("picked", \.picked, .array(of: tracked, omitsInvalid: true))
      let f9 = field("table", \.table, .dictionary(of: tracked))
      let f10 = field("leaf", \.leaf, leaf)
      let f11 = field("leaves", \.leaves, .array(of: leaf))
      let f12 = field("wrapped", \.wrapped, wrapped)
      let f13 = field("one", \.copy, tracked)
      let f14 = field("table", \.fork, .dictionary(of: tracked))
      let f15 = field("table.a", \.forked, tracked)
      let f16 = field(.path(forked ? "$" : "raw"), \.whole, whole)
      let f17 = field(constant: LifetimeTracked("constant", counter), \.constant)
      return field.make(
        Everything.init, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16,
        f17)
    }
  }

  static let complete = #"""
    {"one":"1","maybe":"2","lenient":"3","p":{"q":"4","r":[5]},"l":["x","6","y"],"list":["7","8"],"grid":[["9"],[],\#
    ["10","11"]],"picked":["12",13,"14"],"table":{"a":"15","b":"16","a":"17"},"leaf":{"tag":"18"},"leaves":[{"tag":\#
    "19","extra":"20"},{"tag":"21","extra":null}],"wrapped":["22"],"raw":{"a":[1]},"skipped":{"tag":"23"}}
    """#

  /// Nothing of a record is alive once the record is gone.
  private func check(_ text: [UInt8], _ mapper: Mapper<Everything>, _ comment: String) throws {
    for (parser, size) in [
      (RecordParser.auto, 1), (.index, text.count), (.index, 1), (.index, 7), (.index, 64),
    ] {
      var mapper = mapper
      mapper.parser = parser
      let stream = try mapper.stream(format: .json)
      var position = 0
      while position < text.count {
        let end = min(position + max(size, 1), text.count)
        stream.feed(text[position..<end]) { _ in }
        position = end
      }
      stream.finish { _ in }
      if counter.live != 0 { Issue.record("\(counter.live) alive: \(comment), pieces of \(size)") }
    }
  }

  @Test func `a complete value is alive as long as it is held`() throws {
    let mapper = try Mapper(everything())
    var record: Record<Everything>? = mapper.decode(Self.complete.utf8)
    let value = try #require(record).get()
    #expect(value.wrapped.map(\.text) == ["22", "wrapped"])
    #expect(value.table.mapValues(\.text) == ["a": "17", "b": "16"])
    #expect(value.forked?.text == "17")
    // one maybe default lenient deep second · list 2 · grid 3 · picked 2 · table 2 · leaf 1 · leaves 3 · wrapped 2 ·
    // copy · fork 2 · forked · whole · constant
    #expect(counter.live == 6 + 2 + 3 + 2 + 2 + 1 + 3 + 2 + 1 + 2 + 1 + 1 + 1)
    record = nil
  }

  @Test func `a record truncated anywhere leaks nothing`() throws {
    let text = Array(Self.complete.utf8)
    for forked in [false, true] {
      let mapper = try Mapper(everything(forked: forked))
      for length in 0...text.count {
        try check(Array(text[..<length]), mapper, "cut off at \(length)")
      }
    }
    #expect(counter.made > 1000)
  }

  @Test func `a record malformed anywhere leaks nothing`() throws {
    let mapper = try Mapper(everything())
    let text = Array(Self.complete.utf8)
    for behind in ["x", " ,", "}", "\n\n{}", " \u{1}"] {
      try check(text + Array(behind.utf8), mapper, "'\(behind)' after it")
    }
    for byte in "\"]x,".utf8 {
      for index in text.indices {
        var changed = text
        changed[index] = byte
        try check(changed, mapper, "byte \(byte) at \(index)")
      }
    }
  }

  /// Each value replaced by one that is wrong, of every kind, and by conversions that throw.
  @Test func `a wrong value anywhere leaks nothing`() throws {
    let mapper = try Mapper(everything())
    for number in 1...23 {
      for wrong in [
        #""refused""#, #""no""#, "5", "null", "{}", "[]", #"{"a":"x"}"#, #"["x",["y"]]"#,
      ] {
        let text = Self.complete.replacing("\"\(number)\"", with: wrong)
        try check(Array(text.utf8), mapper, "\(wrong) for \(number)")
      }
    }
    for key in [
      "one", "maybe", "lenient", "p", "q", "l", "list", "grid", "picked", "table", "leaf", "leaves",
      "wrapped",
    ] {
      for other in ["gone", "one", "table", "list", "leaf"] {
        let text = Self.complete.replacing("\"\(key)\":", with: "\"\(other)\":")
        try check(Array(text.utf8), mapper, "\(other) for \(key)")
      }
    }
  }

  /// The last duplicate wins, and the ones before are released, also where it is wrong.
  @Test func `duplicate members leak nothing`() throws {
    let mapper = try Mapper(everything())
    let members = [
      #""one":"a""#, #""one":5"#, #""p":{"q":"a"}"#, #""p":"no path""#, #""p":{"q":"a","q":"b"}"#,
      #""l":["a","b"]"#,
      #""l":{}"#, #""list":["a","b"]"#, #""list":["a",1]"#, #""table":{"a":"x","a":"y"}"#,
      #""table":{"a":"x","a":1}"#,
      #""table":7"#, #""leaf":{"tag":"a","tag":"b","extra":1}"#, #""leaf":{"tag":"a","extra":"b"}"#,
      #""wrapped":["no"]"#, #""wrapped":["yes"]"#, #""picked":["a",null]"#, #""maybe":null"#,
    ]
    for first in members {
      for second in members {
        let complete = Self.complete.dropLast()
        try check(Array("\(complete),\(first),\(second)}".utf8), mapper, "\(first) and \(second)")
        try check(Array("{\(first),\(second)}".utf8), mapper, "only \(first) and \(second)")
        try check(
          Array("{\(first),\(second),".utf8), mapper, "cut off after \(first) and \(second)")
      }
    }
  }

  @Test func `a limit hit inside a record leaks nothing`() throws {
    for (string, captured, errors) in [(1, 1000, 100), (1000, 20, 100), (1000, 1000, 1), (1, 3, 2)]
    {
      var limits = Limits()
      limits.string = string
      limits.capturedValue = captured
      limits.errorsPerRecord = errors
      let mapper = try Mapper(everything(), limits: limits)
      try check(Array(Self.complete.utf8), mapper, "limits \(string), \(captured), \(errors)")
    }
  }

  @Test func `a broken container at the root leaks nothing`() throws {
    let text = #"["a","b",["c"],{"x":"d"},"refused",5,"e"#
    let counter = counter
    func run<Value>(_ mapping: Mapping<Value>) throws {
      let mapper = try Mapper(mapping)
      for length in 0...text.utf8.count {
        for end in ["", "]", "]]", "\"]"] {
          _ = mapper.decode(Array(text.utf8.prefix(length)) + Array(end.utf8))
          if counter.live != 0 { Issue.record("\(Value.self), \(length) bytes and '\(end)'") }
        }
      }
    }
    try run(.array(of: tracked))
    try run(.array(of: tracked, omitsInvalid: true))
    try run(.array(of: .nullable(tracked)))
    try run(.array(of: .array(of: tracked).default([])))
    try run(.array(of: tracked.default(LifetimeTracked("x", counter), when: .failing)))
    try run(.nullable(.array(of: tracked)))
    try run(.nullable(.array(of: tracked), when: .missingOrInvalid))
    try run(.dictionary(of: .array(of: tracked)))
    try run(.array(of: .dictionary(of: tracked)))
    try run(.converted(from: .array(of: tracked), { $0 }, reverse: { $0 }))
    try run(
      .converted(
        from: .nullable(.array(of: tracked)), { _ in throw Refused() }, reverse: { (_: Int) in nil }
      ))
  }

  @Test func `a broken recursive value leaks nothing`() throws {
    final class Tree: Sendable {
      let tag: LifetimeTracked
      let children: [Tree]
      init(tag: LifetimeTracked, children: [Tree]) { (self.tag, self.children) = (tag, children) }
    }
    let tracked = tracked
    let tree: Mapping<Tree> = .recursive { tree in
      Mapping.object(Tree.self) { field in
        field.make(
          Tree.init, field("t", \.tag, tracked),
          field("c", \.children, .array(of: tree).default([])))
      }
    }
    let mapper = try Mapper(tree)
    let text =
      #"{"c":[{"t":"a","c":[{"t":"b","c":[]},{"c":[{"t":"c"}],"t":"d"}]},{"t":"e"}],"t":"f"}"#
    #expect(try mapper.decode(text.utf8).get().children.count == 2)
    for length in 0..<text.utf8.count {
      _ = mapper.decode(text.utf8.prefix(length))
      _ = mapper.decode(text.replacing("\"t\":\"b\"", with: "\"t\":1").utf8.prefix(length))
      if counter.live != 0 { Issue.record("\(length)") }
    }
  }

  @Test func `an abandoned feed leaks nothing`() throws {
    let mapper = try Mapper(everything())
    let line = Array(Self.complete.utf8)
    for length in stride(from: 0, through: line.count, by: 3) {
      do {
        let stream = try mapper.stream(format: .ndjson)
        stream.feed(line + [0x0A] + line[..<length]) { _ in }
      }
      #expect(counter.live == 0, "\(length)")
    }
    do {
      let feed = line + [0x0A] + line + [0x0A] + line
      let sequence = try mapper.records(in: Feed(feed, format: .ndjson))
      for _ in sequence { break }
      let iterator = try mapper.records(in: Feed(feed, format: .ndjson))
      #expect(iterator.next()?.value != nil)
    }
    #expect(counter.live == 0)
    let stream = try mapper.stream(format: .concatenated)
    #expect(throws: Refused.self) { try stream.feed(line + line + line) { _ in throw Refused() } }
    #expect(counter.live == 0)
  }
}
