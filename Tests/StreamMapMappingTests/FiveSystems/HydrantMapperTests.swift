import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Refused: Error {}

/// A mapping that never takes a value, and counts how often it is asked.
private func refusing<Value>(_ calls: Calls = Calls()) -> Mapping<Value> {
  .converted(
    from: .json,
    { _ in
      calls.add()
      throw Refused()
    },
    reverse: { _ in throw Refused() })
}

/// A mapping that gives a value whatever comes, and an issue.
private func reporting(_ value: Int, _ calls: Calls = Calls()) -> Mapping<Int> {
  .converted(
    from: refusing(calls).default(value, when: .missingOrInvalid), { $0 }, reverse: { $0 })
}

private func succeeding(_ value: Int, _ calls: Calls = Calls()) -> Mapping<Int> {
  .converted(
    from: .json,
    { _ in
      calls.add()
      return value
    },
    reverse: { .number("\($0)") })
}

/// Hydrant's mappers of one value and those that combine others.
@Suite struct HydrantMapperTests {
  // MARK: Tables and identity

  private let genders: Mapping<String> = .enumeration(
    of: .int, [0: "Unknown", 1: "Male", 2: "Female"])

  @Test func `a table maps a number to a text and back (HYD-042)`() throws {
    let outcome = try decode(genders, "2")
    #expect(outcome.value == "Female" && outcome.isClean)
    #expect(try encode(genders, "Female") == "2")
  }

  @Test func `a table fails for absent, null and unknown values (HYD-044)`() throws {
    #expect(try decode(.at("gender", genders), "{}").fatal == ["missing $.gender"])
    #expect(try decode(genders, "null").fatal == ["null $"])
    let unknown = try decode(genders, "3")
    #expect(unknown.fatal == ["invalidValue $"])
    #expect(unknown.error?.expected == "one of 0, 1, 2")
  }

