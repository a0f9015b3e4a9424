// Rows of columns that another thread has filled, after those that are there: buffers are copied, and offsets moved.

#include <string.h>

#include "column_memory.h"

// --- Bits.

// The bits of a bitmap from one on, as many as are in its byte and at most `count`; `count` is how many.
static uint8_t next_bits(const uint8_t *bitmap, size_t at, size_t *count) {
  size_t left = 8 - (at & 7);
  if (*count > left) *count = left;
  return (uint8_t)(bitmap[at >> 3] >> (at & 7)) & (uint8_t)((1u << *count) - 1);
}

// Sets bits that are 0 to those of another bitmap.
static void copy_bits(uint8_t *to, size_t at, const uint8_t *from, size_t first, size_t count) {
  while (count > 0) {
    size_t here = 8 - (at & 7);
    if (here > count) here = count;
    uint8_t bits = next_bits(from, first, &here);
    to[at >> 3] |= (uint8_t)(bits << (at & 7));
    at += here;
    first += here;
    count -= here;
  }
}

static void set_bits(uint8_t *to, size_t at, size_t count) {
  while (count > 0) {
    size_t here = 8 - (at & 7);
    if (here > count) here = count;
    to[at >> 3] |= (uint8_t)(((1u << here) - 1) << (at & 7));
    at += here;
    count -= here;
  }
}

static size_t count_zeros(const uint8_t *bitmap, size_t at, size_t count) {
  size_t zeros = 0;
  while (count > 0) {
    size_t here = count;
    uint8_t bits = next_bits(bitmap, at, &here);
    zeros += here - (size_t)__builtin_popcount(bits);
    at += here;
    count -= here;
  }
  return zeros;
}

// --- Sizes.

typedef struct {
  size_t first, count;
} range;

// The values inside those of a column.
static range inside(const sm_column *c, range values) {
  if (c->spec.kind == SM_COLUMN_STRUCT || values.count == 0) return values;
  size_t first = sm_offset(c, values.first);
  return (range){first, sm_offset(c, values.first + values.count) - first};
}

static size_t bytes_of(const sm_columns *t, const sm_column *c, range values) {
  if (values.count == 0) return 0;
  size_t bytes = sm_value_bytes(c, values.first, values.count);
  for (uint32_t i = 0; i < c->spec.child_count; i++) bytes += bytes_of(t, &t->columns[c->spec.first_child + i], inside(c, values));
  return bytes;
}

// Whether a column has a place for values of another one, and for what is inside.
static bool has_place(const sm_columns *to, const sm_columns *from, size_t column, range values) {
  const sm_column *c = &from->columns[column];
  if (values.count == 0) return true;
  if (sm_has_offsets(c)) {
    size_t start = sm_offset(&to->columns[column], to->columns[column].length);
    if (sm_offset(c, values.first + values.count) - sm_offset(c, values.first) > to->most - start) return false;
  }
  for (uint32_t i = 0; i < c->spec.child_count; i++) {
    if (!has_place(to, from, c->spec.first_child + i, inside(c, values))) return false;
  }
  return true;
}

// How many of the rows are to be appended.
static size_t count_rows(const sm_columns *to, const sm_columns *from, range rows, sm_columns_mark enough) {
  size_t length = to->columns[0].length, used = to->used, count = 0;
  if (length >= enough.rows || used >= enough.bytes) return 0;
  if (rows.count > enough.rows - length) rows.count = enough.rows - length;
  if (used + bytes_of(from, &from->columns[0], rows) < enough.bytes && has_place(to, from, 0, rows)) return rows.count;
  while (count < rows.count && used < enough.bytes && has_place(to, from, 0, (range){rows.first, count + 1})) {
    used += bytes_of(from, &from->columns[0], (range){rows.first + count, 1});
    count++;
  }
  return count;
}

// --- Values.

static bool append_validity(sm_column *c, const sm_column *from, range values) {
  size_t nulls = from->nulls == 0 ? 0 : count_zeros(from->validity, values.first, values.count);
  if (nulls > 0 && c->validity == NULL && !sm_column_begin_validity(c)) return false;
  if (nulls > 0) copy_bits(c->validity, c->length, from->validity, values.first, values.count);
  else if (c->validity != NULL) set_bits(c->validity, c->length, values.count);
  c->nulls += nulls;
  return true;
}

// Appends the offsets of values, and the bytes of strings; there is a place for them.
static bool append_offsets(sm_column *c, const sm_column *from, range values) {
  const int32_t *offsets = (const int32_t *)from->values + values.first;
  int32_t *to = (int32_t *)c->values + c->length;
  size_t start = (size_t)*to, length = (size_t)(offsets[values.count] - offsets[0]);
  if (sm_has_bytes(c)) {
    if ((length > c->byte_capacity - start || c->bytes == NULL) && !sm_column_grow_bytes(c, start, length)) return false;
    if (length > 0) memcpy(c->bytes + start, from->bytes + offsets[0], length);
  }
  int32_t moved = (int32_t)start - offsets[0];
  for (size_t i = 1; i <= values.count; i++) to[i] = offsets[i] + moved;
  return true;
}

static bool append_values(sm_columns *to, const sm_columns *from, size_t column, range values) {
  sm_column *c = &to->columns[column];
  const sm_column *other = &from->columns[column];
  if (values.count == 0) return true;
  while (c->capacity - c->length < values.count) {
    if (!sm_column_grow(c)) return false;
  }
  // What is inside comes first: the offsets here say where it ends.
  for (uint32_t i = 0; i < c->spec.child_count; i++) {
    if (!append_values(to, from, c->spec.first_child + i, inside(other, values))) return false;
  }
  if (sm_has_offsets(c)) {
    if (!append_offsets(c, other, values)) return false;
  } else if (c->spec.kind == SM_COLUMN_BOOL) {
    copy_bits(c->values, c->length, other->values, values.first, values.count);
  } else if (c->width > 0) {
    memcpy(c->values + c->length * c->width, other->values + values.first * c->width, values.count * c->width);
  }
  if (!append_validity(c, other, values)) return false;
  c->length += values.count;
  return true;
}

bool sm_columns_append(sm_columns *to, const sm_columns *from, size_t first, size_t *count, sm_columns_mark enough) {
  range rows = {first, *count};
  rows.count = *count = count_rows(to, from, rows, enough);
  sm_columns_mark mark = sm_columns_marked(to);
  if (!append_values(to, from, 0, rows)) {
    sm_columns_cut(to, mark);
    *count = 0;
    return false;
  }
  to->used += bytes_of(from, &from->columns[0], rows);
  return true;
}
