// Random feeds and damage to them: the generator of the scanner's tests (Tests/CScanTests, linked here), for Swift.

#ifndef STREAMMAP_CASES_H
#define STREAMMAP_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Writes a feed into `out`, as far as there is room; its length. `framing` counts as sm_framing does. `state` is that of the
// random numbers (SplitMix64), and goes on.
size_t cases_feed(uint64_t *state, int framing, bool is_valid, int size, uint8_t *out, size_t room);
// Damages a feed in place here and there; its new length.
size_t cases_damage(uint64_t *state, uint8_t *bytes, size_t length, size_t room);

#endif
