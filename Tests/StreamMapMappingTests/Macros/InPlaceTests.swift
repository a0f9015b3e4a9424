import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable
private struct Inner: Equatable {
  let flag: Bool
  let text: String
  let small: Int8
}

@Mappable
private struct Outer: Equatable {
  let id: Int
  let name: String?
  let ratio: Double?
  let isOpen: Bool?
  let inner: Inner
  let maybe: Inner?
  var list: [Inner] = []
  var count: Int? = 3
}

@Mappable
private struct Observed: Equatable {
  var id: Int { didSet {} }
}

@Mappable
private struct Lazy {
  let id: Int
  lazy var twice = id * 2
}

@Mappable
private struct Partly: Equatable {
  let id: Int
  @Unmapped var other = "made by code"
}

@Mappable
private final class Shared: Sendable {
  let id: Int
}

/// A struct that is nothing but its fields may be made by storing each field where it is.
@Suite struct InPlaceTests {
  private static func isMadeInPlace<Value>(_ mapping: Mapping<Value>) -> Bool {
    mapping.definition.operations?.isMadeOfFields ?? false
  }

  @Test func `only a struct that stores its fields and nothing else is made in place`() {
    #expect(Self.isMadeInPlace(Inner.mapping))
    #expect(Self.isMadeInPlace(Outer.mapping))
    #expect(!Self.isMadeInPlace(Observed.mapping))
    #expect(!Self.isMadeInPlace(Lazy.mapping))
    #expect(!Self.isMadeInPlace(Partly.mapping))
    #expect(!Self.isMadeInPlace(Shared.mapping))
  }

  /// Each record, or its error with its place.
  private static func results<Value: Mappable>(of text: String, _ parser: RecordParser) throws
    -> [(Value?, String)]
  {
    var mapper = try Mapper(Value.self)
    mapper.parser = parser
    return try mapper.records(in: Feed(Array(text.utf8), format: .ndjson)).map {
      ($0.value, "\($0.error.map(String.init(describing:)) ?? "") \($0.issues)")
    }
  }

  @Test func `rows and tokens give the same structs and the same errors`() throws {
    let inner = #"{"flag":true,"text":"a string that is long enough for the heap","small":-5}"#
    let lines = [
      #"{"id":1,"name":"short","ratio":0.5,"isOpen":false,"inner":\#(inner),"maybe":\#(inner),"list":[\#(inner),\#(inner)],"count":1}"#,
      #"{"id":123456789012345678,"name":null,"ratio":null,"inner":\#(inner),"maybe":null,"list":[],"count":null}"#,
      #"{"id":-7,"inner":\#(inner)}"#,
      #"{"id":8,"name":"a \"quoted\" name that is longer than a small string","ratio":-1e300,"inner":\#(inner)}"#,
      #"{"id":9.5,"inner":\#(inner)}"#,
      #"{"id":10,"name":5,"inner":\#(inner)}"#,
      #"{"id":11,"ratio":1e999,"inner":\#(inner)}"#,
      #"{"id":12,"inner":{"flag":true,"text":"a string that is long enough for the heap","small":500}}"#,
      #"{"id":13,"inner":\#(inner),"list":[\#(inner),{"flag":1}]}"#,
      #"{"id":14,"inner":\#(inner),"maybe":{"flag":true}}"#,
      #"{"id":99999999999999999999,"inner":\#(inner)}"#,
      #"{"id":15,"isOpen":"yes","inner":\#(inner)}"#,
      #"{"id":16,"inner":[]}"#,
    ]
    // Each kind of record comes often, alone and among others.
    let feed = (lines.flatMap { Array(repeating: $0, count: 5) } + lines + lines.reversed())
      .joined(separator: "\n")
    let rows: [(Outer?, String)] = try Self.results(of: feed, .auto)
    let tokens: [(Outer?, String)] = try Self.results(of: feed, .yajl)
    #expect(rows.count == lines.count * 7)
    #expect(rows.map(\.0) == tokens.map(\.0))
    #expect(rows.map(\.1) == tokens.map(\.1))
    #expect(rows.count { $0.0 != nil } == 7 * 4)
    #expect(rows[0].0?.list.count == 2)
    #expect(rows[0].0?.inner.small == -5)
  }

  private struct Held {
    let first: LifetimeTracked
    let number: Int
    let second: LifetimeTracked?
    let last: [LifetimeTracked]
  }

  private static func held(_ counter: LifetimeCounter) -> Mapping<Held> {
    let tracked: Mapping<LifetimeTracked> = .converted(
      from: .string, { LifetimeTracked($0, counter) }, reverse: { $0.text })
    var fields = _GeneratedFields<Held>()
    fields.add("first", at: "first", \.first, tracked) { $0.first }
    fields.add("number", at: "number", \.number) { $0.number }
    fields.add("second", at: "second", \.second, tracked) { $0.second }
    fields.add("last", at: "last", \.last, .array(of: tracked)) { $0.last }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Held(first: slots.take(), number: slots.take(), second: slots.take(), last: slots.take())
    }
  }

  @Test func `what is half made in place is released`() throws {
    let counter = LifetimeCounter()
    let mapping = Self.held(counter)
    #expect(Self.isMadeInPlace(mapping))
    let lines = [
      #"{"first":"a","number":1,"second":"b","last":["c","d"]}"#,
      #"{"first":"a","number":"one","second":"b","last":["c","d"]}"#,
      #"{"first":"a","number":1,"second":2,"last":["c","d"]}"#,
      #"{"first":"a","number":1,"second":"b","last":["c",4]}"#,
      #"{"first":"a","number":1,"last":["c"]}"#,
      #"{"number":1}"#,
    ]
    let feed = (lines + lines + lines.reversed() + lines).joined(separator: "\n")
    var kept = 0
    for record in try Mapper(mapping).records(in: Feed(Array(feed.utf8), format: .ndjson)) {
      if let value = record.value {
        kept += 1
        #expect(counter.live == 1 + (value.second == nil ? 0 : 1) + value.last.count)
      } else {
        #expect(counter.live == 0)
      }
    }
    #expect(kept == 8)
    #expect(counter.live == 0)
    #expect(counter.made > 50)
  }

  private struct More: Equatable {
    let a: Int8
    var hidden = "made by code"
    let b: Int
  }

  @Test func `a property that generated code does not know is set by the initializer`() throws {
    var fields = _GeneratedFields<More>()
    fields.add("a", at: "a", \.a) { $0.a }
    fields.add("b", at: "b", \.b) { $0.b }
    let mapping = Mapping<More>(_generated: fields, storesOnlyFields: true) { slots in
      More(a: slots.take(), b: slots.take())
    }
    #expect(!Self.isMadeInPlace(mapping))
    let feed = String(repeating: #"{"a":1,"b":2}"# + "\n", count: 20)
    let records = try Mapper(mapping).records(in: Feed(Array(feed.utf8), format: .ndjson))
    #expect(records.map(\.value) == Array(repeating: More(a: 1, b: 2), count: 20))
  }
}
