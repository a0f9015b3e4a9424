// simdjson On-Demand as a worker: `simdjson-worker TASK FEED`. It loads the feed, and for each line
// on standard input (`digest` or `run`) goes through it once and answers with one line of JSON. One
// thread.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>

#include "catalogue.h"
#include "logs.h"
#include "records.h"
#include "tweets.h"

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
  const std::map<std::string, Work> tasks = {
      {"catalogue", catalogue}, {"logs", logs},       {"numbers", outlines},
      {"tiny", tiny},           {"tweets7", tweet},   {"tweets-all", full_tweet},
  };
  const Work work = tasks.at(arguments[1]);
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
