import StreamMap

// The mappings are those that `@Mappable` generates, like serde's `derive` for the peer: see TweetUser.swift.

/// A ticket shop's catalogue: dictionaries of objects, keyed by ids.
struct Catalog: Mappable, Decodable {
  let areaNames: [String: String]
  let events: [String: Event]
  let performances: [Performance]
  let seatCategoryNames: [String: String]
  let subTopicNames: [String: String]
  let topicNames: [String: String]
  let topicSubTopics: [String: [Int]]
  let venueNames: [String: String]

  struct Event: Mappable, Decodable {
    let id: Int
    let logo: String?
    let name: String
    let subTopicIds: [Int]
    let topicIds: [Int]

    static var mapping: Mapping<Event> {
      var fields = _GeneratedFields<Event>()
      fields.add("id", at: .key("id"), \.id) { $0.id }
      fields.add("logo", at: .key("logo"), \.logo) { $0.logo }
      fields.add("name", at: .key("name"), \.name) { $0.name }
      fields.add("subTopicIds", at: .key("subTopicIds"), \.subTopicIds) { $0.subTopicIds }
      fields.add("topicIds", at: .key("topicIds"), \.topicIds) { $0.topicIds }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Event(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      id = slots.take()
      logo = slots.take()
      name = slots.take()
      subTopicIds = slots.take()
      topicIds = slots.take()
    }
  }

  struct Performance: Mappable, Decodable {
    let eventId: Int
    let id: Int
    let logo: String?
    let prices: [Price]
    let seatCategories: [SeatCategory]
    let start: Int
    let venueCode: String

    static var mapping: Mapping<Performance> {
      var fields = _GeneratedFields<Performance>()
      fields.add("eventId", at: .key("eventId"), \.eventId) { $0.eventId }
      fields.add("id", at: .key("id"), \.id) { $0.id }
      fields.add("logo", at: .key("logo"), \.logo) { $0.logo }
      fields.add("prices", at: .key("prices"), \.prices) { $0.prices }
      fields.add("seatCategories", at: .key("seatCategories"), \.seatCategories) {
        $0.seatCategories
      }
      fields.add("start", at: .key("start"), \.start) { $0.start }
      fields.add("venueCode", at: .key("venueCode"), \.venueCode) { $0.venueCode }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Performance(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      eventId = slots.take()
      id = slots.take()
      logo = slots.take()
      prices = slots.take()
      seatCategories = slots.take()
      start = slots.take()
      venueCode = slots.take()
    }
  }

  struct Price: Mappable, Decodable {
    let amount: Int
    let audienceSubCategoryId: Int
    let seatCategoryId: Int

    static var mapping: Mapping<Price> {
      var fields = _GeneratedFields<Price>()
      fields.add("amount", at: .key("amount"), \.amount) { $0.amount }
      fields.add(
        "audienceSubCategoryId", at: .key("audienceSubCategoryId"), \.audienceSubCategoryId
      ) { $0.audienceSubCategoryId }
      fields.add("seatCategoryId", at: .key("seatCategoryId"), \.seatCategoryId) {
        $0.seatCategoryId
      }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Price(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      amount = slots.take()
      audienceSubCategoryId = slots.take()
      seatCategoryId = slots.take()
    }
  }

  struct SeatCategory: Mappable, Decodable {
    let areas: [Area]
    let seatCategoryId: Int

    static var mapping: Mapping<SeatCategory> {
      var fields = _GeneratedFields<SeatCategory>()
      fields.add("areas", at: .key("areas"), \.areas) { $0.areas }
      fields.add("seatCategoryId", at: .key("seatCategoryId"), \.seatCategoryId) {
        $0.seatCategoryId
      }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        SeatCategory(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      areas = slots.take()
      seatCategoryId = slots.take()
    }
  }

  struct Area: Mappable, Decodable {
    let areaId: Int
    let blockIds: [Int]

    static var mapping: Mapping<Area> {
      var fields = _GeneratedFields<Area>()
      fields.add("areaId", at: .key("areaId"), \.areaId) { $0.areaId }
      fields.add("blockIds", at: .key("blockIds"), \.blockIds) { $0.blockIds }
      return Mapping(_generated: fields, storesOnlyFields: true) { slots in
        Area(slots: &slots)
      }
    }

    private init(slots: inout _GeneratedSlots) {
      areaId = slots.take()
      blockIds = slots.take()
    }
  }

  static var mapping: Mapping<Catalog> {
    var fields = _GeneratedFields<Catalog>()
    fields.add("areaNames", at: .key("areaNames"), \.areaNames) { $0.areaNames }
    fields.add("events", at: .key("events"), \.events) { $0.events }
    fields.add("performances", at: .key("performances"), \.performances) { $0.performances }
    fields.add("seatCategoryNames", at: .key("seatCategoryNames"), \.seatCategoryNames) {
      $0.seatCategoryNames
    }
    fields.add("subTopicNames", at: .key("subTopicNames"), \.subTopicNames) { $0.subTopicNames }
    fields.add("topicNames", at: .key("topicNames"), \.topicNames) { $0.topicNames }
    fields.add("topicSubTopics", at: .key("topicSubTopics"), \.topicSubTopics) { $0.topicSubTopics }
    fields.add("venueNames", at: .key("venueNames"), \.venueNames) { $0.venueNames }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Catalog(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    areaNames = slots.take()
    events = slots.take()
    performances = slots.take()
    seatCategoryNames = slots.take()
    subTopicNames = slots.take()
    topicNames = slots.take()
    topicSubTopics = slots.take()
    venueNames = slots.take()
  }
}
