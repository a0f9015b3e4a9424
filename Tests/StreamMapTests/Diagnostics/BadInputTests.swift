import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// What bad input gets: a code, an address, and the sentence that a user needs.
@Suite struct BadInputTests {
  private enum Status: String, Mappable, CaseIterable { case active, deleted }

  private struct Account {
    var homepage: URL
    var age: Int
    var status: Status
    var born: Date
    var city: String
    var id: UUID

    static let mapping = Mapping.object(Account.self) { field in
      field.make(
        Account.init, field("homepage", \.homepage, .url(schemes: ["https"])), field("age", \.age),
        field("status", \.status), field("born", \.born, .anyDate), field("home.city", \.city),
        field("id", \.id))
    }
  }

  private static let good: [String: String] = [
    "homepage": #""https://a.b""#, "age": "31", "status": #""active""#,
    "born": #""1970-01-01T00:00:00Z""#, "home": #"{"city":"Bonn"}"#,
    "id": #""01234567-89AB-CDEF-0123-456789ABCDEF""#,
  ]

  private static func document(_ key: String, _ value: String?) -> String {
    var members = good
    members[key] = value
    return "{"
      + members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
      .joined(separator: ",") + "}"
  }

  private static let members: [(key: String, value: String?, error: String)] = [
    (
      "homepage", "7",
      """
      fatal wrongType at $.homepage → homepage (record 1, line 1, column 75, bytes \
      74..<75): expected a URL (https), found a number
      """
    ),
    (
      "homepage", #""ftp://a.b""#,
      """
      fatal invalidValue at $.homepage → homepage (record 1, line 1, column 75, bytes \
      74..<85): expected a URL (https), found a string that is not one
      """
    ),
    (
      "homepage", nil,
      """
      fatal missing at $.homepage → homepage (record 1, line 1, column 1, bytes \
      0..<125): a URL (https) is missing
      """
    ),
    (
      "age", "null",
      """
      fatal null at $.age → age (record 1, line 1, column 8, bytes 7..<11): expected \
      an integer (Int), found null
      """
    ),
    (
      "age", "1.5",
      """
      fatal invalidValue at $.age → age (record 1, line 1, column 8, bytes 7..<10): \
      expected an integer (Int), found a number that is not one
      """
    ),
    (
      "age", "1e30",
      """
      fatal numberOutOfRange at $.age → age (record 1, line 1, column 8, bytes \
      7..<11): expected an integer (Int), found a number beyond its range
      """
    ),
    (
      "age", #""31""#,
      """
      fatal wrongType at $.age → age (record 1, line 1, column 8, bytes 7..<11): \
      expected an integer (Int), found a string
      """
    ),
    (
      "status", #""gone""#,
      """
      fatal invalidValue at $.status → status (record 1, line 1, column 142, bytes \
      141..<147): expected one of 'active', 'deleted', found another string
      """
    ),
    (
      "status", "null",
      """
      fatal null at $.status → status (record 1, line 1, column 142, bytes 141..<145): \
      expected one of 'active', 'deleted', found null
      """
    ),
    (
      "born", #""yesterday""#,
      """
      fatal invalidValue at $.born → born (record 1, line 1, column 18, bytes \
      17..<28): expected a date (RFC 3339, /Date(milliseconds)/ or RFC 822), found \
      another string
      """
    ),
    (
      "home", #""Bonn""#,
      """
      fatal wrongType at $.home → city (record 1, line 1, column 48, bytes 47..<53): \
      expected an object, found a string
      """
    ),
    (
      "home", "[]",
      """
      fatal wrongType at $.home → city (record 1, line 1, column 48, bytes 47..<49): \
      expected an object, found an array
      """
    ),
    (
      "home", "{}",
      """
      fatal missing at $.home.city → city (record 1, line 1, column 1, bytes 0..<137): \
      a string is missing
      """
    ),
    (
      "id", #""x""#,
      """
      fatal invalidValue at $.id → id (record 1, line 1, column 94, bytes 93..<96): \
      expected a UUID, found a string that is not one
      """
    ),
  ]

  @Test(arguments: members.indices) func `a wrong member is an error with its address and sentence`(
    index: Int
  ) throws {
    let (key, value, expected) = Self.members[index]
    let error = try Mapper(Account.mapping).decode(Self.document(key, value).utf8).error
    #expect(error?.description == expected)
  }

