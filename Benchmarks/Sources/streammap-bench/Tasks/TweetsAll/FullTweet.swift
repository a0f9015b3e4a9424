import StreamMap

// The mappings are those that `@Mappable(keys: .snakeCase)` generates, written by hand, so that the benchmarks need no
// swift-syntax.

/// A tweet with all its fields.
///
/// A class, because a tweet may hold the tweet it repeats.
final class FullTweet: Mappable, Codable, Sendable {
  let metadata: TweetMetadata
  let createdAt: String
  let id: Int
  let idStr: String
  let text: String
  let source: String
  let truncated: Bool
  let inReplyToStatusId: Int?
  let inReplyToStatusIdStr: String?
  let inReplyToUserId: Int?
  let inReplyToUserIdStr: String?
  let inReplyToScreenName: String?
  let user: TweetUser
  let geo: String?
  let coordinates: String?
  let place: String?
  let contributors: String?
  let retweetedStatus: FullTweet?
  let retweetCount: Int
  let favoriteCount: Int
  let entities: TweetEntities
  let favorited: Bool
  let retweeted: Bool
  let possiblySensitive: Bool?
  let lang: String

  enum CodingKeys: String, CodingKey {
    case metadata
    case id
    case text
    case source
    case truncated
    case user
    case geo
    case coordinates
    case place
    case contributors
    case entities
    case favorited
    case retweeted
    case lang
    case createdAt = "created_at"
    case idStr = "id_str"
    case inReplyToStatusId = "in_reply_to_status_id"
    case inReplyToStatusIdStr = "in_reply_to_status_id_str"
    case inReplyToUserId = "in_reply_to_user_id"
    case inReplyToUserIdStr = "in_reply_to_user_id_str"
    case inReplyToScreenName = "in_reply_to_screen_name"
    case retweetedStatus = "retweeted_status"
    case retweetCount = "retweet_count"
    case favoriteCount = "favorite_count"
    case possiblySensitive = "possibly_sensitive"
  }

  static var mapping: Mapping<FullTweet> {
    var fields = _GeneratedFields<FullTweet>()
    fields.add("metadata", at: .key("metadata"), \.metadata) { $0.metadata }
    fields.add("createdAt", at: .key("created_at"), \.createdAt) { $0.createdAt }
    fields.add("id", at: .key("id"), \.id) { $0.id }
    fields.add("idStr", at: .key("id_str"), \.idStr) { $0.idStr }
    fields.add("text", at: .key("text"), \.text) { $0.text }
    fields.add("source", at: .key("source"), \.source) { $0.source }
    fields.add("truncated", at: .key("truncated"), \.truncated) { $0.truncated }
    fields.add("inReplyToStatusId", at: .key("in_reply_to_status_id"), \.inReplyToStatusId) {
      $0.inReplyToStatusId
    }
    fields.add(
      "inReplyToStatusIdStr", at: .key("in_reply_to_status_id_str"), \.inReplyToStatusIdStr
    ) { $0.inReplyToStatusIdStr }
    fields.add("inReplyToUserId", at: .key("in_reply_to_user_id"), \.inReplyToUserId) {
      $0.inReplyToUserId
    }
    fields.add("inReplyToUserIdStr", at: .key("in_reply_to_user_id_str"), \.inReplyToUserIdStr) {
      $0.inReplyToUserIdStr
    }
    fields.add("inReplyToScreenName", at: .key("in_reply_to_screen_name"), \.inReplyToScreenName) {
      $0.inReplyToScreenName
    }
    fields.add("user", at: .key("user"), \.user) { $0.user }
    fields.add("geo", at: .key("geo"), \.geo) { $0.geo }
    fields.add("coordinates", at: .key("coordinates"), \.coordinates) { $0.coordinates }
    fields.add("place", at: .key("place"), \.place) { $0.place }
    fields.add("contributors", at: .key("contributors"), \.contributors) { $0.contributors }
    fields.add("retweetedStatus", at: .key("retweeted_status"), \.retweetedStatus) {
      $0.retweetedStatus
    }
    fields.add("retweetCount", at: .key("retweet_count"), \.retweetCount) { $0.retweetCount }
    fields.add("favoriteCount", at: .key("favorite_count"), \.favoriteCount) { $0.favoriteCount }
    fields.add("entities", at: .key("entities"), \.entities) { $0.entities }
    fields.add("favorited", at: .key("favorited"), \.favorited) { $0.favorited }
    fields.add("retweeted", at: .key("retweeted"), \.retweeted) { $0.retweeted }
    fields.add("possiblySensitive", at: .key("possibly_sensitive"), \.possiblySensitive) {
      $0.possiblySensitive
    }
    fields.add("lang", at: .key("lang"), \.lang) { $0.lang }
    return Mapping(_generated: fields) { slots in
      FullTweet(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    metadata = slots.take()
    createdAt = slots.take()
    id = slots.take()
    idStr = slots.take()
    text = slots.take()
    source = slots.take()
    truncated = slots.take()
    inReplyToStatusId = slots.take()
    inReplyToStatusIdStr = slots.take()
    inReplyToUserId = slots.take()
    inReplyToUserIdStr = slots.take()
    inReplyToScreenName = slots.take()
    user = slots.take()
    geo = slots.take()
    coordinates = slots.take()
    place = slots.take()
    contributors = slots.take()
    retweetedStatus = slots.take()
    retweetCount = slots.take()
    favoriteCount = slots.take()
    entities = slots.take()
    favorited = slots.take()
    retweeted = slots.take()
    possiblySensitive = slots.take()
    lang = slots.take()
  }
}

/// How a search found the tweet.
struct TweetMetadata: Mappable, Codable, Sendable {
  let resultType: String
  let isoLanguageCode: String

  enum CodingKeys: String, CodingKey {
    case resultType = "result_type"
    case isoLanguageCode = "iso_language_code"
  }

  static var mapping: Mapping<TweetMetadata> {
    var fields = _GeneratedFields<TweetMetadata>()
    fields.add("resultType", at: .key("result_type"), \.resultType) { $0.resultType }
    fields.add("isoLanguageCode", at: .key("iso_language_code"), \.isoLanguageCode) {
      $0.isoLanguageCode
    }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      TweetMetadata(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    resultType = slots.take()
    isoLanguageCode = slots.take()
  }
}
