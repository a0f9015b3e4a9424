// The scanner for 64-bit ARM: a block is four vectors, and a comparison's mask is put together by adding neighbors.

#include "scan_private.h"

#if SM_HAS_NEON

#include <arm_neon.h>

#define TARGET
#define VECTOR __attribute__((always_inline)) static inline
#define SCAN sm_scan_neon
#define ELEMENTS sm_split_elements_neon
#define MATCH sm_match_layout_neon

typedef uint8x16x4_t block;

VECTOR block load_block(const uint8_t *bytes) {
  return (block){{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
}

// A mask with one bit for each byte. All bits of a byte are the same.
VECTOR uint64_t mask_of(block b) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t first = vpaddq_u8(vandq_u8(b.val[0], weights), vandq_u8(b.val[1], weights));
  uint8x16_t second = vpaddq_u8(vandq_u8(b.val[2], weights), vandq_u8(b.val[3], weights));
  uint8x16_t sums = vpaddq_u8(first, second);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

// The mask of the results of `operation` on each vector and `with`.
#define MASK(operation, b, with) \
  mask_of((block){{ \
      operation((b).val[0], with), operation((b).val[1], with), operation((b).val[2], with), operation((b).val[3], with)}})

VECTOR uint64_t equal(block b, char byte) { return MASK(vceqq_u8, b, vdupq_n_u8((uint8_t)byte)); }

// Brackets differ from braces in one bit.
VECTOR block folded(block b) {
  uint8x16_t bit = vdupq_n_u8(0x20);
  return (block){{
      vorrq_u8(b.val[0], bit), vorrq_u8(b.val[1], bit), vorrq_u8(b.val[2], bit), vorrq_u8(b.val[3], bit)}};
}

VECTOR uint64_t control(block b) { return MASK(vcltq_u8, b, vdupq_n_u8(0x20)); }

// PERF: most blocks are all ASCII; that is found without a mask.
VECTOR uint64_t beyond(block b) {
  uint8x16_t any = vorrq_u8(vorrq_u8(b.val[0], b.val[1]), vorrq_u8(b.val[2], b.val[3]));
  if (vmaxvq_u8(any) < 0x80) return 0;
  return MASK(vcgeq_u8, b, vdupq_n_u8(0x80));
}

// Classes by the two halves of a byte, as in `scan_avx2.c`.
VECTOR uint8x16_t classes(uint8x16_t bytes) {
  const uint8x16_t low = {32, 0, 0, 0, 0, 0, 0, 0, 0, 64, 2 | 8, 4, 1, 4 | 64, 16, 0};
  const uint8x16_t high = {8 | 64, 16, 1 | 32, 2, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0};
  return vandq_u8(vqtbl1q_u8(low, vandq_u8(bytes, vdupq_n_u8(0x0F))), vqtbl1q_u8(high, vshrq_n_u8(bytes, 4)));
}

VECTOR void classify(block b, uint64_t *structure, uint64_t *space) {
  block kinds = {{classes(b.val[0]), classes(b.val[1]), classes(b.val[2]), classes(b.val[3])}};
  *structure = MASK(vtstq_u8, kinds, vdupq_n_u8(0x1F));
  *space = MASK(vtstq_u8, kinds, vdupq_n_u8(0x60));
}

VECTOR uint64_t prefix_xor(uint64_t bits) {
#if defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO)
  return vgetq_lane_u64(vreinterpretq_u64_p128(vmull_p64((poly64_t)bits, (poly64_t)~(uint64_t)0)), 0);
#else
  for (unsigned distance = 1; distance < 64; distance *= 2) bits ^= bits << distance;
  return bits;
#endif
}

typedef struct {
  uint8x16_t error, before, incomplete;
} utf8_state;

VECTOR void check_vector(utf8_state *state, uint8x16_t now) {
  enum {
    SHORT = 1, LONG = 2, OVERLONG_3 = 4, LARGE = 8, SURROGATE = 16, OVERLONG_2 = 32, LARGE_1000 = 64, OVERLONG_4 = 64,
    TWO = 128, CARRY = SHORT | LONG | TWO,
  };
  const uint8x16_t first_high = {
      LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO, SHORT | OVERLONG_2, SHORT,
      SHORT | OVERLONG_3 | SURROGATE, SHORT | LARGE | LARGE_1000 | OVERLONG_4};
  const uint8x16_t first_low = {
      CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, CARRY | OVERLONG_2, CARRY, CARRY, CARRY | LARGE,
      CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000,
      CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000,
      CARRY | LARGE | LARGE_1000 | SURROGATE, CARRY | LARGE | LARGE_1000, CARRY | LARGE | LARGE_1000};
  const uint8x16_t second_high = {
      SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
      LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE_1000 | OVERLONG_4, LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE,
      LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, LONG | OVERLONG_2 | TWO | SURROGATE | LARGE, SHORT, SHORT, SHORT,
      SHORT};
  uint8x16_t one = vextq_u8(state->before, now, 15);
  uint8x16_t special = vandq_u8(
      vandq_u8(
          vqtbl1q_u8(first_high, vshrq_n_u8(one, 4)), vqtbl1q_u8(first_low, vandq_u8(one, vdupq_n_u8(0x0F)))),
      vqtbl1q_u8(second_high, vshrq_n_u8(now, 4)));
  uint8x16_t third = vqsubq_u8(vextq_u8(state->before, now, 14), vdupq_n_u8(0xE0 - 0x80));
  uint8x16_t fourth = vqsubq_u8(vextq_u8(state->before, now, 13), vdupq_n_u8(0xF0 - 0x80));
  uint8x16_t must = vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80));
  state->error = vorrq_u8(state->error, veorq_u8(must, special));
  state->before = now;
}

