// Thrift's compact protocol, as far as Parquet's metadata needs it. A struct is written field by field, by rising numbers.

#ifndef STREAMMAP_THRIFT_H
#define STREAMMAP_THRIFT_H

#include "buffer.h"

enum { THRIFT_TRUE = 1, THRIFT_FALSE = 2, THRIFT_BYTE = 3, THRIFT_I16 = 4, THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

// A struct that is being written: the number of its last field.
typedef struct {
  sm_buffer *to;
  int last;
} sm_thrift;

static inline sm_thrift sm_thrift_begin(sm_buffer *to) { return (sm_thrift){.to = to}; }
static inline void sm_thrift_end(sm_thrift *t) { sm_buffer_byte(t->to, 0); }

// A field's number is at most 15 more than the one before: so it is in all of Parquet's structs.
static inline void sm_thrift_field(sm_thrift *t, int number, int type) {
  sm_buffer_byte(t->to, (uint8_t)((number - t->last) << 4 | type));
  t->last = number;
}

static inline void sm_thrift_number(sm_buffer *to, int64_t value) {
  sm_buffer_varint(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void sm_thrift_i32(sm_thrift *t, int number, int32_t value) {
  sm_thrift_field(t, number, THRIFT_I32);
  sm_thrift_number(t->to, value);
}

static inline void sm_thrift_i64(sm_thrift *t, int number, int64_t value) {
  sm_thrift_field(t, number, THRIFT_I64);
  sm_thrift_number(t->to, value);
}

static inline void sm_thrift_byte(sm_thrift *t, int number, int8_t value) {
  sm_thrift_field(t, number, THRIFT_BYTE);
  sm_buffer_byte(t->to, (uint8_t)value);
}

static inline void sm_thrift_bool(sm_thrift *t, int number, bool value) {
  sm_thrift_field(t, number, value ? THRIFT_TRUE : THRIFT_FALSE);
}

static inline void sm_thrift_bytes(sm_buffer *to, const void *bytes, size_t count) {
  sm_buffer_varint(to, count);
  sm_buffer_add(to, bytes, count);
}

static inline void sm_thrift_binary(sm_thrift *t, int number, const void *bytes, size_t count) {
  sm_thrift_field(t, number, THRIFT_BINARY);
  sm_thrift_bytes(t->to, bytes, count);
}

static inline void sm_thrift_text(sm_thrift *t, int number, const char *text) { sm_thrift_binary(t, number, text, strlen(text)); }

// The elements are written after it, as they are.
static inline void sm_thrift_list(sm_thrift *t, int number, int type, size_t count) {
  sm_thrift_field(t, number, THRIFT_LIST);
  if (count < 15) {
    sm_buffer_byte(t->to, (uint8_t)(count << 4 | (unsigned)type));
  } else {
    sm_buffer_byte(t->to, (uint8_t)(0xF0 | type));
    sm_buffer_varint(t->to, count);
  }
}

static inline sm_thrift sm_thrift_struct(sm_thrift *t, int number) {
  sm_thrift_field(t, number, THRIFT_STRUCT);
  return sm_thrift_begin(t->to);
}

// A struct without fields: a member of a union that says all by being there.
static inline void sm_thrift_empty(sm_thrift *t, int number) {
  sm_thrift inner = sm_thrift_struct(t, number);
  sm_thrift_end(&inner);
}

#endif
