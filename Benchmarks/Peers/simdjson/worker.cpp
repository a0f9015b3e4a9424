// simdjson On-Demand as a worker: `simdjson-worker TASK FEED`. It loads the feed, and for each line
// on standard input (`digest` or `run`) goes through it once and answers with one line of JSON. One
// thread.

#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace simdjson;

// The same digest as all contenders make: see Digest.swift.
struct Builder {
  bool hashes;
  uint64_t count = 0, integers = 0, bits = 0, text_bytes = 0, texts = 0;
  double doubles = 0;

  void integer(int64_t value, uint64_t salt) { integers += uint64_t(value) * salt; }

  void number(double value) {
    uint64_t pattern;
    std::memcpy(&pattern, &value, sizeof pattern);
    doubles += value;
    bits += pattern;
  }

  void text(std::string_view value, uint64_t salt) {
    text_bytes += value.size();
    if (!hashes) return;
    uint64_t hash = 0xcbf29ce484222325 ^ salt;
    for (unsigned char byte : value) hash = (hash ^ byte) * 0x100000001b3;
    texts += hash;
  }
};

struct Tweet {
  int64_t id, followers, retweets;
  std::string created_at, text, screen_name;
  std::vector<std::string> hashtags;
};

// Values of their own, as everywhere: the parser's buffer goes with the record.
static std::string owned(simdjson_result<ondemand::value> value) {
  return std::string(std::string_view(value));
}

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

using Work = void (*)(ondemand::document_reference, Builder &);

static size_t longest_line(const padded_string &feed) {
  size_t longest = 0, start = 0;
  for (size_t at = 0; at < feed.size(); at++) {
    if (feed.data()[at] != '\n') continue;
    if (at - start > longest) longest = at - start;
    start = at + 1;
  }
  return longest + 2;
}

static Builder go(const padded_string &feed, size_t batch, Work work, bool hashes) {
  Builder builder{hashes};
  ondemand::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
  parser.threaded = false;
#endif
  ondemand::document_stream records = parser.iterate_many(feed, batch);
  for (auto record : records) {
    builder.count++;
    work(record.value(), builder);
  }
  return builder;
}

int main(int, char **arguments) {
  const std::string task = arguments[1];
  const Work work = task == "tweets7" ? tweet : task == "tiny" ? tiny : outlines;
  const padded_string feed = padded_string::load(arguments[2]);
  const size_t batch = std::max<size_t>(1 << 20, longest_line(feed));
  for (std::string request; std::getline(std::cin, request);) {
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const Builder builder = go(feed, batch, work, request == "digest");
    const double cpu_seconds = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
    std::printf(
        "{\"wall\":%.9f,\"cpu\":%.9f,\"count\":%llu,\"integers\":%llu,\"doubles\":%.17g,"
        "\"bits\":%llu,\"textBytes\":%llu,\"texts\":%llu}\n",
        seconds.count(), cpu_seconds, (unsigned long long)builder.count,
        (unsigned long long)builder.integers, builder.doubles, (unsigned long long)builder.bits,
        (unsigned long long)builder.text_bytes, (unsigned long long)builder.texts);
    std::fflush(stdout);
  }
}