  /// What went wrong with a document as a tree, its errors and issues.
  private func tree<Value>(_ mapping: Mapping<Value>, _ document: String) throws -> String {
    let record = try Mapper(mapping).decode(document.utf8)
    return (record.error.map { [$0] } ?? record.issues).map(\.fullRecursiveDescription)
      .joined(separator: "\n")
  }

  @Test func `a document of another kind is a wrong type at its root`() throws {
    #expect(
      try tree(Account.mapping, "[]")
        == "fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<2): expected an object, found an array"
    )
    #expect(
      try tree(.array(of: Mapping<Int>.int), "{}")
        == "fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<2): expected an array, found an object"
    )
  }

  @Test func `ten thousand failing elements list a hundred errors and count the rest`() throws {
    let document =
      "["
      + Array(repeating: "x", count: 10_000).map { #""\#($0)""# }
      .joined(separator: ",") + "]"
    let error = try #require(
      try Mapper(Mapping<[Int]>.array(of: .int)).decode(document.utf8).error)
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 102)
    #expect(
      lines.first
        == "fatal severalErrors at $ (record 1, line 1, column 1, bytes 0..<40001): 10000 errors")
    #expect(
      lines[100] == """
          - fatal wrongType at $[99] → [99] (record 1, line 1, column 398, bytes 397..<400): \
        expected an integer (Int), found a string
        """)
    #expect(lines.last == "  - and 9900 more (Limits.errorsPerRecord)")
    #expect(error.recursiveDescription == error.description)
  }

  @Test func `a value no alternative takes lists all attempts, the furthest first`() throws {
    let mapping: Mapping<[Int]> = .array(
      of: .firstOf([.int, .int(from: .string), .at("n", .int)]))
    // The one that got furthest first.
    #expect(
      try tree(mapping, #"[1,"2",{"n":3},{"n":true}]"#) == """
        fatal noAlternative at $[3] → [3] (record 1, line 1, column 16, bytes 15..<25): expected an \
        integer (Int), or an Int
          - fatal wrongType at $[3].n → [3] (record 1, line 1, column 21, bytes 20..<24): expected \
        an integer (Int), found a boolean
          - fatal wrongType at $[3] → [3] (record 1, line 1, column 16, bytes 15..<25): expected an \
        integer (Int), found an object
          - fatal wrongType at $[3] → [3] (record 1, line 1, column 16, bytes 15..<25): expected a \
        string, found an object
        """)
  }

  private struct Unpayable: Error, CustomStringConvertible {
    var description: String { "the account is closed" }
  }

  private static let circle: Mapping<Double> = .at("r", .double)
  private static let shape: Mapping<Double> = .dispatch(
    on: "type", ["circle": circle, "ball": circle])
  private static let strict = Mapping.object { field in field.make({ $0 }, field("a", \Int.self)) }
    .unknownKeys(.fail)
    .duplicateKeys(.fail)

  private static func others() -> [(mapping: Mapping<String>, document: String, error: String)] {
    func text<Value>(_ mapping: Mapping<Value>) -> Mapping<String> {
      .oneWay(from: mapping) { "\($0)" }
    }
    return [
      (
        text(.int.validated(.in(0...150))), "151",
        """
        fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<3): expected from 0 to 150
        """
      ),
      (
        text(.string.validated(.length(2), .matches("[A-Z]*"))), #""abc""#,
        """
        fatal severalErrors at $ (record 1, line 1, column 1, bytes 0..<5): 2 errors
          - fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<5): expected exactly 2 characters
          - fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<5): expected a match of '[A-Z]*'
        """
      ),
      (
        text(.array(of: .int).validated(.unique)), "[1,1]",
        """
        fatal validationFailed at $ (record 1, line 1, column 1, bytes 0..<5): expected elements that all differ
        """
      ),
      (
        text(shape), #"{"type":"cube","r":1}"#,
        """
        fatal invalidValue at $.type (record 1, line 1, column 9, bytes 8..<14): expected one of 'circle', 'ball', found another string
        """
      ),
      (
        text(shape), #"{"r":1}"#,
        """
        fatal missing at $.type (record 1, line 1, column 1, bytes 0..<7): one of 'circle', 'ball' is missing
        """
      ),
      (
        text(shape), #"{"type":{"name":"ball"}}"#,
        """
        fatal invalidValue at $.type (record 1, line 1, column 9, bytes 8..<9): expected one of 'circle', 'ball', found an object
        """
      ),
      (
        text(shape), "[]",
        """
        fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<2): expected an object, found an array
        """
      ),
      (
        text(Mapping<Int>.dispatch(byKind: [.number: .int, .string: .int(from: .string)])), "true",
        """
        fatal wrongType at $ (record 1, line 1, column 1, bytes 0..<4): expected a number or a string, found a boolean
        """
      ),
      (
        text(strict), #"{"a":1,"b":2}"#,
        """
        fatal unknownKey at $.b (record 1, line 1, column 8, bytes 7..<10): a key that is not mapped
        """
      ),
      (
        text(strict), #"{"a":1,"a":2}"#,
        """
        fatal duplicateKey at $.a (record 1, line 1, column 8, bytes 7..<10): a key that occurred before
        """
      ),
      (
        text(Mapping<(String, Int)>.tuple(.string, .int)), #"["a"]"#,
        """
        fatal missing at $[1] (record 1, line 1, column 1, bytes 0..<5): an integer (Int) is missing
        """
      ),
      (
        text(.int(from: .string)), #""1,000""#,
        """
        fatal invalidValue at $ (record 1, line 1, column 1, bytes 0..<7): expected a text that is an integer (Int), found another string
        """
      ),
      (
        text(.data), #""a-b""#,
        """
        fatal invalidValue at $ (record 1, line 1, column 1, bytes 0..<5): expected bytes in base64, found another string
        """
      ),
      (
        text(.bool(from: .int)), "2",
        """
        fatal invalidValue at $ (record 1, line 1, column 1, bytes 0..<1): expected 0 or 1, found another number
        """
      ),
      (
        text(.int8), "128",
        """
        fatal numberOutOfRange at $ (record 1, line 1, column 1, bytes 0..<3): expected an integer (Int8), found a number beyond its range
        """
      ),
      (
        text(.decimal), "1.00000000000000000000000000000000000000001",
        """
        fatal numberOutOfRange at $ (record 1, line 1, column 1, bytes 0..<43): expected a number (Decimal, at most 38 digits), found a number beyond its range
        """
      ),
      (
        text(.url), #""https://a b""#,
        """
        fatal invalidValue at $ (record 1, line 1, column 1, bytes 0..<13): expected a URL, found a string that is not one
        """
      ),
      (
        text(Mapping<Int>.oneWay(from: .int) { _ in throw Unpayable() }), "7",
        """
        fatal conversionFailed at $ (record 1, line 1, column 1, bytes 0..<1): expected an Int
          - the account is closed
        """
      ),
      (
        text(.dictionary(of: .int)), #"{"a":1,"b.c":null}"#,
        """
        fatal null at $['b.c'] → ['b.c'] (record 1, line 1, column 14, bytes 13..<17): expected an integer (Int), found null
        """
      ),
    ]
  }

  @Test func `every other bad document has the sentence that a user needs`() throws {
    for (mapping, document, expected) in Self.others() {
      let error = try #require(try Mapper(mapping).decode(document.utf8).error)
      #expect(error.description == expected, "\(document)")
    }
  }

  @Test func `a wrong element with a default is only an issue`() throws {
    #expect(
      try tree(.array(of: Mapping<Int>.int.default(0, when: .missingOrInvalid)), #"[1,"x"]"#) == """
        issue wrongType at $[1] → [1] (record 1, line 1, column 4, bytes 3..<6): expected an integer \
        (Int), found a string
        """)
  }

  @Test func `encoding by a one-way mapping is an invalid definition at its place`() throws {
    let upper = Conversion<String, String>("upper") { $0.uppercased() }
    let mapper = try Mapper(Mapping<[String]>.array(of: .converted(from: .string, by: upper)))
    let error = #expect(throws: MappingError.self) { try mapper.encode(["a", "b"]) }
    #expect(
      error?.description == """
        fatal invalidDefinition at $[0]: expected a mapping that can encode, found one that only \
        decodes
        """)
    let options = #expect(throws: MappingError.self) {
      try mapper.encode(asFoundationObject: ["a"])
    }
    #expect(options?.code == .invalidDefinition)
  }
}
