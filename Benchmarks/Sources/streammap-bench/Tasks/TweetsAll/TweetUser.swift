import StreamMap

// The mappings are those that `@Mappable(keys: .snakeCase)` generates, written by hand, so that the benchmarks need no
// swift-syntax.

/// The author of a tweet, with all fields.
struct TweetUser: Mappable, Codable, Sendable {
  let id: Int
  let idStr: String
  let name: String
  let screenName: String
  let location: String
  let description: String
  let url: String?
  let entities: UserEntities
  let protected: Bool
  let followersCount: Int
  let friendsCount: Int
  let listedCount: Int
  let createdAt: String
  let favouritesCount: Int
  let utcOffset: Int?
  let timeZone: String?
  let geoEnabled: Bool
  let verified: Bool
  let statusesCount: Int
  let lang: String
  let contributorsEnabled: Bool
  let isTranslator: Bool
  let isTranslationEnabled: Bool
  let profileBackgroundColor: String
  let profileBackgroundImageUrl: String
  let profileBackgroundImageUrlHttps: String
  let profileBackgroundTile: Bool
  let profileImageUrl: String
  let profileImageUrlHttps: String
  let profileBannerUrl: String?
  let profileLinkColor: String
  let profileSidebarBorderColor: String
  let profileSidebarFillColor: String
  let profileTextColor: String
  let profileUseBackgroundImage: Bool
  let defaultProfile: Bool
  let defaultProfileImage: Bool
  let following: Bool
  let followRequestSent: Bool
  let notifications: Bool

  enum CodingKeys: String, CodingKey {
    case id
    case name
    case location
    case description
    case url
    case entities
    case protected
    case verified
    case lang
    case following
    case notifications
    case idStr = "id_str"
    case screenName = "screen_name"
    case followersCount = "followers_count"
    case friendsCount = "friends_count"
    case listedCount = "listed_count"
    case createdAt = "created_at"
    case favouritesCount = "favourites_count"
    case utcOffset = "utc_offset"
    case timeZone = "time_zone"
    case geoEnabled = "geo_enabled"
    case statusesCount = "statuses_count"
    case contributorsEnabled = "contributors_enabled"
    case isTranslator = "is_translator"
    case isTranslationEnabled = "is_translation_enabled"
    case profileBackgroundColor = "profile_background_color"
    case profileBackgroundImageUrl = "profile_background_image_url"
    case profileBackgroundImageUrlHttps = "profile_background_image_url_https"
    case profileBackgroundTile = "profile_background_tile"
    case profileImageUrl = "profile_image_url"
    case profileImageUrlHttps = "profile_image_url_https"
    case profileBannerUrl = "profile_banner_url"
    case profileLinkColor = "profile_link_color"
    case profileSidebarBorderColor = "profile_sidebar_border_color"
    case profileSidebarFillColor = "profile_sidebar_fill_color"
    case profileTextColor = "profile_text_color"
    case profileUseBackgroundImage = "profile_use_background_image"
    case defaultProfile = "default_profile"
    case defaultProfileImage = "default_profile_image"
    case followRequestSent = "follow_request_sent"
  }

