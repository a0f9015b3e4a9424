// The values of columns, from JSON text. The text is our own writer's; whatever is in it, nothing is read outside it.

#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "column_memory.h"
#include "column_numbers.h"
#include "unescape.h"

// --- Numbers.

static const __int128 most_decimal = ((__int128)99999999999999999ll * 1000000000000ll + 999999999999ll) * 1000000000ll + 999999999ll;

// The number times 10^scale, where that is whole and has at most 38 digits.
static bool parse_decimal(const uint8_t *text, size_t length, int scale, __int128 *value) {
  const uint8_t *end = text + length;
  bool is_negative = length > 0 && *text == '-';
  text += is_negative;
  __int128 number = 0;
  long places = 0, dropped = 0;
  bool has_point = false;
  for (; text < end; text++) {
    if (*text == '.') {
      has_point = true;
      continue;
    }
    if (!is_digit(*text)) break;
    int digit = *text - '0';
    if (dropped > 0 || number > (most_decimal - digit) / 10) {
      // Zeros at the end of a long number are no digits of it.
      if (digit != 0) return false;
      dropped++;
    } else {
      number = number * 10 + digit;
    }
    if (has_point) places++;
  }
  long exponent = 0;
  if (text < end && (*text | 0x20) == 'e') {
    text++;
    bool is_minus = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+')) text++;
    for (; text < end && is_digit(*text); text++) {
      if (exponent < 1000000) exponent = exponent * 10 + (*text - '0');
    }
    if (is_minus) exponent = -exponent;
  }
  if (text < end) return false;
  long shift = number == 0 ? 0 : scale + exponent - places + dropped;
  for (; shift > 0; shift--) {
    if (number > most_decimal / 10) return false;
    number *= 10;
  }
  for (; shift < 0; shift++) {
    if (number % 10 != 0) return false;
    number /= 10;
  }
  *value = is_negative ? -number : number;
  return true;
}

// A whole number.
static bool parse_integer(const uint8_t *text, size_t length, __int128 *value) {
  bool is_negative = length > 0 && *text == '-';
  if (length - is_negative <= 18) {
    int64_t number = 0;
    size_t i = is_negative;
    for (; i < length && is_digit(text[i]); i++) number = number * 10 + (text[i] - '0');
    if (i == length && length > (size_t)is_negative) {
      *value = is_negative ? -number : number;
      return true;
    }
  }
  return parse_decimal(text, length, 0, value);
}

// A number of any length, rounded once; false without memory.
__attribute__((noinline)) static bool parse_long(
    const sm_columns *t, const uint8_t *text, size_t length, bool is_float, double *value) {
  char room[128], *copy = length < sizeof room ? room : malloc(length + 1);
  if (copy == NULL) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  *value = is_float ? (double)strtof_l(copy, NULL, t->locale) : strtod_l(copy, NULL, t->locale);
  if (copy != room) free(copy);
  return true;
}

static sm_add_result add_fraction(sm_columns *t, sm_column *c, const uint8_t *text, size_t length) {
  double value;
  if (c->spec.kind == SM_COLUMN_FLOAT) {
    if (!parse_short(text, length, 1u << 24, 10, &value) && !parse_long(t, text, length, true, &value)) return SM_ADD_MEMORY;
    float narrow = (float)value;
    if (!isfinite(narrow)) return SM_ADD_RANGE;
    memcpy(c->values + c->length * sizeof narrow, &narrow, sizeof narrow);
    return SM_ADDED;
  }
  if (!parse_short(text, length, 1ull << 53, 22, &value) && !parse_long(t, text, length, false, &value)) return SM_ADD_MEMORY;
  if (!isfinite(value)) return SM_ADD_RANGE;
  memcpy(c->values + c->length * sizeof value, &value, sizeof value);
  return SM_ADDED;
}

#define ADD_INTEGER(TYPE, LEAST, MOST)                                   \
  {                                                                      \
    if (number < (LEAST) || number > (MOST)) return SM_ADD_RANGE;        \
    TYPE narrow = (TYPE)number;                                          \
    memcpy(c->values + c->length * sizeof narrow, &narrow, sizeof narrow); \
    return SM_ADDED;                                                     \
  }

