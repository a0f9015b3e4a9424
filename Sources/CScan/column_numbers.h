// Numbers of few digits, which most are.

#ifndef STREAMMAP_COLUMN_NUMBERS_H
#define STREAMMAP_COLUMN_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') <= 9; }

static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A number of few digits, which is exact in one step (Clinger 1990): up to `most` and with up to `places` digits after the point.
static inline bool parse_short(const uint8_t *text, size_t length, uint64_t most, int places, double *value) {
  bool is_negative = length > 0 && *text == '-';
  if (length > 18) return false;
  uint64_t number = 0;
  const uint8_t *end = text + length, *point = NULL;
  for (text += is_negative; text < end; text++) {
    uint8_t digit = (uint8_t)(*text - '0');
    if (digit <= 9) number = number * 10 + digit;
    else if (*text == '.') point = text;
    else return false;
  }
  int after = point == NULL ? 0 : (int)(end - point) - 1;
  if (number > most || after > places) return false;
  double made = after > 0 ? (double)number / exact_powers[after] : (double)number;
  *value = is_negative ? -made : made;
  return true;
}

// Up to 18 digits; false for anything else.
static inline bool parse_digits(const uint8_t *text, size_t length, int64_t *value) {
  if (length == 0 || length > 18) return false;
  int64_t number = 0;
  for (const uint8_t *end = text + length; text < end; text++) {
    uint8_t digit = (uint8_t)(*text - '0');
    if (digit > 9) return false;
    number = number * 10 + digit;
  }
  *value = number;
  return true;
}

#endif
