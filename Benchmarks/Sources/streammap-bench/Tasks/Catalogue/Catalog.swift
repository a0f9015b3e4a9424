import StreamMap

/// A ticket shop's catalogue: dictionaries of objects, keyed by ids.
struct Catalog: Decodable {
  let areaNames: [String: String]
  let events: [String: Event]
  let performances: [Performance]
  let seatCategoryNames: [String: String]
  let subTopicNames: [String: String]
  let topicNames: [String: String]
  let topicSubTopics: [String: [Int]]
  let venueNames: [String: String]

  struct Event: Decodable {
    let id: Int
    let logo: String?
    let name: String
    let subTopicIds: [Int]
    let topicIds: [Int]

    static let mapping = Mapping.object(Event.self) { field in
      field.make(
        Event.init, field("id", \.id), field("logo", \.logo), field("name", \.name),
        field("subTopicIds", \.subTopicIds), field("topicIds", \.topicIds))
    }
  }

  struct Performance: Decodable {
    let eventId: Int
    let id: Int
    let logo: String?
    let prices: [Price]
    let seatCategories: [SeatCategory]
    let start: Int
    let venueCode: String

    static let mapping = Mapping.object(Performance.self) { field in
      field.make(
        Performance.init, field("eventId", \.eventId), field("id", \.id), field("logo", \.logo),
        field("prices", \.prices, .array(of: Price.mapping)),
        field("seatCategories", \.seatCategories, .array(of: SeatCategory.mapping)),
        field("start", \.start), field("venueCode", \.venueCode))
    }
  }

  struct Price: Decodable {
    let amount: Int
    let audienceSubCategoryId: Int
    let seatCategoryId: Int

    static let mapping = Mapping.object(Price.self) { field in
      field.make(
        Price.init, field("amount", \.amount),
        field("audienceSubCategoryId", \.audienceSubCategoryId),
        field("seatCategoryId", \.seatCategoryId))
    }
  }

  struct SeatCategory: Decodable {
    let areas: [Area]
    let seatCategoryId: Int

    static let mapping = Mapping.object(SeatCategory.self) { field in
      field.make(
        SeatCategory.init, field("areas", \.areas, .array(of: Area.mapping)),
        field("seatCategoryId", \.seatCategoryId))
    }
  }

  struct Area: Decodable {
    let areaId: Int
    let blockIds: [Int]

    static let mapping = Mapping.object(Area.self) { field in
      field.make(
        Area.init, field("areaId", \.areaId), field("blockIds", \.blockIds))
    }
  }

  static let mapping = Mapping.object(Catalog.self) { field in
    field.make(
      Catalog.init, field("areaNames", \.areaNames),
      field("events", \.events, .dictionary(of: Event.mapping)),
      field("performances", \.performances, .array(of: Performance.mapping)),
      field("seatCategoryNames", \.seatCategoryNames), field("subTopicNames", \.subTopicNames),
      field("topicNames", \.topicNames), field("topicSubTopics", \.topicSubTopics),
      field("venueNames", \.venueNames))
  }
}
