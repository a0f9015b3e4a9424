import Foundation
import Testing

@testable import StreamMap
@testable import StreamMapTestSupport

/// Real feeds, where they are: what comes out is what Foundation's decoder makes of them.
@Suite struct SharedFeedTests {
  // MARK: canada.json: numbers

  struct Geometry: Decodable { let coordinates: [[[Double]]] }
  struct Feature: Decodable { let geometry: Geometry }
  struct Collection: Decodable { let features: [Feature] }

  @Test func `the coordinates of Canada equal JSONDecoder's bit for bit`() throws {
    guard let bytes = try SharedData.bytes("data/canada.json") else { return }
    let geometry = Mapping.object(Geometry.self) { field in
      field.make(
        Geometry.init,
        field("coordinates", \.coordinates, .array(of: .array(of: .array(of: .double)))))
    }
    let mapper = try Mapper(
      Mapping.object(Feature.self) { field in
        field.make(Feature.init, field("geometry", \.geometry, geometry))
      })
    let found = try mapper.records(in: Feed(bytes, at: "$.features[*]")).flatMap {
      try $0.get().geometry.coordinates
    }
    let expected = try JSONDecoder().decode(Collection.self, from: Data(bytes)).features.flatMap(
      \.geometry.coordinates)
    func bits(_ rings: [[[Double]]]) -> [UInt64] {
      rings.flatMap { $0.flatMap { $0.map(\.bitPattern) } }
    }
    #expect(found.count == 480)
    #expect(bits(found) == bits(expected))
  }

  // MARK: citm_catalog.json: dictionaries

  struct Event: Decodable, Equatable {
    let id: Int
    let name: String
    let description: String?
    let logo: String?
    let topicIds: [Int]
  }

  struct Catalog: Decodable, Equatable {
    let areaNames: [String: String]
    let events: [String: Event]
    let topicSubTopics: [String: [Int]]
    let venueNames: [String: String]
  }

  @Test func `the catalogue's dictionaries equal what JSONDecoder makes of them`() throws {
    guard let bytes = try SharedData.bytes("data/citm_catalog.json") else { return }
    let event = Mapping.object(Event.self) { field in
      field.make(
        Event.init, field("id", \.id), field("name", \.name), field("description", \.description),
        field("logo", \.logo),
        field("topicIds", \.topicIds))
    }
    let catalog = Mapping.object(Catalog.self) { field in
      field.make(
        Catalog.init, field("areaNames", \.areaNames),
        field("events", \.events, .dictionary(of: event)),
        field("topicSubTopics", \.topicSubTopics), field("venueNames", \.venueNames))
    }
    let found = try Mapper(catalog).decode(bytes).get()
    #expect(found.events.count == 184)
    #expect(try found == JSONDecoder().decode(Catalog.self, from: Data(bytes)))
  }

  @Test(arguments: [1, 3])
  func `the catalogue's events as records equal those of the dictionary`(jobs: Int) throws {
    guard let bytes = try SharedData.bytes("data/citm_catalog.json") else { return }
    var mapper = try Mapper(
      Mapping.object(Event.self) { field in
        field.make(
          Event.init, field("id", \.id), field("name", \.name), field("description", \.description),
          field("logo", \.logo), field("topicIds", \.topicIds))
      })
    mapper.reportsKeys = true
    var found: [String: Event] = [:]
    for record in try mapper.records(in: Feed(bytes, at: "$.events.*"), jobs: jobs) {
      found[try #require(record.key)] = try record.get()
    }
    #expect(try found == JSONDecoder().decode(Catalog.self, from: Data(bytes)).events)
  }

  // MARK: twitter.json: seven fields of many

  struct Status: Decodable, Equatable {
    struct User: Decodable, Equatable {
      let screenName: String
      let followersCount: Int
    }
    struct Hashtag: Decodable, Equatable { let text: String }
    struct Entities: Decodable, Equatable { let hashtags: [Hashtag] }

    let id: UInt64
    let createdAt: String
    let text: String
    let user: User
    let retweetCount: Int
    let entities: Entities
  }

  struct Timeline: Decodable { let statuses: [Status] }

  struct FlatStatus: Equatable {
    let id: UInt64
    let createdAt: String
    let text: String
    let author: String
    let followers: Int
    let retweets: Int
    let hashtags: [String]
  }

  @Test func `seven fields of tweets equal JSONDecoder's, whole and in pieces`() throws {
    guard let bytes = try SharedData.bytes("data/twitter.json") else { return }
    struct Tag { let text: String }
    let hashtags: Mapping<[String]> = .array(
      of: .converted(
        from: Mapping.object(Tag.self) { field in
          field.make({ Tag(text: $0) }, field("text", \Tag.text))
        }, { $0.text },
        reverse: { Tag(text: $0) }))
    let status = Mapping.object(FlatStatus.self) { field in
      field.make(
        FlatStatus.init, field("id", \.id), field("created_at", \.createdAt), field("text", \.text),
        field("user.screen_name", \.author), field("user.followers_count", \.followers),
        field("retweet_count", \.retweets),
        field("entities.hashtags", \.hashtags, hashtags))
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let expected = try decoder.decode(Timeline.self, from: Data(bytes)).statuses.map {
      FlatStatus(
        id: $0.id, createdAt: $0.createdAt, text: $0.text, author: $0.user.screenName,
        followers: $0.user.followersCount, retweets: $0.retweetCount,
        hashtags: $0.entities.hashtags.map(\.text))
    }
    let mapper = try Mapper(status)
    #expect(expected.count == 100)
    #expect(
      try mapper.records(in: Feed(bytes, at: "$.statuses[*]")).map { try $0.get() } == expected)
    for size in [1000, 4096, 33_333] {
      let stream = try mapper.stream(at: "$.statuses[*]")
      var found: [FlatStatus] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        try stream.feed(bytes[start..<min(start + size, bytes.count)]) {
          found.append(try $0.get())
        }
      }
      try stream.finish { found.append(try $0.get()) }
      #expect(found == expected)
    }
  }

  // MARK: amazon_cellphones.ndjson: lines that are arrays

  struct Phone: Equatable {
    let asin: String
    let brand: String?
    let title: String
  }

  @Test func `NDJSON lines that are arrays are mapped by their indices`() throws {
    guard let bytes = try SharedData.bytes("data/amazon_cellphones.ndjson") else { return }
    let phone = Mapping.object(Phone.self) { field in
      field.make(
        Phone.init, field("[0]", \.asin), field("[1]", \.brand), field("[2]", \.title))
    }
    let found = try Mapper(phone).records(in: Feed(bytes, format: .ndjson)).map { try $0.get() }
    let expected = try bytes.split(separator: 0x0A).map { line in
      let row = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [Any])
      return Phone(
        asin: try #require(row[0] as? String), brand: row[1] as? String,
        title: try #require(row[2] as? String))
    }
    #expect(found.count > 700)
    #expect(found == expected)
  }
}
