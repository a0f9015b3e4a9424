import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private protocol Dependency: AnyObject {
  var number: Int { get }
}

private final class Concrete: Dependency {
  var number = 0
  static let mapping = Mapping.object(Concrete.self) { field in
    field.make(creating: { Concrete() }, field("number", \.number))
  }
}

private final class Video {
  var contentURL: URL?
  var title: String?
  var subtitle: String?
  var type: String?
  var uniqueID: Int?
  var number: Int?
  var when: Date?
  var dependency: (any Dependency)?
  var concrete: Concrete?

  func increased(_ number: Int) -> Int { number + 1 }
}

/// KZPropertyMapper: a tree of sources, mapped onto one instance that is there already.
@Suite struct KZPropertyMapperTests {
  /// A title from this place.
  private func title(_ source: FieldSource) -> Mapping<Video> {
    Mapping.object(Video.self) { field in field.make(creating: { Video() }, field(source, \.title))
    }
  }

  private func update(
    _ mapping: Mapping<Video>, _ document: String, _ video: Video = Video()
  ) throws -> Video {
    var video = video
    let same = video
    try Mapper(mapping).update(&video, from: document.utf8)
    #expect(video === same)
    return video
  }

  /// The error of an update that fails, which has written nothing.
  private func failure(
    _ mapping: Mapping<Video>, _ document: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> MappingError? {
    var video = Video()
    video.title = "before"
    do {
      try Mapper(mapping).update(&video, from: document.utf8)
      Issue.record("the update did not fail", sourceLocation: sourceLocation)
      return nil
    } catch let error as MappingError {
      #expect(video.title == "before", sourceLocation: sourceLocation)
      return error
    }
  }

  // MARK: Values

  private let video = Mapping.object(Video.self) { field in
    field.make(
      creating: { Video() }, field("videoURL", \.contentURL), field("name", \.title),
      field("videoType", \.type), field("sub_object.title", \.uniqueID))
  }

  private let text = #"""
    {"videoURL":"http://test.com/video.mp4","name":"Some Cool","videoType":null,
     "sub_object":{"title":616}}
    """#

  @Test func `an update sets URL, texts and nested numbers (KZ-001)`() throws {
    let video = try update(video, text)
    #expect(video.contentURL?.absoluteString == "http://test.com/video.mp4")
    #expect(video.title == "Some Cool" && video.uniqueID == 616 && video.type == nil)
  }

  @Test func `null in an update clears a property (KZ-002)`() throws {
    let preset = Video()
    preset.contentURL = URL(string: "http://a.com")
    #expect(try update(video, #"{"videoURL":null}"#, preset).contentURL == nil)
  }

  /// Otherwise: a property that does not exist is an error of the compiler, one that cannot be written or is mapped twice a
  /// mistake of the mapping.
  @Test func `a constant property or one mapped twice is a mistake (KZ-004)`() {
    struct Fixed { let title: String }
    let mapping = Mapping.object(Fixed.self) { field in
      field.make(creating: { Fixed(title: "") }, field("videoURL", \.title))
    }
    #expect(mistakes(mapping).count == 1)
    let twice = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("a", \.title), field("b", \.title))
    }
    #expect(mistakes(twice).count == 1)
  }

  @Test func `an absent key in an update is no error (KZ-005)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("videoURL4432", \.contentURL), field("name", \.title))
    }
    let video = try update(mapping, text)
    #expect(video.contentURL == nil && video.title == "Some Cool")
  }

  @Test func `a text at a key sets the property (KZ-014)`() throws {
    #expect(try update(title("testValue"), #"{"testValue":"domek"}"#).title == "domek")
  }

  @Test func `an absent key leaves the property nil (KZ-015)`() throws {
    #expect(try update(title("testValue"), #"{"differentValue":"domek"}"#).title == nil)
  }

  @Test func `null at a key leaves the property nil (KZ-016)`() throws {
    #expect(try update(title("testValue"), #"{"testValue":null}"#).title == nil)
  }

  @Test func `an array for a text is a wrong type (KZ-018)`() throws {
    let error = try failure(title("testValue"), #"{"testValue":["v1","v2"]}"#)
    #expect(error?.code == .wrongType && error?.path == [.key("testValue")])
  }

  /// Otherwise: a property is mapped by its type: a URL is read without being asked for, and a text that is none is an error.
  @Test func `a URL property reads its text and refuses a number (KZ-033)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("sideURL", \.contentURL))
    }
    #expect(try update(mapping, #"{"sideURL":"http://apple.com"}"#).contentURL?.host == "apple.com")
    #expect(try failure(mapping, #"{"sideURL":7}"#)?.code == .wrongType)
  }

  @Test func `a text is read as string or URL by the property (KZ-034)`() throws {
    let text = #"{"sideURL":"http://apple.com"}"#
    #expect(try update(title("sideURL"), text).title == "http://apple.com")
    let boxed = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("sideURL", \.contentURL, .url))
    }
    #expect(try update(boxed, text).contentURL == URL(string: "http://apple.com"))
  }

  // MARK: Objects and arrays on the way

  @Test func `an element is read by its index, from zero (KZ-006)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("sub_object_array[1]", \.uniqueID))
    }
    #expect(try update(mapping, #"{"sub_object_array":["test",123]}"#).uniqueID == 123)
  }

  @Test func `a member of an array's element is read by path (KZ-007)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("sub_object_array[1].testValue", \.uniqueID))
    }
    let text = #"{"sub_object_array":["test",{"testValue":123}]}"#
    #expect(try update(mapping, text).uniqueID == 123)
  }

  @Test func `a member of a nested object is read by path (KZ-019)`() throws {
    #expect(try update(title("key.testValue"), #"{"key":{"testValue":"domek"}}"#).title == "domek")
  }

  @Test func `an absent nested member leaves the property nil (KZ-021)`() throws {
    #expect(try update(title("key.testValue"), #"{"key":{"wrongValue":"domek"}}"#).title == nil)
  }

  @Test(arguments: [#"{"key":null}"#, #"{"key":{"testValue":null}}"#])
  func `null on the way or at its end leaves nil (KZ-022)`(text: String) throws {
    #expect(try update(title("key.testValue"), text).title == nil)
  }

  @Test func `a text on the way to a member is a wrong type (KZ-023)`() throws {
    let error = try failure(title("key.testValue"), #"{"key":"someValue"}"#)
    #expect(error?.code == .wrongType && error?.path == [.key("key")])
  }

  @Test func `an array on the way to a member is a wrong type (KZ-024)`() throws {
    let error = try failure(title("key.testValue"), #"{"key":["v1","v2"]}"#)
    #expect(error?.code == .wrongType && error?.path == [.key("key")])
  }

  @Test func `an index reads its element, or nil beyond the array (KZ-026)`() throws {
    #expect(try update(title("testValue[1]"), #"{"testValue":["v1","domek"]}"#).title == "domek")
    #expect(try update(title("testValue[1]"), #"{"testValue":["v1"]}"#).title == nil)
  }

  /// Otherwise: an object where an array is asked for is a wrong type, as an array for an object was there, too.
  @Test func `an object where an array is indexed is a wrong type (KZ-030)`() throws {
    let error = try failure(title("testValue[1]"), #"{"testValue":{"v1":"v2"}}"#)
    #expect(error?.code == .wrongType && error?.path == [.key("testValue")])
  }

  // MARK: Functions, protocols, lists

  @Test func `a property is set and read by functions (KZ-009)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() },
        field(
          "number", named: "number", .int, set: { $0.number = $0.increased($1) },
          get: { ($0.number ?? 1) - 1 }))
    }
    let video = try update(mapping, #"{"number":3}"#)
    #expect(try video.number == 4 && encode(mapping, video) == #"{"number":3}"#)
  }

  @Test func `a protocol property gets an instance of a concrete class (KZ-011)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("dependency", \.dependency, .casting(Concrete.mapping)))
    }
    #expect(try update(mapping, #"{"dependency":{"number":7}}"#).dependency?.number == 7)
  }

  @Test func `a class property gets an instance from a nested object (KZ-012)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("dependency", \.concrete, Concrete.mapping))
    }
    #expect(try update(mapping, #"{"dependency":{"number":7}}"#).concrete?.number == 7)
  }

  @Test func `one key sets two properties and is written once (KZ-035)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("Content", \.title), field("Content", \.subtitle))
    }
    let video = try update(mapping, #"{"Content":"value"}"#)
    #expect(video.title == "value" && video.subtitle == "value")
    #expect(try encode(mapping, video) == #"{"Content":"value"}"#)
  }

  @Test func `one key sets several properties, each by its own mapping (KZ-036)`() throws {
    let calls = Calls()
    let passed: Mapping<String> = .converted(
      from: .string,
      { text in
        calls.add()
        return text
      }, reverse: { $0 })
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("Content", \.title), field("Content", \.contentURL),
        field("Content", \.subtitle), field("Content", \.type, passed))
    }
    let video = try update(mapping, #"{"Content":"value"}"#)
    #expect([video.title, video.subtitle, video.type] == ["value", "value", "value"])
    #expect(video.contentURL == URL(string: "value") && calls.count == 1)
  }

  /// Otherwise: as KZ-004, an error of the compiler; and a list with a wrong type in it writes nothing.
  @Test func `a wrong type among several properties writes none of them (KZ-037)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("Content", \.title), field("Content", \.uniqueID))
    }
    let error = try failure(mapping, #"{"Content":"value"}"#)
    #expect(error?.code == .wrongType)
  }

  // MARK: Rules

  /// A mapping that has to have a URL.
  private struct Required: Equatable {
    let contentURL: URL
    static let mapping = Mapping.object(Required.self) { field in
      field.make(Required.init, field("videoURL", \.contentURL))
    }
  }

  @Test func `an absent required URL is an error (KZ-038)`() throws {
    let outcome = try decode(Required.mapping, #"{"name":"Some Cool Video"}"#)
    #expect(outcome.value == nil && outcome.fatal == ["missing $.videoURL → contentURL"])
  }

  @Test func `a required URL that is there passes (KZ-039)`() throws {
    let outcome = try decode(Required.mapping, #"{"videoURL":"http://test.com/video.mp4"}"#)
    #expect(outcome.value?.contentURL.host == "test.com" && outcome.isClean)
  }

  @Test func `null for a required value is an error (KZ-040)`() throws {
    let outcome = try decode(Required.mapping, #"{"videoURL":null}"#)
    #expect(outcome.value == nil && outcome.fatal == ["null $.videoURL → contentURL"])
    // An Optional property that has to have a value all the same.
    let optional: Mapping<String?> = .nullable(.string).notNull()
    #expect(try decode(optional, "null").fatal == ["null $"])
  }

  private func holds(_ rule: Rule<String>, _ text: String) throws -> Bool {
    let outcome = try decode(Mapping.string.validated(rule), "\"\(text)\"")
    #expect(outcome.value != nil || outcome.fatal == ["validationFailed $"])
    return outcome.value != nil
  }

  private func holds(_ rule: Rule<Int>, _ number: Int) throws -> Bool {
    let outcome = try decode(Mapping.int.validated(rule), "\(number)")
    #expect(outcome.value != nil || outcome.fatal == ["validationFailed $"])
    return outcome.value != nil
  }

  @Test func `a text longer than its length range fails (KZ-041)`() throws {
    #expect(try !holds(.length(5...10), "Some Cool Video dsadsa dsa dsa"))
    #expect(try holds(.length(5...11), "Some Cool"))
  }

  @Test func `a regular expression matches anywhere and without regard to case (KZ-042)`() throws {
    let rule: Rule<String> = .matches(#"(?i)\b(a|b)(c|d)\b"#, .anywhere)
    #expect(try holds(rule, "BC"))
    #expect(try !holds(rule, "BCd"))
  }

  @Test func `a text of another length fails its rule (KZ-043)`() throws {
    #expect(try !holds(.length(10), "BCd"))
    #expect(try holds(.length(3), "BCd"))
  }

  @Test func `a number below its minimum fails (KZ-049)`() throws {
    #expect(try !holds(.min(4), 3))
    #expect(try holds(.min(2), 2))
  }

  /// Otherwise: a range whose first number is above its last is a mistake of the mapping.
  @Test func `a number outside its range fails, a reversed range is a mistake (KZ-050)`() throws {
    #expect(try !holds(.in(1...2), 3))
    #expect(try holds(.in(1...4), 2))
    #expect(mistakes(Mapping.int.validated(.between(4, 1))).count == 1)
  }

  @Test func `all required fields that are absent are reported together (KZ-051)`() throws {
    struct Three {
      let a: String
      let b: String
      let c: String
    }
    let mapping = Mapping.object(Three.self) { field in
      field.make(
        Three.init, field("a", \.a), field("b", \.b),
        field("c", \.c, .string.validated(.length(3))))
    }
    #expect(
      try decode(mapping, "{}").fatal.sorted()
        == ["missing $.a → a", "missing $.b → b", "missing $.c → c"])
  }

  /// Otherwise: an index out of range is absent, and what is required has to be there.
  @Test func `an index out of range fails a required property (KZ-053)`() throws {
    struct Titled { let title: String }
    let mapping = Mapping.object(Titled.self) { field in
      field.make(Titled.init, field("a[5]", \.title))
    }
    #expect(try decode(mapping, #"{"a":["x"]}"#).fatal == ["missing $.a[5] → title"])
  }

  // MARK: Dates

  /// Otherwise: a text that is not a date is an error; where it shall be nil it is, with an issue.
  @Test func `dates are read with and without fraction, and junk fails (KZ-056)`() throws {
    let mapping = Mapping.object(Video.self) { field in
      field.make(creating: { Video() }, field("d", \.when))
    }
    let whole = try update(mapping, #"{"d":"2014-01-14T14:35:23Z"}"#)
    #expect(whole.when?.timeIntervalSince1970 == 1_389_710_123)
    let part = try update(mapping, #"{"d":"2014-01-14T14:35:23.456+00:00"}"#)
    #expect(abs((part.when?.timeIntervalSince1970 ?? 0) - 1_389_710_123.456) < 1e-6)
    #expect(try failure(mapping, #"{"d":"junk"}"#)?.code == .invalidValue)
    #expect(try failure(mapping, #"{"d":5}"#)?.code == .wrongType)
    let lenient = Mapping.object(Video.self) { field in
      field.make(
        creating: { Video() }, field("d", \.when, .nullable(.date, when: .missingOrInvalid)))
    }
    #expect(try update(lenient, #"{"d":"junk"}"#).when == nil)
    #expect(try decode(lenient, #"{"d":"junk"}"#).issues == ["invalidValue $.d → when"])
  }
}
