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

    static let mapping = Object(
      Event.init, Field("id", \.id), Field("logo", \.logo), Field("name", \.name),
      Field("subTopicIds", \.subTopicIds), Field("topicIds", \.topicIds))
  }

  struct Performance: Decodable {
    let eventId: Int
    let id: Int
    let logo: String?
    let prices: [Price]
    let seatCategories: [SeatCategory]
    let start: Int
    let venueCode: String

    static let mapping = Object(
      Performance.init, Field("eventId", \.eventId), Field("id", \.id), Field("logo", \.logo),
      Field("prices", \.prices, .array(of: Price.mapping)),
      Field("seatCategories", \.seatCategories, .array(of: SeatCategory.mapping)),
      Field("start", \.start), Field("venueCode", \.venueCode))
  }

  struct Price: Decodable {
    let amount: Int
    let audienceSubCategoryId: Int
    let seatCategoryId: Int

    static let mapping = Object(
      Price.init, Field("amount", \.amount),
      Field("audienceSubCategoryId", \.audienceSubCategoryId),
      Field("seatCategoryId", \.seatCategoryId))
  }

  struct SeatCategory: Decodable {
    let areas: [Area]
    let seatCategoryId: Int

    static let mapping = Object(
      SeatCategory.init, Field("areas", \.areas, .array(of: Area.mapping)),
      Field("seatCategoryId", \.seatCategoryId))
  }

  struct Area: Decodable {
    let areaId: Int
    let blockIds: [Int]

    static let mapping = Object(
      Area.init, Field("areaId", \.areaId), Field("blockIds", \.blockIds))
  }

  static let mapping = Object(
    Catalog.init, Field("areaNames", \.areaNames),
    Field("events", \.events, .dictionary(of: Event.mapping)),
    Field("performances", \.performances, .array(of: Performance.mapping)),
    Field("seatCategoryNames", \.seatCategoryNames), Field("subTopicNames", \.subTopicNames),
    Field("topicNames", \.topicNames), Field("topicSubTopics", \.topicSubTopics),
    Field("venueNames", \.venueNames))
}
