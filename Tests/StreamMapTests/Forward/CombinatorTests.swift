import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What becomes of a document by every route: its value, and its errors a line each.
private func outcome<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> String {
  let record = try #require(try Routes.run(mapping, document).first)
  var lines: [String] = []
  switch record.result {
  case .success(let value): lines.append("\(value)")
  case .failure(let error): lines.append(error.fullDescription)
  }
  return (lines + record.issues.map { "issue " + $0.fullDescription }).joined(separator: "\n")
}

private func text<Value>(_ mapping: Mapping<Value>, _ value: Value) throws -> String {
  String(decoding: try Mapper(mapping).encode(value), as: UTF8.self)
}

private struct Point: Equatable, CustomDebugStringConvertible {
  let x: Int
  let y: Int
  var debugDescription: String { "Point(x: \(x), y: \(y))" }
  static let mapping = Mapping.object(Point.self) { field in
    field.make(Point.init, field("x", \.x), field("y", \.y))
  }
}

private struct Order: Equatable, CustomStringConvertible {
  let id: Int
  let others: [String: JSONValue]
  var description: String { "\(id) \(others.sorted { $0.key < $1.key })" }
  static let mapping = Mapping.object(Order.self) { field in
    field.make(Order.init, field("id", \.id), field(collecting: \.others))
  }
}

@Suite struct CombinatorTests {
  // MARK: Places

  @Test func `a value at a path is read and written there`() throws {
    let point: Mapping<Point> = .at("a.b", Point.mapping)
    #expect(try outcome(point, #"{"z":0,"a":{"b":{"x":1,"y":2}}}"#) == "Point(x: 1, y: 2)")
    #expect(
      try outcome(point, #"{"a":{"b":{"x":1}}}"#)
        == "fatal missing at $.a.b.y → y (record 1, line 1, column 11, bytes 10..<17): an integer (Int) is missing"
    )
    #expect(
      try outcome(point, #"{"a":7}"#)
        == "fatal wrongType at $.a (record 1, line 1, column 6, bytes 5..<6): expected an object, found a number"
    )
    #expect(try text(point, Point(x: 1, y: 2)) == #"{"a":{"b":{"x":1,"y":2}}}"#)
    let elements: Mapping<[Int]> = .array(of: .at("x", .int))
    #expect(try outcome(elements, #"[{"x":1},{"x":2}]"#) == "[1, 2]")
  }

  @Test func `a value is mapped as if it stood inside an object`() throws {
    let point: Mapping<Int> = .wrapped(in: ["a", "b"], .at("a.b", .int))
    #expect(try outcome(point, "7") == "7")
    #expect(try text(point, 7) == "7")
  }