static sm_add_result add_number(sm_columns *t, sm_column *c, const uint8_t *text, size_t length) {
  __int128 number;
  switch (c->spec.kind) {
    case SM_COLUMN_FLOAT:
    case SM_COLUMN_DOUBLE: return add_fraction(t, c, text, length);
    case SM_COLUMN_DECIMAL:
      if (!parse_decimal(text, length, c->spec.scale, &number)) return SM_ADD_RANGE;
      memcpy(c->values + c->length * sizeof number, &number, sizeof number);
      return SM_ADDED;
    default: break;
  }
  if (!parse_integer(text, length, &number)) return SM_ADD_RANGE;
  switch (c->spec.kind) {
    case SM_COLUMN_INT8: ADD_INTEGER(int8_t, INT8_MIN, INT8_MAX)
    case SM_COLUMN_INT16: ADD_INTEGER(int16_t, INT16_MIN, INT16_MAX)
    case SM_COLUMN_INT32: ADD_INTEGER(int32_t, INT32_MIN, INT32_MAX)
    case SM_COLUMN_INT64: ADD_INTEGER(int64_t, INT64_MIN, INT64_MAX)
    case SM_COLUMN_UINT8: ADD_INTEGER(uint8_t, 0, UINT8_MAX)
    case SM_COLUMN_UINT16: ADD_INTEGER(uint16_t, 0, UINT16_MAX)
    case SM_COLUMN_UINT32: ADD_INTEGER(uint32_t, 0, UINT32_MAX)
    case SM_COLUMN_UINT64: ADD_INTEGER(uint64_t, 0, UINT64_MAX)
    default: return SM_ADD_WRONG;
  }
}

// --- Times.

