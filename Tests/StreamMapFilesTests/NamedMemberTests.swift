import Foundation
import StreamMap
import StreamMapFiles
import Testing

/// Which members of a record belong to fields, which are known, and what happens to those that come twice.
@Suite struct NamedMemberTests {
  /// What becomes of one record by every route, which is the same: its text, or its errors.
  private func map(_ mapping: String, _ record: String) throws -> String {
    var mapper = try MappingFile(yaml: "streammap: 1\n" + mapping).mapper()
    let bytes = Array((record + "\n" + record + "\n").utf8)
    func texts(_ records: some Sequence<Record<RawJSON>>) -> [String] {
      records.map { record in
        let issues = record.issues.map { " issue \($0.code.rawValue) \($0.path)" }.joined()
        return (record.value?.description ?? record.error.map { text(of: $0) } ?? "dropped")
          + issues
      }
    }
    let found = texts(try mapper.records(in: Feed(bytes, format: .ndjson)))
    for parser in [RecordParser.index, .yajl, .auto] {
      mapper.parser = parser
      for jobs in [1, 3] {
        #expect(
          texts(try mapper.records(in: Feed(bytes, format: .ndjson), jobs: jobs)) == found,
          "\(parser) \(jobs)")
      }
    }
    let stream = try mapper.stream(format: .ndjson)
    var pushed: [Record<RawJSON>] = []
    for byte in bytes { stream.feed([byte]) { pushed.append($0) } }
    stream.finish { pushed.append($0) }
    #expect(texts(pushed) == found)
    #expect(found.count == 2 && found.first == found.last, "\(found)")
    return found.first ?? "nothing"
  }

  private func text(of error: MappingError) -> String {
    let several = error.underlying.compactMap { $0 as? MappingError }
    let all = error.code == .severalErrors ? several : [error]
    return all.map { "\($0.code.rawValue) \($0.path)" }.joined(separator: ", ")
  }

  // MARK: What is kept, and what is unknown

  @Test(arguments: [
    "where: { from: b, equals: 2 }", "where: { calc: b > 1 }",
    "where: { all: [ { from: b, exists: true }, { field: id, min: 0 } ] }",
    "where: { any: [ { not: { from: b, equals: 7 } }, { calc: a == b } ] }",
  ])
  func `what a condition looks at is kept with the others, and is not unknown`(condition: String)
    throws
  {
    let record = #"{"a":1,"b":2,"c":{"d":3}}"#
    #expect(
      try map("record: { id: a }\nrest: keep\n" + condition, record)
        == #"{"id":1,"b":2,"c":{"d":3}}"#)
    #expect(
      try map("input: { unknown: 'collect:more' }\nrecord: { id: a }\n" + condition, record)
        == #"{"id":1,"more":{"b":2,"c":{"d":3}}}"#)
    #expect(
      try map("input: { unknown: fail }\nrecord: { id: a }\n" + condition, record)
        == "unknownKey $.c")
    #expect(
      try map("input: { unknown: report }\nrecord: { id: a }\nrest: keep\n" + condition, record)
        == #"{"id":1,"b":2,"c":{"d":3}} issue unknownKey $.c"#)
  }

  @Test(arguments: [
    ("o", #"{"o":{"a":1,"b":2}}"#), ("'o[1]'", #"{"o":[3,{"a":1,"b":2}]}"#),
    ("'[1]'", #"[3,{"a":1,"b":2}]"#), ("'[1].o'", #"[3,{"o":{"a":1,"b":2}}]"#),
  ])
  func `what a field takes as a whole has no unknown members, though a path leads on in it`(
    path: String, record: String
  ) throws {
    let inside = path.replacing("'", with: "") + ".a"
    for rule in ["report", "fail"] {
      let unknown = "input: { unknown: \(rule) }\n"
      #expect(
        try map(
          unknown + "record: { all: { from: \(path), type: json }, a: '\(inside)' }", record)
          == #"{"all":{"a":1,"b":2},"a":1}"#)
    }
    let b = inside.dropLast() + "b"
    #expect(
      try map("input: { unknown: fail }\nrecord: { a: '\(inside)' }", record)
        == "unknownKey $" + (b.hasPrefix("[") ? b : "." + b))
  }

  @Test func `what a formula or the condition of a case looks at is kept with the others`() throws {
    let record = #"{"p":2,"q":{"n":3,"m":[1]},"s":500,"t":null,"u":"x"}"#
    #expect(
      try map("record: { total: { calc: p * q.n } }\nrest: keep", record)
        == #"{"total":6,"p":2,"q":{"n":3,"m":[1]},"s":500,"t":null,"u":"x"}"#)
    let cases =
      "record: { class: { cases: [ { when: { from: s, min: 500 }, from: u } ], otherwise: ok } }\n"
    #expect(
      try map(cases + "rest: keep", record)
        == #"{"class":"x","p":2,"q":{"n":3,"m":[1]},"s":500,"t":null}"#)
    #expect(
      try map("input: { unknown: 'collect:o' }\n" + cases, record)
        == #"{"class":"x","o":{"p":2,"q":{"n":3,"m":[1]},"s":500,"t":null}}"#)
    #expect(
      try map("input: { unknown: fail }\n" + cases, record)
        == "unknownKey $.p, unknownKey $.q, unknownKey $.t")
  }

  @Test func `a formula over the member of its own field's name replaces it`() throws {
    #expect(
      try map("record: { p: { calc: p * 2 } }\nrest: keep", #"{"a":1,"p":4,"b":2}"#)
        == #"{"p":8,"a":1,"b":2}"#)
  }

  @Test func `what is dropped is not kept although a condition looks at it`() throws {
    let mapping = "record: { id: a }\nrest: keep\ndrop: [b, c.x]\nwhere: { calc: b + c.x == 3 }"
    #expect(try map(mapping, #"{"a":1,"b":1,"c":{"x":2,"y":3}}"#) == #"{"id":1,"c":{"y":3}}"#)
  }

  @Test(arguments: ["join: [b, c]", "first_of: [b, c]", "first_of: [{ from: b, type: string }, c]"])
  func `all that a field may take is taken, in a case, too`(sources: String) throws {
    let record = #"{"a":1,"b":"x","c":"y","d":2}"#
    for field in [
      "{ \(sources) }", "{ cases: [ { when: { from: a, exists: true }, \(sources) } ] }",
      "{ cases: [ { when: { from: none, exists: true }, const: 1 } ], otherwise: { \(sources) } }",
    ] {
      let value = sources.hasPrefix("join") ? "xy" : "x"
      #expect(
        try map("record: { f: \(field), id: a }\nrest: keep", record)
          == #"{"f":"\#(value)","id":1,"d":2}"#)
      #expect(
        try map("input: { unknown: fail }\nrecord: { f: \(field), id: a }", record)
          == "unknownKey $.d")
    }
  }

  @Test func `an object from the record itself takes and looks for the record`() throws {
    let mapping = "record: { o: { from: $, object: { x: b, y: { calc: c + 1 } } } }\n"
    let record = #"{"a":1,"b":"x","c":2}"#
    #expect(
      try map(mapping + "rest: keep", record) == #"{"o":{"x":"x","y":3},"a":1,"c":2}"#)
    #expect(try map("input: { unknown: fail }\n" + mapping, record) == "unknownKey $.a")
  }

  @Test func `elements keep what their condition looks at`() throws {
    let mapping =
      "record: { l: { from: l, where: { from: s, equals: 1 }, each: { object: { x: a }, rest: keep } } }"
    #expect(
      try map(mapping, #"{"l":[{"a":1,"s":1,"t":[]},{"a":2,"s":2}]}"#)
        == #"{"l":[{"x":1,"s":1,"t":[]}]}"#)
  }

  // MARK: Members that come twice

  @Test(arguments: [
    "{ join: [b, c.d] }", "{ first_of: [b, c.d] }",
    "{ cases: [ { when: { from: a, exists: true }, join: [b, c.d] } ] }",
    "{ first_of: [{ join: [b, c.d] }] }",
  ])
  func `what comes twice is refused wherever a field looks for it`(field: String) throws {
    let mapping = "input: { duplicate_keys: fail }\nrecord: { id: a, f: \(field) }"
    #expect(try map(mapping, #"{"a":1,"b":1,"c":{"d":2},"b":3}"#) == "duplicateKey $.b")
    #expect(try map(mapping, #"{"a":1,"b":1,"c":{"d":2,"d":3}}"#) == "duplicateKey $.c.d")
    #expect(try map(mapping, #"{"a":1,"b":1,"c":{"d":2,"e":3,"e":3},"f":1,"f":1}"#).contains("id"))
    let reporting = mapping.replacingOccurrences(of: "fail", with: "report")
    #expect(
      try map(reporting, #"{"a":1,"b":1,"c":{"d":2},"b":3}"#).contains("issue duplicateKey $.b"))
  }

  @Test(arguments: [
    ("last", #"{"id":1,"b":[3],"c":2}"#), ("first", #"{"id":1,"b":1,"c":2}"#),
    ("report", #"{"id":1,"b":[3],"c":2} issue duplicateKey $.b"#), ("fail", "duplicateKey $.b"),
  ])
  func `of members that are kept and looked at the policy says which counts`(
    policy: String, expected: String
  ) throws {
    let mapping =
      "input: { duplicate_keys: \(policy) }\nrecord: { id: a }\nrest: keep\nwhere: { from: b, exists: true }"
    #expect(try map(mapping, #"{"b":1,"a":1,"c":2,"b":[3]}"#) == expected)
  }

  @Test func `an error of a field outlives a later member that a formula reads`() throws {
    let mapping = "record: { a: { join: [z.a] }, c: { calc: z.b, nullable: true } }"
    #expect(try map(mapping, #"{"z":{"a":1},"z":{"b":2}}"#) == "missing $.z.a")
    #expect(try map(mapping, #"{"z":{"b":2},"z":{"a":1}}"#) == #"{"a":"1","c":null}"#)
  }

  @Test func `a member of a dictionary keeps the place at which its key first came`() throws {
    #expect(
      try map("record: { m: { from: m, map: int64 } }", #"{"m":{"a":"x","b":1,"a":2,"c":3}}"#)
        == #"{"m":{"a":2,"b":1,"c":3}}"#)
    #expect(
      try map("record: { m: { from: m, map: int64 } }", #"{"m":{"a":1,"b":1,"a":"x"}}"#)
        == "wrongType $.m.a")
  }

  // MARK: Values

  @Test(arguments: [
    (#"[{"n":1.0},{"n":1}]"#, false), (#"[{"n":[10]},{"n":[1e1]}]"#, false),
    (#"[{"a":1,"b":-0},{"b":0,"a":1.00}]"#, false), (#"[[1],[2]]"#, true),
    (#"[{"n":1},{"n":"1"}]"#, true), (#"[{"n":0.1},{"n":0.10000000000000000001}]"#, true),
    (#"[{"e":"é"},{"e":"e\u0301"}]"#, true), (#"[{"n":1},{"m":1}]"#, true),
  ])
  func `elements are unique by their value, numbers inside them too`(list: String, differ: Bool)
    throws
  {
    let result = try map(
      "record: { l: { from: l, each: json, validate: { unique: true } } }", "{\"l\":\(list)}")
    #expect((result == "validationFailed $.l") == !differ, "\(result)")
  }

  @Test func `what stands in for joined texts is not held to their rules`() throws {
    let mapping = "record: { n: { join: [a, b], default: '?', validate: { min_length: 2 } } }"
    #expect(try map(mapping, #"{"a":"x","b":"y"}"#) == #"{"n":"xy"}"#)
    #expect(try map(mapping, #"{"a":"x"}"#) == #"{"n":"?"}"#)
    #expect(try map(mapping, #"{"a":"x","b":null}"#) == #"{"n":"?"}"#)
    #expect(try map(mapping, #"{"a":"","b":"y"}"#) == "validationFailed $")
    #expect(try map(mapping, #"{"a":[],"b":"y"}"#) == "wrongType $.a")
  }

  @Test func `joined texts are looked up in values, with a type or without`() throws {
    for type in ["", "type: enum, "] {
      let mapping =
        "record: { n: { join: [a, b], with: '-', \(type)values: { x-y: 1, p-q: null } } }"
      #expect(try map(mapping, #"{"a":"x","b":"y"}"#) == #"{"n":1}"#)
      #expect(try map(mapping, #"{"a":"x","b":"z"}"#) == "invalidValue $")
    }
  }

  @Test(arguments: [
    (":a", false), ("://a", false), ("1a:b", false), ("a b:c", false), ("é:a", false),
    ("a%41:b", false), ("a:b", true), ("a/b:c", true), ("?a:b", true), ("#:", true),
    ("//h:1/a:b", true),
    ("./a:b", true), ("a+b-c.d:e", true),
  ])
  func `a URL has no colon in its first segment but that of a scheme`(url: String, isURL: Bool)
    throws
  {
    let result = try map("record: { u: { from: u, type: url } }", "{\"u\":\"\(url)\"}")
    #expect(result == (isURL ? "{\"u\":\"\(url)\"}" : "invalidValue $.u"))
  }

  @Test(arguments: [
    (#"{"o":{"a":1,"b":2,"a":3}}"#, 2), (#"{"o":{"a":1,"\u0061":3}}"#, 1),
    (#"{"o":{"a":{"x":1,"x":2},"b":[{"a":1},"a"],"c":"a","é":",{","e\u0301":"\"","é":0}}"#, 5),
    (#"{"o": { "a" : 1 , "a" : {} } }"#, 1), (#"{"o":{}}"#, 0),
  ])
  func `a key that comes twice is one member, however members are counted`(
    record: String, count: Int
  ) throws {
    let mapping = """
      record:
        count: { from: o, count: true }
        length: { calc: length(o), type: int64 }
        kept: { from: o, map: json, validate: { max_count: \(count) } }
      """
    let made = try map(mapping, record)
    #expect(made.hasPrefix(#"{"count":\#(count),"length":\#(count),"kept":{"#))
    let fewer = mapping.replacing("max_count: \(count)", with: "max_count: \(count - 1)")
    if count > 0 { #expect(try map(fewer, record) == "validationFailed $.o") }
  }
}
