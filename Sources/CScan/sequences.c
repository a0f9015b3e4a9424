// Escapes (RFC 8259, section 7) and UTF-8 sequences (RFC 3629), one at a time. The scanner's fast paths fall back on this.

#include "scan_private.h"

static int hexadecimal(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  uint8_t lower = byte | 0x20;
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return -1;
}

// Reads up to four hexadecimal digits; -1 where there is another byte, -2 where the bytes end first.
static int unit(const uint8_t *bytes, size_t available) {
  int value = 0;
  for (size_t i = 0; i < 4; i++) {
    if (i >= available) return -2;
    int digit = hexadecimal(bytes[i]);
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

sm_sequence sm_check_escape(const uint8_t *bytes, size_t available) {
  const sm_sequence cut_off = {0, SM_SCAN_OK};
  if (available < 2) return cut_off;
  switch (bytes[1]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      return (sm_sequence){2, SM_SCAN_OK};
    case 'u': break;
    default: return (sm_sequence){0, SM_SCAN_ESCAPE};
  }
  int high = unit(bytes + 2, available - 2);
  if (high == -1) return (sm_sequence){0, SM_SCAN_ESCAPE};
  if (high == -2) return cut_off;
  if (high < 0xD800 || high > 0xDFFF) return (sm_sequence){6, SM_SCAN_OK};
  const sm_sequence half = {0, SM_SCAN_SURROGATE};
  if (high >= 0xDC00) return half;
  if (available < 7) return cut_off;
  if (bytes[6] != '\\') return half;
  if (available < 8) return cut_off;
  if (bytes[7] != 'u') return half;
  int low = unit(bytes + 8, available - 8);
  if (low == -2) return cut_off;
  if (low < 0xDC00 || low > 0xDFFF) return half;
  return (sm_sequence){12, SM_SCAN_OK};
}

sm_sequence sm_check_utf8(const uint8_t *bytes, size_t available) {
  const sm_sequence bad = {0, SM_SCAN_UTF8};
  uint8_t lead = bytes[0];
  size_t length;
  uint8_t low = 0x80, high = 0xBF;  // the bounds of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;   // overlong
    if (lead == 0xED) high = 0x9F;  // surrogates
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;   // overlong
    if (lead == 0xF4) high = 0x8F;  // above U+10FFFF
  } else {
    return bad;
  }
  for (size_t i = 1; i < length; i++) {
    if (i >= available) return (sm_sequence){0, SM_SCAN_OK};
    if (bytes[i] < low || bytes[i] > high) return bad;
    low = 0x80;
    high = 0xBF;
  }
  return (sm_sequence){length, SM_SCAN_OK};
}
