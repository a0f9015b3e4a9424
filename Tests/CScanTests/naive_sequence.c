// The reference for what the scanner checks byte by byte: escapes and UTF-8, following the tables of the RFCs.

#include <stdlib.h>
#include <string.h>

#include "test.h"

size_t naive_sequence(const uint8_t *b, size_t available, bool in_string, sm_scan_fault *fault) {
  // RFC 3629, section 4: the rows of its table.
  static const uint8_t rows[][8] = {
      {0xC2, 0xDF, 0x80, 0xBF},
      {0xE0, 0xE0, 0xA0, 0xBF, 0x80, 0xBF}, {0xE1, 0xEC, 0x80, 0xBF, 0x80, 0xBF},
      {0xED, 0xED, 0x80, 0x9F, 0x80, 0xBF}, {0xEE, 0xEF, 0x80, 0xBF, 0x80, 0xBF},
      {0xF0, 0xF0, 0x90, 0xBF, 0x80, 0xBF, 0x80, 0xBF}, {0xF1, 0xF3, 0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
      {0xF4, 0xF4, 0x80, 0x8F, 0x80, 0xBF, 0x80, 0xBF},
  };
  if (b[0] >= 0x80) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      size_t k = 0;
      while (k < 4 && rows[i][2 * k] != 0 && k < available && b[k] >= rows[i][2 * k] && b[k] <= rows[i][2 * k + 1]) k++;
      bool is_whole = k == 4 || rows[i][2 * k] == 0;
      if (is_whole) return k;
      if (k > 0 && k == available) {
        *fault = SM_SCAN_OK;
        return 0;
      }
    }
    *fault = SM_SCAN_UTF8;
    return 0;
  }
  *fault = SM_SCAN_STRAY_BACKSLASH;
  if (!in_string) return 0;
  *fault = SM_SCAN_OK;
  if (available < 2) return 0;
  *fault = SM_SCAN_ESCAPE;
  if (b[1] != 'u') return b[1] != 0 && strchr("\"\\/bfnrt", b[1]) != NULL ? 2 : 0;
  for (size_t half = 0; half < 2; half++) {
    const uint8_t *digits = b + half * 6 + 2;
    char text[5] = {0};
    for (size_t i = 0; i < 4; i++) {
      if (half * 6 + 2 + i >= available) {
        *fault = SM_SCAN_OK;
        return 0;
      }
      if (digits[i] == 0 || strchr("0123456789abcdefABCDEF", digits[i]) == NULL) return 0;
      text[i] = (char)digits[i];
    }
    long unit = strtol(text, NULL, 16);
    bool is_high = unit >= 0xD800 && unit <= 0xDBFF, is_low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (half == 1) return is_low ? 12 : 0;
    if (!is_high && !is_low) return 6;
    *fault = SM_SCAN_SURROGATE;
    if (is_low) return 0;
    for (size_t i = 6; i < 8; i++) {
      if (i >= available) {
        *fault = SM_SCAN_OK;
        return 0;
      }
      if (b[i] != (i == 6 ? '\\' : 'u')) return 0;
    }
  }
  return 0;
}
