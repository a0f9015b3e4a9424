import Foundation
import StreamMapFoundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Post: Equatable, Mappable {
  var title: String
  var url: String?
  var author: Author
  var comments: [Author]
  var related: [Post] = []
  var rest: [String: JSONValue] = [:]
  var full: String = ""

  struct Author: Equatable, Mappable {
    var name: String
    static var mapping: Mapping<Author> {
      Mapping.object(Author.self) { field in field.make(Author.init, field("author_name", \.name)) }
    }
  }

  static var mapping: Mapping<Post> {
    Mapping.object(Post.self) { field in
      field.make(
        creating: { Post(title: "", author: Author(name: ""), comments: []) },
        field(.first("post_title", "title"), \.title), field("urls.canonical", \.url),
        field("by", \.author), field("urls.comments", \.comments),
        field("see.also", \.related, .array(of: .declared).default([])),
        field(collecting: \.rest),
        field(
          "$", \.full,
          .joined(
            Part("a", .string.default("")), Part("b", .string.default("")), by: { $0 + $1 },
            split: { ($0, "") })))
    }
  }
}

/// Values written by the names of properties.
@Suite struct PropertyKeyTests {
  private var byName: EncodingOptions {
    var options = EncodingOptions()
    options.keys = .properties
    return options
  }

  private let post = Post(
    title: "T", url: "u", author: .init(name: "A"), comments: [.init(name: "B")],
    related: [Post(title: "S", author: .init(name: "C"), comments: [])], rest: ["x_y": 1],
    full: "f")

  @Test func `values are written by property names at any depth`() throws {
    let mapper = try Mapper(Post.self)
    let value = try mapper.encode(asFoundationObject: post, options: byName) as? [String: Any]
    #expect(
      value?.keys.sorted() == ["author", "comments", "full", "related", "title", "url", "x_y"])
    #expect(value?["title"] as? String == "T" && value?["url"] as? String == "u")
    #expect((value?["author"] as? [String: Any])?["name"] as? String == "A")
    #expect((value?["comments"] as? [[String: Any]])?.first?["name"] as? String == "B")
    let related = (value?["related"] as? [[String: Any]])?.first
    #expect(related?["title"] as? String == "S" && related?["url"] == nil)
    #expect((value?["full"] as? [String: Any])?["a"] as? String == "f")
    // As text, too; the mapping itself is as it was.
    let text = String(
      decoding: try mapper.encode(post.author, of: Post.Author.self, byName), as: UTF8.self)
    #expect(text == #"{"name":"A"}"#)
    #expect(try encode(Post.Author.mapping, post.author) == #"{"author_name":"A"}"#)
  }

  @Test func `property names combine with chosen fields and null`() throws {
    let mapper = try Mapper(Post.self)
    var options = byName
    options.fields = .only(["title", "url"])
    options.nils = .null
    var post = post
    post.url = nil
    let text = String(decoding: try mapper.encode(post, options: options), as: UTF8.self)
    #expect(text == #"{"title":"T","url":null}"#)
    options.fields = .only(["post_title"])
    let bySource = String(decoding: try mapper.encode(post, options: options), as: UTF8.self)
    #expect(bySource == #"{"title":"T"}"#)
  }
}

extension Mapper {
  fileprivate func encode<Part: Mappable>(
    _ part: Part, of type: Part.Type, _ options: EncodingOptions
  ) throws -> [UInt8] {
    try Mapper<Part>(type).encode(part, options: options)
  }
}
