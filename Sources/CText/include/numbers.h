// From the digits of a number to the nearest binary floating-point number.
//
// Two exact methods, no fallback:
// - Clinger, "How to Read Floating Point Numbers Accurately" (1990): if the mantissa and the power of ten are both exact in the
//   format, one multiplication or division rounds correctly.
// - Eisel and Lemire, in Lemire, "Number Parsing at a Gigabyte per Second" (2021): the product of the mantissa with the first 128
//   bits of the power of five decides the rounding, ties included. Mushtak and Lemire, "Fast Number Parsing Without Fallback"
//   (2022), prove that it always does for a mantissa of 64 bits.
//
// PERF: everything is inline, because a call costs a tenth of a number.

#ifndef STREAMMAP_NUMBERS_H
#define STREAMMAP_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { SM_SMALLEST_POWER = -342, SM_LARGEST_POWER = 308 };
extern const uint64_t sm_powers_of_five[2 * (SM_LARGEST_POWER - SM_SMALLEST_POWER + 1)];

// The upper and the lower half of a power of five, cut off after 128 bits; it is from the smallest to the largest.
static inline const uint64_t *sm_power_of_five(int64_t power) { return sm_powers_of_five + 2 * (power - SM_SMALLEST_POWER); }

// The properties of an IEEE 754 format that the method needs.
typedef struct {
  unsigned mantissa_bits;  // stored: without the leading one
  int64_t bias, infinity;  // of the biased exponent; that of infinity
  int64_t smallest_power, largest_power;  // of ten: below the first, every mantissa gives zero; above the last, infinity
  int64_t first_tie, last_tie;  // only with these powers of ten, a decimal can lie exactly between two neighbours
} sm_binary_format;

typedef struct {
  uint64_t high, low;
} sm_product;

static inline sm_product sm_multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
  unsigned __int128 product = (unsigned __int128)a * b;
  return (sm_product){.high = (uint64_t)(product >> 64), .low = (uint64_t)product};
#else
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (uint32_t)middle;
  return (sm_product){.high = ah * bh + (middle >> 32) + (other >> 32), .low = other << 32 | (uint32_t)low};
#endif
}

// The bits of mantissa × 10^power, rounded to the nearest, ties to even; infinity's when it is too large.
__attribute__((always_inline)) static inline uint64_t sm_nearest(uint64_t mantissa, int64_t power, sm_binary_format format) {
  const unsigned stored = format.mantissa_bits;
  const uint64_t infinity = (uint64_t)format.infinity << stored;
  if (mantissa == 0 || power < format.smallest_power) return 0;
  if (power > format.largest_power) return infinity;

  int zeros = __builtin_clzll(mantissa);
  mantissa <<= zeros;
  const uint64_t *words = sm_power_of_five(power);
  sm_product product = sm_multiply(mantissa, words[0]);
  // The lower half of the power of five is used only where it could change a bit that counts.
  const uint64_t unknown = UINT64_MAX >> (stored + 3);
  if ((product.high & unknown) == unknown) {
    uint64_t more = sm_multiply(mantissa, words[1]).high;
    product.low += more;
    product.high += product.low < more;
  }

  // Two bits more than the format stores: the leading bit, and the last, which is the rounding bit.
  unsigned top = (unsigned)(product.high >> 63), shift = top + 61 - stored;
  uint64_t result = product.high >> shift;
  // 217706 / 65536 approximates log2(10) closely enough for every power in the table.
  int64_t exponent = ((217706 * power) >> 16) + 63 + top - zeros + format.bias;
  if (exponent <= 0) {
    // Subnormal. There are no ties here: they occur only with powers of ten near 0.
    if (exponent <= -63) return 0;
    result >>= 1 - exponent;
    // Rounding up may make it normal; then the carry is the biased exponent 1.
    return (result + (result & 1)) >> 1;
  }
  // A number exactly between two neighbours is not rounded up if the lower one is even.
  if (product.low <= 1 && power >= format.first_tie && power <= format.last_tie && (result & 3) == 1 &&
      result << shift == product.high) {
    result &= ~(uint64_t)1;
  }
  result = (result + (result & 1)) >> 1;
  // The leading bit adds 1 to the exponent, and so does the carry of rounding up.
  uint64_t bits = ((uint64_t)(exponent - 1) << stored) + result;
  return bits < infinity ? bits : infinity;
}

// The Double nearest to mantissa × 10^power, ties to even; infinity when it is too large.
static inline double sm_double(uint64_t mantissa, int64_t power) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (mantissa <= (uint64_t)1 << 53 && power >= -22 && power <= 22) {
    double value = (double)mantissa;
    return power < 0 ? value / powers[-power] : value * powers[power];
  }
  const sm_binary_format format = {52, 1023, 0x7FF, SM_SMALLEST_POWER, SM_LARGEST_POWER, -4, 23};
  uint64_t bits = sm_nearest(mantissa, power, format);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The Float nearest to mantissa × 10^power, ties to even; infinity when it is too large.
