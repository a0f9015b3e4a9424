// A coverage-guided target (libFuzzer) for the scanner and the walker: any bytes, as a feed in any framing through any selection, come to
// what the tests' references say, by every implementation of the scanner, whole and in pieces. `scripts/fuzz` builds and runs it.

#include <stdlib.h>
#include <string.h>

#include "test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned random);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < FUZZ_HEAD) return -1;
  check_fuzz_input(data, size);
  if (!has_failed()) return 0;
  fflush(stdout);
  abort();
}

// Besides libFuzzer's own changes: new feeds by the grammar, and damage as the tests do it.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned random) {
  rng r = {random};
  buf feed = {0};
  if (most <= FUZZ_HEAD || chance(&r, 60)) return LLVMFuzzerMutate(data, size, most);
  if (size <= FUZZ_HEAD || chance(&r, 15)) {
    for (size_t i = 0; i < FUZZ_HEAD; i++) data[i] = (uint8_t)below(&r, 256);
    put_feed(&feed, &r, (sm_framing)(data[2] % 5), chance(&r, 50), 14);
  } else {
    put(&feed, data + FUZZ_HEAD, size - FUZZ_HEAD);
    mutate(&feed, &r);
  }
  size_t length = feed.count < most - FUZZ_HEAD ? feed.count : most - FUZZ_HEAD;
  if (length > 0) memcpy(data + FUZZ_HEAD, feed.bytes, length);
  drop(&feed);
  return FUZZ_HEAD + length;
}
