// Texts, eight bytes at a time.

#ifndef STREAMMAP_WORDS_H
#define STREAMMAP_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The bytes of a word that belong to a text of this length.
static const uint8_t sm_masks[9][8] = {
    {0, 0, 0, 0, 0, 0, 0, 0},
    {255, 0, 0, 0, 0, 0, 0, 0},
    {255, 255, 0, 0, 0, 0, 0, 0},
    {255, 255, 255, 0, 0, 0, 0, 0},
    {255, 255, 255, 255, 0, 0, 0, 0},
    {255, 255, 255, 255, 255, 0, 0, 0},
    {255, 255, 255, 255, 255, 255, 0, 0},
    {255, 255, 255, 255, 255, 255, 255, 0},
    {255, 255, 255, 255, 255, 255, 255, 255},
};

static inline uint64_t sm_load(const void *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

// The high bit of each of eight bytes that is this one. The lowest bit that is set is right; those above it may be there for nothing.
static inline uint64_t sm_hits(uint64_t word, uint8_t byte) {
  const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  uint64_t odd = word ^ (ones * byte);
  return (odd - ones) & ~odd & highs;
}

// Whether one of eight bytes is a backslash.
static inline bool sm_has_backslash(uint64_t word) { return sm_hits(word, '\\') != 0; }

// Whether one of the `length` bytes of a text is a backslash; `room` bytes from its start are readable.
static inline bool sm_has_escape(const uint8_t *text, size_t length, size_t room) {
#if defined(__SSE2__)
  const __m128i backslash = _mm_set1_epi8('\\');
  for (; room >= 16; text += 16, length -= 16, room -= 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)text);
    uint32_t found = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, backslash));
    // PERF: where there is room, the rest is loaded as a whole vector, too.
    if (length <= 16) return (found & ((1u << length) - 1)) != 0;
    if (found != 0) return true;
  }
#endif
  for (; room >= 8; text += 8, length -= 8, room -= 8) {
    uint64_t word = sm_load(text);
    if (length <= 8) return sm_has_backslash(word & sm_load(sm_masks[length]));
    if (sm_has_backslash(word)) return true;
  }
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\\') return true;
  }
  return false;
}

#endif
