// The columns of a file: an ArrowSchema, read once.

#ifndef STREAMMAP_FIELD_H
#define STREAMMAP_FIELD_H

#include "column_files.h"

typedef enum {
  SM_FIELD_BOOL,
  SM_FIELD_INTEGER,
  SM_FIELD_FLOAT,      // of 4 or 8 bytes
  SM_FIELD_DECIMAL,    // of 16 bytes
  SM_FIELD_TIMESTAMP,  // microseconds, UTC
  SM_FIELD_DATE,       // days
  SM_FIELD_STRING,
  SM_FIELD_BINARY,
  SM_FIELD_LIST,       // one child
  SM_FIELD_MAP,        // one child: a struct of key and value
  SM_FIELD_STRUCT,
} sm_field_kind;

typedef struct sm_field {
  sm_field_kind kind;
  char *name;
  uint8_t width;              // bytes of a value; 0 for bits, bytes of any length, and what has children
  bool is_signed, is_nullable;
  bool is_json;               // of a string
  uint8_t precision, scale;   // of a decimal
  size_t child_count;
  struct sm_field *children;
} sm_field;

sm_file_result sm_field_read(sm_field *field, const struct ArrowSchema *schema);
void sm_field_free(sm_field *field);

static inline bool sm_field_has_bytes(const sm_field *field) {
  return field->kind == SM_FIELD_STRING || field->kind == SM_FIELD_BINARY;
}
static inline bool sm_field_has_children(const sm_field *field) { return field->kind >= SM_FIELD_LIST; }

// How many buffers an array of a field has.
static inline int64_t sm_field_buffers(const sm_field *field) {
  return field->kind == SM_FIELD_STRUCT ? 1 : sm_field_has_bytes(field) ? 3 : 2;
}

// Whether a batch is one of the field, as columns.h makes it: no offset, and all buffers.
bool sm_field_fits(const sm_field *field, const struct ArrowArray *array);

#endif
