// Random feeds and damage to them: the generator of the scanner's tests (Tests/CScanTests), for Swift.

#ifndef STREAMMAP_CASES_H
#define STREAMMAP_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Writes a feed into `out`, as far as there is room, and returns its length. `framing` has the values of sm_framing.
// `state` is the state of the random numbers (SplitMix64), which advances.
size_t cases_feed(uint64_t *state, int framing, bool is_valid, int size, uint8_t *out, size_t room);
// Damages a feed in place in some spots; returns its new length.
size_t cases_damage(uint64_t *state, uint8_t *bytes, size_t length, size_t room);

#endif
