import StreamMap

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
    // swift-format-ignore: a line a field
    Object(
      FullTweet.init,
      Field("metadata", \.metadata),
      Field("created_at", \.createdAt),
      Field("id", \.id),
      Field("id_str", \.idStr),
      Field("text", \.text),
      Field("source", \.source),
      Field("truncated", \.truncated),
      Field("in_reply_to_status_id", \.inReplyToStatusId),
      Field("in_reply_to_status_id_str", \.inReplyToStatusIdStr),
      Field("in_reply_to_user_id", \.inReplyToUserId),
      Field("in_reply_to_user_id_str", \.inReplyToUserIdStr),
      Field("in_reply_to_screen_name", \.inReplyToScreenName),
      Field("user", \.user),
      Field("geo", \.geo),
      Field("coordinates", \.coordinates),
      Field("place", \.place),
      Field("contributors", \.contributors),
      Field("retweeted_status", \.retweetedStatus),
      Field("retweet_count", \.retweetCount),
      Field("favorite_count", \.favoriteCount),
      Field("entities", \.entities),
      Field("favorited", \.favorited),
      Field("retweeted", \.retweeted),
      Field("possibly_sensitive", \.possiblySensitive),
      Field("lang", \.lang))
  }

  init(
    metadata: TweetMetadata,
    createdAt: String,
    id: Int,
    idStr: String,
    text: String,
    source: String,
    truncated: Bool,
    inReplyToStatusId: Int?,
    inReplyToStatusIdStr: String?,
    inReplyToUserId: Int?,
    inReplyToUserIdStr: String?,
    inReplyToScreenName: String?,
    user: TweetUser,
    geo: String?,
    coordinates: String?,
    place: String?,
    contributors: String?,
    retweetedStatus: FullTweet?,
    retweetCount: Int,
    favoriteCount: Int,
    entities: TweetEntities,
    favorited: Bool,
    retweeted: Bool,
    possiblySensitive: Bool?,
    lang: String
  ) {
    self.metadata = metadata
    self.createdAt = createdAt
    self.id = id
    self.idStr = idStr
    self.text = text
    self.source = source
    self.truncated = truncated
    self.inReplyToStatusId = inReplyToStatusId
    self.inReplyToStatusIdStr = inReplyToStatusIdStr
    self.inReplyToUserId = inReplyToUserId
    self.inReplyToUserIdStr = inReplyToUserIdStr
    self.inReplyToScreenName = inReplyToScreenName
    self.user = user
    self.geo = geo
    self.coordinates = coordinates
    self.place = place
    self.contributors = contributors
    self.retweetedStatus = retweetedStatus
    self.retweetCount = retweetCount
    self.favoriteCount = favoriteCount
    self.entities = entities
    self.favorited = favorited
    self.retweeted = retweeted
    self.possiblySensitive = possiblySensitive
    self.lang = lang
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
    Object(
      TweetMetadata.init,
      Field("result_type", \.resultType),
      Field("iso_language_code", \.isoLanguageCode))
  }
}
