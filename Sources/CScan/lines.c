// Counts lines in blocks of 64 bytes, without a branch on what they hold.
//
// Worked example (one character of the masks stands for one byte, first byte left, ⏎ is a line feed; the addition carries to the
// right):
//
//     bytes   ab⏎ ⏎⏎c
//     feeds   ..1.11.
//     text    11....1
//     rest    11.1..1     all but the line feeds
//     sum     .111...     rest + text: a line that holds something carries into its line feed; the last line carries into the next block
//     ended   ..1....     the bits of the sum at line feeds
//
// If you change what a text is, also touch `line_feed` and `between_texts` in `walk.c`.

#include "scan_private.h"

// Goes byte by byte, on from the counts in `so_far`. The tests compare the other implementations with it.
static sm_lines go_on(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts, sm_lines so_far) {
  sm_lines lines = so_far;
  while (lines.scanned < length && lines.texts < most_texts) {
    uint8_t byte = bytes[lines.scanned++];
    if (byte == '\n') {
      lines.line_feeds++;
      lines.texts += *in_text;
      lines.end = lines.scanned;
      *in_text = false;
    } else if (byte != ' ' && byte != '\t' && byte != '\r') {
      *in_text = true;
    }
  }
  return lines;
}

sm_lines sm_count_lines_portable(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts) {
  return go_on(in_text, bytes, length, most_texts, (sm_lines){0});
}

// Defines the function for one kind of vectors. MASKS finds, in 64 bytes, the line feeds, and the bytes that are neither line
// feed nor white space. HAS_FEED says whether 256 bytes contain a line feed.
//
// PERF: once a line is known to hold something, only its end matters. In a long line, only the end is searched for, in half the
// time.
#define COUNT_BLOCKS(NAME, TARGET, MASKS, HAS_FEED)                                                                \
  TARGET sm_lines NAME(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts) {                    \
    sm_lines lines = {0};                                                                                          \
    uint64_t carry = *in_text, last_feeds = 0;                                                                     \
    size_t last = 0;                                                                                               \
    for (; lines.scanned + 64 <= length; lines.scanned += 64) {                                                    \
      if (lines.scanned - last >= 512 && carry != 0) {                                                             \
        while (lines.scanned + 256 <= length && !HAS_FEED(bytes + lines.scanned)) lines.scanned += 256;            \
        if (lines.scanned + 64 > length) break;                                                                    \
      }                                                                                                            \
      uint64_t feeds, text, sum;                                                                                   \
      MASKS(bytes + lines.scanned, &feeds, &text);                                                                 \
      bool carries = __builtin_add_overflow(~feeds, text, &sum);                                                   \
      carries |= __builtin_add_overflow(sum, carry, &sum);                                                         \
      size_t texts = lines.texts + (size_t)__builtin_popcountll(sum & feeds);                                      \
      if (texts >= most_texts) break; /* the last one ends in this block */                                        \
      lines.texts = texts;                                                                                         \
      lines.line_feeds += (size_t)__builtin_popcountll(feeds);                                                     \
      last = feeds != 0 ? lines.scanned : last;                                                                    \
      last_feeds = feeds != 0 ? feeds : last_feeds;                                                                \
      carry = carries;                                                                                             \
    }                                                                                                              \
    if (last_feeds != 0) lines.end = last + 64 - (size_t)__builtin_clzll(last_feeds);                              \
    *in_text = carry != 0;                                                                                         \
    return go_on(in_text, bytes, length, most_texts, lines);                                                       \
  }

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,popcnt,lzcnt")))
AVX2 static inline uint64_t avx2_mask(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}
// For a line feed, space, tab or carriage return, the table has the byte itself at the index of its lower half.
AVX2 static inline __m256i avx2_blank(__m256i bytes) {
  const __m256i table = _mm256_setr_epi8(
      ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1,
      ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1);
  return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, bytes), bytes);
}
AVX2 static inline void avx2_masks(const uint8_t *bytes, uint64_t *feeds, uint64_t *text) {
  __m256i low = _mm256_loadu_si256((const __m256i *)bytes), high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
  const __m256i feed = _mm256_set1_epi8('\n');
  *feeds = avx2_mask(_mm256_cmpeq_epi8(low, feed), _mm256_cmpeq_epi8(high, feed));
  *text = ~avx2_mask(avx2_blank(low), avx2_blank(high));
}
AVX2 static inline bool avx2_has_feed(const uint8_t *bytes) {
  const __m256i feed = _mm256_set1_epi8('\n');
  __m256i found = _mm256_setzero_si256();
  for (int part = 0; part < 8; part++) {
    __m256i block = _mm256_loadu_si256((const __m256i *)(bytes + 32 * part));
    found = _mm256_or_si256(found, _mm256_cmpeq_epi8(block, feed));
  }
  return _mm256_testz_si256(found, found) == 0;
}
COUNT_BLOCKS(sm_count_lines_avx2, AVX2, avx2_masks, avx2_has_feed)

#define AVX512 __attribute__((target("avx512f,avx512bw,bmi,popcnt,lzcnt")))
AVX512 static inline void avx512_masks(const uint8_t *bytes, uint64_t *feeds, uint64_t *text) {
  __m512i block = _mm512_loadu_si512(bytes);
  const __m512i table = _mm512_broadcast_i32x4(
      _mm_setr_epi8(' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1));
  *feeds = _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n'));
  *text = _mm512_cmpneq_epi8_mask(_mm512_shuffle_epi8(table, block), block);
}
AVX512 static inline bool avx512_has_feed(const uint8_t *bytes) {
  const __m512i feed = _mm512_set1_epi8('\n');
  __mmask64 found = 0;
  for (int part = 0; part < 4; part++) {
    found |= _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes + 64 * part), feed);
  }
  return found != 0;
}
COUNT_BLOCKS(sm_count_lines_avx512, AVX512, avx512_masks, avx512_has_feed)

#elif SM_HAS_NEON

#include <arm_neon.h>

static inline uint64_t neon_mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits)), high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
  uint8x16_t sum = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}
// For a byte beyond the table, the look-up gives 0, which no such byte is. At the place of the byte 0, the table has another
// value.
static inline uint8x16_t neon_blank(uint8x16_t bytes) {
  const uint8x16_t table = {255, 255, 255, 255, 255, 255, 255, 255, 255, '\t', '\n', 255, 255, '\r', 255, 255};
  return vorrq_u8(vceqq_u8(vqtbl1q_u8(table, bytes), bytes), vceqq_u8(bytes, vdupq_n_u8(' ')));
}
static inline void neon_masks(const uint8_t *bytes, uint64_t *feeds, uint64_t *text) {
  const uint8x16x4_t b = {{vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
  const uint8x16_t feed = vdupq_n_u8('\n');
  *feeds = neon_mask(vceqq_u8(b.val[0], feed), vceqq_u8(b.val[1], feed), vceqq_u8(b.val[2], feed), vceqq_u8(b.val[3], feed));
  *text = ~neon_mask(neon_blank(b.val[0]), neon_blank(b.val[1]), neon_blank(b.val[2]), neon_blank(b.val[3]));
}
static inline bool neon_has_feed(const uint8_t *bytes) {
  const uint8x16_t feed = vdupq_n_u8('\n');
  uint8x16_t found = vdupq_n_u8(0);
  for (int part = 0; part < 16; part++) found = vorrq_u8(found, vceqq_u8(vld1q_u8(bytes + 16 * part), feed));
  return vmaxvq_u8(found) != 0;
}
COUNT_BLOCKS(sm_count_lines_neon, , neon_masks, neon_has_feed)

#endif
