//! Tweets with all their fields; texts are owned.
#![allow(dead_code)] // No digest reads them all.

use crate::digest::{Builder, Record};
use serde::Deserialize;
use std::collections::HashMap;

/// A tweet with all its fields.
#[derive(Deserialize)]
pub struct FullTweet {
    metadata: TweetMetadata,
    created_at: String,
    id: i64,
    id_str: String,
    text: String,
    source: String,
    truncated: bool,
    in_reply_to_status_id: Option<i64>,
    in_reply_to_status_id_str: Option<String>,
    in_reply_to_user_id: Option<i64>,
    in_reply_to_user_id_str: Option<String>,
    in_reply_to_screen_name: Option<String>,
    user: TweetUser,
    geo: Option<String>,
    coordinates: Option<String>,
    place: Option<String>,
    contributors: Option<String>,
    retweeted_status: Option<Box<FullTweet>>,
    retweet_count: i64,
    favorite_count: i64,
    entities: TweetEntities,
    favorited: bool,
    retweeted: bool,
    possibly_sensitive: Option<bool>,
    lang: String,
}

/// How a search found the tweet.
#[derive(Deserialize)]
pub struct TweetMetadata {
    result_type: String,
    iso_language_code: String,
}

/// The author of a tweet, with all fields.
#[derive(Deserialize)]
pub struct TweetUser {
    id: i64,
    id_str: String,
    name: String,
    screen_name: String,
    location: String,
    description: String,
    url: Option<String>,
    entities: UserEntities,
    protected: bool,
    followers_count: i64,
    friends_count: i64,
    listed_count: i64,
    created_at: String,
    favourites_count: i64,
    utc_offset: Option<i64>,
    time_zone: Option<String>,
    geo_enabled: bool,
    verified: bool,
    statuses_count: i64,
    lang: String,
    contributors_enabled: bool,
    is_translator: bool,
    is_translation_enabled: bool,
    profile_background_color: String,
    profile_background_image_url: String,
    profile_background_image_url_https: String,
    profile_background_tile: bool,
    profile_image_url: String,
    profile_image_url_https: String,
    profile_banner_url: Option<String>,
    profile_link_color: String,
    profile_sidebar_border_color: String,
    profile_sidebar_fill_color: String,
    profile_text_color: String,
    profile_use_background_image: bool,
    default_profile: bool,
    default_profile_image: bool,
    following: bool,
    follow_request_sent: bool,
    notifications: bool,
}

/// The links of a user's profile.
#[derive(Deserialize)]
pub struct UserEntities {
    url: Option<LinkList>,
    description: LinkList,
}

/// Links of one text.
#[derive(Deserialize)]
pub struct LinkList {
    urls: Vec<Link>,
}

/// The marked parts of a tweet's text.
#[derive(Deserialize)]
pub struct TweetEntities {
    hashtags: Vec<Tag>,
    symbols: Vec<Tag>,
    urls: Vec<Link>,
    user_mentions: Vec<Mention>,
    media: Option<Vec<Media>>,
}

/// A hashtag or a symbol.
#[derive(Deserialize)]
pub struct Tag {
    text: String,
    indices: Vec<i64>,
}

/// A shortened link.
#[derive(Deserialize)]
pub struct Link {
    url: String,
    expanded_url: String,
    display_url: String,
    indices: Vec<i64>,
}

/// A user named in the text.
#[derive(Deserialize)]
pub struct Mention {
    screen_name: String,
    name: String,
    id: i64,
    id_str: String,
    indices: Vec<i64>,
}

/// A picture.
#[derive(Deserialize)]
pub struct Media {
    id: i64,
    id_str: String,
    indices: Vec<i64>,
    media_url: String,
    media_url_https: String,
    url: String,
    display_url: String,
    expanded_url: String,
    r#type: String,
    sizes: HashMap<String, MediaSize>,
    source_status_id: Option<i64>,
    source_status_id_str: Option<String>,
}

/// One size of a picture.
#[derive(Deserialize)]
pub struct MediaSize {
    w: i64,
    h: i64,
    resize: String,
}

impl Record for FullTweet {
    fn add(&self, builder: &mut Builder) {
        builder.integer(self.id, 1);
        builder.text(&self.text, 2);
        builder.integer(self.in_reply_to_user_id.unwrap_or(0), 7);
        builder.integer(i64::from(self.possibly_sensitive.is_some()), 11);
        builder.text(&self.metadata.result_type, 5);
        builder.text(&self.user.profile_link_color, 6);
        builder.text(self.user.time_zone.as_deref().unwrap_or(""), 7);
        builder.integer(self.user.statuses_count, 13);
        for link in self.user.entities.url.iter().flat_map(|list| &list.urls) {
            builder.text(&link.expanded_url, 8);
        }
        for tag in &self.entities.hashtags {
            builder.text(&tag.text, 4);
        }
        for mention in &self.entities.user_mentions {
            builder.text(&mention.name, 9);
            builder.integer(mention.indices.iter().sum(), 17);
        }
        for picture in self.entities.media.iter().flatten() {
            builder.text(&picture.media_url_https, 10);
            builder.integer(picture.sizes.get("large").map_or(0, |size| size.w), 19);
        }
        if let Some(repeated) = &self.retweeted_status {
            repeated.add(builder);
        }
    }
}
