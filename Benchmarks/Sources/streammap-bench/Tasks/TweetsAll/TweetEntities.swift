import StreamMap

// The mappings are those that `@Mappable(keys: .snakeCase)` generates, written by hand, so that the benchmarks need no
// swift-syntax.

/// The marked parts of a tweet's text.
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
    var fields = _GeneratedFields<TweetEntities>()
    fields.add("hashtags", at: .key("hashtags"), \.hashtags) { $0.hashtags }
    fields.add("symbols", at: .key("symbols"), \.symbols) { $0.symbols }
    fields.add("urls", at: .key("urls"), \.urls) { $0.urls }
    fields.add("userMentions", at: .key("user_mentions"), \.userMentions) { $0.userMentions }
    fields.add("media", at: .key("media"), \.media) { $0.media }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      TweetEntities(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    hashtags = slots.take()
    symbols = slots.take()
    urls = slots.take()
    userMentions = slots.take()
    media = slots.take()
  }
}

/// A hashtag or a symbol.
struct Tag: Mappable, Codable, Sendable {
  let text: String
  let indices: [Int]

  static var mapping: Mapping<Tag> {
    var fields = _GeneratedFields<Tag>()
    fields.add("text", at: .key("text"), \.text) { $0.text }
    fields.add("indices", at: .key("indices"), \.indices) { $0.indices }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Tag(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    text = slots.take()
    indices = slots.take()
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
    var fields = _GeneratedFields<Link>()
    fields.add("url", at: .key("url"), \.url) { $0.url }
    fields.add("expandedUrl", at: .key("expanded_url"), \.expandedUrl) { $0.expandedUrl }
    fields.add("displayUrl", at: .key("display_url"), \.displayUrl) { $0.displayUrl }
    fields.add("indices", at: .key("indices"), \.indices) { $0.indices }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Link(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    url = slots.take()
    expandedUrl = slots.take()
    displayUrl = slots.take()
    indices = slots.take()
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
    var fields = _GeneratedFields<Mention>()
    fields.add("screenName", at: .key("screen_name"), \.screenName) { $0.screenName }
    fields.add("name", at: .key("name"), \.name) { $0.name }
    fields.add("id", at: .key("id"), \.id) { $0.id }
    fields.add("idStr", at: .key("id_str"), \.idStr) { $0.idStr }
    fields.add("indices", at: .key("indices"), \.indices) { $0.indices }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Mention(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    screenName = slots.take()
    name = slots.take()
    id = slots.take()
    idStr = slots.take()
    indices = slots.take()
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
    var fields = _GeneratedFields<Media>()
    fields.add("id", at: .key("id"), \.id) { $0.id }
    fields.add("idStr", at: .key("id_str"), \.idStr) { $0.idStr }
    fields.add("indices", at: .key("indices"), \.indices) { $0.indices }
    fields.add("mediaUrl", at: .key("media_url"), \.mediaUrl) { $0.mediaUrl }
    fields.add("mediaUrlHttps", at: .key("media_url_https"), \.mediaUrlHttps) { $0.mediaUrlHttps }
    fields.add("url", at: .key("url"), \.url) { $0.url }
    fields.add("displayUrl", at: .key("display_url"), \.displayUrl) { $0.displayUrl }
    fields.add("expandedUrl", at: .key("expanded_url"), \.expandedUrl) { $0.expandedUrl }
    fields.add("type", at: .key("type"), \.type) { $0.type }
    fields.add("sizes", at: .key("sizes"), \.sizes) { $0.sizes }
    fields.add("sourceStatusId", at: .key("source_status_id"), \.sourceStatusId) {
      $0.sourceStatusId
    }
    fields.add("sourceStatusIdStr", at: .key("source_status_id_str"), \.sourceStatusIdStr) {
      $0.sourceStatusIdStr
    }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      Media(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    id = slots.take()
    idStr = slots.take()
    indices = slots.take()
    mediaUrl = slots.take()
    mediaUrlHttps = slots.take()
    url = slots.take()
    displayUrl = slots.take()
    expandedUrl = slots.take()
    type = slots.take()
    sizes = slots.take()
    sourceStatusId = slots.take()
    sourceStatusIdStr = slots.take()
  }
}

/// One size of a picture.
struct MediaSize: Mappable, Codable, Sendable {
  let w: Int
  let h: Int
  let resize: String

  static var mapping: Mapping<MediaSize> {
    var fields = _GeneratedFields<MediaSize>()
    fields.add("w", at: .key("w"), \.w) { $0.w }
    fields.add("h", at: .key("h"), \.h) { $0.h }
    fields.add("resize", at: .key("resize"), \.resize) { $0.resize }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      MediaSize(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    w = slots.take()
    h = slots.take()
    resize = slots.take()
  }
}
