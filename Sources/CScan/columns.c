// Memory of columns; see `column_memory.h`.

#define _GNU_SOURCE
#include "columns.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "column_memory.h"

enum { LINE = 64, LEAST_CAPACITY = 64 };

uint8_t *sm_aligned_alloc(size_t size) {
  if (size > SIZE_MAX - 4 * LINE) return NULL;
  uint8_t *memory = malloc(size + 3 * LINE);
  if (memory == NULL) return NULL;
  uint8_t *aligned = (uint8_t *)(((uintptr_t)memory + 2 * LINE - 1) & ~(uintptr_t)(LINE - 1));
  memcpy(aligned - sizeof memory, &memory, sizeof memory);
  return aligned;
}

void sm_aligned_free(void *memory) {
  if (memory == NULL) return;
  void *whole;
  memcpy(&whole, (uint8_t *)memory - sizeof whole, sizeof whole);
  free(whole);
}

static uint8_t width_of(uint8_t kind) {
  switch (kind) {
    case SM_COLUMN_BOOL:
    case SM_COLUMN_STRUCT: return 0;
    case SM_COLUMN_INT8:
    case SM_COLUMN_UINT8: return 1;
    case SM_COLUMN_INT16:
    case SM_COLUMN_UINT16: return 2;
    case SM_COLUMN_INT64:
    case SM_COLUMN_UINT64:
    case SM_COLUMN_DOUBLE:
    case SM_COLUMN_TIMESTAMP: return 8;
    case SM_COLUMN_DECIMAL: return 16;
    default: return 4;
  }
}

sm_columns *sm_columns_create(const sm_column_spec *specs, size_t count, const uint8_t *texts, size_t length, bool is_value, size_t most) {
  sm_columns *t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->is_value = is_value;
  t->most = most < INT32_MAX ? most : INT32_MAX;
  t->count = count;
  t->columns = calloc(count, sizeof *t->columns);
  t->texts = malloc(length + 1);
  t->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (t->columns == NULL || t->texts == NULL || t->locale == (locale_t)0) {
    sm_columns_destroy(t);
    return NULL;
  }
  memcpy(t->texts, texts, length);
  t->texts[length] = 0;
  for (size_t i = 0; i < count; i++) {
    t->columns[i].spec = specs[i];
    t->columns[i].width = width_of(specs[i].kind);
  }
  return t;
}

void sm_columns_destroy(sm_columns *t) {
  if (t == NULL) return;
  for (size_t i = 0; t->columns != NULL && i < t->count; i++) {
    sm_aligned_free(t->columns[i].validity);
    sm_aligned_free(t->columns[i].values);
    sm_aligned_free(t->columns[i].bytes);
  }
  if (t->locale != (locale_t)0) freelocale(t->locale);
  free(t->columns);
  free(t->texts);
  free(t);
}

size_t sm_columns_rows(const sm_columns *t) { return t->columns[0].length; }
size_t sm_columns_bytes(const sm_columns *t) { return t->used; }

// A larger copy, with zeros after what it has; NULL without memory.
static uint8_t *enlarged(const uint8_t *memory, size_t used, size_t size) {
  uint8_t *larger = sm_aligned_alloc(size);
  if (larger == NULL) return NULL;
  if (used > 0) memcpy(larger, memory, used);
  memset(larger + used, 0, size - used);
  return larger;
}

static size_t bits(size_t count) { return (count + 7) / 8; }

// Puts a larger copy in the place of a buffer; false without memory.
static bool enlarge(uint8_t **memory, size_t used, size_t size) {
  uint8_t *larger = enlarged(*memory, used, size);
  if (larger == NULL) return false;
  sm_aligned_free(*memory);
  *memory = larger;
  return true;
}

bool sm_column_grow(sm_column *c) {
  size_t capacity = c->capacity > 0 ? 2 * c->capacity : c->hint > LEAST_CAPACITY ? c->hint : LEAST_CAPACITY;
  if (capacity > SIZE_MAX / 32) return false;
  bool more = sm_has_offsets(c);
  if (c->spec.kind == SM_COLUMN_BOOL) {
    if (!enlarge(&c->values, bits(c->length), bits(capacity))) return false;
  } else if (c->width > 0) {
    size_t used = c->values == NULL ? 0 : (c->length + more) * c->width;
    if (!enlarge(&c->values, used, (capacity + more) * c->width)) return false;
  }
  if (c->validity != NULL && !enlarge(&c->validity, bits(c->length), bits(capacity))) return false;
  c->capacity = capacity;
  return true;
}