  @Test func `a default stands in for a text outside the table (HYD-046)`() throws {
    let mapping: Mapping<Int> = .enumeration(["male": 1])
    let outcome = try decode(mapping.default(0, when: .missingOrInvalid), #""haha""#)
    #expect(outcome.value == 0 && outcome.issues == ["invalidValue $"])
  }

  @Test func `any JSON value passes unchanged both ways (HYD-047)`() throws {
    let outcome = try decode(.json, "1")
    #expect(outcome.value == 1 && outcome.isClean)
    #expect(try encode(.json, 1) == "1")
  }

  // MARK: What stands in

  @Test func `a not-null mapping keeps its child's error (HYD-050)`() throws {
    let child: Mapping<Int> = refusing()
    let outcome = try decode(child.notNull(), "7")
    #expect(outcome.value == nil && outcome.fatal == ["conversionFailed $"])
    #expect(outcome.error?.underlying.first is Refused)
  }

  /// Otherwise: `null` is an error as documented; the code let it pass.
  @Test func `a not-null mapping refuses null as an error (HYD-051)`() throws {
    #expect(try decode(Mapping.json.notNull(), "null").fatal == ["null $"])
    #expect(try decode(Mapping.nullable(.int).notNull(), "null").fatal == ["null $"])
  }

  @Test func `a non-fatal mapping keeps its child's value and issue (HYD-054)`() throws {
    let outcome = try decode(reporting(2).default(42, when: .failing), #""invalid""#)
    #expect(outcome.value == 2 && outcome.issues == ["conversionFailed $"])
  }

  /// Otherwise: encoding has no issues to tell, the default is written in silence.
  @Test func `a default for encoding is written without an issue (HYD-055)`() throws {
    let child: Mapping<Int> = refusing()
    #expect(try encode(child.default(42, when: .failing).reverseDefault(42), 1) == "42")
    #expect(throws: MappingError.self) { try encode(child.default(42, when: .failing), 1) }
  }

  @Test func `decoding and encoding each have a default of their own (HYD-056)`() throws {
    let child: Mapping<String> = refusing()
    let mapping = child.default("f", when: .failing).reverseDefault("r")
    #expect(try encode(mapping, "1") == #""r""#)
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == "f" && outcome.issues == ["conversionFailed $"])
    let whole: Mapping<String> = .string.default("f", when: .failing).reverseDefault("r")
    #expect(try encode(whole, "x") == #""x""#)
  }

  @Test func `null for an optional URL is nil with an issue (HYD-058)`() throws {
    let outcome = try decode(.nullable(.url, when: .missingOrInvalid), "null")
    #expect(outcome.value == .some(nil) && outcome.issues == ["null $"])
  }

  @Test func `null for a URL gives the default with an issue (HYD-059)`() throws {
    let other = try #require(URL(string: "http://d.com"))
    let outcome = try decode(Mapping.url.default(other, when: .missingOrInvalid), "null")
    #expect(outcome.value == other && outcome.issues == ["null $"])
  }

  @Test func `an absent value gives the default with an issue (HYD-061)`() throws {
    let outcome = try decode(.at("x", Mapping.int.default(42, when: .missingOrInvalid)), "{}")
    #expect(outcome.value == 42 && outcome.issues == ["missing $.x"])
  }

  // MARK: The first that takes the value

  @Test func `the first success ends the search for an alternative (HYD-062)`() throws {
    let others = Calls()
    let outcome = try decode(
      .firstOf(succeeding(0), succeeding(1, others), refusing(others)), #""source""#)
    #expect(outcome.value == 0 && outcome.isClean && others.count == 0)
  }

  @Test func `issues of all tried alternatives are kept in order (HYD-063)`() throws {
    let third = Calls()
    let outcome = try decode(
      .firstOf(refusing(), reporting(1), succeeding(2, third)), #""source""#)
    #expect(outcome.value == 1 && third.count == 0)
    #expect(outcome.issues == ["conversionFailed $", "conversionFailed $"])
  }

  @Test func `a value all alternatives refuse is an error with each of theirs (HYD-064)`() throws {
    let calls = Calls()
    let mapping: Mapping<Int> = .firstOf(refusing(calls), refusing(calls), refusing(calls))
    let record = try Mapper(mapping).decode(#""source""#.utf8)
    #expect(record.error?.code == .noAlternative && record.error?.underlying.count == 3)
    #expect(calls.count == 3)
  }

  // MARK: One after the other

  private func adding(_ step: Int, to source: Mapping<Int>) -> Mapping<Int> {
    .converted(from: source, { $0 + step }, reverse: { $0 - step })
  }

  @Test func `two steps convert one after the other, both ways (HYD-066)`() throws {
    let mapping = adding(1, to: adding(1, to: .int))
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == 3 && outcome.isClean)
    #expect(try encode(mapping, 3) == "1")
  }

  @Test func `an error in the second step fails the value (HYD-067)`() throws {
    let mapping: Mapping<Int> = .converted(
      from: adding(1, to: .int), { _ in throw Refused() }, reverse: { $0 })
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == nil && outcome.fatal == ["conversionFailed $"])
    #expect(outcome.error?.underlying.first is Refused)
  }

  @Test func `an issue in the first step lets the second continue (HYD-068)`() throws {
    let mapping: Mapping<Int> = .converted(
      from: .nullable(refusing() as Mapping<Int>, when: .missingOrInvalid), { $0 ?? 2 },
      reverse: { $0 })
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == 2 && outcome.issues == ["conversionFailed $"])
  }

  /// Otherwise: an issue stays one beside the error; Hydrant kept the last of both only.
  @Test func `an error in the second step stays fatal beside an issue (HYD-069)`() throws {
    let mapping: Mapping<Int> = .converted(
      from: reporting(2), { _ in throw Refused() }, reverse: { $0 })
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == nil && outcome.fatal.contains("conversionFailed $"))
  }

