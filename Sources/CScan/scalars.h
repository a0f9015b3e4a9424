// Recognizes whole numbers and literals without the automaton, eight bytes at a time.
//
// False means undecided: the byte-by-byte walk then decides, and says what is wrong.

#ifndef STREAMMAP_SCALARS_H
#define STREAMMAP_SCALARS_H

#include "words.h"

// In a word, the high bits of the bytes that are not digits (and perhaps of some bytes after such a byte).
static inline uint64_t no_digits(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u;
  uint64_t value = word ^ (ones * '0');
  return ((value + ones * (0x80 - 10)) | value) & (ones * 0x80);
}

// The first byte after the digits that start at `p`; eight bytes after them are readable.
static inline const uint8_t *behind_digits(const uint8_t *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (;; p += 8) {
    uint64_t odd = no_digits(sm_load(p));
    if (odd != 0) return p + (__builtin_ctzll(odd) >> 3);
  }
#else
  while ((uint8_t)(*p - '0') < 10) p++;
  return p;
#endif
}

// Whether [p, p + length) is one number. The byte after it belongs to no number, and eight more bytes are readable.
// PERF: outlined, so that the loop over members stays small.
__attribute__((noinline)) static bool is_number(const uint8_t *p, size_t length) {
  const uint8_t *first = p + (*p == '-'), *q = behind_digits(first), *digits;
  if (q == first || (*first == '0' && q - first > 1)) return false;
  if (*q == '.') {
    digits = q + 1;
    q = behind_digits(digits);
    if (q == digits) return false;
  }
  if ((*q | 0x20) == 'e') {
    digits = q + 1;
    if (*digits == '+' || *digits == '-') digits++;
    q = behind_digits(digits);
    if (q == digits) return false;
  }
  return q == p + length;
}

#if defined(__SSE2__)
// Whether [p, p + length) is digits, perhaps with a sign before them and a point among them. `length` is from 9 to 32; 32 bytes are
// readable.
static inline bool is_decimal(const uint8_t *p, size_t length) {
  const __m128i zeros = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
  __m128i start = _mm_loadu_si128((const __m128i *)p), low = _mm_sub_epi8(start, zeros);
  __m128i high = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(p + 16)), zeros);
  uint32_t digits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(low, nine), low)) |
                    (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(high, nine), high)) << 16;
  uint32_t odd = ~digits & (0xFFFFFFFFu >> (32 - length));
  // PERF: from the register, because compilers take the byte from a copy of it in memory.
  size_t first = (uint8_t)_mm_cvtsi128_si32(start) == '-';
  odd &= ~(uint32_t)first;
  if (odd == 0) return p[first] != '0';
  size_t point = (size_t)__builtin_ctz(odd);
  return (odd & (odd - 1)) == 0 && p[point] == '.' && point > first && point + 1 < length &&
         (p[first] != '0' || point == first + 1);
}
#endif

// Whether a text is a literal, or a number of up to 16 digits; one of up to eight may have a point. `byte` is its first; 16 bytes are
// readable. False is undecided.
static inline bool is_simple_scalar(const uint8_t *p, uint8_t byte, size_t length) {
  if ((uint8_t)(byte - '0') >= 10) {
    if (length == 4) return memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0;
    return length == 5 && memcmp(p, "false", 5) == 0;
  }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (length > 8) {
    return length <= 16 && byte != '0' && (no_digits(sm_load(p)) | no_digits(sm_load(p + length - 8))) == 0;
  }
  uint64_t word = sm_load(p), mask = sm_load(sm_masks[length]), odd = no_digits(word) & mask;
  if (odd == 0) return byte != '0' || length == 1;
  // The point becomes a digit.
  unsigned point = (unsigned)__builtin_ctzll(odd) >> 3;
  return (no_digits(word ^ (uint64_t)('.' ^ '0') << 8 * point) & mask) == 0 && p[point] == '.' && point > 0 && point < length - 1 &&
         (byte != '0' || point == 1);
#else
  return false;
#endif
}

// As `is_plain_scalar`. PERF: outlined, so that the loop over members stays small.
__attribute__((noinline)) static bool is_any_scalar(const uint8_t *p, size_t length, size_t room, uint64_t number_limit) {
  if (room < length + 9) return false;
  if (length <= 8) {
    // PERF: short scalars, above all literals, are recognized without a branch on what they are.
    uint64_t word = sm_load(p), mask = sm_load(sm_masks[length]), all = word & mask;
    // The mask makes the bytes after a literal 0. The last check excludes a NUL that belongs to the scalar.
    if (all == sm_load("true\0\0\0") || all == sm_load("null\0\0\0") || all == sm_load("false\0\0")) return p[length - 1] != 0;
    if ((no_digits(word) & mask) == 0 && (length == 1 || *p != '0')) return length <= number_limit;
  }
  return length <= number_limit && is_number(p, length);
}

// Whether [p, p + length) is a whole scalar, with no other scalar right after it; `room` bytes from `p` are readable. It is also
// false for some whole scalars: those with white space after them, and those near the end of a batch.
static inline bool is_plain_scalar(const uint8_t *p, size_t length, size_t room, uint64_t number_limit) {
#if defined(__SSE2__)
  // PERF: numbers of all lengths go the same way, because lengths cannot be foreseen.
  if (length > 8 && length <= 32 && length <= number_limit && room >= 32 + 9 && is_decimal(p, length)) return true;
#endif
  return is_any_scalar(p, length, room, number_limit);
}

#endif
