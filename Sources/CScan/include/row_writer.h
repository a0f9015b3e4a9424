// Writes rows as JSON text: objects of fields, each with a value from a cell of the row, in the order of the output.
//
// A program says what is written. It is made once for a mapping, and holds only what is plain: values that stay as they are
// written in the feed, checked for their type, objects and arrays of them. What it cannot be sure of (a number near the limits of
// its type, an escape that the output writes in another way, a value of another kind) it refuses, and somebody else decides.

#ifndef STREAMMAP_ROW_WRITER_H
#define STREAMMAP_ROW_WRITER_H

#include "walk.h"

typedef enum {
  SM_WRITE_SCALAR,   // any string, number or boolean
  SM_WRITE_STRING,
  SM_WRITE_BOOLEAN,
  SM_WRITE_NUMBER,   // any number
  SM_WRITE_DECIMAL,  // a number without an exponent, of at most `most` bytes
  SM_WRITE_INTEGER,  // digits, at most `most` of them, perhaps after a minus sign
  SM_WRITE_OBJECT,
  SM_WRITE_ARRAY,
} sm_write_kind;

// A text in `texts`. SM_WRITE_ROOM bytes from its start are readable, whatever its length.
typedef struct {
  uint32_t start, length;
} sm_written_text;
#define SM_WRITE_ROOM ((size_t)32)

typedef struct {
  uint8_t kind;          // sm_write_kind
  bool takes_minus;      // of an integer
  uint8_t most;          // of an integer or decimal
  bool has_null, has_absent;
  uint32_t child;        // of an object: its number among the objects; of an array: that of its elements' value
  sm_written_text null, absent;  // what is written instead of a null, or of nothing; refused where there is none
} sm_written_value;

typedef struct {
  uint32_t cell;         // in the block of its object
  uint32_t value;
  sm_written_text name;  // what comes before the value: `{"name":` of the first field, `,"name":` of the others
  uint8_t kind, most;    // the value's kind; its most digits, up to 8
} sm_written_field;

typedef struct {
  uint32_t first_field, field_count;  // at least one
  uint32_t first_step, step_count;    // cells of the members that only paths lead through: objects, or nothing
} sm_written_object;

typedef struct {
  const sm_written_value *values;
  const sm_written_object *objects;
  const sm_written_field *fields;
  const uint32_t *steps;
  const uint8_t *texts;
  uint32_t root;         // the record's value, which is an object
  uint64_t most_elements;
} sm_row_program;

// Memory for text: [start + count, start + capacity) is free.
typedef struct {
  uint8_t *start;
  size_t count, capacity;
} sm_output;

typedef enum {
  SM_WRITTEN,   // the text is at the end of the output
  SM_REFUSED,   // nothing is written
  SM_NO_ROOM,   // nothing is written: the output has to grow
} sm_write_result;

// Writes a row.
sm_write_result sm_write_row(sm_row row, const sm_row_program *program, sm_output *output);

// Why the writing of rows stopped.
typedef enum {
  SM_STOP_STEP,     // `step` is what came next; SM_STEP_ROW is a row that is refused or too long
  SM_STOP_NO_ROOM,  // a row is handed over, but the output has to grow
  SM_STOP_ENOUGH,   // the output is as long as it was asked to be
} sm_write_stop;

typedef struct {
  size_t count;     // rows that are written
  sm_write_stop stop;
  sm_step step;
} sm_written_rows;

// Goes from step to step as long as there are rows to write, none of them longer than `most` bytes, until the output has `enough`
// bytes. The first `prefix` bytes at `ends` come before each text, the next `suffix` bytes after it; at most SM_WRITE_ROOM of both.
// `has_row`: starts with the row that is handed over.
sm_written_rows sm_write_rows(
    sm_walker *walker, const sm_row_program *program, sm_output *output, const uint8_t *ends, size_t prefix, size_t suffix,
    uint64_t most, size_t enough, bool has_row);

#endif
