import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Author: Hashable {
  var name: String
}

/// A value object: a text with a type of its own.
private struct PostTitle: RawRepresentable, Hashable, Mappable {
  let rawValue: String
}

private struct Post: Hashable {
  var author: Author?
  var authors: [Author]?
  var likes: Set<String>?
  var title: PostTitle?
  var content: String?
  var published: Bool?
  var publishingDate: Date?
  var url: URL?

  static let author = Mapping.object(Author.self) { field in
    field.make(Author.init, field("name", \.name))
  }

  static let mapping = Mapping.object(Post.self) { field in
    field.make(
      creating: { Post() }, field("author", \.author, author),
      field("authors", \.authors, .array(of: author)),
      field("likes", \.likes, .set(of: .string)), field("post_title", \.title),
      field("post_text", \.content), field("published", \.published),
      field("publishing_date", \.publishingDate, .date(format: "yyyy-MM-dd HH:mm:ss Z")),
      field("urls.canonical", \.url))
  }

  /// The same by the names of its properties: Instant Cocoa's dictionaries.
  static let dictionary = Mapping.object(Post.self) { field in
    field.make(
      creating: { Post() },
      field(
        "author", \.author,
        Mapping.object(Author.self) { field in field.make(Author.init, field("authorName", \.name))
        }),
      field("content", \.content), field("published", \.published))
  }
}

/// Instant Cocoa's ICJSONMapper: models from JSON and from dictionaries, and back.
@Suite struct InstantCocoaTests {
  private let entry = #"{"author":{"authorName":"soroush"},"content":"text","published":false}"#

  @Test func `a nested post is read and written back (IC-001)`() throws {
    let outcome = try decode(Post.dictionary, entry)
    let post = try #require(outcome.value)
    #expect(outcome.isClean && post.author == Author(name: "soroush"))
    #expect(post.content == "text" && post.published == false)
    #expect(try encode(Post.dictionary, post) == entry)
  }

