import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Values back to JSON.
@Suite struct EncodeTests {
  struct Refused: Error {}

  private func text<Value>(_ mapping: Mapping<Value>, _ value: Value) throws -> String {
    String(decoding: try Mapper(mapping).encode(value), as: UTF8.self)
  }

  // MARK: Combinators

  @Test func `scalars are written as JSON`() throws {
    #expect(try text(.string, "a\"\\/\n\u{1}é\u{7F}😀") == #""a\"\\/\n\u0001é\#u{7F}😀""#)
    #expect(try text(.bool, true) == "true")
    #expect(try text(.int, .min) == "-9223372036854775808")
    #expect(try text(.uint64, .max) == "18446744073709551615")
    #expect(try text(.int8, -128) == "-128")
    #expect(try text(.double, 0.1) == "0.1")
    #expect(try text(.double, -0.0).hasPrefix("-0"))
    #expect(Double(try text(.double, 1e300)) == 1e300)
    #expect(Float(try text(.float, 0.1)) == 0.1)
    #expect(try text(.decimal, #require(Decimal(string: "123.4500"))) == "123.45")
    #expect(try text(.url, #require(URL(string: "https://a.b/c?d=e"))) == #""https://a.b/c?d=e""#)
    let uuid = "01234567-89AB-CDEF-0123-456789ABCDEF"
    #expect(try text(.uuid, #require(UUID(uuidString: uuid))).uppercased() == "\"\(uuid)\"")
    #expect(try text(.date, Date(timeIntervalSince1970: 0)) == #""1970-01-01T00:00:00Z""#)
    #expect(
      try text(.json, .object([JSONValue.Member("a", .array([.number("1.50"), .null]))]))
        == #"{"a":[1.50,null]}"#)
    let raw = try Mapper(Mapping<RawJSON>.raw).decode(#"{ "a" : [1.0] }"#.utf8).get()
    #expect(try text(.raw, raw) == #"{"a":[1.0]}"#)
  }

  @Test func `containers are written as JSON`() throws {
    #expect(try text(.array(of: .int), [1, 2]) == "[1,2]")
    #expect(try text(.array(of: .array(of: .string)), [[], ["a"]]) == #"[[],["a"]]"#)
    #expect(try text(.array(of: .nullable(.int)), [1, nil]) == "[1,null]")
    #expect(try text(.array(of: .int, omitsInvalid: true), [1, 2]) == "[1,2]")
    #expect(
      try text(.dictionary(of: .int), ["b": 1, "é": 2, "a": 3, "": 4])
        == #"{"":4,"a":3,"b":1,"é":2}"#)
    #expect(try text(.dictionary(of: .nullable(.int)), ["a": nil]) == #"{"a":null}"#)
    #expect(try text(.nullable(.int), nil) == "null")
    #expect(try text(.nullable(.array(of: .bool)), [true]) == "[true]")
    #expect(
      try text(
        .converted(from: .string, { $0.count }, reverse: { String(repeating: "x", count: $0) }), 3)
        == #""xxx""#)
    #expect(try text(Mapping<Int>.int.default(7), 7) == "7")
  }

  // MARK: Objects

  struct Paths: Equatable {
    var a: Int
    var b: String?
    var c: Int?
    var d: [Int]?
    var e: Bool?
  }

  static let paths = Mapping.object(Paths.self) { field in
    field.make(
      Paths.init, field("x.a", \.a), field("y.z.b", \.b), field("x.c", \.c), field("x.d", \.d),
      field(.key("p.q"), \.e))
  }

  @Test func `fields with a common path are written into one object`() throws {
    #expect(
      try text(Self.paths, Paths(a: 1, b: "s", c: 2, d: [], e: true))
        == #"{"x":{"a":1,"c":2,"d":[]},"y":{"z":{"b":"s"}},"p.q":true}"#)
    #expect(try text(Self.paths, Paths(a: 1)) == #"{"x":{"a":1}}"#)
    #expect(try text(Self.paths, Paths(a: 1, e: false)) == #"{"x":{"a":1},"p.q":false}"#)
  }

  struct Elements: Equatable {
    var first: Int?
    var third: String?
    var deep: Int?
  }

  @Test func `fields with indices are written into one array`() throws {
    let mapping = Mapping.object(Elements.self) { field in
      field.make(
        Elements.init, field("l[0]", \.first), field("l[2]", \.third), field("l[3].x[1]", \.deep))
    }
    #expect(
      try text(mapping, Elements(first: 1, third: "c", deep: 5))
        == #"{"l":[1,null,"c",{"x":[null,5]}]}"#)
    #expect(try text(mapping, Elements(third: "c")) == #"{"l":[null,null,"c"]}"#)
    #expect(try text(mapping, Elements()) == "{}")
    let row = Mapping.object(Elements.self) { field in
      field.make(
        Elements.init, field("[0]", \.first), field("[2]", \.third), field("[1]", \.deep))
    }
    #expect(try text(row, Elements(first: 1, third: "c", deep: 2)) == #"[1,2,"c"]"#)
  }

  struct Twice: Equatable {
    var once: Int?
    var again: Int?
    var always: String
  }

  @Test func `fields of one source write it once, and constants nothing`() throws {
    let mapping = Mapping.object(Twice.self) { field in
      field.make(
        Twice.init, field("n", \.once), field("n", \.again), field(constant: "fixed", \.always))
    }
    #expect(try text(mapping, Twice(once: 1, again: 2, always: "x")) == #"{"n":1}"#)
    #expect(try text(mapping, Twice(again: 2, always: "x")) == #"{"n":2}"#)
    #expect(try text(mapping, Twice(always: "x")) == "{}")
  }

  // MARK: Values without JSON

  struct Measured { var list: [Nested] }
  struct Nested { var value: Double }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite fails with its path`(_ number: Double) throws {
    let nested = Mapping.object(Nested.self) { field in
      field.make(Nested.init, field("v.w", \.value))
    }
    let mapping = Mapping.object(Measured.self) { field in
      field.make(Measured.init, field("l", \.list, .array(of: nested)))
    }
    let mapper = try Mapper(mapping)
    let value = Measured(list: [Nested(value: 1), Nested(value: number), Nested(value: .nan)])
    let error = #expect(throws: MappingError.self) { try mapper.encode(value) }
    #expect(
      error?.description
        == "fatal invalidValue at $.l[1].v.w: expected a finite number, found a value that JSON cannot write"
    )
    #expect(throws: MappingError.self) { try Mapper(Mapping<Float>.float).encode(Float(number)) }
  }

  @Test func `a decimal, date or conversion without JSON fails`() throws {
    #expect(throws: MappingError.self) { try text(.decimal, .nan) }
    #expect(throws: MappingError.self) { try text(.date, Date(timeIntervalSince1970: 1e15)) }
    for number in ["01", "1.", "", "NaN", "1 ", "+1", "0x1"] {
      let error = #expect(throws: MappingError.self) {
        try text(.dictionary(of: .json), ["k": .array([.number(number)])])
      }
      #expect(error?.path.description == "$.k")
    }
    let oneWay: Mapping<[Int]> = .array(
      of: .converted(from: .int, { $0 }, reverse: { _ in throw Refused() }))
    let error = #expect(throws: MappingError.self) { try text(oneWay, [1]) }
    #expect(error?.code == .conversionFailed)
    #expect(error?.path.description == "$[0]")
    #expect(error?.underlying.first is Refused)
  }
}
