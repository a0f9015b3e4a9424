import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private final class Counter {
  private(set) var number = 0
  private(set) var calls = 0
  var title = ""
  private(set) var notes: [String: String] = [:]

  func increase(to number: Int) {
    calls += 1
    self.number = number + 1
  }

  func note(_ text: String?, for key: String) { notes[key] = text }
}

private struct Box: Equatable {
  private var twice = 0
  var half: Int { twice / 2 }
  var part = Part(a: 1, b: 2)

  mutating func hold(_ number: Int) { twice = number * 2 }

  struct Part: Equatable {
    var a: Int
    var b: Int
  }
}

/// Fields whose value is handed to the object by one function and read by another.
@Suite struct FieldFunctionTests {
  private let counter = Mapping.object(Counter.self) { field in
    field.make(
      creating: { Counter() },
      field("number", named: "count", set: { $0.increase(to: $1) }, get: { $0.number - 1 }),
      field("title", \.title, .string.default("-")),
      field("a.note", named: "note", set: { $0.note($1, for: "a") }, get: { $0.notes["a"] }))
  }

  @Test func `a field of functions decodes and encodes`() throws {
    let decoded = try decode(counter, #"{"number":3,"title":"t","a":{"note":"n"}}"#)
    let value = try #require(decoded.value)
    #expect(value.number == 4 && value.notes == ["a": "n"] && value.title == "t")
    #expect(decoded.isClean && value.calls == 1)
    #expect(try encode(counter, value) == #"{"number":3,"title":"t","a":{"note":"n"}}"#)
    #expect(try decode(counter, #"{"number":"x"}"#).fatal == ["wrongType $.number → count"])
    #expect(try decode(counter, "{}").fatal == ["missing $.number → count"])
    #expect(try decode(counter, #"{"number":3}"#).value?.notes == [:])
    var options = EncodingOptions()
    options.fields = .only(["count"])
    let text = String(
      decoding: try Mapper(counter).encode(value, options: options), as: UTF8.self)
    #expect(text == #"{"number":3}"#)
  }

  @Test func `an update calls only the functions of present fields`() throws {
    let mapper = try Mapper(counter)
    var value = Counter()
    let same = value
    try mapper.update(&value, from: #"{"title":"t"}"#.utf8)
    #expect(value.calls == 0 && value.title == "t")
    try mapper.update(&value, from: #"{"number":7,"a":{"note":"n"}}"#.utf8)
    #expect(value === same && value.number == 8 && value.calls == 1 && value.notes == ["a": "n"])
    try mapper.update(&value, from: #"{"a":{"note":null}}"#.utf8)
    #expect(value.notes == [:])
    #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"number":9,"title":5}"#.utf8)
    }
    #expect(value.number == 8 && value.calls == 1)
    // The whole is not made beside the object that is changed.
    try mapper.update(&value, from: #"{"number":1,"title":"u","a":{"note":"m"}}"#.utf8)
    #expect(value.calls == 2)
  }

  private let box = Mapping.object(Box.self) { field in
    field.make(
      creating: { Box() },
      field("n", named: "number", .int, set: { $0.hold($1) }, get: { $0.half }),
      field(
        "part", named: "part",
        Mapping.object { field in
          field.make(creating: { Box.Part(a: 0, b: 0) }, field("a", \.a), field("b", \.b))
        },
        set: { $0.part = $1 }, get: { $0.part }
      ).mergingUpdates()
    )
  }.validated(Rule("small", expecting: "a number below 100") { $0.half < 100 })

  @Test func `a field of functions works on structs and inside`() throws {
    let mapper = try Mapper(box)
    let made = try #require(try decode(box, #"{"n":5,"part":{"a":3,"b":4}}"#).value)
    #expect(made.half == 5 && made.part == Box.Part(a: 3, b: 4))
    #expect(try encode(box, made) == #"{"n":5,"part":{"a":3,"b":4}}"#)
    var value = made
    try mapper.update(&value, from: #"{"n":6,"part":{"b":9}}"#.utf8)
    #expect(value.half == 6 && value.part == Box.Part(a: 3, b: 9))
    let before = value
    #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"n":100,"part":{"b":1}}"#.utf8)
    }
    #expect(value == before)
  }

  /// Where an initialiser takes the fields it takes this one's value, too.
  @Test func `an initializer takes the value of a function field`() throws {
    struct Pair: Equatable {
      let a: Int
      let b: Int
    }
    let pair = Mapping.object(Pair.self) { field in
      field.make(
        Pair.init, field("x", named: "x", .int, set: { _, _ in }, get: { $0.a * 10 }),
        field("y", \.b))
    }
    #expect(try decode(pair, #"{"x":1,"y":2}"#).value == Pair(a: 1, b: 2))
    #expect(try encode(pair, Pair(a: 1, b: 2)) == #"{"x":10,"y":2}"#)
  }

  @Test func `two fields of one name are a mistake`() {
    let twice = Mapping.object(Counter.self) { field in
      field.make(
        creating: { Counter() },
        field("a", named: "n", .int, set: { $0.increase(to: $1) }, get: { $0.number }),
        field("b", named: "n", .int, set: { $0.increase(to: $1) }, get: { $0.number }))
    }
    #expect(mistakes(twice).count == 1)
  }
}
