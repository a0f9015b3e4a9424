import StreamMap

/// Dictionaries of objects, of which nearly everything is mapped.
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
    StreamMapContender.contender(try Mapper(Catalog.mapping), feed) { $1.add($0) }
  }

  private static func foundation(_ feed: MappedFile) -> any Contender {
    FoundationContender.contender(Catalog.self, feed) { $1.add($0) }
  }
}

extension DigestBuilder {
  mutating func add(_ catalog: Catalog) {
    let names = [
      catalog.areaNames, catalog.seatCategoryNames, catalog.subTopicNames, catalog.topicNames,
      catalog.venueNames,
    ]
    for dictionary in names {
      for (key, name) in dictionary {
        add(key, salt: 1)
        add(name, salt: 2)
      }
    }
    for (key, event) in catalog.events {
      add(key, salt: 3)
      add(event.id, salt: 1)
      add(event.name, salt: 4)
      add(event.logo ?? "", salt: 5)
      for id in event.subTopicIds + event.topicIds { add(id, salt: 3) }
    }
    for (_, ids) in catalog.topicSubTopics {
      for id in ids { add(id, salt: 5) }
    }
    for performance in catalog.performances { add(performance) }
  }

  private mutating func add(_ performance: Catalog.Performance) {
    add(performance.id, salt: 7)
    add(performance.eventId, salt: 11)
    add(performance.start, salt: 13)
    add(performance.venueCode, salt: 6)
    for price in performance.prices { add(price.amount, salt: 17) }
    for category in performance.seatCategories {
      add(category.seatCategoryId, salt: 19)
      for area in category.areas { add(area.areaId, salt: 23) }
    }
  }
}