bool sm_column_grow_bytes(sm_column *c, size_t used, size_t more) {
  size_t least = c->byte_hint > 1024 ? c->byte_hint : 1024;
  size_t capacity = c->byte_capacity > 0 ? 2 * c->byte_capacity : least;
  if (capacity < used + more) capacity = used + more;
  uint8_t *larger = sm_aligned_alloc(capacity);
  if (larger == NULL) return false;
  if (used > 0) memcpy(larger, c->bytes, used);
  sm_aligned_free(c->bytes);
  c->bytes = larger;
  c->byte_capacity = capacity;
  return true;
}

bool sm_column_begin_validity(sm_column *c) {
  c->validity = sm_aligned_alloc(bits(c->capacity));
  if (c->validity == NULL) return false;
  memset(c->validity, 0, bits(c->capacity));
  memset(c->validity, 0xFF, c->length / 8);
  if (c->length % 8 != 0) c->validity[c->length / 8] = (uint8_t)((1u << (c->length % 8)) - 1);
  return true;
}

// Adds a value of zeros, which is null if it can be.
static bool add_blank(sm_columns *t, sm_column *c, bool is_null) {
  if (!sm_has_room(c)) return false;
  if (is_null && c->validity == NULL && !sm_column_begin_validity(c)) return false;
  if (sm_has_offsets(c)) {
    int32_t *offsets = (int32_t *)c->values;
    offsets[c->length + 1] = offsets[c->length];
  } else if (c->spec.kind != SM_COLUMN_BOOL && c->width > 0) {
    memset(c->values + c->length * c->width, 0, c->width);
  }
  if (c->spec.kind == SM_COLUMN_STRUCT) {
    for (uint32_t i = 0; i < c->spec.child_count; i++) {
      sm_column *child = &t->columns[c->spec.first_child + i];
      // Nothing remains of members that a struct has begun before it was found to be null: its members are added at once.
      if (!add_blank(t, child, child->spec.is_nullable)) return false;
    }
  }
  t->used += sm_value_bytes(c, c->length, 1);
  if (is_null) {
    c->nulls++;
    c->length++;
  } else {
    sm_column_end_value(c);
  }
  return true;
}

bool sm_column_add_null(sm_columns *t, sm_column *c) { return add_blank(t, c, true); }

// Sets the bits from one on to 0, up to another; returns how many were 1.
static size_t clear_bits(uint8_t *bitmap, size_t from, size_t to) {
  size_t count = 0;
  for (; from < to; from++) {
    uint8_t bit = (uint8_t)(1u << (from & 7));
    count += (bitmap[from >> 3] & bit) != 0;
    bitmap[from >> 3] &= (uint8_t)~bit;
  }
  return count;
}

void sm_column_cut(sm_columns *t, sm_column *c, size_t length) {
  if (c->length > length) {
    if (c->validity != NULL) c->nulls -= c->length - length - clear_bits(c->validity, length, c->length);
    if (c->spec.kind == SM_COLUMN_BOOL) clear_bits(c->values, length, c->length);
    c->length = length;
  }
  bool is_struct = c->spec.kind == SM_COLUMN_STRUCT;
  if (!is_struct && c->spec.kind != SM_COLUMN_LIST && c->spec.kind != SM_COLUMN_MAP) return;
  size_t inside = is_struct ? c->length : sm_offset(c, c->length);
  for (uint32_t i = 0; i < c->spec.child_count; i++) sm_column_cut(t, &t->columns[c->spec.first_child + i], inside);
}

sm_columns_mark sm_columns_marked(const sm_columns *t) { return (sm_columns_mark){.rows = t->columns[0].length, .bytes = t->used}; }

void sm_columns_cut(sm_columns *t, sm_columns_mark mark) {
  sm_column_cut(t, &t->columns[0], mark.rows);
  t->used = mark.bytes;
}

void sm_columns_clear(sm_columns *t) {
  for (size_t i = 0; i < t->count; i++) {
    sm_column *c = &t->columns[i];
    if (c->validity != NULL) memset(c->validity, 0, bits(c->length));
    if (c->spec.kind == SM_COLUMN_BOOL && c->values != NULL) memset(c->values, 0, bits(c->length));
    c->length = c->nulls = 0;
  }
  t->used = 0;
}
