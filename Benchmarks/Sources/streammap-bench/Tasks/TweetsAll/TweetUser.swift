import StreamMap

/// Who wrote a tweet, with all fields.
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
    Object(
      TweetUser.init,
      Field("id", \.id),
      Field("id_str", \.idStr),
      Field("name", \.name),
      Field("screen_name", \.screenName),
      Field("location", \.location),
      Field("description", \.description),
      Field("url", \.url),
      Field("entities", \.entities),
      Field("protected", \.protected),
      Field("followers_count", \.followersCount),
      Field("friends_count", \.friendsCount),
      Field("listed_count", \.listedCount),
      Field("created_at", \.createdAt),
      Field("favourites_count", \.favouritesCount),
      Field("utc_offset", \.utcOffset),
      Field("time_zone", \.timeZone),
      Field("geo_enabled", \.geoEnabled),
      Field("verified", \.verified),
      Field("statuses_count", \.statusesCount),
      Field("lang", \.lang),
      Field("contributors_enabled", \.contributorsEnabled),
      Field("is_translator", \.isTranslator),
      Field("is_translation_enabled", \.isTranslationEnabled),
      Field("profile_background_color", \.profileBackgroundColor),
      Field("profile_background_image_url", \.profileBackgroundImageUrl),
      Field("profile_background_image_url_https", \.profileBackgroundImageUrlHttps),
      Field("profile_background_tile", \.profileBackgroundTile),
      Field("profile_image_url", \.profileImageUrl),
      Field("profile_image_url_https", \.profileImageUrlHttps),
      Field("profile_banner_url", \.profileBannerUrl),
      Field("profile_link_color", \.profileLinkColor),
      Field("profile_sidebar_border_color", \.profileSidebarBorderColor),
      Field("profile_sidebar_fill_color", \.profileSidebarFillColor),
      Field("profile_text_color", \.profileTextColor),
      Field("profile_use_background_image", \.profileUseBackgroundImage),
      Field("default_profile", \.defaultProfile),
      Field("default_profile_image", \.defaultProfileImage),
      Field("following", \.following),
      Field("follow_request_sent", \.followRequestSent),
      Field("notifications", \.notifications))
  }
}

/// The links of a user's profile.
struct UserEntities: Mappable, Codable, Sendable {
  let url: LinkList?
  let description: LinkList

  static var mapping: Mapping<UserEntities> {
    Object(
      UserEntities.init,
      Field("url", \.url),
      Field("description", \.description))
  }
}

/// Links of one text.
struct LinkList: Mappable, Codable, Sendable {
  let urls: [Link]

  static var mapping: Mapping<LinkList> {
    Object(
      LinkList.init,
      Field("urls", \.urls))
  }
}