  static var mapping: Mapping<TweetUser> {
    var fields = _GeneratedFields<TweetUser>()
    fields.add("id", at: .key("id"), \.id) { $0.id }
    fields.add("idStr", at: .key("id_str"), \.idStr) { $0.idStr }
    fields.add("name", at: .key("name"), \.name) { $0.name }
    fields.add("screenName", at: .key("screen_name"), \.screenName) { $0.screenName }
    fields.add("location", at: .key("location"), \.location) { $0.location }
    fields.add("description", at: .key("description"), \.description) { $0.description }
    fields.add("url", at: .key("url"), \.url) { $0.url }
    fields.add("entities", at: .key("entities"), \.entities) { $0.entities }
    fields.add("protected", at: .key("protected"), \.protected) { $0.protected }
    fields.add("followersCount", at: .key("followers_count"), \.followersCount) {
      $0.followersCount
    }
    fields.add("friendsCount", at: .key("friends_count"), \.friendsCount) { $0.friendsCount }
    fields.add("listedCount", at: .key("listed_count"), \.listedCount) { $0.listedCount }
    fields.add("createdAt", at: .key("created_at"), \.createdAt) { $0.createdAt }
    fields.add("favouritesCount", at: .key("favourites_count"), \.favouritesCount) {
      $0.favouritesCount
    }
    fields.add("utcOffset", at: .key("utc_offset"), \.utcOffset) { $0.utcOffset }
    fields.add("timeZone", at: .key("time_zone"), \.timeZone) { $0.timeZone }
    fields.add("geoEnabled", at: .key("geo_enabled"), \.geoEnabled) { $0.geoEnabled }
    fields.add("verified", at: .key("verified"), \.verified) { $0.verified }
    fields.add("statusesCount", at: .key("statuses_count"), \.statusesCount) { $0.statusesCount }
    fields.add("lang", at: .key("lang"), \.lang) { $0.lang }
    fields.add("contributorsEnabled", at: .key("contributors_enabled"), \.contributorsEnabled) {
      $0.contributorsEnabled
    }
    fields.add("isTranslator", at: .key("is_translator"), \.isTranslator) { $0.isTranslator }
    fields.add("isTranslationEnabled", at: .key("is_translation_enabled"), \.isTranslationEnabled) {
      $0.isTranslationEnabled
    }
    fields.add(
      "profileBackgroundColor", at: .key("profile_background_color"), \.profileBackgroundColor
    ) { $0.profileBackgroundColor }
    fields.add(
      "profileBackgroundImageUrl", at: .key("profile_background_image_url"),
      \.profileBackgroundImageUrl
    ) { $0.profileBackgroundImageUrl }
    fields.add(
      "profileBackgroundImageUrlHttps", at: .key("profile_background_image_url_https"),
      \.profileBackgroundImageUrlHttps
    ) { $0.profileBackgroundImageUrlHttps }
    fields.add(
      "profileBackgroundTile", at: .key("profile_background_tile"), \.profileBackgroundTile
    ) { $0.profileBackgroundTile }
    fields.add("profileImageUrl", at: .key("profile_image_url"), \.profileImageUrl) {
      $0.profileImageUrl
    }
    fields.add("profileImageUrlHttps", at: .key("profile_image_url_https"), \.profileImageUrlHttps)
    { $0.profileImageUrlHttps }
    fields.add("profileBannerUrl", at: .key("profile_banner_url"), \.profileBannerUrl) {
      $0.profileBannerUrl
    }
    fields.add("profileLinkColor", at: .key("profile_link_color"), \.profileLinkColor) {
      $0.profileLinkColor
    }
    fields.add(
      "profileSidebarBorderColor", at: .key("profile_sidebar_border_color"),
      \.profileSidebarBorderColor
    ) { $0.profileSidebarBorderColor }
    fields.add(
      "profileSidebarFillColor", at: .key("profile_sidebar_fill_color"), \.profileSidebarFillColor
    ) { $0.profileSidebarFillColor }
    fields.add("profileTextColor", at: .key("profile_text_color"), \.profileTextColor) {
      $0.profileTextColor
    }
    fields.add(
      "profileUseBackgroundImage", at: .key("profile_use_background_image"),
      \.profileUseBackgroundImage
    ) { $0.profileUseBackgroundImage }
    fields.add("defaultProfile", at: .key("default_profile"), \.defaultProfile) {
      $0.defaultProfile
    }
    fields.add("defaultProfileImage", at: .key("default_profile_image"), \.defaultProfileImage) {
      $0.defaultProfileImage
    }
    fields.add("following", at: .key("following"), \.following) { $0.following }
    fields.add("followRequestSent", at: .key("follow_request_sent"), \.followRequestSent) {
      $0.followRequestSent
    }
    fields.add("notifications", at: .key("notifications"), \.notifications) { $0.notifications }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      TweetUser(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    id = slots.take()
    idStr = slots.take()
    name = slots.take()
    screenName = slots.take()
    location = slots.take()
    description = slots.take()
    url = slots.take()
    entities = slots.take()
    protected = slots.take()
    followersCount = slots.take()
    friendsCount = slots.take()
    listedCount = slots.take()
    createdAt = slots.take()
    favouritesCount = slots.take()
    utcOffset = slots.take()
    timeZone = slots.take()
    geoEnabled = slots.take()
    verified = slots.take()
    statusesCount = slots.take()
    lang = slots.take()
    contributorsEnabled = slots.take()
    isTranslator = slots.take()
    isTranslationEnabled = slots.take()
    profileBackgroundColor = slots.take()
    profileBackgroundImageUrl = slots.take()
    profileBackgroundImageUrlHttps = slots.take()
    profileBackgroundTile = slots.take()
    profileImageUrl = slots.take()
    profileImageUrlHttps = slots.take()
    profileBannerUrl = slots.take()
    profileLinkColor = slots.take()
    profileSidebarBorderColor = slots.take()
    profileSidebarFillColor = slots.take()
    profileTextColor = slots.take()
    profileUseBackgroundImage = slots.take()
    defaultProfile = slots.take()
    defaultProfileImage = slots.take()
    following = slots.take()
    followRequestSent = slots.take()
    notifications = slots.take()
  }
}

/// The links of a user's profile.
struct UserEntities: Mappable, Codable, Sendable {
  let url: LinkList?
  let description: LinkList

  static var mapping: Mapping<UserEntities> {
    var fields = _GeneratedFields<UserEntities>()
    fields.add("url", at: .key("url"), \.url) { $0.url }
    fields.add("description", at: .key("description"), \.description) { $0.description }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      UserEntities(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    url = slots.take()
    description = slots.take()
  }
}

/// Links of one text.
struct LinkList: Mappable, Codable, Sendable {
  let urls: [Link]

  static var mapping: Mapping<LinkList> {
    var fields = _GeneratedFields<LinkList>()
    fields.add("urls", at: .key("urls"), \.urls) { $0.urls }
    return Mapping(_generated: fields, storesOnlyFields: true) { slots in
      LinkList(slots: &slots)
    }
  }

  private init(slots: inout _GeneratedSlots) {
    urls = slots.take()
  }
}
