import StreamMap

/// What is marked in a tweet's text.
struct TweetEntities: Mappable, Codable, Sendable {
  let hashtags: [Tag]
  let symbols: [Tag]
  let urls: [Link]
  let userMentions: [Mention]
  let media: [Media]?

  enum CodingKeys: String, CodingKey {
    case hashtags
    case symbols
    case urls
    case media
    case userMentions = "user_mentions"
  }

  static var mapping: Mapping<TweetEntities> {
    Object(
      TweetEntities.init,
      Field("hashtags", \.hashtags),
      Field("symbols", \.symbols),
      Field("urls", \.urls),
      Field("user_mentions", \.userMentions),
      Field("media", \.media))
  }
}

/// A hashtag or a symbol.
struct Tag: Mappable, Codable, Sendable {
  let text: String
  let indices: [Int]

  static var mapping: Mapping<Tag> {
    Object(
      Tag.init,
      Field("text", \.text),
      Field("indices", \.indices))
  }
}

/// A shortened link.
struct Link: Mappable, Codable, Sendable {
  let url: String
  let expandedUrl: String
  let displayUrl: String
  let indices: [Int]

  enum CodingKeys: String, CodingKey {
    case url
    case indices
    case expandedUrl = "expanded_url"
    case displayUrl = "display_url"
  }

  static var mapping: Mapping<Link> {
    Object(
      Link.init,
      Field("url", \.url),
      Field("expanded_url", \.expandedUrl),
      Field("display_url", \.displayUrl),
      Field("indices", \.indices))
  }
}

/// A user named in the text.
struct Mention: Mappable, Codable, Sendable {
  let screenName: String
  let name: String
  let id: Int
  let idStr: String
  let indices: [Int]

  enum CodingKeys: String, CodingKey {
    case name
    case id
    case indices
    case screenName = "screen_name"
    case idStr = "id_str"
  }

  static var mapping: Mapping<Mention> {
    Object(
      Mention.init,
      Field("screen_name", \.screenName),
      Field("name", \.name),
      Field("id", \.id),
      Field("id_str", \.idStr),
      Field("indices", \.indices))
  }
}

/// A picture.
struct Media: Mappable, Codable, Sendable {
  let id: Int
  let idStr: String
  let indices: [Int]
  let mediaUrl: String
  let mediaUrlHttps: String
  let url: String
  let displayUrl: String
  let expandedUrl: String
  let type: String
  let sizes: [String: MediaSize]
  let sourceStatusId: Int?
  let sourceStatusIdStr: String?

  enum CodingKeys: String, CodingKey {
    case id
    case indices
    case url
    case type
    case sizes
    case idStr = "id_str"
    case mediaUrl = "media_url"
    case mediaUrlHttps = "media_url_https"
    case displayUrl = "display_url"
    case expandedUrl = "expanded_url"
    case sourceStatusId = "source_status_id"
    case sourceStatusIdStr = "source_status_id_str"
  }

  static var mapping: Mapping<Media> {
    Object(
      Media.init,
      Field("id", \.id),
      Field("id_str", \.idStr),
      Field("indices", \.indices),
      Field("media_url", \.mediaUrl),
      Field("media_url_https", \.mediaUrlHttps),
      Field("url", \.url),
      Field("display_url", \.displayUrl),
      Field("expanded_url", \.expandedUrl),
      Field("type", \.type),
      Field("sizes", \.sizes),
      Field("source_status_id", \.sourceStatusId),
      Field("source_status_id_str", \.sourceStatusIdStr))
  }
}

/// One size of a picture.
struct MediaSize: Mappable, Codable, Sendable {
  let w: Int
  let h: Int
  let resize: String

  static var mapping: Mapping<MediaSize> {
    Object(
      MediaSize.init,
      Field("w", \.w),
      Field("h", \.h),
      Field("resize", \.resize))
  }
}
