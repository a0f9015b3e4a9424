import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private class Sample {
  final var guid = ""
  final var creationDate: Date?
  final var relatedSamples: [Sample] = []
  final var kind = 0

  init() {}
  init(guid: String) { self.guid = guid }
}

private final class SpecialSample: Sample {}

private let kinds: Mapping<Int> = .enumeration(["foo": 1, "bar": 2, "baz": 3])

// G: the identifier alone. C: and children of the same kind.
private let identified = Mapping.object(Sample.self) { field in
  field.make(creating: { Sample() }, field("id", \.guid))
}
private let related: Mapping<Sample> = .recursive { sample in
  Mapping.object(Sample.self) { field in
    field.make(
      creating: { Sample() }, field("id", \.guid),
      field("children", \.relatedSamples, .array(of: sample).default([])))
  }
}

private let typed = Mapping.object(Sample.self) { field in
  field.make(
    creating: { Sample() }, field("id", \.guid), field("type", \.kind, kinds))
}

/// EFDataMappingKit: validated first, then set; requirements; representations.
@Suite struct EFDataMappingKitTests {
  // MARK: Validation

  @Test func `a number for a text is a wrong type (EF-002)`() throws {
    #expect(try decode(identified, #"{"id":1}"#).fatalPlaces == ["wrongType $.id"])
  }

  @Test func `a required identifier that is null or absent is an error (EF-003)`() throws {
    #expect(try decode(identified, #"{"id":null}"#).fatalPlaces == ["null $.id"])
    #expect(try decode(identified, "{}").fatalPlaces == ["missing $.id"])
  }

