// The scanner for x86-64 with AVX2 and carry-less multiplication: 64 bytes a step, without a branch on what they are.
//
// Worked example, for the first bytes of {"a\"b":1} (one character of the masks stands for one byte, first byte left):
//
//     bytes       {"a\"b":1}
//     backslash   ...1......
//     escaped     ....1.....    the byte behind an odd number of backslashes
//     quote       .1....1...    and not escaped
//     in_string   .11111....    prefix-xor of quote: the opening quote is in, the closing one is not
//     structure   1......1.1    and not in a string
//     scalar      ........1.    none of all these, and the byte before is not one
//     index       11....1111
//
// Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019): the masks. Keiser and Lemire, "Validating UTF-8 in less
// than one instruction per byte" (2020): UTF-8. Whatever is wrong, the portable scanner is run over the window again and
// says where: faults cost no more than twice the bytes before them.
//
// If you add a fault, also touch `scan_portable.c`: both give the same results.

#if defined(__x86_64__)

#include <immintrin.h>

#include "scan_private.h"

#define VECTOR __attribute__((target("avx2,pclmul,bmi,bmi2,popcnt,lzcnt"))) static inline

typedef struct {
  __m256i low, high;
} block;

VECTOR uint64_t mask_of(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

VECTOR uint64_t equal(block b, char byte) {
  __m256i value = _mm256_set1_epi8(byte);
  return mask_of(_mm256_cmpeq_epi8(b.low, value), _mm256_cmpeq_epi8(b.high, value));
}

VECTOR uint64_t control(block b) {
  __m256i bound = _mm256_set1_epi8(0x1F);
  return mask_of(
      _mm256_cmpeq_epi8(_mm256_max_epu8(b.low, bound), bound),
      _mm256_cmpeq_epi8(_mm256_max_epu8(b.high, bound), bound));
}

// Classes by the two halves of a byte: bits 0 to 4 are structure (comma, colon, brackets, line feed, record separator),
// bits 5 and 6 space.
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

VECTOR uint64_t prefix_xor(uint64_t bits) {
  __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8((char)0xFF), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

// The bytes that are escaped, and the backslashes that escape them; `carry` says whether the first byte is escaped by the
// block before.
VECTOR uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry, uint64_t *escapes) {
  if (backslash == 0) {
    uint64_t escaped = *carry;
    *carry = 0;
    *escapes = 0;
    return escaped;
  }
  const uint64_t odd = 0xAAAAAAAAAAAAAAAAu;
  uint64_t potential = backslash & ~*carry;
  uint64_t even_series = ((potential << 1) | odd) - potential;
  uint64_t codes = even_series ^ odd;
  uint64_t escaped = codes ^ (backslash | *carry);
  *escapes = codes & backslash;
  *carry = *escapes >> 63;
  return escaped;
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

VECTOR void check_utf8(utf8_state *state, __m256i now) {
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

// What at the end of a vector waits for bytes to come.
VECTOR __m256i incomplete(__m256i bytes) {
  const __m256i most = _mm256_setr_epi8(
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
      (char)(0xF0 - 1), (char)(0xE0 - 1), (char)(0xC0 - 1));
  return _mm256_subs_epu8(bytes, most);
}

// Writes the positions of the bits, eight at a time: those beyond the count are written over.
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

// Checks the escapes of a block that start at `escapes`; false where one is wrong. `*behind` is where the last one ends.
static bool check_escapes(const uint8_t *bytes, size_t length, size_t base, uint64_t escapes, size_t *behind) {
  while (escapes != 0) {
    size_t position = base + (size_t)__builtin_ctzll(escapes);
    escapes &= escapes - 1;
    if (position < *behind) continue;  // the second half of a pair
    sm_sequence sequence = sm_check_escape(bytes + position, length - position);
    if (sequence.length == 0) return false;
    *behind = position + sequence.length;
  }
  return true;
}

// Bytes behind a block that must be there: the longest escape that starts in it ends among them.
#define ROOM 12

__attribute__((target("avx2,pclmul,bmi,bmi2,popcnt,lzcnt"))) sm_scan_result sm_scan_avx2(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  if (length < 64 + ROOM) return sm_scan_portable(state, bytes, length, final, index);
  size_t offset = 0, count = 0, behind_escapes = 0;
  uint64_t in_string = state->in_string ? ~(uint64_t)0 : 0, in_scalar = state->in_scalar, carry = 0;
  utf8_state utf8 = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
  for (; offset + 64 + ROOM <= length; offset += 64) {
    block b = {
        _mm256_loadu_si256((const __m256i *)(bytes + offset)), _mm256_loadu_si256((const __m256i *)(bytes + offset + 32))};
    uint64_t backslash = equal(b, '\\'), escapes;
    uint64_t escaped = escaped_bytes(backslash, &carry, &escapes);
    uint64_t quote = equal(b, '"') & ~escaped;
    uint64_t inside = prefix_xor(quote) ^ in_string;
    in_string = (uint64_t)((int64_t)inside >> 63);
    __m256i low = classes(b.low), high = classes(b.high);
    uint64_t structure = any_bit(low, high, 0x1F) & ~inside;
    uint64_t space = any_bit(low, high, 0x60);
    uint64_t scalar = ~(structure | space | quote | inside);
    uint64_t starts = scalar & ~(scalar << 1 | in_scalar);
    in_scalar = scalar >> 63;
    uint64_t wrong = (control(b) & inside) | (backslash & ~inside);
    uint64_t beyond = mask_of(b.low, b.high);
    if (beyond != 0) {
      wrong |= beyond & ~inside;
      check_utf8(&utf8, b.low);
      check_utf8(&utf8, b.high);
      utf8.incomplete = incomplete(b.high);
    } else {
      utf8.error = _mm256_or_si256(utf8.error, utf8.incomplete);
      utf8.incomplete = _mm256_setzero_si256();
      utf8.before = b.high;
    }
    if (__builtin_expect(
            wrong != 0 || !_mm256_testz_si256(utf8.error, utf8.error) ||
                (escapes != 0 && !check_escapes(bytes, length, offset, escapes, &behind_escapes)),
            0)) {
      return sm_scan_portable(state, bytes, length, final, index);
    }
    count += write_positions(index + count, structure | quote | starts, (uint32_t)offset);
  }
  // The rest starts behind an escape that goes on into it, or with a character that does.
  size_t rest = behind_escapes > offset ? behind_escapes : offset;
  if (rest == offset) {
    if (bytes[offset - 1] >= 0xC0) rest -= 1;
    else if (bytes[offset - 2] >= 0xE0) rest -= 2;
    else if (bytes[offset - 3] >= 0xF0) rest -= 3;
  }
  sm_scan_state now = {in_string != 0, in_scalar != 0};
  sm_scan_result last = sm_scan_portable(&now, bytes + rest, length - rest, final, index + count);
  for (size_t i = 0; i < last.count; i++) index[count + i] += (uint32_t)rest;
  *state = now;
  return (sm_scan_result){.scanned = rest + last.scanned, .count = count + last.count, .fault = last.fault};
}

#else
typedef int sm_no_avx2;
#endif
