import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// A marked value that must not be shown, in errors of every kind and in all their renderings.
@Suite struct RedactionTests {
  static let secret = "hunter2SECRET"

  /// An error that tells what it was given, as those of one's own conversions may.
  struct Telling: Error, CustomStringConvertible {
    let description: String
  }

  struct Case: Sendable, CustomStringConvertible {
    let name: String
    let mapping: OutputMapping
    let feed: String
    let code: ErrorCode
    /// Where the error says that it is.
    let path: String

    var description: String { name }
  }

  static let telling: OutputMapping = .converted(from: .string, expected: "a colour") { value in
    throw Telling(description: "no colour: \(value)")
  }

  static func rule(_ fails: @escaping @Sendable (JSONValue) throws -> Bool) -> Rule<JSONValue> {
    Rule("strength", expecting: "a strong one", check: fails)
  }

  /// A record whose field `pin` is redacted, beside others.
  static func record(_ pin: OutputMapping, at source: FieldSource = "pin") -> OutputMapping {
    .object([
      OutputField("id", from: "id", .nullable(.any)),
      OutputField("secret", from: source, pin.redacted()),
    ])
  }

  static let cases: [Case] = {
    func text(_ value: String) -> String { "{\"id\":1,\"pin\":\(value)}" }
    let marked = "\"\(secret)\""
    let keyed = "{\"\(secret)\":{\"\(secret)\":\(marked)}}"
    let list: [(String, OutputMapping, String, ErrorCode)] = [
      ("type", .int8, marked, .wrongType),
      ("date", .date, marked, .invalidValue),
      ("URL", .url(schemes: ["https"]), marked, .invalidValue),
      ("range", .int8, "1234567890", .numberOutOfRange),
      (
        "table",
        .converted(from: .string, expected: "one of 'A', 'B'") { _ in
          throw ConversionFailure(expected: "one of 'A', 'B'")
        }, marked, .invalidValue
      ),
      ("conversion", telling, marked, .conversionFailed),
      (
        "conversion that says what it expected",
        .converted(from: .string, expected: "a colour") { value in
          throw ConversionFailure(expected: "anything but \(value)")
        }, marked, .invalidValue
      ),
      (
        "conversion that throws a rule's failure",
        .converted(from: .string, expected: "a colour") { value in
          throw RuleFailure(rule: "\(value)", expected: "\(value)")
        }, marked, .validationFailed
      ),
      ("rule", .string.validated([rule { _ in false }]), marked, .validationFailed),
      (
        "rule that throws",
        .string.validated([rule { throw Telling(description: "\($0)") }]), marked, .validationFailed
      ),
      (
        "rule that throws another's failure",
        .string.validated([rule { throw RuleFailure(rule: "\($0)", expected: "\($0)") }]), marked,
        .validationFailed
      ),
      (
        "rules combined",
        .string.validated([.all([rule { throw Telling(description: "\($0)") }])]), marked,
        .validationFailed
      ),
      ("dictionary", .dictionary(of: .dictionary(of: .int8)), keyed, .wrongType),
      ("array", .array(of: .int8), "[\(marked)]", .wrongType),
      (
        "object", OutputMapping.object([OutputField("a", from: "a", .bool)]).unknownKeys(.fail),
        "{\"a\":true,\(marked):1}", .unknownKey
      ),
      ("element", .array(of: .int8).redacted(), "[\(marked)]", .wrongType),
      (
        "alternatives", .firstOf([.int8, telling, .dictionary(of: .bool)]), marked,
        .noAlternative
      ),
      (
        "dispatch", .dispatch(on: "kind", ["a": .raw]), "{\"kind\":\(marked)}", .invalidValue
      ),
      ("string limit", .string, "\"\(String(repeating: secret, count: 9))\"", .limitExceeded),
      ("captured limit", .raw, "[\(marked),\(marked),\(marked),\(marked)]", .limitExceeded),
    ]
    var cases = list.map { name, mapping, value, code in
      Case(
        name: name, mapping: record(mapping), feed: text(value), code: code,
        path: code == .limitExceeded && name == "string limit" ? "$" : "$.pin")
    }
    for (name, broken) in [
      ("after the value", "\(marked) x"), ("inside the value", "\"\(secret)\\x\""),
      ("no quote", secret), ("a key in it", "{\"\(secret)\":\"\(secret)\"  \"\(secret)\"}"),
      ("cut off", "\"\(secret)"),
    ] {
      let feed = name == "cut off" ? "{\"pin\":\(broken)" : text(broken)
      cases.append(
        Case(
          name: "syntax: \(name)", mapping: record(.raw), feed: feed,
          code: name == "cut off" ? .truncated : .syntax, path: "$"))
    }
    cases.append(
      Case(
        name: "missing", mapping: record(.string, at: "a.b"), feed: "{\"a\":{\"\(secret)\":1}}",
        code: .missing, path: "$.a.b"))
    cases.append(
      Case(
        name: "whole record", mapping: .dictionary(of: .bool).redacted(), feed: "{\(marked):1}",
        code: .wrongType, path: "$"))
    cases.append(
      Case(
        name: "what a rule of the record sees",
        mapping: record(.string).validated([rule { throw Telling(description: "\($0)") }]),
        feed: text(marked), code: .validationFailed, path: "$"))
    cases.append(
      Case(
        name: "collected",
        mapping: .object([
          OutputField("secret", from: "pin", .any.redacted()), OutputField(collecting: "rest"),
        ]).redacted(),
        feed: "{\"pin\":1,\(marked):[\(marked),\(marked),\(marked),\(marked)]}",
        code: .limitExceeded, path: "$"))
    return cases
  }()