// So many digits; -1 where there are others.
static int digits(const uint8_t *text, int count) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    if (!is_digit(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

// Days since 1970 of a date in the proleptic Gregorian calendar (Hinnant's algorithm: years begin with March).
static bool parse_day(const uint8_t *text, int32_t *day) {
  int year = digits(text, 4), month = digits(text + 5, 2), of_month = digits(text + 8, 2);
  if (year < 0 || month < 1 || month > 12 || of_month < 1 || of_month > 31 || text[4] != '-' || text[7] != '-') return false;
  int y = year - (month <= 2) + 400, era = y / 400, of_era = y - era * 400;
  int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + of_month - 1;
  *day = (era - 1) * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
  return true;
}

// Minutes by which local time is ahead of UTC: Z, +01:00 or +0100; false for anything else.
static bool parse_offset(const uint8_t *text, size_t length, int *minutes) {
  *minutes = 0;
  if (length == 1) return (*text | 0x20) == 'z';
  bool has_colon = length == 6 && text[3] == ':';
  if (length != 5 && !has_colon) return false;
  int hour = digits(text + 1, 2), minute = digits(text + 3 + has_colon, 2);
  *minutes = (hour * 60 + minute) * (*text == '-' ? -1 : 1);
  return (*text == '+' || *text == '-') && hour >= 0 && minute >= 0;
}

// The time since 1970 of 2026-11-22T17:45:07.25Z, with so many digits of a second. A leap second is the second after it, as everywhere else.
static sm_add_result parse_time(const uint8_t *text, size_t length, uint8_t scale, int64_t *time) {
  int32_t day;
  if (length < 20 || (text[10] | 0x20) != 't' || text[13] != ':' || text[16] != ':') return SM_ADD_WRONG;
  int hour = digits(text + 11, 2), minute = digits(text + 14, 2), second = digits(text + 17, 2), offset;
  if (hour < 0 || minute < 0 || second < 0 || !parse_day(text, &day)) return SM_ADD_WRONG;
  int64_t fraction = 0, unit = scale == 9 ? 1000000000 : 1000000;
  size_t i = 19;
  if (text[i] == '.') {
    i++;
    for (int64_t part = 1; part < unit; part *= 10) {
      bool is_there = i < length && is_digit(text[i]);
      fraction = fraction * 10 + (is_there ? text[i] - '0' : 0);
      i += is_there;
    }
    while (i < length && is_digit(text[i])) i++;
  }
  if (!parse_offset(text + i, length - i, &offset)) return SM_ADD_WRONG;
  int64_t seconds = (((int64_t)day * 24 + hour) * 60 + minute - offset) * 60 + second;
  // Nanoseconds begin in 1677 and end in 2262.
  __int128 whole = (__int128)seconds * unit + fraction;
  *time = (int64_t)whole;
  return *time == whole ? SM_ADDED : SM_ADD_RANGE;
}

// --- Strings.

static int sextet(uint8_t byte) {
  if (byte >= 'A' && byte <= 'Z') return byte - 'A';
  if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
  if (is_digit(byte)) return byte - '0' + 52;
  if (byte == '+' || byte == '-') return 62;
  return byte == '/' || byte == '_' ? 63 : -1;
}

// Decodes base64 or base64url in place, with or without padding; NULL if it is neither.
static uint8_t *decode_base64(uint8_t *start, uint8_t *end) {
  size_t length = (size_t)(end - start), padding = 0;
  while (padding < 2 && padding < length && start[length - 1 - padding] == '=') padding++;
  if (padding > 0 && length % 4 != 0) return NULL;
  length -= padding;
  if (length % 4 == 1) return NULL;
  uint8_t *to = start;
  uint32_t word = 0;
  int count = 0;
  for (size_t i = 0; i < length; i++) {
    int value = sextet(start[i]);
    if (value < 0) return NULL;
    word = word << 6 | (uint32_t)value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      *to++ = (uint8_t)(word >> count);
    }
  }
  return (word & ((1u << count) - 1)) == 0 ? to : NULL;
}

static sm_add_result add_bytes(const sm_columns *t, sm_column *c, const uint8_t *text, size_t length, bool has_escapes) {
  int32_t *offsets = (int32_t *)c->values;
  size_t start = (size_t)offsets[c->length];
  if (length > t->most - start) return SM_ADD_FULL;
  if ((length > c->byte_capacity - start || c->bytes == NULL) && !sm_column_grow_bytes(c, start, length)) return SM_ADD_MEMORY;
  uint8_t *to = c->bytes + start;
  if (has_escapes) {
    uint8_t *end = sm_unescape(text, length, to);
    if (end == NULL) return SM_ADD_WRONG;
    length = (size_t)(end - to);
  } else if (length > 0) {
    memcpy(to, text, length);
  }
  if (c->spec.kind == SM_COLUMN_BINARY) {
    uint8_t *end = decode_base64(to, to + length);
    if (end == NULL) return SM_ADD_WRONG;
    length = (size_t)(end - to);
  }
  offsets[c->length + 1] = (int32_t)(start + length);
  return SM_ADDED;
}

bool sm_column_holds(uint8_t kind, uint8_t scale, const uint8_t *text, size_t length) {
  __int128 number;
  if (length == 0) return false;
  if (kind == SM_COLUMN_DECIMAL) return parse_decimal(text, length, scale, &number);
  int64_t time;
  if (kind == SM_COLUMN_TIMESTAMP) return length >= 2 && *text == '"' && parse_time(text + 1, length - 2, scale, &time) == SM_ADDED;
  if (kind != SM_COLUMN_BINARY) return true;
  // No escape that is written stands for a character of base64.
  if (length < 2 || *text != '"' || memchr(text, '\\', length) != NULL) return false;
  uint8_t room[256], *copy = length <= sizeof room ? room : malloc(length);
  if (copy == NULL) return false;
  memcpy(copy, text + 1, length - 2);
  bool is_held = decode_base64(copy, copy + (length - 2)) != NULL;
  if (copy != room) free(copy);
  return is_held;
}

sm_add_result sm_column_add_token(sm_columns *t, sm_column *c, const uint8_t *text, size_t length, bool has_escapes) {
  if (length == 0) return SM_ADD_WRONG;
  if (!sm_has_room(c)) return SM_ADD_MEMORY;
  sm_add_result result = SM_ADD_WRONG;
  bool is_string = *text == '"' && length >= 2;
  switch (c->spec.kind) {
    case SM_COLUMN_STRING:
    case SM_COLUMN_BINARY:
      if (!is_string) return SM_ADD_WRONG;
      result = add_bytes(t, c, text + 1, length - 2, has_escapes);
      break;
    case SM_COLUMN_JSON:
      result = add_bytes(t, c, text, length, false);
      break;
    case SM_COLUMN_BOOL:
      if (*text != 't' && *text != 'f') return SM_ADD_WRONG;
      if (*text == 't') c->values[c->length >> 3] |= (uint8_t)(1u << (c->length & 7));
      result = SM_ADDED;
      break;
    case SM_COLUMN_TIMESTAMP: {
      int64_t time;
      if (!is_string) return SM_ADD_WRONG;
      result = parse_time(text + 1, length - 2, c->spec.scale, &time);
      if (result == SM_ADDED) memcpy(c->values + c->length * sizeof time, &time, sizeof time);
      break;
    }
    case SM_COLUMN_DAY: {
      int32_t day;
      if (!is_string || length != 12 || !parse_day(text + 1, &day)) return SM_ADD_WRONG;
      memcpy(c->values + c->length * sizeof day, &day, sizeof day);
      result = SM_ADDED;
      break;
    }
    case SM_COLUMN_LIST:
    case SM_COLUMN_MAP:
    case SM_COLUMN_STRUCT: return SM_ADD_WRONG;
    default:
      if (*text != '-' && !is_digit(*text)) return SM_ADD_WRONG;
      result = add_number(t, c, text, length);
  }
  if (result != SM_ADDED) return result;
  t->used += sm_value_bytes(c, c->length, 1);
  sm_column_end_value(c);
  return SM_ADDED;
}