static inline float sm_float(uint64_t mantissa, int64_t power) {
  static const float powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  if (mantissa <= 1 << 24 && power >= -10 && power <= 10) {
    float value = (float)mantissa;
    return power < 0 ? value / powers[-power] : value * powers[power];
  }
  const sm_binary_format format = {23, 127, 0xFF, -65, 38, -17, 10};
  uint32_t bits = (uint32_t)sm_nearest(mantissa, power, format);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The number whose eight digits, the first one lowest, are the values of the bytes.
// Source: Lemire (2021), section 3.
static inline uint64_t sm_sum_of_digits(uint64_t digits) {
  // Pairs of neighbours, then pairs of pairs, then both halves.
  digits = digits * 10 + (digits >> 8);
  const uint64_t pairs = 0x000000FF000000FFu;
  return ((digits & pairs) * 0x000F424000000064u + ((digits >> 16) & pairs) * 0x0000271000000001u) >> 32;
}

// Reads a number that has a point after its first one to seven bytes, one to sixteen digits after that and no exponent, if it has 8
// to 24 bytes and at most nineteen digits. False for every other text. The value is the nearest, ties to even.
//
// Most fractions are like that. Nothing branches on how many digits there are, because no processor can foresee it.
//
// `is_portable` says to go the way of processors without SSE2; the result is the same.
__attribute__((always_inline)) static inline bool sm_read_fraction(
    const uint8_t *text, size_t length, bool is_portable, double *value) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  return false;
#else
  if (length - 8 > 16) return false;
  const uint64_t ones = 0x0101010101010101u;
  uint64_t head, tail, middle;
  memcpy(&head, text, 8);
  // The lowest bit that is set in `points` is in the first byte that is a point.
  uint64_t other = head ^ (ones * '.'), points = (other - ones) & ~other & (ones * 0x80);
  if (points == 0) return false;
  size_t point = (size_t)__builtin_ctzll(points) >> 3;
  bool is_negative = (uint8_t)head == '-';
  head = (head ^ (ones * '0')) >> (is_negative ? 8 : 0);
  size_t before = point - is_negative, after = length - point - 1;
  if ((before - 1 > 6) | (after - 1 > 15) | (before + after > 19)) return false;
  if ((head & 0xFF) == 0 && before > 1) return false;

  // From here on, digits are bytes from 0 to 9. Bytes that do not belong to the part are shifted out, or made 0.
  head <<= 64 - 8 * before;
  bool is_short = length < 16;
  memcpy(&tail, text + length - 8, 8);
  memcpy(&middle, text + (is_short ? 0 : length - 16), 8);
  static const uint8_t masks[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  static const uint64_t scales[17] = {
      1,         10,         100,         1000,         10000,         100000,         1000000,         10000000,
      100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
      10000000000000000};
  uint64_t odd = head | (head + ones * 6), fraction;
#if defined(__SSE2__) && defined(__x86_64__)
  if (!is_portable) {
    __m128i low = _mm_xor_si128(_mm_cvtsi64_si128((long long)middle), _mm_set1_epi8('0'));
    __m128i high = _mm_xor_si128(_mm_cvtsi64_si128((long long)tail), _mm_set1_epi8('0'));
    // A shift by 64 bits leaves nothing.
    low = _mm_sll_epi64(low, _mm_cvtsi32_si128(is_short ? (int)(8 * (16 - length)) : 0));
    __m128i digits = _mm_and_si128(_mm_unpacklo_epi64(low, high), _mm_loadu_si128((const __m128i *)(masks + after)));
    __m128i beyond = _mm_subs_epu8(digits, _mm_set1_epi8(9)), none = _mm_setzero_si128();
    if (((odd & (ones * 0xF0)) != 0) | (_mm_movemask_epi8(_mm_cmpeq_epi8(beyond, none)) != 0xFFFF)) return false;
    // Digits to fours, fours to eights.
    const __m128i tens = _mm_set_epi16(1, 10, 100, 1000, 1, 10, 100, 1000);
    __m128i first = _mm_madd_epi16(_mm_unpacklo_epi8(digits, none), tens);
    __m128i second = _mm_madd_epi16(_mm_unpackhi_epi8(digits, none), tens);
    __m128i fours = _mm_madd_epi16(_mm_packs_epi32(first, second), _mm_set1_epi16(1));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set_epi16(1, 10000, 1, 10000, 1, 10000, 1, 10000));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    fraction = (uint64_t)(uint32_t)both * 100000000 + (both >> 32);
  } else
#endif
  {
    uint64_t middle_mask, tail_mask;
    memcpy(&middle_mask, masks + after, 8);
    memcpy(&tail_mask, masks + after + 8, 8);
    tail = (tail ^ (ones * '0')) & tail_mask;
    // Two shifts, because a word cannot be shifted by 64 bits.
    unsigned half = is_short ? (unsigned)(4 * (16 - length)) : 0;
    middle = (middle ^ (ones * '0')) << half << half & middle_mask;
    odd |= tail | (tail + ones * 6) | middle | (middle + ones * 6);
    if ((odd & (ones * 0xF0)) != 0) return false;
    fraction = sm_sum_of_digits(middle) * 100000000 + sm_sum_of_digits(tail);
  }
  uint64_t mantissa = sm_sum_of_digits(head) * scales[after] + fraction;
  // PERF: not by `sm_double`, whose choice between two methods cannot be foreseen here.
  const sm_binary_format format = {52, 1023, 0x7FF, SM_SMALLEST_POWER, SM_LARGEST_POWER, -4, 23};
  uint64_t bits = sm_nearest(mantissa, -(int64_t)after, format) | (uint64_t)is_negative << 63;
  memcpy(value, &bits, sizeof *value);
  return true;
#endif
}

#endif