VECTOR void utf8_check(utf8_state *state, block b) {
  for (int i = 0; i < 4; i++) check_vector(state, b.val[i]);
  // The bytes at the end of the block that need more bytes after them.
  const uint8x16_t most = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xF0 - 1, 0xE0 - 1, 0xC0 - 1};
  state->incomplete = vqsubq_u8(b.val[3], most);
}

VECTOR void utf8_ascii(utf8_state *state, block b) {
  state->error = vorrq_u8(state->error, state->incomplete);
  state->incomplete = vdupq_n_u8(0);
  state->before = b.val[3];
}

VECTOR bool utf8_failed(const utf8_state *state) { return vmaxvq_u8(state->error) != 0; }

// Writes the positions of the bits, eight at a time. The entries beyond the count are overwritten later.
VECTOR size_t write_positions(uint32_t *index, uint64_t bits, uint32_t base) {
  size_t count = (size_t)__builtin_popcountll(bits);
  for (size_t done = 0; done < count; done += 8) {
    for (int k = 0; k < 8; k++) {
      // The highest bit is set for the case that no bits are left: the count of zeros of 0 is not defined.
      index[done + (size_t)k] = base + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
      bits &= bits - 1;
    }
  }
  return count;
}

#include "scan_vector.h"

#include "elements_vector.h"

// What `layout_vector.h` looks at in one step; as in `scan_avx2.c`.
#define SPAN 64

VECTOR block load_span(const uint8_t *bytes) { return load_block(bytes); }

VECTOR uint64_t string_ends(block b, uint64_t *odd) {
  *odd = equal(b, '\\') | control(b) | beyond(b);
  return equal(b, '"');
}

VECTOR uint64_t scalar_ends(block b) {
  return equal(b, ',') | equal(b, ']') | equal(b, '}') | MASK(vcleq_u8, b, vdupq_n_u8(' '));
}

VECTOR uint64_t differences(block a, block b) {
  return ~mask_of((block){{
      vceqq_u8(a.val[0], b.val[0]), vceqq_u8(a.val[1], b.val[1]), vceqq_u8(a.val[2], b.val[2]), vceqq_u8(a.val[3], b.val[3])}});
}

#include "layout_vector.h"

#endif
