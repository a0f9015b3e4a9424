import StreamMap

/// Dictionaries of objects, nearly all of whose fields are mapped.
enum Catalogue: BenchmarkTask {
  static let name = "catalogue"
  static let summary = "dictionaries of objects, as in citm_catalog.json"
  static let feed = "catalogue.ndjson"

  static func contenders(_ feed: MappedFile, _ bench: Workbench) throws -> [any Contender] {
    try YajlBaseline.contenders(feed) + [
      streamMap(feed), foundation(feed), Peers.simdjson(name, bench, feed.path),
    ] + Peers.serde(["slices"], name, bench, feed.path)
      + Peers.python(["msgspec"], name, bench, feed.path)
  }

  private static func streamMap(_ feed: MappedFile) throws -> any Contender {
    StreamMapContender.contender(try Mapper(Catalog.mapping), feed)
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(Catalog.self, feed)
  }
}

extension Catalog: Digestible {
  func read(by digest: inout DigestBuilder) {
    let names = [
      areaNames, seatCategoryNames, subTopicNames, topicNames,
      venueNames,
    ]
    for dictionary in names {
      for (key, name) in dictionary {
        digest.add(key, salt: 1)
        digest.add(name, salt: 2)
      }
    }
    for (key, event) in events {
      digest.add(key, salt: 3)
      digest.add(event.id, salt: 1)
      digest.add(event.name, salt: 4)
      digest.add(event.logo ?? "", salt: 5)
      for id in event.subTopicIds + event.topicIds { digest.add(id, salt: 3) }
    }
    for (_, ids) in topicSubTopics {
      for id in ids { digest.add(id, salt: 5) }
    }
    for performance in performances { performance.read(by: &digest) }
  }
}

extension Catalog.Performance: Digestible {
  func read(by digest: inout DigestBuilder) {
    digest.add(id, salt: 7)
    digest.add(eventId, salt: 11)
    digest.add(start, salt: 13)
    digest.add(venueCode, salt: 6)
    for price in prices { digest.add(price.amount, salt: 17) }
    for category in seatCategories {
      digest.add(category.seatCategoryId, salt: 19)
      for area in category.areas { digest.add(area.areaId, salt: 23) }
    }
  }
}
