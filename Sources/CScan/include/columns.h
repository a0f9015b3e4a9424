// Columns of records, laid out in memory as Apache Arrow says: a validity bitmap, values or offsets, and bytes, each aligned to 64
// bytes and padded to a multiple of 64.
//
// Records are added as JSON text that our own writer has just written, or straight from rows; both ways end in the same code for
// a value. A record that cannot be added leaves nothing behind. Added records are handed over without a copy, as the structs of
// the Arrow C Data Interface (streammap_arrow.h).

#ifndef STREAMMAP_COLUMNS_H
#define STREAMMAP_COLUMNS_H

#include "row_writer.h"

typedef enum {
  SM_COLUMN_BOOL,
  SM_COLUMN_INT8,
  SM_COLUMN_INT16,
  SM_COLUMN_INT32,
  SM_COLUMN_INT64,
  SM_COLUMN_UINT8,
  SM_COLUMN_UINT16,
  SM_COLUMN_UINT32,
  SM_COLUMN_UINT64,
  SM_COLUMN_FLOAT,
  SM_COLUMN_DOUBLE,
  SM_COLUMN_DECIMAL,    // 128 bits, 38 digits, `scale` of them after the point
  SM_COLUMN_TIMESTAMP,  // since 1970 in UTC, with `scale` digits of a second (6 or 9), from a text by RFC 3339; finer digits are cut off
  SM_COLUMN_DAY,        // days since 1970, from 2026-11-22
  SM_COLUMN_STRING,     // a string's content
  SM_COLUMN_BINARY,     // the bytes of a string in base64
  SM_COLUMN_JSON,       // any value, as its JSON text
  SM_COLUMN_LIST,       // one child: the elements
  SM_COLUMN_MAP,        // two children: the keys (strings) and the values
  SM_COLUMN_STRUCT,     // a child for each member
} sm_column_kind;

typedef struct {
  uint8_t kind;                   // sm_column_kind
  uint8_t scale;                  // of a decimal and of a timestamp
  bool is_nullable;
  bool is_open;                   // of a struct: its last child takes the members that no other has, as one JSON object
  uint32_t name;                  // where its name is in `texts`, with a zero byte after it
  uint32_t key, key_length;       // where its key is in `texts`: `"name":`
  uint32_t first_child, child_count;
} sm_column_spec;

typedef struct sm_columns sm_columns;

// Makes empty columns. The first spec is the record, a struct; children come after their parent. Where `is_value`, a record's text
// is that of the only child. A column has at most `most` bytes of strings, or elements; never more than 2 GiB. NULL without memory.
sm_columns *sm_columns_create(
    const sm_column_spec *specs, size_t count, const uint8_t *texts, size_t length, bool is_value, size_t most);
void sm_columns_destroy(sm_columns *columns);

typedef enum {
  SM_ADDED,
  SM_ADD_WRONG,   // a value is not what its column holds
  SM_ADD_RANGE,   // a number or a time has no place in its column
  SM_ADD_FULL,    // the columns have to be taken first; where they are empty, the record is too large for any
  SM_ADD_MEMORY,  // there is no memory
} sm_add_result;

// Adds a record by its JSON text; nothing if the result is another than SM_ADDED: then `failed` is the column at fault.
sm_add_result sm_columns_add(sm_columns *columns, const uint8_t *text, size_t length, uint32_t *failed);

// The place after the last record.
typedef struct {
  size_t rows, bytes;
} sm_columns_mark;
sm_columns_mark sm_columns_marked(const sm_columns *columns);
// Takes back the records that were added after such a place; none was taken since.
void sm_columns_cut(sm_columns *columns, sm_columns_mark mark);

// Takes back all records; their memory is kept for those to come.
void sm_columns_clear(sm_columns *columns);

// Appends rows of other columns, which have the same specs, in their order from `first` on: at most `count`, and no more once the columns have
// so many rows or bytes as `enough` says. `count` is then how many were appended: fewer also if the next one is SM_ADD_FULL. False without
// memory: then nothing is appended.
bool sm_columns_append(sm_columns *to, const sm_columns *from, size_t first, size_t *count, sm_columns_mark enough);

// Whether a column of this kind, with these digits after the point, holds a value that is not null, by its JSON text.
bool sm_column_holds(uint8_t kind, uint8_t scale, const uint8_t *text, size_t length);

size_t sm_columns_rows(const sm_columns *columns);
// Bytes of the values, without what is allocated ahead.
size_t sm_columns_bytes(const sm_columns *columns);

// Which column each field of a program fills.
typedef struct sm_column_fields sm_column_fields;
// NULL if the columns are not those of the program's records, or without memory. Both outlive it.
sm_column_fields *sm_column_fields_create(const sm_row_program *program, const sm_columns *columns);
void sm_column_fields_destroy(sm_column_fields *fields);

// Adds a row. SM_REFUSED: nothing is added, and it has to be added by its text.
sm_write_result sm_columns_fill_row(
    sm_row row, const sm_row_program *program, const sm_column_fields *fields, sm_columns *columns);

// How far it goes.
typedef struct {
  uint64_t most;         // bytes of the longest row
  size_t enough_rows, enough_bytes;  // what the columns have then ends it
  bool has_row;          // it starts with the row that is handed over
  sm_row_begin *begin;   // these as in sm_row_run
  void (*note)(void *context, const sm_row *row);
  void *context;
} sm_column_run;

// Goes from step to step as long as there are rows that can be added. A row that is refused has left nothing behind.
sm_written_rows sm_columns_fill(
    sm_walker *walker, const sm_row_program *program, const sm_column_fields *fields, sm_columns *columns, sm_column_run run);

// The Arrow C Data Interface: `array` and `schema` are an ArrowArray and an ArrowSchema, without anything in them. The columns are
// empty afterwards. False without memory: then nothing has happened.
bool sm_columns_take(sm_columns *columns, void *array);
bool sm_columns_schema(const sm_columns *columns, void *schema);

#endif
