#include "bounds.h"

void sm_reverse_bytes(uint8_t *to, const uint8_t *from, size_t width, size_t count) {
  for (size_t i = 0; i < count; i++, to += width, from += width) {
    for (size_t j = 0; j < width; j++) to[j] = from[width - 1 - j];
  }
}

// The bounds so far are in the order of the machine, but for decimals.
#define ADD_NUMBERS(TYPE)                                      \
  {                                                            \
    TYPE least, most, value;                                   \
    memcpy(&least, is_first ? values : b->least, sizeof least); \
    memcpy(&most, is_first ? values : b->most, sizeof most);   \
    for (size_t i = 0; i < count; i++) {                       \
      memcpy(&value, values + i * sizeof value, sizeof value); \
      least = value < least ? value : least;                   \
      most = value > most ? value : most;                      \
    }                                                          \
    memcpy(b->least, &least, sizeof least);                    \
    memcpy(b->most, &most, sizeof most);                       \
    b->least_count = b->most_count = sizeof least;             \
    break;                                                     \
  }

static void add_decimals(sm_bounds *b, bool is_first, const uint8_t *values, size_t count) {
  __int128 least, most, value;
  uint8_t turned[16];
  memcpy(&least, values, sizeof least);
  most = least;
  if (!is_first) {
    sm_reverse_bytes(turned, b->least, sizeof turned, 1);
    memcpy(&least, turned, sizeof least);
    sm_reverse_bytes(turned, b->most, sizeof turned, 1);
    memcpy(&most, turned, sizeof most);
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(&value, values + i * sizeof value, sizeof value);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  sm_reverse_bytes(b->least, (const uint8_t *)&least, sizeof least, 1);
  sm_reverse_bytes(b->most, (const uint8_t *)&most, sizeof most, 1);
  b->least_count = b->most_count = sizeof least;
}

// Zeros have no order of their own, so the least zero is -0 and the greatest +0.
#define SPREAD_ZEROS(TYPE)                          \
  {                                                 \
    TYPE least, most;                               \
    memcpy(&least, b->least, sizeof least);         \
    memcpy(&most, b->most, sizeof most);            \
    if (least == 0) least = -(TYPE)0.0;             \
    if (most == 0) most = (TYPE)0.0;                \
    memcpy(b->least, &least, sizeof least);         \
    memcpy(b->most, &most, sizeof most);            \
    break;                                          \
  }

void sm_bounds_add(sm_bounds *b, const sm_field *field, const uint8_t *values, size_t count) {
  if (count == 0) return;
  bool is_first = !b->is_known;
  b->is_known = true;
  switch (field->kind) {
    case SM_FIELD_INTEGER:
    case SM_FIELD_TIMESTAMP:
    case SM_FIELD_DATE:
      if (field->width == 8) {
        if (field->is_signed) ADD_NUMBERS(int64_t)
        ADD_NUMBERS(uint64_t)
      }
      if (field->is_signed) ADD_NUMBERS(int32_t)
      ADD_NUMBERS(uint32_t)
    case SM_FIELD_FLOAT:
      if (field->width == 4) {
        do ADD_NUMBERS(float) while (0);
        SPREAD_ZEROS(float)
      }
      do ADD_NUMBERS(double) while (0);
      SPREAD_ZEROS(double)
    case SM_FIELD_DECIMAL: add_decimals(b, is_first, values, count); break;
    case SM_FIELD_BOOL:
    case SM_FIELD_STRING:
    case SM_FIELD_BINARY:
    case SM_FIELD_LIST:
    case SM_FIELD_MAP:
    case SM_FIELD_STRUCT: break;
  }
}

// By their bytes; a text that is the beginning of another one is less.
static int compared(const uint8_t *a, size_t a_count, const uint8_t *b, size_t b_count) {
  int order = memcmp(a, b, a_count < b_count ? a_count : b_count);
  return order != 0 ? order : (a_count > b_count) - (a_count < b_count);
}

static void set(sm_bounds *b, uint8_t *bound, size_t *bound_count, const uint8_t *text, size_t length) {
  if (length > SM_MOST_BOUND) {
    b->is_too_long = true;
    return;
  }
  if (length > 0) memcpy(bound, text, length);
  *bound_count = length;
}

void sm_bounds_add_text(sm_bounds *b, const uint8_t *text, size_t length) {
  if (b->is_too_long) return;
  bool is_first = !b->is_known;
  b->is_known = true;
  if (is_first || compared(text, length, b->least, b->least_count) < 0) set(b, b->least, &b->least_count, text, length);
  if (is_first || compared(text, length, b->most, b->most_count) > 0) set(b, b->most, &b->most_count, text, length);
}

void sm_bounds_add_bits(sm_bounds *b, size_t count, size_t ones) {
  if (count == 0) return;
  bool is_first = !b->is_known;
  b->is_known = true;
  b->least[0] = ones == count && (is_first || b->least[0] == 1);
  b->most[0] = ones > 0 || (!is_first && b->most[0] == 1);
  b->least_count = b->most_count = 1;
}