  @Test func `a post is read with path, date, URL and value object (IC-002)`() throws {
    let outcome = try decode(
      Post.mapping,
      #"{"author":{"name":"soroush"},"published":true,"publishing_date":"#
        + #""2011-07-14 19:43:37 +0100","post_title":"A post with a title","#
        + #""urls":{"canonical":"http://khanlou.com/2013/12/objective-shorthand/"},"#
        + #""post_text":null}"#)
    let post = try #require(outcome.value)
    #expect(outcome.isClean && post.author == Author(name: "soroush") && post.content == nil)
    #expect(post.publishingDate?.timeIntervalSince1970 == 1_310_669_017)
    #expect(post.published == true && post.url?.host == "khanlou.com")
    #expect(post.title == PostTitle(rawValue: "A post with a title"))
  }

  @Test func `an array of authors keeps its order both ways (IC-006)`() throws {
    let text =
      #"{"authors":[{"name":"soroush"},{"name":"kourosh"}],"post_text":"text","published":false}"#
    let post = try #require(try decode(Post.mapping, text).value)
    #expect(post.authors?.map(\.name) == ["soroush", "kourosh"] && post.title == nil)
    #expect(try encode(Post.mapping, post) == text)
  }

  @Test func `likes become a set and are written as an array (IC-007)`() throws {
    let post = try #require(
      try Mapper(Post.mapping).decode(#"{"likes":["soroush","kourosh","soroush"]}"#.utf8).value)
    #expect(post.likes == ["soroush", "kourosh"])
    #expect(
      [#"{"likes":["soroush","kourosh"]}"#, #"{"likes":["kourosh","soroush"]}"#].contains(
        try encode(Post.mapping, post)))
  }

  @Test func `a text becomes a value object and goes back (IC-008)`() throws {
    let text = #"{"post_title":"A post title!"}"#
    let post = try #require(try decode(Post.mapping, text).value)
    #expect(post == Post(title: PostTitle(rawValue: "A post title!")))
    #expect(try encode(Post.mapping, post) == text)
  }

  @Test func `unknown keys set nothing and are no error (IC-009)`() throws {
    let outcome = try decode(Post.dictionary, #"{"garbage in":"garbage out"}"#)
    #expect(outcome.value == Post() && outcome.isClean)
  }

  @Test func `a post that is encoded and decoded is equal (IC-011)`() throws {
    let mapper = try Mapper(Post.dictionary)
    let post = try mapper.decode(entry.utf8).get()
    #expect(try mapper.decode(mapper.encode(post)).get() == post)
  }

  @Test func `two posts from the same text have equal hashes (IC-012)`() throws {
    let mapper = try Mapper(Post.dictionary)
    let posts = try [mapper.decode(entry.utf8).get(), mapper.decode(entry.utf8).get()]
    #expect(posts[0] == posts[1] && posts[0].hashValue == posts[1].hashValue)
  }

  /// Otherwise: with `onNull: .keep` as it was; else `null` is an error, for there is nothing that it could clear.
  @Test func `null for the whole object updates nothing (IC-013)`() throws {
    let mapper = try Mapper(Post.mapping)
    var post = Post(content: "old")
    try mapper.update(&post, from: "null".utf8, onNull: .keep)
    #expect(post == Post(content: "old"))
    let error = #expect(throws: MappingError.self) { try mapper.update(&post, from: "null".utf8) }
    #expect(error?.code == .null && post == Post(content: "old"))
  }

  @Test func `null keeps or clears a property as the update asks (IC-014)`() throws {
    var post = Post(content: "old")
    try Mapper(Post.mapping).update(&post, from: #"{"post_text":null}"#.utf8, onNull: .keep)
    #expect(post.content == "old")
    try Mapper(Post.mapping).update(&post, from: #"{"post_text":null}"#.utf8)
    #expect(post.content == nil)
  }

  /// Otherwise: a text that is not a date is an error; no property holds a value of another type.
  @Test func `a text that is not a date fails a date property (IC-016)`() throws {
    #expect(
      try decode(Post.mapping, #"{"publishing_date":"junk"}"#).fatal
        == ["invalidValue $.publishing_date → publishingDate"])
  }

  /// Otherwise: an array for a text is a wrong type, never passed over in silence.
  @Test func `an array for a text is a wrong type (IC-017)`() throws {
    #expect(
      try decode(Post.dictionary, #"{"content":["a"]}"#).fatal == ["wrongType $.content → content"])
  }

  /// Otherwise: `null` is no author; where it may be, the elements are Optional, or left out and reported.
  @Test func `null among authors fails, or is left out where optional (IC-019)`() throws {
    let text = #"{"authors":[null]}"#
    #expect(try decode(Post.mapping, text).fatal == ["null $.authors[0] → authors[0]"])
    let lenient = Mapping.object(Post.self) { field in
      field.make(
        creating: { Post() },
        field("authors", \.authors, .array(of: Post.author, omitsInvalid: true)))
    }
    let outcome = try decode(lenient, text)
    #expect(outcome.value?.authors == [] && outcome.fatal.isEmpty)
    #expect(outcome.issues.map { $0.prefix(17) } == ["null $.authors[0]"])
  }

  /// Otherwise: hostile input is an error with an address, never an exception.
  @Test func `a text for a nested object is a wrong type (IC-020)`() throws {
    #expect(
      try decode(Post.mapping, #"{"author":"text"}"#).fatal == ["wrongType $.author → author"])
  }

  @Test func `records at a path are mapped, or kept as values (IC-021)`() throws {
    struct Link: Equatable { let href: String }
    let text = #"{"links":[{"href":"a"},{"href":"b"},{"href":"c"},{"href":"d"}]}"#
    let link = Mapping.object(Link.self) { field in field.make(Link.init, field("href", \.href)) }
    let links = try Routes.run(link, text, at: ["$.links[*]"]).map { try $0.get() }
    #expect(links.map(\.href) == ["a", "b", "c", "d"])
    let plain = try Routes.run(.json, text, at: ["$.links[*]"]).map { try $0.get() }
    #expect(plain == [["href": "a"], ["href": "b"], ["href": "c"], ["href": "d"]])
  }
}
