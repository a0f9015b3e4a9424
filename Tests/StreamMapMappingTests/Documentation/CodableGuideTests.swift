import Foundation
import StreamMapMacros
import Testing

@testable import StreamMapTestSupport

@Mappable(keys: .snakeCase)
private struct Article: Equatable {
  let id: Int
  let title: String
  var pageCount = 0  // 0 if it is absent or null: no init(from:) is needed
  let subtitle: String?  // nil if it is absent or null
  @Key("author.display_name") let author: String  // no nested container is needed
  let published: Date  // RFC 3339, with and without fractions of a second
}

@Mappable(optional: ["rating"])
private struct Review: Equatable {
  @Key("headline", "title") let headline: String
  @Key("at[1]") let y: Double
  var rating: Int?  // nil, and an issue, if it is absent or wrong
  @Mapped(.array(of: .int, omitsInvalid: true)) let votes: [Int]
  @Mapped<Level>(.enumeration(of: .string).default(.low, when: .missingOrInvalid)) let level: Level
  let photo: Data  // base64
  let tags: Set<String>

  static func refined(_ mapping: Mapping<Review>) -> Mapping<Review> {
    mapping.unknownKeys(.report)
      .validated(Rule("votes", expecting: "at least one vote") { !$0.votes.isEmpty })
  }
}

private enum Level: String { case low, high }

@Mappable(tagging: .key)
private enum Figure: Equatable {
  case circle(radius: Double)  // {"circle":{"radius":2}}
  case named(String)  // {"named":"x"}
  case empty  // {"empty":{}}
}

@Mappable(discriminator: "type", content: "value")
private enum Event: Equatable {
  case renamed(String)  // {"type":"renamed","value":"x"}
  case moved(x: Int, y: Int)  // {"type":"moved","value":{"x":1,"y":2}}
  case closed  // {"type":"closed"}
}

@Mappable(tagging: .untagged)
private enum Identifier: Equatable {
  case number(Int)  // 7
  case name(String)  // "x"
}

@Mappable
private struct Change: Equatable {
  let title: String?  // nil: it stays
  let subtitle: String??  // nil: it stays; .some(nil): it goes
}

/// The Swift of Coming from Codable, compiled and run; and Codable itself beside it, where both have a form.
@Suite struct CodableGuideTests {
  @Test func `Coming from Codable shows only code that is tested here`() throws {
    let tests = try String(contentsOfFile: #filePath, encoding: .utf8)
    // Types of tests are private.
    GuideLines.expectTested(
      try GuideLines.document("Sources/StreamMap/StreamMap.docc/ComingFromCodable.md"),
      by: tests.replacing("private ", with: ""))
  }

  @Test func `a model is decoded and encoded as Codable does it`() throws {
    let data = Data(
      #"{"id":7,"title":"a","page_count":2,"author":{"display_name":"Ann"},"published":"2026-11-21T09:30:00Z"}"#
        .utf8)
    let articles = try Mapper(Article.self)  // once; it is Sendable
    let article = try articles.decode(data).get()  // Data, [UInt8], String, …
    let json = Data(try articles.encode(article))

    #expect(article.pageCount == 2 && article.subtitle == nil && article.author == "Ann")
    #expect(article.published == Date(timeIntervalSince1970: 1_795_253_400))
    #expect(json == data)
  }

  @Test func `all errors are shown`() throws {
    var shown: [String] = []
    func print(_ item: Any) { shown.append("\(item)") }
    let articles = try Mapper(Article.self)

    let broken = articles.decode(#"{"id":"x","title":7,"published":"2026-11-21"}"#)
    for error in broken.error?.leaves ?? [] { print(error) }

    #expect(
      Array(shown.prefix(2)) == [
        "fatal wrongType at $.id → id (record 1, line 1, column 7, bytes 6..<9): expected an integer (Int), found a string",
        "fatal wrongType at $.title → title (record 1, line 1, column 19, bytes 18..<19): expected a string, found a number",
      ])
    #expect(
      broken.error?.leaves.map(\.path.description).sorted() == [
        "$.author.display_name", "$.id", "$.published", "$.title",
      ])
  }

  @Test func `what init(from:) is written for is said by attributes`() throws {
    let reviews = try Mapper(Review.self)
    let text =
      #"{"title":"b","at":[1,2.5],"rating":"?","votes":[1,"x",3],"level":"huge","photo":"AQI=","tags":["t"],"z":1}"#
    let record = reviews.decode(text)
    let review = try record.get()
    #expect(
      review.headline == "b" && review.y == 2.5 && review.rating == nil && review.level == .low)
    #expect(review.votes == [1, 3] && review.photo == Data([1, 2]) && review.tags == ["t"])
    #expect(
      Set(record.issues.map { "\($0.code) \($0.path)" }) == [
        "wrongType $.rating", "wrongType $.votes[1]", "invalidValue $.level", "unknownKey $.z",
      ])
    #expect(
      String(decoding: try reviews.encode(review), as: UTF8.self)
        == #"{"headline":"b","at":[null,2.5],"votes":[1,3],"level":"low","photo":"AQI=","tags":["t"]}"#
    )
    let none = text.replacing(#"[1,"x",3]"#, with: "[]")
    #expect(reviews.decode(none).error?.leaves.map(\.rule) == ["votes"])
  }

  @Test(arguments: [
    (Figure.circle(radius: 2), #"{"circle":{"radius":2.0}}"#),
    (.named("x"), #"{"named":"x"}"#), (.empty, #"{"empty":{}}"#),
  ])
  private func `a case is the key of its values`(_ figure: Figure, _ text: String) throws {
    #expect(try roundTrip(text) == figure)
  }

  @Test func `a case that no key names is an error`() throws {
    #expect(try findings(Figure.self, #"{"square":{}}"#).count == 1)
    #expect(try findings(Figure.self, #"{"circle":{"radius":"x"}}"#).count == 1)
  }

  @Test(arguments: [
    (Event.renamed("x"), #"{"type":"renamed","value":"x"}"#),
    (.moved(x: 1, y: 2), #"{"type":"moved","value":{"x":1,"y":2}}"#),
    (.closed, #"{"type":"closed"}"#),
  ])
  private func `a case stands beside its values`(_ event: Event, _ text: String) throws {
    #expect(try roundTrip(text) == event)
  }

  @Test func `a value beside a case has its own address`() throws {
    #expect(
      try findings(Event.self, #"{"type":"moved","value":{"x":"a","y":2}}"#)
        == ["fatal wrongType $.value.x"])
    #expect(try findings(Event.self, #"{"type":"renamed"}"#) == ["fatal missing $.value"])
  }

  @Test(arguments: [(Identifier.number(7), "7"), (.name("x"), #""x""#)])
  private func `a case without a name is the first that takes the value`(
    _ identifier: Identifier, _ text: String
  ) throws {
    #expect(try roundTrip(text) == identifier)
    #expect(try findings(Identifier.self, "true") == ["fatal noAlternative $"])
  }

  @Test(arguments: [
    ("{}", Change(title: nil, subtitle: nil)),
    (#"{"subtitle":null}"#, Change(title: nil, subtitle: .some(nil))),
    (#"{"title":"a","subtitle":"b"}"#, Change(title: "a", subtitle: "b")),
  ])
  private func `two Optionals tell absent from null`(_ text: String, _ change: Change) throws {
    #expect(try roundTrip(text) == change)
  }
}