  @Test func `null for a required value gives no object but an error (EF-005)`() throws {
    let outcome = try decode(identified, #"{"id":null}"#)
    #expect(outcome.value == nil && outcome.error?.code == .null)
  }

  /// Otherwise: an error has the path that the value has in the feed; here the index was that of the error.
  @Test func `errors in nested arrays have the paths of the feed (EF-012)`() throws {
    let outcome = try decode(
      related,
      #"{"id":"1","children":[{"id":"2"},{"id":3,"children":[{"id":"4"},{"id":5}]}]}"#)
    #expect(outcome.value == nil)
    #expect(
      outcome.fatalPlaces == [
        "wrongType $.children[1].id",
        "wrongType $.children[1].children[1].id",
      ])
  }

  @Test func `a text for an array is a wrong type (EF-013)`() throws {
    let outcome = try decode(related, #"{"id":"1","children":"x"}"#)
    #expect(outcome.fatalPlaces == ["wrongType $.children"])
    #expect(outcome.error?.expected == "an array" && outcome.error?.found == "a string")
  }

  /// Otherwise: what an update does not have stays as it is.
  @Test func `an update without a list leaves the list as it is (EF-014)`() throws {
    var sample = Sample(guid: "0")
    sample.relatedSamples = [Sample(guid: "2")]
    let mapping = Mapping.object(Sample.self) { field in
      field.make(
        creating: { Sample() }, field("id", \.guid),
        field("children", \.relatedSamples, .array(of: identified).default([])))
    }
    try Mapper(mapping).update(&sample, from: #"{"id":"1"}"#.utf8)
    #expect(sample.guid == "1" && sample.relatedSamples.map(\.guid) == ["2"])
    try Mapper(mapping).update(&sample, from: #"{"children":null}"#.utf8)
    #expect(sample.relatedSamples.isEmpty)
  }

  // MARK: Dates

  private func dated(_ date: Mapping<Date>) -> Mapping<Sample> {
    Mapping.object(Sample.self) { field in
      field.make(
        creating: { Sample() }, field("id", \.guid), field("created_at", \.creationDate, date))
    }
  }

  /// Otherwise: a date without a zone is in UTC, the same on every machine, unless a zone is given.
  @Test func `a date without a zone is in UTC unless one is given (EF-006)`() throws {
    let text = #"{"id":"1","created_at":"2014-04-01"}"#
    let utc = try decode(dated(.date(format: "yyyy-MM-dd")), text)
    #expect(utc.value?.creationDate?.timeIntervalSince1970 == 1_396_310_400)
    let zone = try #require(TimeZone(secondsFromGMT: 7200))
    let local = try decode(dated(.date(format: "yyyy-MM-dd", timeZone: zone)), text)
    #expect(local.value?.creationDate?.timeIntervalSince1970 == 1_396_303_200)
    #expect(try encode(dated(.date(format: "yyyy-MM-dd")), try #require(utc.value)) == text)
  }

  @Test func `an RFC 3339 date is read as its moment (EF-008)`() throws {
    let outcome = try decode(dated(.date), #"{"id":"1","created_at":"2014-04-01T09:34:45Z"}"#)
    #expect(outcome.value?.creationDate?.timeIntervalSince1970 == 1_396_344_885)
  }

  // MARK: Making objects

  @Test func `an initialiser may fail, or give an object that exists (EF-010)`() throws {
    struct NotMade: Error {}
    let failing: Mapping<Sample> = .converted(
      from: identified, { _ in throw NotMade() }, reverse: { $0 })
    let outcome = try decode(failing, #"{"id":"1"}"#)
    #expect(outcome.value == nil && outcome.fatalPlaces == ["conversionFailed $"])
    #expect(outcome.error?.underlying.first is NotMade)
    // An initialiser may also give an object that is there already.
    let known = Locked<[String: SampleBox]>([:])
    let shared: Mapping<[SampleBox]> = .array(
      of: .converted(
        from: .at("id", .string),
        { id in
          known.withLock { known in
            if let box = known[id] { return box }
            let box = SampleBox(id: id)
            known[id] = box
            return box
          }
        }, reverse: { $0.id }))
    let boxes = try Mapper(shared).decode(#"[{"id":"1"},{"id":"2"},{"id":"1"}]"#.utf8).get()
    #expect(boxes[0] === boxes[2] && boxes[0] !== boxes[1])
  }

  private final class SampleBox: Sendable {
    let id: String
    init(id: String) { self.id = id }
  }

  @Test func `a subclass is mapped by the fields of its superclass (EF-034)`() throws {
    // What is mapped is a Sample; what is made, one of a more special kind.
    let special = Mapping.object { field in
      field.make(creating: { SpecialSample() as Sample }, field("id", \.guid))
    }
    let outcome = try decode(special, #"{"id":"1"}"#)
    #expect(outcome.value is SpecialSample && outcome.value?.guid == "1")
    #expect(try encode(identified, SpecialSample(guid: "2")) == #"{"id":"2"}"#)
    // And its properties can be mapped as its own.
    let own = Mapping.object(SpecialSample.self) { field in
      field.make(creating: { SpecialSample() }, field("id", \.guid))
    }
    #expect(try decode(own, #"{"id":"3"}"#).value?.guid == "3")
  }

  // MARK: Tables

  @Test func `a text is mapped to a number by a table, both ways (EF-017)`() throws {
    let text = #"{"id":"1","type":"foo"}"#
    let outcome = try decode(typed, text)
    #expect(outcome.value?.kind == 1 && outcome.isClean)
    #expect(try encode(typed, try #require(outcome.value)) == text)
  }

  /// Otherwise: a text that is not in the table is an error, and so is none; where 0 shall stand in, the mapping says so.
  @Test(arguments: [
    (#"{"id":"1","type":"nope"}"#, "invalidValue"), (#"{"id":"1"}"#, "missing"),
    (#"{"id":"1","type":null}"#, "null"),
  ])
  func `a text outside the table fails unless a default stands in (EF-018)`(
    text: String, code: String
  ) throws {
    #expect(try decode(typed, text).fatalPlaces == ["\(code) $.type"])
    let lenient = Mapping.object(Sample.self) { field in
      field.make(
        creating: { Sample() }, field("id", \.guid),
        field("type", \.kind, kinds.default(0, when: .missingOrInvalid)))
    }
    let outcome = try decode(lenient, text)
    #expect(outcome.value?.kind == 0 && outcome.issuePlaces == ["\(code) $.type"])
  }

  // MARK: Requirements

  private func passes(_ rule: Rule<Int>, _ document: String) throws -> Bool {
    try decode(Mapping.int.validated(rule), document).value != nil
  }

  @Test func `a value that has to exist fails where absent or null (EF-019)`() throws {
    let exists: Mapping<String?> = .at("x", .nullable(.string).notNull())
    #expect(try decode(exists, #"{"x":"bla"}"#).value == "bla")
    #expect(try decode(exists, "{}").fatalPlaces == ["missing $.x"])
    #expect(try decode(exists, #"{"x":null}"#).fatalPlaces == ["null $.x"])
  }

  @Test func `comparing rules pass or fail a number by its limit (EF-020)`() throws {
    let rules: [Rule<Int>] = [
      .greaterThan(2), .greaterThanOrEqualTo(2), .equalTo(2), .lessThan(2), .lessThanOrEqualTo(2),
    ]
    #expect(try rules.map { try passes($0, "3") } == [true, true, false, false, false])
  }

  private let between: Rule<Int> = .all(.greaterThan(2), .lessThan(4))

  @Test func `a list of rules passes where all of them do (EF-023)`() throws {
    #expect(try passes(between, "3"))
    #expect(try !passes(between, "1"))
    let list = Mapping.int.validated(.greaterThan(2), .lessThan(4))
    #expect(try decode(list, "1").fatalPlaces == ["validationFailed $"])
  }

  @Test func `a negated rule passes where the rule fails (EF-024)`() throws {
    #expect(try !passes(.not(between), "3"))
    #expect(try passes(.not(between), "1"))
  }

  /// Otherwise: no rule is asked about a value that is not there; that it has to be is said by itself.
  @Test func `no rule is asked about a value that is absent (EF-026)`() throws {
    let rules: [Rule<Int>] = [.greaterThan(2), .greaterThanOrEqualTo(2), .equalTo(2)]
    for rule in rules {
      let optional: Mapping<Int?> = .at("x", .nullable(Mapping.int.validated(rule)))
      let absent = try decode(optional, "{}")
      #expect(absent.value == .some(nil) && absent.isClean)
      let required: Mapping<Int> = .at("x", Mapping.int.validated(rule))
      #expect(try decode(required, "{}").fatalPlaces == ["missing $.x"])
    }
  }

  // MARK: A whole model

  private struct Message: Equatable {
    let text: String
    let publicationDate: Date
  }

  private struct User: Equatable {
    let userId: Int
    let name: String
    let website: URL
    let birthDate: Date
    let messages: [Message]
  }

  private let user = Mapping.object(User.self) { field in
    field.make(
      User.init, field("id", \.userId), field("user_name", \.name), field("website_url", \.website),
      field("birth_date", \.birthDate, .date(format: "yyyy-MM-dd")),
      field(
        "messages", \.messages,
        .array(
          of: Mapping.object(Message.self) { field in
            field.make(
              Message.init, field("text", \.text), field("publication_date", \.publicationDate))
          })))
  }

  @Test func `a whole user with messages is read and written back (EF-028)`() throws {
    let text =
      #"{"id":42,"user_name":"Jane","website_url":"http://example.com/jane","#
      + #""birth_date":"1980-02-29","messages":["#
      + #"{"text":"One","publication_date":"2014-04-01T09:34:45Z"},"#
      + #"{"text":"Two","publication_date":"2014-04-02T09:34:45Z"},"#
      + #"{"text":"Three","publication_date":"2014-04-03T09:34:45Z"}]}"#
    let outcome = try decode(user, text)
    let value = try #require(outcome.value)
    #expect(outcome.isClean && value.userId == 42 && value.messages.count == 3)
    #expect(value.website == URL(string: "http://example.com/jane"))
    #expect(value.birthDate.timeIntervalSince1970 == 320_630_400)
    #expect(value.messages[2].publicationDate.timeIntervalSince1970 == 1_396_517_685)
    #expect(try encode(user, value) == text)
  }
}
