// Numbers and literals that are whole, told without the automaton: eight bytes at a time.
//
// False is no verdict: the walk goes over what is not told here byte by byte, and says what is wrong with it.

#ifndef STREAMMAP_SCALARS_H
#define STREAMMAP_SCALARS_H

#include "words.h"

// Of a word, the high bits of bytes that are no digits (and maybe of such as stand behind one).
static inline uint64_t no_digits(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u;
  uint64_t value = word ^ (ones * '0');
  return ((value + ones * (0x80 - 10)) | value) & (ones * 0x80);
}

// Behind the digits that start at `p`; eight bytes behind them are there.
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

// Whether [p, p + length) is one number. Behind it is a byte that belongs to none, and eight more are there.
// PERF: apart, so that the loop over members stays small.
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

// Whether [p, p + length) is a whole scalar, with no other behind it; `room` bytes from `p` are there. False also for some that
// are: those with white space behind them, and those near the end of a batch.
static inline bool is_plain_scalar(const uint8_t *p, size_t length, size_t room, uint64_t number_limit) {
  if (room < length + 9) return false;
  if (length <= 8) {
    // PERF: the short ones, literals above all, are told without a branch on what they are.
    uint64_t word = sm_load(p), mask = sm_load(sm_masks[length]), all = word & mask;
    // What is behind a literal is 0 by the mask; a NUL that belongs to the scalar is not.
    if (all == sm_load("true\0\0\0") || all == sm_load("null\0\0\0") || all == sm_load("false\0\0")) return p[length - 1] != 0;
    if ((no_digits(word) & mask) == 0 && (length == 1 || *p != '0')) return length <= number_limit;
  }
  // PERF: so are identifiers, as a rule.
  if (length > 8 && length <= 16 && *p != '0' && (no_digits(sm_load(p)) | no_digits(sm_load(p + length - 8))) == 0) {
    return length <= number_limit;
  }
  return length <= number_limit && is_number(p, length);
}

#endif
