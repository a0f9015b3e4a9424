// Strings without their escapes, or with only those that they need.

#include "unescape.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// One more than the value of a hexadecimal digit; 0 for other bytes.
static const uint8_t digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

// The UTF-16 code unit of an escape that starts here; -1 where there is none.
static int32_t code_unit(const uint8_t *text, const uint8_t *end) {
  if (end - text < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int32_t a = digits[text[2]], b = digits[text[3]], c = digits[text[4]], d = digits[text[5]];
  if ((a == 0) | (b == 0) | (c == 0) | (d == 0)) return -1;
  return (a << 12) + (b << 8) + (c << 4) + d - 0x1111;
}

static uint8_t *put_character(uint8_t *to, int32_t scalar) {
  if (scalar < 0x80) {
    *to++ = (uint8_t)scalar;
    return to;
  }
  if (scalar < 0x800) {
    *to++ = (uint8_t)(0xC0 | scalar >> 6);
  } else {
    if (scalar < 0x10000) {
      *to++ = (uint8_t)(0xE0 | scalar >> 12);
    } else {
      *to++ = (uint8_t)(0xF0 | scalar >> 18);
      *to++ = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    }
    *to++ = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
  }
  *to++ = (uint8_t)(0x80 | (scalar & 0x3F));
  return to;
}

// The letter of a character's short escape; 0 if it has none.
static const uint8_t letters[0x80] = {
    ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
};

// Writes a character of a string.
static uint8_t *put_spelled(uint8_t *to, int32_t scalar) {
  if (scalar >= 0x80) return put_character(to, scalar);
  if (letters[scalar] != 0) {
    *to++ = '\\';
    *to++ = letters[scalar];
  } else if (scalar < 0x20) {
    memcpy(to, "\\u00", 4);
    to[4] = (uint8_t)('0' + (scalar >> 4));
    to[5] = (uint8_t)"0123456789abcdef"[scalar & 15];
    to += 6;
  } else {
    *to++ = (uint8_t)scalar;
  }
  return to;
}

// Inlined once for each way to write characters.
__attribute__((always_inline)) static inline uint8_t *replace_escapes(
    const uint8_t *content, size_t length, uint8_t *room, uint8_t *(*put)(uint8_t *to, int32_t scalar)) {
  const uint8_t *text = content, *end = content + length;
  uint8_t *to = room;
  for (;;) {
#if defined(__SSE2__)
    // PERF: what is after a backslash is copied, too, and then written over.
    while (end - text >= 16) {
      __m128i bytes = _mm_loadu_si128((const __m128i *)text);
      _mm_storeu_si128((__m128i *)to, bytes);
      unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
      size_t plain = found == 0 ? 16 : (size_t)__builtin_ctz(found);
      text += plain;
      to += plain;
      if (found != 0) break;
    }
#endif
    while (text < end && *text != '\\') *to++ = *text++;
    if (text == end) return to;
    if (end - text < 2) return NULL;
    uint8_t byte = text[1];
    switch (byte) {
      case '"': case '\\': case '/': break;
      case 'b': byte = '\b'; break;
      case 'f': byte = '\f'; break;
      case 'n': byte = '\n'; break;
      case 'r': byte = '\r'; break;
      case 't': byte = '\t'; break;
      default: {
        int32_t scalar = code_unit(text, end);
        if (scalar < 0) return NULL;
        text += 6;
        if (scalar >= 0xD800 && scalar <= 0xDFFF) {
          int32_t low = scalar < 0xDC00 ? code_unit(text, end) : -1;
          if (low < 0xDC00 || low > 0xDFFF) return NULL;
          scalar = 0x10000 + ((scalar - 0xD800) << 10) + (low - 0xDC00);
          text += 6;
        }
        to = put(to, scalar);
        continue;
      }
    }
    to = put(to, byte);
    text += 2;
  }
}

uint8_t *sm_unescape(const uint8_t *content, size_t length, uint8_t *room) {
  return replace_escapes(content, length, room, put_character);
}

uint8_t *sm_respell(const uint8_t *content, size_t length, uint8_t *room) {
  return replace_escapes(content, length, room, put_spelled);
}
