// Tweets with all their fields.

#pragma once

#include <memory>

#include "reading.h"

// One size of a picture.
struct MediaSize {
  int64_t w, h;
  std::string resize;
};

inline void read(ondemand::value value, MediaSize &into) {
  static constexpr Member<MediaSize> table[] = {
      MEMBER(MediaSize, w), MEMBER(MediaSize, h), MEMBER(MediaSize, resize)};
  members(value.get_object(), into, table);
}

// A picture.
struct Media {
  int64_t id;
  std::string id_str, media_url, media_url_https, url, display_url, expanded_url, type;
  std::vector<int64_t> indices;
  std::unordered_map<std::string, MediaSize> sizes;
  std::optional<int64_t> source_status_id;
  std::optional<std::string> source_status_id_str;
};

inline void read(ondemand::value value, Media &into) {
  static constexpr Member<Media> table[] = {
      MEMBER(Media, id), MEMBER(Media, id_str), MEMBER(Media, indices), MEMBER(Media, media_url),
      MEMBER(Media, media_url_https), MEMBER(Media, url), MEMBER(Media, display_url),
      MEMBER(Media, expanded_url), MEMBER(Media, type), MEMBER(Media, sizes),
      MEMBER(Media, source_status_id), MEMBER(Media, source_status_id_str)};
  members(value.get_object(), into, table);
}

// A user named in the text.
struct Mention {
  std::string screen_name, name, id_str;
  int64_t id;
  std::vector<int64_t> indices;
};

inline void read(ondemand::value value, Mention &into) {
  static constexpr Member<Mention> table[] = {
      MEMBER(Mention, screen_name), MEMBER(Mention, name), MEMBER(Mention, id),
      MEMBER(Mention, id_str), MEMBER(Mention, indices)};
  members(value.get_object(), into, table);
}

// A shortened link.
struct Link {
  std::string url, expanded_url, display_url;
  std::vector<int64_t> indices;
};

inline void read(ondemand::value value, Link &into) {
  static constexpr Member<Link> table[] = {
      MEMBER(Link, url), MEMBER(Link, expanded_url), MEMBER(Link, display_url),
      MEMBER(Link, indices)};
  members(value.get_object(), into, table);
}

// A hashtag or a symbol.
struct Tag {
  std::string text;
  std::vector<int64_t> indices;
};

inline void read(ondemand::value value, Tag &into) {
  static constexpr Member<Tag> table[] = {
      MEMBER(Tag, text), MEMBER(Tag, indices)};
  members(value.get_object(), into, table);
}

// The marked parts of a tweet's text.
struct TweetEntities {
  std::vector<Tag> hashtags, symbols;
  std::vector<Link> urls;
  std::vector<Mention> user_mentions;
  std::optional<std::vector<Media>> media;
};

inline void read(ondemand::value value, TweetEntities &into) {
  static constexpr Member<TweetEntities> table[] = {
      MEMBER(TweetEntities, hashtags), MEMBER(TweetEntities, symbols),
      MEMBER(TweetEntities, urls), MEMBER(TweetEntities, user_mentions),
      MEMBER(TweetEntities, media)};
  members(value.get_object(), into, table);
}

// Links of one text.
struct LinkList {
  std::vector<Link> urls;
};

inline void read(ondemand::value value, LinkList &into) {
  static constexpr Member<LinkList> table[] = {
      MEMBER(LinkList, urls)};
  members(value.get_object(), into, table);
}

// The links of a user's profile.
struct UserEntities {
  std::optional<LinkList> url;
  LinkList description;
};

inline void read(ondemand::value value, UserEntities &into) {
  static constexpr Member<UserEntities> table[] = {
      MEMBER(UserEntities, url), MEMBER(UserEntities, description)};
  members(value.get_object(), into, table);
}

// The author of a tweet, with all fields.
struct TweetUser {
  int64_t id, followers_count, friends_count, listed_count, favourites_count, statuses_count;
  std::string id_str, name, screen_name, location, description, created_at, lang,
      profile_background_color, profile_background_image_url, profile_background_image_url_https,
      profile_image_url, profile_image_url_https, profile_link_color,
      profile_sidebar_border_color, profile_sidebar_fill_color, profile_text_color;
  std::optional<std::string> url, time_zone, profile_banner_url;
  UserEntities entities;
  bool protected_, geo_enabled, verified, contributors_enabled, is_translator,
      is_translation_enabled, profile_background_tile, profile_use_background_image,
      default_profile, default_profile_image, following, follow_request_sent, notifications;
  std::optional<int64_t> utc_offset;
};