  @Test func `a text is checked as a URL and stays itself (HYD-070)`() throws {
    let mapping: Mapping<String> = .converted(
      from: .url(.absoluteURL), { $0.absoluteString },
      reverse: { try Conversion.absoluteURL.forward($0) })
    let outcome = try decode(mapping, #""http://a.com""#)
    #expect(outcome.value == "http://a.com" && outcome.isClean)
    #expect(try encode(mapping, "http://a.com") == #""http://a.com""#)
    #expect(try decode(mapping, #""not a url""#).fatal == ["invalidValue $"])
  }

  // MARK: Types

  @Test func `a value of a wrong dynamic type fails (HYD-074)`() throws {
    // A value of the wrong type is an error of the compiler; one of a wrong dynamic type is one of the mapping.
    let number: Mapping<any Sendable> = .casting(.accepting(.string, .int(from: .string)))
    let text: Mapping<String> = .converted(
      from: number,
      {
        guard let text = $0 as? String else { throw ConversionFailure(expected: "a String") }
        return text
      }, reverse: { $0 })
    let outcome = try decode(text, #""1""#)
    #expect(outcome.value == nil && outcome.fatal == ["invalidValue $"])
    #expect(try decode(number, "1").fatal == ["wrongType $"])
  }

  @Test func `an absent optional of a given kind is nil (HYD-075)`() throws {
    let text: Mapping<String> = .accepting(.string, .string)
    let outcome = try decode(.at("x", .nullable(text)), "{}")
    #expect(outcome.value == .some(nil) && outcome.isClean)
  }

  /// Otherwise: a list of kinds without one is a mistake of the mapping; what takes any value needs no list.
  @Test func `an empty list of kinds is a mistake of the mapping (HYD-076)`() throws {
    #expect(mistakes(Mapping<JSONValue>.accepting([], .json)).count == 1)
    #expect(try decode(.json, "1").value == 1)
  }

  // MARK: Places

  private struct Account: Equatable { let first: String }

  private let account: Mapping<Account> = .at(
    "person.account",
    Mapping.object(Account.self) { field in field.make(Account.init, field("first", \.first)) })

  @Test func `a value at a path is read and written there (HYD-092)`() throws {
    let text = #"{"person":{"account":{"first":"John"}}}"#
    let outcome = try decode(account, text)
    #expect(outcome.value == Account(first: "John") && outcome.isClean)
    #expect(try encode(account, Account(first: "John")) == text)
  }

  @Test func `an error inside a path has the whole path (HYD-093)`() throws {
    let outcome = try decode(account, #"{"person":{"account":{"first":7}}}"#)
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $.person.account.first → first"])
  }

  @Test func `an issue at a path keeps its value and place (HYD-096)`() throws {
    let outcome = try decode(.at("person.account", reporting(1)), #"{"person":{"account":{}}}"#)
    #expect(outcome.value == 1 && outcome.issues == ["conversionFailed $.person.account"])
  }

  // MARK: Dispatch

  @Test func `a kind without a case fails and calls no mapping (HYD-102)`() throws {
    let calls = Calls()
    let mapping: Mapping<Int> = .dispatch(byKind: [
      .string: succeeding(1, calls), .object: succeeding(2, calls),
    ])
    let outcome = try decode(mapping, "1")
    #expect(outcome.value == nil && outcome.fatal == ["wrongType $"] && calls.count == 0)
  }

  // MARK: Functions

  @Test func `a function after mapping that throws fails the value (HYD-105)`() throws {
    let mapping = reporting(1).postProcessed { _, _ in throw Refused() }
    let outcome = try decode(mapping, #""HI""#)
    #expect(outcome.value == nil && outcome.fatal.contains("conversionFailed $"))
  }

  @Test func `a boolean is negated by a conversion, both ways (HYD-137)`() throws {
    let negated: Mapping<Bool> = .converted(from: .bool, { !$0 }, reverse: { !$0 })
    let outcome = try decode(negated, "true")
    #expect(outcome.value == false && outcome.isClean)
    #expect(try encode(negated, false) == "true")
  }

  @Test func `an unregistered conversion name is a mistake that lists the registered (HYD-138)`()
    throws
  {
    var registry = Registry()
    registry.register(Conversion<Bool, Bool>("negated", { !$0 }, reverse: { !$0 }))
    let known: Mapping<Bool> = .converted(from: .bool, byNamed: "negated")
    #expect(try Mapper(known, registry: registry).decode("true".utf8).get() == false)
    let unknown: Mapping<Bool> = .converted(from: .bool, byNamed: "reversed")
    #expect {
      try Mapper(unknown, registry: registry)
    } throws: {
      ($0 as? DefinitionError)?.mistakes.map(\.reason)
        == ["no conversion 'reversed' is registered; there is 'negated'"]
    }
  }

  @Test func `a one-way conversion that is reversed is a mistake (HYD-139)`() {
    let oneWay = Conversion<String, Int>("length") { $0.count }
    #expect(
      mistakes(.converted(from: .int, by: oneWay.reversed))
        == ["'length' is one way and cannot be reversed"])
  }

  @Test func `any value but null is read as its text (HYD-136)`() throws {
    for (document, text) in [(#""foo""#, "foo"), ("1", "1"), ("1.50", "1.50"), ("true", "true")] {
      let outcome = try decode(.text, document)
      #expect(outcome.value == text && outcome.isClean)
    }
    let nothing = try decode(.nullable(.text), "null")
    #expect(nothing.value == .some(nil) && nothing.isClean)
    #expect(try decode(.text, #"{"a":[1]}"#).value == #"{"a":[1]}"#)
    #expect(try decode(.text, "null").fatal == ["null $"])
    #expect(try encode(.text, "1") == #""1""#)
  }
}
