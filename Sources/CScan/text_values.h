// Values in the text of an output record: compact JSON that our own writer has just made.
//
// Text that is not right gives wrong places, but nothing is read outside it.

#ifndef STREAMMAP_TEXT_VALUES_H
#define STREAMMAP_TEXT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

// The next quote or backslash of a string, or the end.
static inline const uint8_t *sm_next_mark(const uint8_t *at, const uint8_t *end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  for (; end - at >= 16; at += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)at);
    uint32_t found =
        (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    if (found != 0) return at + __builtin_ctz(found);
  }
#endif
  for (; end - at >= 8; at += 8) {
    uint64_t word = sm_load(at), found = sm_hits(word, '"') | sm_hits(word, '\\');
    if (found != 0) return at + __builtin_ctzll(found) / 8;
  }
  while (at < end && *at != '"' && *at != '\\') at++;
  return at;
}

// Where a string ends, after its quote.
static inline const uint8_t *sm_end_of_string(const uint8_t *at, const uint8_t *end, bool *has_escapes) {
  for (at = sm_next_mark(at + 1, end); at < end; at = sm_next_mark(at, end)) {
    if (*at == '"') return at + 1;
    *has_escapes = true;
    if (end - at < 2) break;
    at += 2;
  }
  return end;
}

// Where a number or a word ends.
static inline const uint8_t *sm_end_of_word(const uint8_t *at, const uint8_t *end) {
  // A comma, or a closing bracket or brace.
  while (at < end && *at != ',' && (*at & 0xDF) != ']') at++;
  return at;
}

// Where an object or array ends.
static inline const uint8_t *sm_end_of_container(const uint8_t *at, const uint8_t *end) {
  size_t depth = 0;
#if defined(__SSE2__)
  // PERF: sixteen bytes at a time, up to the first backslash.
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), bit = _mm_set1_epi8(0x20);
  const __m128i opening = _mm_set1_epi8('{'), closing = _mm_set1_epi8('}');
  // All bits if a string continues in the block.
  uint32_t inside = 0;
  for (; end - at >= 16; at += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)at);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, backslash)) != 0) break;
    uint32_t strings = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, quote));
    strings ^= strings << 1;
    strings ^= strings << 2;
    strings ^= strings << 4;
    strings ^= strings << 8;
    strings = (strings ^ inside) & 0xFFFF;
    // With this bit, a bracket is a brace.
    __m128i braces = _mm_or_si128(bytes, bit);
    uint32_t opens = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(braces, opening)) & ~strings;
    uint32_t closes = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(braces, closing)) & ~strings;
    for (uint32_t rest = opens | closes; rest != 0; rest &= rest - 1) {
      if ((opens & rest & -rest) != 0) {
        depth++;
      } else if (--depth == 0) {
        return at + __builtin_ctz(rest) + 1;
      }
    }
    inside = 0 - (strings >> 15);
  }
  bool escapes;
  if (inside != 0) at = sm_end_of_string(at - 1, end, &escapes);
#endif
  while (at < end) {
    uint8_t byte = *at;
    if (byte == '"') {
      bool has_escapes;
      at = sm_end_of_string(at, end, &has_escapes);
      continue;
    }
    at++;
    if (byte == '{' || byte == '[') depth++;
    if ((byte == '}' || byte == ']') && --depth == 0) break;
  }
  return at;
}

// Where a value ends.
static inline const uint8_t *sm_end_of_value(const uint8_t *at, const uint8_t *end, bool *has_escapes) {
  if (at >= end) return end;
  if (*at == '"') return sm_end_of_string(at, end, has_escapes);
  return *at == '{' || *at == '[' ? sm_end_of_container(at, end) : sm_end_of_word(at, end);
}

#endif
