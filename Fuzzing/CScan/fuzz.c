// A coverage-guided target (libFuzzer) for the scanner and the walker: any bytes, as a feed in any framing through any selection, come to
// what the tests' references say, by every implementation of the scanner, whole and in pieces. `scripts/fuzz` builds and runs it.

#include <stdlib.h>
#include <string.h>

#include "test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned random);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

// An input is a head and the feed. The head says which selection (by its seed), which framing, which limits.
enum { HEAD = 4 };

static void check(const uint8_t *head, const uint8_t *bytes, size_t length) {
  rng r = {(uint64_t)head[0] << 8 | head[1]};
  model m;
  make_model(&m, &r);
  setting s = {(sm_framing)(head[2] % 5), {280, UINT64_MAX, UINT64_MAX, UINT64_MAX}, head[2] >= 128 ? 3 : 0};
  if (head[3] >= 192) s.limits = (sm_limits){1 + below(&r, 5), below(&r, 12), 1 + below(&r, 8), below(&r, 10)};
  sm_selection *selection = build_selection(&m);
  sm_walker *w = selection == NULL ? NULL : sm_walker_create(selection, s.framing, s.limits);
  if (w == NULL) abort();
  r.state ^= head[3];
  buf feed = {0}, expected = {0};
  put(&feed, bytes, length);
  run_naive(&expected, &m, &s, bytes, length);
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  for (size_t i = 0; i < count; i++) check_walk(&expected, w, &s, &feed, (pieces){.size = length + 1}, names[i], 0);
  check_walk(&expected, w, &s, &feed, (pieces){.size = 1 + below(&r, 32)}, names[below(&r, count)], 0);
  check_walk(&expected, w, &s, &feed, (pieces){0, 1 + below(&r, 90), &r}, names[below(&r, count)], 0);
  drop(&feed);
  drop(&expected);
  sm_walker_destroy(w);
  sm_selection_destroy(selection);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEAD) return -1;
  rng r = {data[3]};
  check_scan(data + HEAD, size - HEAD, &r, 0, 1);
  check(data, data + HEAD, size - HEAD);
  if (!has_failed()) return 0;
  fflush(stdout);
  abort();
}

// Besides libFuzzer's own changes: new feeds by the grammar, and damage as the tests do it.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned random) {
  rng r = {random};
  buf feed = {0};
  if (most <= HEAD || chance(&r, 60)) return LLVMFuzzerMutate(data, size, most);
  if (size <= HEAD || chance(&r, 15)) {
    for (size_t i = 0; i < HEAD; i++) data[i] = (uint8_t)below(&r, 256);
    put_feed(&feed, &r, (sm_framing)(data[2] % 5), chance(&r, 50), 14);
  } else {
    put(&feed, data + HEAD, size - HEAD);
    mutate(&feed, &r);
  }
  size_t length = feed.count < most - HEAD ? feed.count : most - HEAD;
  if (length > 0) memcpy(data + HEAD, feed.bytes, length);
  drop(&feed);
  return HEAD + length;
}
