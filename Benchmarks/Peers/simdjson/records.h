// Records with some fields mapped.

#pragma once

#include "reading.h"

struct Tweet {
  int64_t id, followers, retweets;
  std::string created_at, text, screen_name;
  std::vector<std::string> hashtags;
};

static void tweet(ondemand::document_reference record, Builder &builder) {
  Tweet tweet;
  // In the feed's order, in which On-Demand is at its best.
  tweet.created_at = owned(record["created_at"]);
  tweet.id = int64_t(record["id"]);
  tweet.text = owned(record["text"]);
  ondemand::object user = record["user"];
  tweet.screen_name = owned(user["screen_name"]);
  tweet.followers = int64_t(user["followers_count"]);
  tweet.retweets = int64_t(record["retweet_count"]);
  ondemand::array hashtags = record["entities"]["hashtags"];
  for (ondemand::object hashtag : hashtags) tweet.hashtags.push_back(owned(hashtag["text"]));

  builder.integer(tweet.id, 1);
  builder.integer(tweet.followers, 3);
  builder.integer(tweet.retweets, 5);
  builder.text(tweet.created_at, 1);
  builder.text(tweet.text, 2);
  builder.text(tweet.screen_name, 3);
  for (const auto &hashtag : tweet.hashtags) builder.text(hashtag, 4);
}

static void tiny(ondemand::document_reference record, Builder &builder) {
  const int64_t id = int64_t(record["id"]);
  const std::string name = owned(record["name"]);
  const bool ok = bool(record["ok"]);
  builder.integer(id, 1);
  builder.text(name, 1);
  builder.integer(ok, 3);
}

static void outlines(ondemand::document_reference record, Builder &builder) {
  std::vector<std::vector<std::vector<double>>> coordinates;
  ondemand::array features = record["features"];
  for (ondemand::object feature : features) {
    ondemand::array rings = feature["geometry"]["coordinates"];
    for (ondemand::array ring : rings) {
      auto &points = coordinates.emplace_back();
      for (ondemand::array point : ring) {
        auto &numbers = points.emplace_back();
        for (double number : point) numbers.push_back(number);
      }
    }
  }
  for (const auto &ring : coordinates)
    for (const auto &point : ring)
      for (double number : point) builder.number(number);
}
