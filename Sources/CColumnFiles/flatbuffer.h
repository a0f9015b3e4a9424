// FlatBuffers, as far as Arrow's metadata needs them. They are written forwards: a table first, then what its members refer to.
// Positions are counted from the buffer's beginning.

#ifndef STREAMMAP_FLATBUFFER_H
#define STREAMMAP_FLATBUFFER_H

#include "buffer.h"

enum { SM_MOST_MEMBERS = 8 };

// A table in a buffer: where it is, and where each of its members is.
typedef struct {
  sm_buffer *to;
  size_t at;
  size_t members[SM_MOST_MEMBERS];
} sm_table;

// Begins a buffer with its root. `sizes` has the bytes of each member, 0 where there is none; a reference has 4. All members are 0.
sm_table sm_flat_root(sm_buffer *to, const uint8_t *sizes, size_t count);
// Any other table.
sm_table sm_flat_table(sm_buffer *to, const uint8_t *sizes, size_t count);
// Fills up to a multiple of eight bytes.
void sm_flat_end(sm_buffer *to);

void sm_flat_set(const sm_table *table, size_t member, const void *value, size_t size);
static inline void sm_flat_set_byte(const sm_table *table, size_t member, uint8_t value) { sm_flat_set(table, member, &value, sizeof value); }
static inline void sm_flat_set_i16(const sm_table *table, size_t member, int16_t value) { sm_flat_set(table, member, &value, sizeof value); }
static inline void sm_flat_set_i32(const sm_table *table, size_t member, int32_t value) { sm_flat_set(table, member, &value, sizeof value); }
static inline void sm_flat_set_i64(const sm_table *table, size_t member, int64_t value) { sm_flat_set(table, member, &value, sizeof value); }

// Lets a place refer to what is at a later one.
void sm_flat_refer(sm_buffer *to, size_t place, size_t target);
// Writes a text, and returns where it is.
size_t sm_flat_text(sm_buffer *to, const char *text);
// Begins a vector of structs with members of eight bytes, which are appended after it; returns where it is.
size_t sm_flat_structs(sm_buffer *to, size_t count);
// Writes a vector of references, which are set later; returns where it is. The first one is 4 bytes after that.
size_t sm_flat_references(sm_buffer *to, size_t count);

#endif
