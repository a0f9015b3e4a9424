// The scanner for x86-64 with AVX2 and carry-less multiplication.

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TARGET __attribute__((target("avx2,pclmul,bmi,bmi2,popcnt,lzcnt")))
// Always inlined: a vector is never passed from function to function. Without optimisation, and with the address sanitizer, clang passes
// it on a stack that is not aligned for it.
#define VECTOR TARGET __attribute__((always_inline)) static inline
#define SCAN sm_scan_avx2
#define ELEMENTS sm_split_elements_avx2
#define MATCH sm_match_layout_avx2

typedef struct {
  __m256i low, high;
} block;

VECTOR block load_block(const uint8_t *bytes) {
  return (block){_mm256_loadu_si256((const __m256i *)bytes), _mm256_loadu_si256((const __m256i *)(bytes + 32))};
}

VECTOR uint64_t mask_of(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

VECTOR uint64_t equal(block b, char byte) {
  __m256i value = _mm256_set1_epi8(byte);
  return mask_of(_mm256_cmpeq_epi8(b.low, value), _mm256_cmpeq_epi8(b.high, value));
}

// Brackets differ from braces in one bit.
VECTOR block folded(block b) {
  __m256i bit = _mm256_set1_epi8(0x20);
  return (block){_mm256_or_si256(b.low, bit), _mm256_or_si256(b.high, bit)};
}

VECTOR uint64_t control(block b) {
  __m256i bound = _mm256_set1_epi8(0x1F);
  return mask_of(
      _mm256_cmpeq_epi8(_mm256_max_epu8(b.low, bound), bound),
      _mm256_cmpeq_epi8(_mm256_max_epu8(b.high, bound), bound));
}

// Classes by the two halves of a byte: bits 0 to 4 mean structure (comma, colon, brackets, line feed, record separator), bits 5
// and 6 mean space.
VECTOR __m256i classes(__m256i bytes) {
  const __m256i low = _mm256_setr_epi8(
      32, 0, 0, 0, 0, 0, 0, 0, 0, 64, 2 | 8, 4, 1, 4 | 64, 16, 0,
      32, 0, 0, 0, 0, 0, 0, 0, 0, 64, 2 | 8, 4, 1, 4 | 64, 16, 0);
  const __m256i high = _mm256_setr_epi8(
      8 | 64, 16, 1 | 32, 2, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0,
      8 | 64, 16, 1 | 32, 2, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0);
  __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
  return _mm256_and_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, upper));
}

VECTOR uint64_t any_bit(__m256i low, __m256i high, char bits) {
  __m256i which = _mm256_set1_epi8(bits), zero = _mm256_setzero_si256();
  return ~mask_of(
      _mm256_cmpeq_epi8(_mm256_and_si256(low, which), zero), _mm256_cmpeq_epi8(_mm256_and_si256(high, which), zero));
}

VECTOR void classify(block b, uint64_t *structure, uint64_t *space) {
  __m256i low = classes(b.low), high = classes(b.high);
  *structure = any_bit(low, high, 0x1F);
  *space = any_bit(low, high, 0x60);
}

VECTOR uint64_t beyond(block b) { return mask_of(b.low, b.high); }