  static let limits: Limits = {
    var limits = Limits()
    limits.string = 100
    limits.capturedValue = 60
    return limits
  }()

  /// All that can be read of an error.
  static func renderings(_ error: MappingError) throws -> [String] {
    let json = try JSONEncoder().encode(error)
    var dumped = ""
    dump(error, to: &dumped)
    return [
      error.description, error.fullDescription, error.recursiveDescription,
      error.fullRecursiveDescription, error.message, error.localizedDescription,
      String(reflecting: error), String(decoding: json, as: UTF8.self), dumped,
    ]
  }

  static func check<Value>(
    _ record: Record<Value>, sourceLocation: SourceLocation = #_sourceLocation
  )
    throws
  {
    for error in record.issues + (record.error.map { [$0] } ?? []) {
      for text in try renderings(error) {
        #expect(!text.contains(secret), sourceLocation: sourceLocation)
        #expect(!text.contains("hunter"), sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: cases) func `a redacted value is in no rendering of an error`(_ test: Case)
    throws
  {
    let records = try Routes.run(output: test.mapping, test.feed, limits: Self.limits)
    let record = try #require(records.first)
    let error = try #require(record.error)
    #expect(error.code == test.code)
    #expect(error.path.description == test.path)
    #expect(error.position != nil)
    try Self.check(record)
    let mapper = try Mapper(output: test.mapping, limits: Self.limits)
    for record in try mapper.records(in: Feed(Array(test.feed.utf8), format: .json), jobs: 2) {
      try Self.check(record)
    }
  }

  /// The marks are what redaction hides: without it they are seen.
  @Test func `errors show the value where it is not redacted`() throws {
    let plain = OutputMapping.object([OutputField("secret", from: "pin", Self.telling)])
    let record = try Mapper(output: plain).decode("{\"pin\":\"\(Self.secret)\"}".utf8)
    #expect(record.error?.description.contains(Self.secret) == true)
    let keyed = OutputMapping.object([
      OutputField("secret", from: "pin", .dictionary(of: .bool))
    ])
    let other = try Mapper(output: keyed).decode("{\"pin\":{\"\(Self.secret)\":1}}".utf8)
    #expect(other.error?.path.description == "$.pin.\(Self.secret)")
    #expect(
      try Mapper(output: plain).decode("{\"pin\" h".utf8).error?.message
        == "expected a colon, found 'h'")
    #expect(
      try Mapper(output: Self.record(.string)).decode("{\"pin\" h".utf8).error?.message
        == "expected a colon")
  }

  // MARK: Typed

  struct Login: Equatable {
    let name: String
    let pin: String
    let keys: [String: Int]
  }

  static func login(_ pin: Mapping<String>, _ keys: Mapping<[String: Int]>) -> Mapping<Login> {
    Mapping.object(Login.self) { field in
      field.make(
        Login.init, field("name", \.name), field("pin", \.pin, pin),
        field("deep.keys", \.keys, keys))
    }
  }

  @Test func `a redacted typed field is in no error`() throws {
    let secret = Self.secret
    let pin: Mapping<String> = .converted(
      from: .string, { throw Telling(description: "\($0)") }, reverse: { $0 })
    let mapping = Self.login(pin.redacted(), .dictionary(of: .int.redacted()))
    let feed = """
      {"name":1,"pin":"\(secret)","deep":{"keys":{"\(secret)":"\(secret)"}}}
      """
    let record = try #require(try Routes.run(mapping, feed).first)
    try Self.check(record)
    let errors = record.error?.underlying.compactMap { $0 as? MappingError } ?? []
    // What is not redacted says all that it ever did.
    #expect(errors.map(\.path.description) == ["$.name", "$.pin", "$.deep.keys"])
    #expect(errors.map { $0.target?.relativeDescription } == ["name", "pin", "keys"])
    #expect(errors.allSatisfy { $0.underlying.isEmpty })
    #expect(errors.first?.found == "a number")
  }

  /// The value itself comes and goes as ever.
  @Test func `a redacted value itself decodes and encodes unchanged`() throws {
    let mapper = try Mapper(Self.login(.string.redacted(), .dictionary(of: .int).redacted()))
    let login = Login(name: "ann", pin: Self.secret, keys: ["k": 1])
    let json = try mapper.encode(login)
    #expect(
      String(decoding: json, as: UTF8.self)
        == "{\"name\":\"ann\",\"pin\":\"\(Self.secret)\",\"deep\":{\"keys\":{\"k\":1}}}")
    #expect(mapper.decode(json).value == login)
    #expect(mapper.plan.description.contains("pin → pin: string, redacted"))
  }