  @Test func `a value is joined from several places, with all errors`() throws {
    struct Event: Equatable {
      let when: String
      let name: String
    }
    let event = Mapping.object(Event.self) { field in
      field.make(
        Event.init,
        field(
          "$", \.when,
          .joined(
            Part("date", .string), Part("time.utc", .string), by: { "\($0)T\($1)Z" },
            split: { text in
              let parts = text.dropLast().split(separator: "T")
              return (String(parts[0]), String(parts[1]))
            })), field("name", \.name))
    }
    let document = #"{"time":{"utc":"10:00"},"name":"x","date":"2026-11-21","other":[1]}"#
    #expect(
      try outcome(event, document) == "Event(when: \"2026-11-21T10:00Z\", name: \"x\")"
    )
    #expect(
      try outcome(event, #"{"time":{"utc":10},"name":"x"}"#) == """
        fatal severalErrors at $ (record 1, line 1, column 1, bytes 0..<30): 2 errors
          - fatal wrongType at $.time.utc → when (record 1, line 1, column 16, bytes 15..<17): expected a string, found a number
          - fatal missing at $.date → when (record 1, line 1, column 1, bytes 0..<30): a string is missing
        """)
  }

  @Test func `a tuple takes elements by their index`() throws {
    let pair: Mapping<(String, Int)> = .tuple(.string, .int)
    #expect(try outcome(pair, #"["a",1,true]"#) == #"("a", 1)"#)
    #expect(
      try outcome(pair, #"["a"]"#)
        == "fatal missing at $[1] (record 1, line 1, column 1, bytes 0..<5): an integer (Int) is missing"
    )
    #expect(try text(pair, ("a", 1)) == #"["a",1]"#)
  }

  @Test func `a set has each element once`() throws {
    let set: Mapping<Set<Int>> = .set(of: .int)
    let sorted: Mapping<[Int]> = .converted(
      from: set, { $0.sorted() }, reverse: { Set($0) })
    #expect(try outcome(sorted, "[2,1,1]") == "[1, 2]")
    #expect(try outcome(set, "[]") == "[]")
    #expect(try text(set, [3]) == "[3]")
  }

  // MARK: Functions

  @Test func `a function before the mapping rewrites its value`() throws {
    let points: Mapping<[Point]> = .preTransformed(.array(of: Point.mapping)) { value in
      if case .array = value { value } else { [value] }
    }
    #expect(try outcome(points, #"{"x":1,"y":2}"#) == "[\(Point(x: 1, y: 2))]")
    #expect(try outcome(points, #"[{"x":1,"y":2}]"#) == "[\(Point(x: 1, y: 2))]")
    #expect(
      try outcome(points, #" [{"x":1,"y":"2"}]"#)
        == "fatal wrongType at $[0].y → [0].y (record 1, line 1, column 2, bytes 1..<18): expected an integer (Int), found a string"
    )
    #expect(try outcome(.array(of: points), #"[{"x":1,"y":2}]"#) == "[[\(Point(x: 1, y: 2))]]")
    #expect(try text(points, [Point(x: 1, y: 2)]) == #"[{"x":1,"y":2}]"#)
  }

  @Test func `a function after the mapping sees JSON and value`() throws {
    let point = Point.mapping.postProcessed { json, point in
      Point(x: point.x, y: json["z"] == nil ? point.y : -1)
    }
    #expect(try outcome(point, #"{"x":1,"y":2}"#) == "\(Point(x: 1, y: 2))")
    #expect(try outcome(point, #"{"x":1,"y":2,"z":[]}"#) == "\(Point(x: 1, y: -1))")
    #expect(try text(point, Point(x: 1, y: 2)) == #"{"x":1,"y":2}"#)
    #expect(try outcome(.array(of: point), #"[{"x":1,"y":2,"z":0}]"#) == "[\(Point(x: 1, y: -1))]")
  }

  @Test func `a failure is recovered from where the function gives a value`() throws {
    let point = Point.mapping.recovering { json in
      json["none"] == nil ? nil : Point(x: 0, y: 0)
    }
    #expect(try outcome(point, #"{"none":1}"#).hasPrefix("\(Point(x: 0, y: 0))\nissue"))
    #expect(try outcome(point, "{}").hasPrefix("fatal noAlternative"))
    #expect(try text(point, Point(x: 1, y: 2)) == #"{"x":1,"y":2}"#)
  }

  @Test func `a split mapping decodes by one and encodes by another`() throws {
    let number: Mapping<Int> = .decoding(.int(from: .string), encoding: .int)
    #expect(try outcome(number, #""7""#) == "7")
    #expect(try text(number, 7) == "7")
  }

  @Test func `a Codable type is read and written by its coder`() throws {
    struct Old: Codable, Equatable { let a: [Int] }
    let old: Mapping<[Old]> = .array(of: .codable())
    #expect(try Routes.run(old, #"[{"a":[1,2]}]"#).first?.value == [Old(a: [1, 2])])
    #expect(try text(old, [Old(a: [1])]) == #"[{"a":[1]}]"#)
    #expect(try outcome(old, #"[{"a":[1,"2"]}]"#).hasPrefix("fatal conversionFailed at $[0]"))
  }

  @Test func `a one-way mapping decodes but does not encode`() throws {
    let length: Mapping<Int> = .oneWay(from: .string) { $0.count }
    #expect(try outcome(length, #""abc""#) == "3")
    #expect(throws: MappingError.self) { try Mapper(length).encode(3) }
  }

  // MARK: Rules

  @Test func `all rules that a value breaks are reported`() throws {
    let age: Mapping<Int> = .int.validated(.in(0...150), .multipleOf(2))
    #expect(try outcome(age, "42") == "42")
    #expect(
      try outcome(age, "151") == """
        fatal severalErrors at $ (record 1, line 1, column 1, bytes 0..<3): 2 errors
          - fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<3): expected from 0 to 150
          - fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<3): expected a multiple of 2
        """)
    let record = try #require(try Routes.run(age, "-2").first)
    #expect(record.error?.rule == "range")
    #expect(try outcome(.array(of: .nullable(age)), "[null,2]") == "[nil, Optional(2)]")
    #expect(try outcome(age.default(0, when: .missingOrInvalid), "-2").hasPrefix("0\nissue"))
    #expect(try outcome(age.default(-7), "null") == "-7")
  }

  @Test func `rules check whole arrays and objects`() throws {
    let list: Mapping<[Int]> = .array(of: .int).validated(.unique)
    #expect(try outcome(list, "[1,2]") == "[1, 2]")
    #expect(try outcome(list, "[1,1]").hasPrefix("fatal validationFailed at $ (record 1"))
    let point = Point.mapping.validated(Rule("order", expecting: "x below y") { $0.x < $0.y })
    #expect(try outcome(.array(of: point), #"[{"x":1,"y":2}]"#) == "[\(Point(x: 1, y: 2))]")
    #expect(
      try outcome(.array(of: point), #"[{"x":2,"y":2}]"#)
        == "fatal validationFailed at $[0] → [0] (record 1, line 1, column 2, bytes 1..<14): expected x below y"
    )
    #expect(throws: DefinitionError.self) {
      try Mapper(Mapping<String>.string.validated(.matches("(")))
    }
  }

  // MARK: Keys

  @Test func `unknown keys are collected and written back`() throws {
    let document = #"{"b":[1,{"x":null}],"id":7,"a":"x","b":2}"#
    let order = try #require(try Routes.run(Order.mapping, document).first?.value)
    #expect(order == Order(id: 7, others: ["b": 2, "a": "x"]))
    #expect(try text(Order.mapping, order) == #"{"id":7,"a":"x","b":2}"#)
    #expect(try outcome(.array(of: Order.mapping), #"[{"id":1},{"id":2,"z":1}]"#).contains("z"))
  }

  @Test func `unknown keys are reported or refused by policy`() throws {
    let document = #"[{"x":1,"y":2,"z":{"x":[3]}}]"#
    #expect(
      try outcome(.array(of: Point.mapping.unknownKeys(.report)), document) == """
        [\(Point(x: 1, y: 2))]
        issue issue unknownKey at $[0].z → [0] (record 1, line 1, column 15, bytes 14..<17): a key that is not mapped
        """)
    #expect(
      try outcome(.array(of: Point.mapping.unknownKeys(.fail)), document)
        == "fatal unknownKey at $[0].z → [0] (record 1, line 1, column 15, bytes 14..<17): a key that is not mapped"
    )
  }

  @Test(arguments: [
    (DuplicateKeyPolicy.last, "[3, 2]"), (.first, "[1, 2]"),
    (
      .report,
      "[3, 2]\nissue issue duplicateKey at $.x (record 1, line 1, column 14, bytes 13..<16): a key that occurred before"
    ),
    (
      .fail,
      "fatal duplicateKey at $.x (record 1, line 1, column 14, bytes 13..<16): a key that occurred before"
    ),
  ])
  func `a duplicate key is resolved by the object's policy`(
    policy: DuplicateKeyPolicy, expected: String
  ) throws {
    let point = Point.mapping.duplicateKeys(policy)
    let list: Mapping<[Int]> = .converted(
      from: point, { [$0.x, $0.y] }, reverse: { Point(x: $0[0], y: $0[1]) })
    #expect(try outcome(list, #"{"x":1,"y":2,"x":3}"#).replacing(" → x (", with: " (") == expected)
  }

  @Test func `a duplicate key that is passed over is not unknown`() throws {
    let document = #"{"x":1,"y":2,"x":3}"#
    let point = Point.mapping.unknownKeys(.report).duplicateKeys(.first)
    #expect(try outcome(point, document) == "\(Point(x: 1, y: 2))")
    let order = Order.mapping.duplicateKeys(.first)
    #expect(try outcome(order, #"{"id":1,"id":2}"#) == "\(Order(id: 1, others: [:]))")
  }

  // MARK: Places that fields share, on the way back

  @Test func `a whole object and collected members are written as one`() throws {
    struct Half: Equatable {
      let name: String
      let others: [String: JSONValue]
    }
    let half = Mapping.object(Half.self) { field in
      field.make(
        Half.init, field("$", \.name, .at("name", .string)), field(collecting: \.others))
    }
    let value = Half(name: "n", others: ["x": 1])
    #expect(try text(half, value) == #"{"name":"n","x":1}"#)
  }

  private struct Shared: Equatable {
    let name: String
    let moment: String?
    let first: Int?
    let rest: [Int?]
  }

  @Test func `fields that share a place write one value`() throws {
    let moment: Mapping<String> = .joined(
      Part("at.date", .string), Part("at.time", .string), by: { "\($0) \($1)" },
      split: { text in
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { throw ConversionFailure(expected: "two parts") }
        return (String(parts[0]), String(parts[1]))
      })
    let rest: Mapping<[Int?]> = .joined(
      Part("[1]", .nullable(.int)), Part("[2]", .nullable(.int)), by: { [$0, $1] },
      split: { ($0[0], $0[1]) })
    let shared = Mapping.object(Shared.self) { field in
      field.make(
        Shared.init, field("at.name", \.name), field("$", \.moment, moment),
        field("list[0]", \.first), field("list", \.rest, rest))
    }
    let document = #"{"at":{"name":"n","date":"d","time":"t"},"list":[1,2,3]}"#
    let value = try #require(try Mapper(shared).decode(document.utf8).value)
    #expect(value == Shared(name: "n", moment: "d t", first: 1, rest: [2, 3]))
    let back = try text(shared, value)
    #expect(back == #"{"at":{"name":"n","date":"d","time":"t"},"list":[1,2,3]}"#)
    #expect(
      try text(shared, Shared(name: "n", moment: nil, first: nil, rest: [nil, 3]))
        == #"{"at":{"name":"n"},"list":[null,null,3]}"#)
    #expect {
      try text(shared, Shared(name: "n", moment: "broken", first: nil, rest: [nil, nil]))
    } throws: {
      ($0 as? MappingError)?.code == .conversionFailed
    }
  }
}
