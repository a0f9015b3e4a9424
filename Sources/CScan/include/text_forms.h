// The text of output records in other forms: rows of cells (CSV, TSV, PostgreSQL's COPY) and indented JSON.
//
// A record is compact JSON that our own writer has just made. Text that is not right gives wrong cells, but nothing is read outside it.

#ifndef STREAMMAP_TEXT_FORMS_H
#define STREAMMAP_TEXT_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- Cells: values of a record, found by the keys that lead to them.

typedef struct {
  size_t start, end;  // in the text, with the quotes of a string
  uint8_t kind;       // its first byte; 0 if there is no value, or null
  bool has_escapes;   // of a string
} sm_text_cell;

// A value of a record: a cell, or an object with cells in it.
typedef struct {
  int32_t column;  // -1 for an object
  uint32_t first_member, member_count;
} sm_text_part;

// A member of such an object: its key in `keys`, with quotes and colon, and its part.
typedef struct {
  uint32_t key, length, part;
} sm_text_member;

// Which cells a record has. The first part is the record. Members stand mostly in the order in which records are written.
typedef struct {
  const sm_text_part *parts;
  const sm_text_member *members;
  const uint8_t *keys;
  size_t columns;
} sm_text_cells;

// The value that starts at an offset inside a text.
sm_text_cell sm_cell_at(const uint8_t *text, size_t length, size_t start);

// Where the value ends that starts at an offset inside a text.
size_t sm_value_end(const uint8_t *text, size_t length, size_t start);

// The value of the last member of an object with a key, which is given as it is written, with its quotes. Returns where it starts, and
// sets where it ends; 0 if there is no such member, or the text is no object.
size_t sm_value_of_member(const uint8_t *text, size_t length, const uint8_t *key, size_t key_length, size_t *end);

// Finds the cells of a record, by column: one pass over the text.
void sm_find_cells(const sm_text_cells *cells, const uint8_t *text, size_t length, sm_text_cell *found);

// --- Forms.

typedef enum {
  SM_AS_INDENTED,  // each member and element on its own line
  SM_AS_CSV,       // RFC 4180
  SM_AS_TSV,       // tabs, line ends and backslashes in cells are escaped
  SM_AS_COPY,      // the text format of PostgreSQL's COPY
  SM_AS_TEXT,      // the text of the only column
} sm_text_form_kind;

// What a column holds, where COPY has to look at it.
typedef enum { SM_HOLDS_TEXT, SM_HOLDS_NUMBER, SM_HOLDS_DATE, SM_HOLDS_JSON } sm_column_content;

// A value that a mapping lets through and PostgreSQL cannot hold.
typedef enum { SM_HELD, SM_ZERO_CHARACTER, SM_LONG_NUMBER, SM_YEAR_ZERO } sm_unheld;

typedef struct {
  sm_text_form_kind kind;
  sm_text_cells cells;                                        // of rows
  const uint8_t *contents;                                    // of COPY: an sm_column_content by column
  bool (*is_formula)(const uint8_t *text, size_t length);     // whether an apostrophe comes before a text; NULL if none ever does
  bool (*is_long)(const uint8_t *number, size_t length);      // whether COPY's `numeric` has too few digits for a number
} sm_text_form;

// Where a form is written, and what it uses on the way: of one thread.
typedef struct {
  const sm_text_form *form;
  sm_text_cell *found;     // room for one a column
  const int32_t *columns;  // of rows that a program writes: see `sm_match_columns`; NULL if they are not matched
  uint8_t *record;         // room for the text of a record
  size_t record_capacity;
  sm_unheld unheld;        // why the last record is not written, if a value is the reason
  size_t column;           // that of the value
} sm_text_form_writer;

// Memory for text: [start + count, start + capacity) is free.
typedef struct {
  uint8_t *start;
  size_t count, capacity;
} sm_output;

typedef enum {
  SM_FORM_WRITTEN,
  SM_FORM_NO_ROOM,  // nothing is written: the output has to grow
  SM_FORM_UNHELD,   // nothing is written: `unheld` says why
} sm_text_form_result;

// Writes a record after what the output has, with a line feed.
sm_text_form_result sm_write_form(sm_text_form_writer *writer, const uint8_t *text, size_t length, sm_output *output);

// Writes the row of the cells that are in `found`, which are values in a text.
sm_text_form_result sm_write_cells(sm_text_form_writer *writer, const uint8_t *text, size_t length, sm_output *output);

#endif
