// The columns of a table in memory; see columns.h. What holds:
//   - `length <= capacity`; a buffer has room for `capacity` values (offsets: one more), and none if `capacity` is 0.
//   - Bits at `length` and after it are 0. There is a validity bitmap exactly where there was a null.
//   - offsets[0] is 0, and offsets[length] is the number of bytes, or of the elements of the child.
//   - While no record is being added, each member of a struct has the struct's length.

#ifndef STREAMMAP_COLUMN_MEMORY_H
#define STREAMMAP_COLUMN_MEMORY_H

#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include "columns.h"

typedef struct {
  sm_column_spec spec;
  uint8_t width;          // bytes of a value or an offset; 0 for bits, structs
  size_t length, nulls, capacity;
  uint8_t *validity;      // bits; NULL if nothing is null
  uint8_t *values;        // bits, values or offsets
  uint8_t *bytes;         // of strings
  size_t byte_capacity;
  size_t hint, byte_hint;  // what the batch before had
} sm_column;

struct sm_columns {
  sm_column *columns;
  size_t count;
  uint8_t *texts;
  bool is_value;
  size_t used;            // bytes of the values: see sm_value_bytes
  size_t most;            // bytes of strings, or elements of lists, in a column
  locale_t locale;        // in which a point is a point
};

// Memory that is aligned to 64 bytes, with so many bytes more after it that a whole line of 64 can be written.
uint8_t *sm_aligned_alloc(size_t size);
void sm_aligned_free(void *memory);

// Makes room for more values; false without memory.
bool sm_column_grow(sm_column *c);
// Makes room for `more` bytes of strings after those that are used.
bool sm_column_grow_bytes(sm_column *c, size_t used, size_t more);
// Begins the validity bitmap of a column that has none: nothing is null so far.
bool sm_column_begin_validity(sm_column *c);
// Adds a null; a member of a null struct that cannot be null gets a value of zeros.
bool sm_column_add_null(sm_columns *t, sm_column *c);
// Drops what was added after a length, to the column and to those inside.
void sm_column_cut(sm_columns *t, sm_column *c, size_t length);

// Adds a scalar that is not null by its JSON text; a string's has its quotes.
sm_add_result sm_column_add_token(sm_columns *t, sm_column *c, const uint8_t *text, size_t length, bool has_escapes);
// Adds any value by its JSON text, which starts at `at`; returns where it ends, or NULL with a result. `failed` is only set then.
const uint8_t *sm_column_add_value(
    sm_columns *t, sm_column *c, const uint8_t *at, const uint8_t *end, sm_add_result *result, uint32_t *failed);

static inline bool sm_has_offsets(const sm_column *c) { return c->spec.kind >= SM_COLUMN_STRING && c->spec.kind <= SM_COLUMN_MAP; }
static inline bool sm_has_bytes(const sm_column *c) { return c->spec.kind >= SM_COLUMN_STRING && c->spec.kind <= SM_COLUMN_JSON; }

// Bytes of values of one column, without those inside; nulls take as much, and a boolean a byte. It depends on the values alone, not on the
// way they came, so batches are cut at the same records whatever the way.
static inline size_t sm_value_bytes(const sm_column *c, size_t first, size_t count) {
  size_t bytes = count * (c->spec.kind == SM_COLUMN_BOOL ? 1 : c->width);
  if (sm_has_bytes(c)) bytes += (size_t)(((const int32_t *)c->values)[first + count] - ((const int32_t *)c->values)[first]);
  return bytes;
}

static inline bool sm_has_room(sm_column *c) { return c->length < c->capacity || sm_column_grow(c); }
static inline size_t sm_offset(const sm_column *c, size_t i) { return c->values == NULL ? 0 : (size_t)((const int32_t *)c->values)[i]; }

// Says that the value at the end is there, and not null.
static inline void sm_column_end_value(sm_column *c) {
  if (c->validity != NULL) c->validity[c->length >> 3] |= (uint8_t)(1u << (c->length & 7));
  c->length++;
}

#endif
