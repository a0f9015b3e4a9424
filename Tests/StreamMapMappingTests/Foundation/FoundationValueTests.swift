import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Person: Equatable {
  var name: String
  var age: Int?
  var score: Double
  var tags: [String]
  var home: Address?

  static let mapping = Mapping.object(Person.self) { field in
    field.make(
      Person.init, field("name", \.name), field("age", \.age), field("score", \.score),
      field("tags", \.tags), field("home", \.home, Address.mapping))
  }
}

private struct Address: Equatable {
  var city: String
  static let mapping = Mapping.object(Address.self) { field in
    field.make(Address.init, field("where.city", \.city))
  }
}

@Suite struct FoundationValueTests {
  /// The events of a value as JSON text, or its error.
  private func text(_ value: Any, depth: Int = 512) throws -> String {
    var limits = Limits()
    limits.depth = depth
    let record = try Mapper(Mapping<JSONValue>.json, limits: limits).decode(foundationObject: value)
    return record.value?.description ?? record.error?.description ?? ""
  }

  @Test func `a CGFloat is a number as a Double is`() throws {
    struct Size: Equatable {
      let width: CGFloat
      let height: CGFloat?
    }
    let mapping = Mapping.object(Size.self) { field in
      field.make(Size.init, field("width", \.width), field("height", \.height))
    }
    let mapper = try Mapper(mapping)
    let size = try mapper.decode(#"{"width":0.1,"height":1e3}"#).get()
    #expect(size == Size(width: 0.1, height: 1000))
    #expect(
      String(decoding: try mapper.encode(size), as: UTF8.self) == #"{"width":0.1,"height":1000.0}"#)
    #expect(mapper.decode(#"{"width":"1"}"#).error?.leaves.map(\.code) == [.wrongType])
    #expect(mapper.decode(#"{"width":1e999}"#).error?.leaves.map(\.code) == [.numberOutOfRange])
  }

  // MARK: Values to events

  static let scalars: [(any Sendable, String)] = [
    ("a\"é", #""a\"é""#), ("abc".dropFirst(), #""bc""#), (true, "true"), (false, "false"),
    (1, "1"), (0, "0"), (Int8(-128), "-128"), (UInt64.max, "18446744073709551615"),
    (Int64.min, "-9223372036854775808"), (UInt128.max, "340282366920938463463374607431768211455"),
    (0.1, "0.1"), (5.0, "5.0"), (-0.0, "-0.0"), (Float(0.1), "0.1"), (CGFloat(2.5), "2.5"),
    (Decimal(string: "12345678901234567890.12345"), "12345678901234567890.12345"),
    (Int?.none, "null"), (Int??.some(.some(3)), "3"),
  ]

  @Test(arguments: scalars.indices) func `a Swift scalar is read as its JSON value`(index: Int)
    throws
  {
    let (value, expected) = Self.scalars[index]
    #expect(try text(value) == expected)
  }

  @Test func `a Foundation scalar is read as its JSON value`() throws {
    #expect(try text(NSNull()) == "null")
    #expect(try text(NSString(string: "é")) == #""é""#)
    for (number, expected) in [
      (NSNumber(value: true), "true"), (NSNumber(value: false), "false"), (NSNumber(value: 1), "1"),
      (NSNumber(value: Int8(0)), "0"), (NSNumber(value: UInt64.max), "18446744073709551615"),
      (NSNumber(value: Int64.min), "-9223372036854775808"), (NSNumber(value: 5.0), "5.0"),
      (NSNumber(value: Float(0.1)), "0.1"), (NSNumber(value: UInt8(200)), "200"),
      (NSDecimalNumber(string: "0.12345678901234567890123"), "0.12345678901234567890123"),
    ] {
      #expect(try text(number) == expected)
    }
  }

  @Test func `Swift and Foundation containers are read alike, keys sorted`() throws {
    #expect(try text([1, "x", [true], NSNull()] as [Any]) == #"[1,"x",[true],null]"#)
    #expect(try text([Int]()) == "[]")
    #expect(try text([1, nil] as [Int?]) == "[1,null]")
    #expect(try text(NSArray(array: [1, NSArray(array: ["x"])])) == #"[1,["x"]]"#)
    let members: [String: Any?] = ["é": 1, "b": nil, "a": [String: Int](), "B": ["x": 1]]
    #expect(try text(members) == #"{"B":{"x":1},"a":{},"b":null,"é":1}"#)
    #expect(
      try text(NSDictionary(dictionary: ["k": NSDictionary(dictionary: ["n": 1])]))
        == #"{"k":{"n":1}}"#)
    #expect(try text(["k": 1] as [AnyHashable: Any]) == #"{"k":1}"#)
  }

  @Test func `what JSONSerialization gives is read as the same document`() throws {
    let document = #"{"a":[1,1.5,true,false,null,"x",{}],"b":18446744073709551615,"c":-1}"#
    let value = try JSONSerialization.jsonObject(with: Data(document.utf8))
    #expect(try text(value) == document)
  }

  @Test func `a value without JSON is an error at its path`() throws {
    let date: [String: Any] = ["a": [1, ["b": Date()]] as [Any]]
    #expect(
      try text(date) == """
        fatal wrongType at $.a[1].b: expected null, a boolean, a number, a string, an array or a \
        dictionary, found a value of type Date
        """)
    #expect(
      try text(["x": [1: "a"]]) == """
        fatal wrongType at $.x: expected a dictionary whose keys are strings, found a key of type Int
        """)
    for number in [Double.nan, .infinity] {
      #expect(
        try text([0, number])
          == "fatal invalidValue at $[1]: expected a finite number, found a value that JSON cannot write"
      )
      #expect(try text(NSNumber(value: number)).contains("a finite number"))
    }
    #expect(try text(Decimal.nan).contains("a finite number"))
  }

  @Test func `the limit of depth holds for Foundation values`() throws {
    #expect(try text([[1]], depth: 2) == "[[1]]")
    #expect(
      try text(["a": [["b"]]], depth: 2) == """
        fatal limitExceeded at $.a[0]: expected at most 2 levels of nesting (Limits.depth)
        """)
    var deep: Any = 1
    for _ in 0..<2000 { deep = [deep] }
    #expect(try text(deep).hasPrefix("fatal limitExceeded at $[0][0]"))
  }

  // MARK: Values to values

  @Test func `a typed value is read from a dictionary`() throws {
    let mapper = try Mapper(Person.mapping)
    let value: [String: Any] = [
      "name": "Ann", "age": NSNull(), "score": 1, "tags": ["x"],
      "home": ["where": ["city": "Bonn", "zip": Date()]],
    ]
    // What no one wants is examined, too.
    #expect(mapper.decode(foundationObject: value).error?.path.description == "$.home.where.zip")
    let record = mapper.decode(
      foundationObject: [
        "name": "Ann", "score": 1, "tags": ["x"], "home": ["where": ["city": "Bonn"]],
      ])
    #expect(
      try record.get()
        == Person(name: "Ann", score: 1, tags: ["x"], home: Address(city: "Bonn")))
    #expect(record.position == nil && record.number == 1)
  }

  @Test func `errors of Foundation values have paths but no positions`() throws {
    let mapper = try Mapper(Person.mapping)
    // A mapper that read text before has no positions of it left.
    _ = mapper.decode("[]".utf8)
    let record = mapper.decode(
      foundationObject: ["name": 1, "score": "x", "tags": ["a", 2] as [Any], "home": ["where": 3]]
        as [String: Any])
    #expect(
      record.error?.description == """
        fatal severalErrors at $ (record 1): 4 errors
          - fatal wrongType at $.home.where → home.city (record 1): expected an object, found a number
          - fatal wrongType at $.name → name (record 1): expected a string, found a number
          - fatal wrongType at $.score → score (record 1): expected a number (Double), found a string
          - fatal wrongType at $.tags[1] → tags[1] (record 1): expected a string, found a number
        """)
    // The mapper continues.
    #expect(
      mapper.decode(foundationObject: ["name": "A", "score": 0.5, "tags": []]).value?.score == 0.5)
  }

  @Test func `an output record is made from a dictionary`() throws {
    let mapper = try Mapper(
      output: .object([OutputField("n", from: "a.b", .number), OutputField("s", from: "s", .any)]))
    let record = mapper.decode(foundationObject: ["a": ["b": 1.5], "s": "x"] as [String: Any])
    #expect(record.value?.description == #"{"n":1.5,"s":"x"}"#)
  }

  // MARK: Events to values

  @Test func `a value is encoded as a dictionary and comes back`() throws {
    let mapper = try Mapper(Person.mapping)
    let ann = Person(name: "Ann", age: 31, score: 5, tags: ["x"], home: Address(city: "Bonn"))
    let value = try #require(try mapper.encode(asFoundationObject: ann) as? [String: Any])
    #expect(value["name"] as? String == "Ann")
    #expect(value["age"] as? Int == 31 && value["score"] as? Double == 5)
    #expect(value["tags"] as? [String] == ["x"])
    #expect(value["home"] as? [String: [String: String]] == ["where": ["city": "Bonn"]])
    #expect(value.count == 5)
    #expect(try mapper.decode(foundationObject: value).get() == ann)
    let data = try JSONSerialization.data(withJSONObject: value)
    #expect(try mapper.decode(data).get() == ann)
    let bob = Person(name: "Bob", score: 0, tags: [])
    #expect(
      try #require(try mapper.encode(asFoundationObject: bob) as? [String: Any])["age"] == nil)
  }

  @Test(arguments: [
    ("1", "i"), ("-9223372036854775808", "i"), ("18446744073709551615", "u"),
    ("100000000000000000000", "d"), ("18446744073709551617", "D"), ("0.1", "d"), ("9.90", "d"),
    ("-0", "d"), ("-0.0", "d"), ("5.0", "d"), ("1e3", "d"), ("1e300", "d"), ("5e-324", "d"),
    ("0.12345678901234567890123", "D"), ("1e400", "-"), ("1e-400", "-"),
    ("0.1000000000000000055511151231257827021181583404541015625", "-"),
  ])
  func `a number keeps its exact value or is refused`(text: String, kind: String) throws {
    let mapper = try Mapper(Mapping<[String: JSONValue]>.declared)
    let result = Result { try mapper.encode(asFoundationObject: ["n": .number(text)]) }
    guard kind != "-" else {
      #expect(
        (result.failure as? MappingError)?.description == """
          fatal numberOutOfRange at $.n: expected a number that Int64, UInt64, Double or Decimal \
          hold exactly, found a number beyond their range or precision
          """)
      return
    }
    let number = try #require((try result.get() as? [String: Any])?["n"] as? NSNumber)
    switch kind {
    case "i": #expect(String(number.int64Value) == text)
    case "u": #expect(String(number.uint64Value) == text)
    case "d":
      #expect(!(number is NSDecimalNumber) && number.doubleValue == Double(text))
      #expect(number.doubleValue.sign == (text.hasPrefix("-") ? .minus : .plus))
    default: #expect((number as? NSDecimalNumber)?.decimalValue == Decimal(string: text))
    }
  }

  @Test func `keys that a dictionary cannot tell apart are refused`() throws {
    let mapper = try Mapper(Mapping<JSONValue>.json)
    let value = JSONValue.object([.init("\u{E9}", 1), .init("e\u{301}", 2)])
    let error = #expect(throws: MappingError.self) {
      try mapper.encode(asFoundationObject: ["x": value])
    }
    #expect(error?.code == .duplicateKey && error?.path.components.count == 2)
  }

  @Test func `a value that Foundation cannot hold is refused`() throws {
    let mapper = try Mapper(Mapping<[Double]>.array(of: .double))
    let error = #expect(throws: MappingError.self) {
      try mapper.encode(asFoundationObject: [1, .nan])
    }
    #expect(error?.path.description == "$[1]")
    let output = try Mapper(output: .any)
    let refused = #expect(throws: MappingError.self) {
      try output.encode(asFoundationObject: RawJSON(unchecked: []))
    }
    #expect(refused?.code == .invalidDefinition)
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
