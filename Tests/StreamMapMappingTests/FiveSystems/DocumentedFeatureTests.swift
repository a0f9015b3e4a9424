import Foundation
import StreamMapMacros
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

@Mappable(
  keys: .snakeCase,
  types: [
    .of(String.self, .text), .of(Int.self, .int(from: .text)),
    .of(Date.self, .firstOf(.anyDate, .date(since1970: .seconds), reportsEarlier: false)),
  ])
private struct Coerced: Equatable {
  let fullName: String
  let age: Int
  let born: Date
  let died: Date?
}

private final class Sample {
  var guid = ""
  var children: [Sample] = []
  var named: [String: Sample] = [:]
  init() {}
}

/// What the five systems document and their cases do not reach.
@Suite struct DocumentedFeatureTests {
  // MARK: Hydrant

  @Test func `types given to a macro coerce texts, numbers and dates`() throws {
    let outcome = try decode(
      Coerced.mapping, #"{"full_name":7,"age":"12","born":140645,"died":"1970-01-02T15:04:05Z"}"#)
    let date = Date(timeIntervalSince1970: 140_645)
    #expect(outcome.value == Coerced(fullName: "7", age: 12, born: date, died: date))
    #expect(outcome.isClean)
    #expect(
      try decode(Coerced.mapping, #"{"full_name":"a","age":12,"born":"x"}"#).fatal
        == ["noAlternative $.born → born"])
  }

  @Test func `the first path that has a value is taken`() throws {
    let present: Mapping<String?> = .nullable(.string).notNull()
    struct Post: Equatable { let content: String? }
    let post = Mapping.object(Post.self) { field in
      field.make(
        Post.init,
        field(
          "$", \.content,
          .firstOf(
            .at("post_text", present), .at("content", .nullable(.string)), reportsEarlier: false)))
    }
    #expect(try decode(post, #"{"post_text":"a","content":"b"}"#).value?.content == "a")
    #expect(try decode(post, #"{"post_text":null,"content":"b"}"#).value?.content == "b")
    let nothing = try decode(post, "{}")
    #expect(nothing.value == Post(content: nil) && nothing.isClean)
    #expect(try encode(post, Post(content: "a")) == #"{"post_text":"a"}"#)
    // The same in one line.
    let short = Mapping.object(Post.self) { field in
      field.make(Post.init, field(.first("post_text", "content"), \.content))
    }
    for text in [#"{"post_text":"a","content":"b"}"#, #"{"post_text":null,"content":"b"}"#, "{}"] {
      #expect(try decode(short, text).value == decode(post, text).value)
    }
  }

  @Test func `a value is mapped as if it stood inside an object`() throws {
    let inner: Mapping<JSONValue> = .json
    let under: Mapping<JSONValue> = .wrapped(in: ["a", "b"], inner)
    #expect(try decode(under, "7").value == ["a": ["b": 7]])
    #expect(try encode(under, ["a": ["b": 7]]) == "7")
    #expect(throws: MappingError.self) { try encode(under, 7) }
    let absent = try decode(
      .at("a.b", Mapping.int.default(3, when: .missingOrInvalid)), #"{"a":{}}"#)
    #expect(absent.value == 3 && absent.issues == ["missing $.a.b"])
  }

  @Test func `bad elements are left out of arrays but fail sets`() throws {
    let none = try decode(Mapping<[Int]>.array(of: .int, omitsInvalid: true), #"["a",null]"#)
    #expect(none.value == [] && none.issues.count == 2 && none.fatal.isEmpty)
    #expect(try decode(Mapping<Set<Int>>.set(of: .int), "[1,null]").fatal == ["null $[1] → [1]"])
    #expect(try decode(Mapping<Set<Int>>.set(of: .int), "{}").fatal == ["wrongType $"])
  }

  @Test(arguments: [
    (#""/Date(1390186634595+0800)/""#, 1_390_186_634.595),
    (#""/date(-5000)/""#, -5), (#""\/Date(0)\/""#, 0),
    (#""2014-01-14T14:35:23-0800""#, 1_389_738_923), (#""14 Jan 2014 14:35""#, 1_389_710_100),
  ])
  func `a date is read in all its documented forms`(text: String, seconds: Double) throws {
    let date = try #require(try decode(.anyDate, text).value)
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test func `a URL beyond ASCII is read with its letters encoded`() throws {
    let url = try decode(.url(.absoluteURL), #""http://example.com/é?q=ü""#).value
    #expect(url?.absoluteString == "http://example.com/%C3%A9?q=%C3%BC")
  }

  @Test func `a recovered value clears its fatal error`() throws {
    let cleared: Mapping<Int> = .int.recovering { _ in 0 }
    let outcome = try decode(cleared, #""x""#)
    #expect(outcome.value == 0 && outcome.fatal.isEmpty)
  }

  // MARK: OHMKit and EFDataMappingKit

  private static let sample: Mapping<Sample> = .recursive { sample in
    Mapping.object(Sample.self) { field in
      field.make(
        creating: { Sample() }, field("id", \.guid),
        field("children", \.children, .array(of: sample).default([])),
        field("named", \.named, .dictionary(of: sample).default([:])))
    }
  }

  @Test func `a dictionary of objects is mapped, errors have their paths`() throws {
    let text =
      #"{"id":"1","children":[],"named":{"a":{"id":"2","children":[],"named":{}}}}"#
    let value = try #require(try Mapper(Self.sample).decode(text.utf8).value)
    #expect(value.named["a"]?.guid == "2")
    #expect(try encode(Self.sample, value) == text)
    #expect(
      try decode(Self.sample, #"{"id":"1","named":{"a":{"id":7}}}"#).fatal
        == ["wrongType $.named.a.id → named.a.guid"])
    #expect(
      try decode(Self.sample, #"{"id":"1","named":[]}"#).fatal == ["wrongType $.named → named"])
  }

  @Test(arguments: ["7", #""x""#, "[]", "true"])
  func `a root that is not an object is a wrong type`(text: String) throws {
    #expect(try decode(Self.sample, text).fatal == ["wrongType $"])
  }

  @Test func `null for an array is its default, among elements an error`() throws {
    let text = #"{"id":"1","children":null}"#
    #expect(try decode(Self.sample, text).value?.children.isEmpty == true)
    #expect(
      try decode(Self.sample, #"{"id":"1","children":[null]}"#).fatal
        == ["null $.children[0] → children[0]"])
  }

  @Test func `elements and their array are validated by their own rules`() throws {
    let ages: Mapping<[Int]> = .array(of: .int.validated(.greaterThan(2))).validated(.minCount(2))
    #expect(try decode(ages, "[3,1]").fatal == ["validationFailed $[1] → [1]"])
    #expect(try decode(ages, "[3]").fatal == ["validationFailed $"])
    #expect(try decode(ages, "[]").fatal == ["validationFailed $"])
  }

  @Test func `a value of a wrong type is not validated`() throws {
    #expect(try decode(Mapping.int.validated(.greaterThan(2)), #""x""#).fatal == ["wrongType $"])
    #expect(try decode(Mapping.string.validated(.minLength(2)), "[]").fatal == ["wrongType $"])
  }

  // MARK: Instant Cocoa

  private struct Item: Equatable { let name: String }

  @Test func `a transform before mapping works at every depth`() throws {
    let item: Mapping<Item> = .preTransformed(
      Mapping.object(Item.self) { field in field.make(Item.init, field("name", \.name)) }
    ) { json in
      guard case .string(let name) = json else { return json }
      return ["name": .string(name)]
    }
    struct List: Equatable {
      let first: Item
      let items: [Item]
    }
    let list: Mapping<List> = .preTransformed(
      Mapping.object(List.self) { field in
        field.make(
          List.init, field("first", \.first, item), field("items", \.items, .array(of: item)))
      }
    ) { $0["list"] ?? $0 }
    let value = try decode(list, #"{"list":{"first":"a","items":["b",{"name":"c"}]}}"#).value
    #expect(
      value == List(first: Item(name: "a"), items: [Item(name: "b"), Item(name: "c")]))
  }

  private final class Author { var name = "" }
  private final class Post {
    var author: Author? = Author()
    var title = "old"
  }

  @Test func `nested objects keep their identity in an update`() throws {
    let author = Mapping.object(Author.self) { field in
      field.make(creating: { Author() }, field("name", \.name))
    }
    let mapper = try Mapper(
      Mapping.object(Post.self) { field in
        field.make(
          creating: { Post() }, field("author", \.author, author).mergingUpdates(),
          field("title", \.title))
      })
    var post = Post()
    let same = try #require(post.author)
    try mapper.update(&post, from: #"{"author":{"name":"s"},"title":null}"#.utf8, onNull: .keep)
    #expect(post.author === same && same.name == "s" && post.title == "old")
    #expect(throws: MappingError.self) {
      try mapper.update(&post, from: #"{"author":{"name":"t"},"title":7}"#.utf8)
    }
    #expect(same.name == "s")
  }

  // MARK: KZPropertyMapper

  @Test func `text rules check length in Unicode scalars and allowed values`() throws {
    func holds(_ rule: Rule<String>, _ text: String) throws -> Bool {
      try decode(Mapping.string.validated(rule), "\"\(text)\"").value != nil
    }
    #expect(try holds(.minLength(3), "abc") && !holds(.minLength(4), "abc"))
    #expect(try holds(.maxLength(3), "abc") && !holds(.maxLength(2), "abc"))
    #expect(try holds(.oneOf(["a", "b"]), "a") && !holds(.oneOf(["a", "b"]), "c"))
    #expect(try holds(.equalTo("a"), "a") && !holds(.equalTo("a"), ""))
    #expect(try holds(.length(1), "👩🏽") == false)  // two Unicode scalars
  }

  @Test func `an array at the root is mapped by indices`() throws {
    struct Pair: Equatable {
      let first: String
      let second: Int
    }
    let pair = Mapping.object(Pair.self) { field in
      field.make(Pair.init, field("[0]", \.first), field("[1].value", \.second))
    }
    #expect(try decode(pair, #"["a",{"value":2}]"#).value == Pair(first: "a", second: 2))
    #expect(try encode(pair, Pair(first: "a", second: 2)) == #"["a",{"value":2}]"#)
    #expect(try decode(pair, #"{"0":"a"}"#).fatal == ["wrongType $"])
  }
}