  struct Account { var pin: String }

  @Test func `a redacted value is in no error of an update`() throws {
    let telling = Rule<String>("strength", expecting: "a strong one") {
      if $0 == Self.secret { throw Telling(description: "no: \($0)") }
      return true
    }
    let mapping = Mapping.object(Account.self) { field in
      field.make(Account.init, field("pin", \.pin, .string.redacted()))
    }.validated(
      Rule("pin", expecting: "a good pin") { account in
        if let failure = telling.failure(of: account.pin) { throw failure }
        return true
      })
    let mapper = try Mapper(mapping)
    var account = Account(pin: "old")
    let error = try #require(throws: MappingError.self) {
      try mapper.update(&account, from: Array("{\"pin\":\"\(Self.secret)\"}".utf8))
    }
    for text in try Self.renderings(error) { #expect(!text.contains(Self.secret)) }
    #expect(account.pin == "old")
  }

  /// However the mapping is dressed.
  @Test func `redaction holds inside every combinator`() throws {
    struct Holder { let pin: String? }
    let redacted = Mapping<String>.string.redacted()
    let inside: [Mapping<String?>] = [
      .nullable(redacted), .nullable(redacted.validated(.minLength(1))),
      .nullable(.firstOf(redacted, redacted)), .nullable(.at("a.b", redacted)),
      .nullable(redacted.notNull()),
      .nullable(.converted(from: redacted, { $0 }, reverse: { $0 })),
    ]
    for mapping in inside {
      let plan = try Mapper(
        Mapping.object(Holder.self) { field in field.make(Holder.init, field("pin", \.pin, mapping))
        }
      ).plan
      #expect(plan.tables.hidesValues)
    }
    let plain = try Mapper(
      Mapping.object(Holder.self) { field in field.make(Holder.init, field("pin", \.pin)) }
    ).plan
    #expect(!plain.tables.hidesValues)
  }

  /// A duplicate still takes the errors of what it replaces away, though they do not tell where they are.
  @Test func `a duplicate takes back the errors of a redacted value`() throws {
    let mapping = Self.record(.dictionary(of: .int8))
    let records = try Routes.run(
      output: mapping, "{\"pin\":{\"\(Self.secret)\":\"x\",\"\(Self.secret)\":1}}")
    #expect(records.first?.error == nil)
    #expect(records.first?.issues.count == 0)
  }
}
