import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

private struct Post: Equatable {
  var title: String
  var text: String?
  var tags: [String]
}

/// Fields that take the first of several places that has a value.
@Suite struct SeveralSourcesTests {
  private let post = Mapping.object(Post.self) { field in
    field.make(
      creating: { Post(title: "", text: "old", tags: []) },
      field(.first("post_title", "title", "meta.name"), \.title),
      field(.first("text", "content"), \.text),
      field(.first("tags", "labels[1]"), \.tags, .array(of: .string).default(["-"])))
  }

  private func text(_ decoded: Decoded<Post>) -> String {
    let problems = (decoded.fatal + decoded.issues).joined(separator: ", ")
    guard let post = decoded.value else { return problems }
    return "\(post.title) \(post.text ?? "nil") \(post.tags.joined(separator: "+"))" + problems
  }

  @Test(arguments: [
    (#"{"post_title":"a"}"#, "a nil -"), (#"{"title":"b"}"#, "b nil -"),
    (#"{"meta":{"name":"c"}}"#, "c nil -"),
    // Whatever their order.
    (#"{"post_title":"a","title":"b","meta":{"name":"c"}}"#, "a nil -"),
    (#"{"meta":{"name":"c"},"title":"b","post_title":"a"}"#, "a nil -"),
    // Null counts only where nothing else is there.
    (#"{"post_title":null,"title":"b"}"#, "b nil -"),
    (#"{"title":"b","post_title":null}"#, "b nil -"),
    (#"{"title":"b","text":null,"content":"t"}"#, "b t -"),
    (#"{"title":"b","text":null,"content":null}"#, "b nil -"),
    (#"{"title":"b","meta":null}"#, "b nil -"),
    (#"{"title":"b","labels":[0,["x","y"]]}"#, "b nil x+y"),
    (#"{"title":"b","labels":[0,["x"]],"tags":["z"]}"#, "b nil z"),
    (#"{"title":"b","labels":[0],"tags":null}"#, "b nil -"),
    // What is wrong with those that are not taken is no matter.
    (#"{"post_title":"a","title":7,"meta":8}"#, "a nil -"),
    (#"{"meta":8,"title":7,"post_title":"a"}"#, "a nil -"),
    (#"{"title":"b","labels":[0,[1,2]],"tags":["z"]}"#, "b nil z"),
    // What is wrong with the first is an error.
    (#"{"post_title":7,"title":"b"}"#, "wrongType $.post_title → title"),
    (#"{"title":"b","post_title":7}"#, "wrongType $.post_title → title"),
    (#"{"post_title":null}"#, "null $.post_title → title"),
    (#"{"post_title":null,"title":null}"#, "null $.post_title → title"),
    (#"{"meta":null}"#, "null $.meta → title"), ("{}", "missing $.post_title → title"),
    (#"{"title":"b","labels":[0,["x",7]]}"#, "wrongType $.labels[1][1] → tags[1]"),
    // The last of equal keys counts.
    (#"{"title":"x","title":"b"}"#, "b nil -"), (#"{"title":7,"title":"b"}"#, "b nil -"),
    (#"{"post_title":"a","title":"x","post_title":null}"#, "x nil -"),
    (#"{"title":"b","title":null}"#, "null $.title → title"),
  ])
  func `the first place that has a value fills the field`(document: String, expected: String) throws
  {
    #expect(try text(decode(post, document)) == expected)
  }

  /// An error on the way to several of the places is told once.
  @Test func `an error on the way to several places is told once`() throws {
    struct Inner: Equatable { let name: String }
    let mapping = Mapping.object(Inner.self) { field in
      field.make(Inner.init, field(.first("a.b", "a.c"), \.name))
    }
    #expect(try decode(mapping, #"{"a":7}"#).fatal == ["wrongType $.a → name"])
    #expect(try decode(mapping, #"{"a":null}"#).fatal == ["null $.a → name"])
    #expect(try decode(mapping, #"{"a":{"b":7,"c":8}}"#).fatal == ["wrongType $.a.b → name"])
    #expect(try decode(mapping, #"{"a":{"c":"x"}}"#).value == Inner(name: "x"))
  }

  @Test func `a field is written at the first of its places`() throws {
    let whole = Post(title: "a", text: nil, tags: ["b"])
    #expect(try encode(post, whole) == #"{"post_title":"a","tags":["b"]}"#)
    var options = EncodingOptions()
    options.nils = .null
    let text = String(
      decoding: try Mapper(post).encode(whole, options: options), as: UTF8.self)
    #expect(text == #"{"post_title":"a","text":null,"tags":["b"]}"#)
  }

  @Test(arguments: [
    ("{}", "new old"), (#"{"title":"t"}"#, "t old"), (#"{"post_title":"p","title":"t"}"#, "p old"),
    (#"{"content":"c"}"#, "new c"), (#"{"text":null}"#, "new nil"),
    (#"{"text":null,"content":"c"}"#, "new c"), (#"{"other":1}"#, "new old"),
  ])
  func `an update touches only fields with a place that is there`(
    document: String, expected: String
  ) throws {
    var value = Post(title: "new", text: "old", tags: ["x"])
    try Mapper(post).update(&value, from: document.utf8)
    #expect("\(value.title) \(value.text ?? "nil")" == expected && value.tags == ["x"])
  }

  @Test func `null is kept and absence refused where an update asks`() throws {
    let mapper = try Mapper(post)
    var value = Post(title: "new", text: "old", tags: ["x"])
    try mapper.update(&value, from: #"{"text":null,"title":null}"#.utf8, onNull: .keep)
    #expect(value == Post(title: "new", text: "old", tags: ["x"]))
    let error = #expect(throws: MappingError.self) {
      try mapper.update(&value, from: #"{"text":"c"}"#.utf8, absent: .required)
    }
    #expect(error?.code == .missing && error?.path.description == "$.post_title")
    try mapper.update(&value, from: #"{"meta":{"name":"m"}}"#.utf8, absent: .required)
    #expect(value.title == "m" && value.text == "old")
  }

  /// One place may be a field's first and another's second, be taken as a whole and led through.
  @Test func `fields share places in any order and as a whole`() throws {
    struct Both: Equatable {
      let a: JSONValue
      let b: String
      let c: String?
    }
    let mapping = Mapping.object(Both.self) { field in
      field.make(
        Both.init, field("x", \.a), field(.first("y", "x.z"), \.b), field(.first("x.z", "y"), \.c))
    }
    #expect(try decode(mapping, #"{"x":{"z":"1"}}"#).value == Both(a: ["z": "1"], b: "1", c: "1"))
    #expect(
      try decode(mapping, #"{"y":"2","x":{"z":"1"}}"#).value == Both(a: ["z": "1"], b: "2", c: "1"))
  }

  @Test func `parts and output fields take the first place, too`() throws {
    let joined: Mapping<String> = .joined(
      Part(.first("first", "given"), .string), Part("last", .string), by: { "\($0) \($1)" })
    #expect(try decode(joined, #"{"given":"A","last":"B"}"#).value == "A B")
    #expect(try decode(.at(.first("a", "b"), Mapping.int), #"{"b":7}"#).value == 7)
    let output = OutputMapping.object([
      OutputField("t", from: .first("title", "name"), .string),
      OutputField("n", from: "n", .int64),
    ])
    let records = try Routes.run(
      output: output, #"{"name":"x","n":1,"title":"y"}{"name":"z","n":2}"#, format: .concatenated)
    #expect(
      records.map { $0.value.map { String(decoding: $0.bytes, as: UTF8.self) } }
        == [#"{"t":"y","n":1}"#, #"{"t":"z","n":2}"#])
    let one = try Routes.run(
      output: .at(.first("a", "b", "c"), .nullable(.any)),
      #"{"b":"x","a":"y"}{"a":"y","b":"x"}{"c":7,"b":"x"}{"b":null}{"a":null,"c":1}{}"#,
      format: .concatenated)
    #expect(
      one.map { $0.value.map { String(decoding: $0.bytes, as: UTF8.self) } }
        == [#""y""#, #""y""#, #""x""#, "null", "1", "null"])
  }

  @Test func `every place is a known key, a bad one a mistake`() throws {
    #expect(
      try decode(post.unknownKeys(.report), #"{"title":"b","content":"c","x":1}"#).issues
        == ["unknownKey $.x"])
    #expect(
      mistakes(
        Mapping.object(Post.self) { field in
          field.make(
            creating: { Post(title: "", text: nil, tags: []) },
            field(.first("a", "$"), \.title))
        }
      ).count == 1)
    #expect(
      mistakes(
        Mapping.object(Post.self) { field in
          field.make(
            creating: { Post(title: "", text: nil, tags: []) },
            field(.first("a", "b["), \.title))
        }
      ).count == 1)
    #expect(mistakes(Mapping<Int>.dispatch(on: .first("a", "b"), ["x": .at("y", .int)])).count == 1)
    #expect(
      try Mapper(post).plan.description.contains("post_title or title or meta.name → title: string")
    )
  }

  /// Values that are made and not taken end their life, and so do those of objects that fail.
  @Test func `values that are made and not taken are released`() throws {
    struct Holder {
      let value: LifetimeTracked?
      let other: Int
    }
    let counter = LifetimeCounter()
    let tracked: Mapping<LifetimeTracked> = .oneWay(from: .string) { LifetimeTracked($0, counter) }
    let mapping = Mapping.object(Holder.self) { field in
      field.make(
        Holder.init, field(.first("a", "b", "c"), \.value, tracked), field("n", \.other))
    }
    for (document, expected) in [
      (#"{"a":"1","b":"2","c":"3","n":1}"#, "1"), (#"{"c":"3","b":"2","n":1}"#, "2"),
      (#"{"b":"2","c":"3"}"#, nil), (#"{"b":"2","a":null,"n":1,"#, nil),
      (#"{"b":"2","b":"3","a":7,"n":1}"#, nil), (#"{"a":null,"n":1}"#, "nil"),
    ] {
      let text = try decode(mapping, document).value.map { $0.value?.text ?? "nil" }
      #expect(text == expected)
    }
    #expect(counter.live == 0)
  }

  /// A type that contains itself at several places.
  private final class Node: Mappable {
    let name: String
    let next: Node?
    init(name: String, next: Node?) {
      self.name = name
      self.next = next
    }
    static var mapping: Mapping<Node> {
      Mapping.object(Node.self) { field in
        field.make(
          Node.init, field(.first("name", "n"), \.name), field(.first("next", "x"), \.next))
      }
    }
  }

  @Test func `a recursive type is read from several places`() throws {
    let node = try decode(Node.mapping, #"{"n":"a","x":{"name":"b","next":null,"x":{"n":"c"}}}"#)
      .value
    #expect(node?.name == "a" && node?.next?.name == "b" && node?.next?.next?.name == "c")
  }
}