inline void read(ondemand::value value, TweetUser &into) {
  static constexpr Member<TweetUser> table[] = {
      MEMBER(TweetUser, id), MEMBER(TweetUser, id_str), MEMBER(TweetUser, name),
      MEMBER(TweetUser, screen_name), MEMBER(TweetUser, location), MEMBER(TweetUser, description),
      MEMBER(TweetUser, url), MEMBER(TweetUser, entities),
      Member<TweetUser>{"protected",  // A word of C++.
                        [](ondemand::value value, TweetUser &into) { read(value, into.protected_); }},
      MEMBER(TweetUser, followers_count), MEMBER(TweetUser, friends_count),
      MEMBER(TweetUser, listed_count), MEMBER(TweetUser, created_at),
      MEMBER(TweetUser, favourites_count), MEMBER(TweetUser, utc_offset),
      MEMBER(TweetUser, time_zone), MEMBER(TweetUser, geo_enabled), MEMBER(TweetUser, verified),
      MEMBER(TweetUser, statuses_count), MEMBER(TweetUser, lang),
      MEMBER(TweetUser, contributors_enabled), MEMBER(TweetUser, is_translator),
      MEMBER(TweetUser, is_translation_enabled), MEMBER(TweetUser, profile_background_color),
      MEMBER(TweetUser, profile_background_image_url),
      MEMBER(TweetUser, profile_background_image_url_https),
      MEMBER(TweetUser, profile_background_tile), MEMBER(TweetUser, profile_image_url),
      MEMBER(TweetUser, profile_image_url_https), MEMBER(TweetUser, profile_banner_url),
      MEMBER(TweetUser, profile_link_color), MEMBER(TweetUser, profile_sidebar_border_color),
      MEMBER(TweetUser, profile_sidebar_fill_color), MEMBER(TweetUser, profile_text_color),
      MEMBER(TweetUser, profile_use_background_image), MEMBER(TweetUser, default_profile),
      MEMBER(TweetUser, default_profile_image), MEMBER(TweetUser, following),
      MEMBER(TweetUser, follow_request_sent), MEMBER(TweetUser, notifications)};
  members(value.get_object(), into, table);
}

// How a search found the tweet.
struct TweetMetadata {
  std::string result_type, iso_language_code;
};

inline void read(ondemand::value value, TweetMetadata &into) {
  static constexpr Member<TweetMetadata> table[] = {
      MEMBER(TweetMetadata, result_type), MEMBER(TweetMetadata, iso_language_code)};
  members(value.get_object(), into, table);
}

// A tweet with all its fields.
struct FullTweet {
  TweetMetadata metadata;
  std::string created_at, id_str, text, source, lang;
  int64_t id, retweet_count, favorite_count;
  bool truncated, favorited, retweeted;
  std::optional<int64_t> in_reply_to_status_id, in_reply_to_user_id;
  std::optional<std::string> in_reply_to_status_id_str, in_reply_to_user_id_str, in_reply_to_screen_name, geo,
      coordinates, place, contributors;
  TweetUser user;
  std::unique_ptr<FullTweet> retweeted_status;
  TweetEntities entities;
  std::optional<bool> possibly_sensitive;
};

inline void read(ondemand::value value, std::unique_ptr<FullTweet> &into);

inline void read(ondemand::object object, FullTweet &into) {
  static constexpr Member<FullTweet> table[] = {
      MEMBER(FullTweet, metadata), MEMBER(FullTweet, created_at), MEMBER(FullTweet, id),
      MEMBER(FullTweet, id_str), MEMBER(FullTweet, text), MEMBER(FullTweet, source),
      MEMBER(FullTweet, truncated), MEMBER(FullTweet, in_reply_to_status_id),
      MEMBER(FullTweet, in_reply_to_status_id_str), MEMBER(FullTweet, in_reply_to_user_id),
      MEMBER(FullTweet, in_reply_to_user_id_str), MEMBER(FullTweet, in_reply_to_screen_name),
      MEMBER(FullTweet, user), MEMBER(FullTweet, geo), MEMBER(FullTweet, coordinates),
      MEMBER(FullTweet, place), MEMBER(FullTweet, contributors),
      MEMBER(FullTweet, retweeted_status), MEMBER(FullTweet, retweet_count),
      MEMBER(FullTweet, favorite_count), MEMBER(FullTweet, entities),
      MEMBER(FullTweet, favorited), MEMBER(FullTweet, retweeted),
      MEMBER(FullTweet, possibly_sensitive), MEMBER(FullTweet, lang)};
  members(object, into, table);
}

inline void read(ondemand::value value, std::unique_ptr<FullTweet> &into) {
  if (value.is_null()) return;
  into = std::make_unique<FullTweet>();
  read(value.get_object(), *into);
}

static void add(const FullTweet &tweet, Builder &builder) {
  builder.integer(tweet.id, 1);
  builder.text(tweet.text, 2);
  builder.integer(tweet.in_reply_to_user_id.value_or(0), 7);
  builder.integer(tweet.possibly_sensitive.has_value(), 11);
  builder.text(tweet.metadata.result_type, 5);
  builder.text(tweet.user.profile_link_color, 6);
  builder.text(tweet.user.time_zone ? *tweet.user.time_zone : "", 7);
  builder.integer(tweet.user.statuses_count, 13);
  if (tweet.user.entities.url) {
    for (const auto &link : tweet.user.entities.url->urls) builder.text(link.expanded_url, 8);
  }
  for (const auto &tag : tweet.entities.hashtags) builder.text(tag.text, 4);
  for (const auto &mention : tweet.entities.user_mentions) {
    builder.text(mention.name, 9);
    int64_t sum = 0;
    for (const int64_t index : mention.indices) sum += index;
    builder.integer(sum, 17);
  }
  if (tweet.entities.media) {
    for (const auto &picture : *tweet.entities.media) {
      builder.text(picture.media_url_https, 10);
      const auto large = picture.sizes.find("large");
      builder.integer(large == picture.sizes.end() ? 0 : large->second.w, 19);
    }
  }
  if (tweet.retweeted_status) add(*tweet.retweeted_status, builder);
}

static void full_tweet(ondemand::document_reference record, Builder &builder) {
  FullTweet tweet{};
  read(record.get_object(), tweet);
  keep(tweet);
  add(tweet, builder);
}