VECTOR uint64_t prefix_xor(uint64_t bits) {
  __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

typedef struct {
  __m256i error, before, incomplete;
} utf8_state;

VECTOR __m256i shifted(__m256i now, __m256i before, const int count) {
  __m256i joined = _mm256_permute2x128_si256(before, now, 0x21);
  switch (count) {
    case 1: return _mm256_alignr_epi8(now, joined, 15);
    case 2: return _mm256_alignr_epi8(now, joined, 14);
    default: return _mm256_alignr_epi8(now, joined, 13);
  }
}

#define TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

VECTOR void check_vector(utf8_state *state, __m256i now) {
  enum {
    SHORT = 1, LONG = 2, OVERLONG_3 = 4, LARGE = 8, SURROGATE = 16, OVERLONG_2 = 32, LARGE_1000 = 64, OVERLONG_4 = 64,
    TWO = -128, CARRY = SHORT | LONG | TWO,
  };
  const __m256i first_high = TWICE(
      LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO, SHORT | OVERLONG_2, SHORT,
      SHORT | OVERLONG_3 | SURROGATE, SHORT | LARGE | LARGE_1000 | OVERLONG_4);
  const __m256i first_low = TWICE(
      CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, CARRY | OVERLONG_2, CARRY, CARRY, CARRY | LARGE,
      CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000,
      CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000,
      CARRY | LARGE | LARGE_1000 | SURROGATE, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000);
  const __m256i second_high = TWICE(
      SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
      LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE_1000 | OVERLONG_4, LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE,
      LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, SHORT, SHORT, SHORT,
      SHORT);
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  __m256i one = shifted(now, state->before, 1);
  __m256i special = _mm256_and_si256(
      _mm256_and_si256(
          _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(one, 4), nibble)),
          _mm256_shuffle_epi8(first_low, _mm256_and_si256(one, nibble))),
      _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(now, 4), nibble)));
  __m256i third = _mm256_subs_epu8(shifted(now, state->before, 2), _mm256_set1_epi8((char)(0xE0 - 0x80)));
  __m256i fourth = _mm256_subs_epu8(shifted(now, state->before, 3), _mm256_set1_epi8((char)(0xF0 - 0x80)));
  __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
  state->error = _mm256_or_si256(state->error, _mm256_xor_si256(must, special));
  state->before = now;
}

// The bytes at the end of a vector that need more bytes after them.
VECTOR __m256i incomplete(__m256i bytes) {
  const __m256i most = _mm256_setr_epi8(
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
      (char)(0xF0 - 1), (char)(0xE0 - 1), (char)(0xC0 - 1));
  return _mm256_subs_epu8(bytes, most);
}

VECTOR void utf8_check(utf8_state *state, block b) {
  check_vector(state, b.low);
  check_vector(state, b.high);
  state->incomplete = incomplete(b.high);
}

VECTOR void utf8_ascii(utf8_state *state, block b) {
  state->error = _mm256_or_si256(state->error, state->incomplete);
  state->incomplete = _mm256_setzero_si256();
  state->before = b.high;
}

VECTOR bool utf8_failed(const utf8_state *state) { return !_mm256_testz_si256(state->error, state->error); }

// Writes the positions of the bits, eight at a time. The entries beyond the count are overwritten later.
VECTOR size_t write_positions(uint32_t *index, uint64_t bits, uint32_t base) {
  size_t count = (size_t)__builtin_popcountll(bits);
  for (size_t done = 0; done < count; done += 8) {
    for (int k = 0; k < 8; k++) {
      index[done + (size_t)k] = base + (uint32_t)_tzcnt_u64(bits);
      bits = _blsr_u64(bits);
    }
  }
  return count;
}

#include "scan_vector.h"

#include "elements_vector.h"

// What `layout_vector.h` looks at in one step.
#define SPAN 32

VECTOR __m256i load_span(const uint8_t *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }

VECTOR __m256i are(__m256i bytes, char byte) { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte)); }

VECTOR __m256i are_up_to(__m256i bytes, char bound) {
  return _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(bound)), _mm256_set1_epi8(bound));
}

VECTOR uint32_t bits_of(__m256i bytes) { return (uint32_t)_mm256_movemask_epi8(bytes); }

// The quotes; and backslashes, control characters and bytes beyond ASCII.
VECTOR uint64_t string_ends(__m256i bytes, uint64_t *odd) {
  *odd = bits_of(_mm256_or_si256(_mm256_or_si256(are(bytes, '\\'), are_up_to(bytes, 0x1F)), bytes));
  return bits_of(are(bytes, '"'));
}

// Commas, closing brackets, and white space.
VECTOR uint64_t scalar_ends(__m256i bytes) {
  return bits_of(_mm256_or_si256(
      _mm256_or_si256(are(bytes, ','), are_up_to(bytes, ' ')), _mm256_or_si256(are(bytes, ']'), are(bytes, '}'))));
}

VECTOR uint64_t differences(__m256i a, __m256i b) { return (uint32_t)~bits_of(_mm256_cmpeq_epi8(a, b)); }

#include "layout_vector.h"

#else
typedef int sm_no_avx2;
#endif
