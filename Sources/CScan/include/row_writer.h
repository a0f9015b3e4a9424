// Writes rows as JSON text: objects of fields, each with a value from a cell of the row, in the order of the output.
//
// A program says what is written. It is made once for a mapping. It writes what is plain by itself: values that stay as they are
// written in the feed, checked for their type and for an interval, strings with the escapes that they need, objects and arrays of
// them, objects with any members; and it leaves out objects by an interval. For any other value or condition it calls its maker. It
// refuses what it cannot be sure of (a value of another kind, an object that paths cannot go through); then slower code decides.

#ifndef STREAMMAP_ROW_WRITER_H
#define STREAMMAP_ROW_WRITER_H

#include "text_forms.h"
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
  // What needs a call, or may need one.
  SM_WRITE_CALLED,   // whatever a call makes of the cell
  SM_WRITE_FIRST,    // the first of several cells that has a value
  SM_WRITE_TEMPLATE, // one string of the scalars of several cells, and of texts between them
  SM_WRITE_SPLIT,    // an array of the parts of a string, between which a text is
  SM_WRITE_JSON,     // any value, without the white space in it
  SM_WRITE_BY_KIND,  // one of several values, by the kind of what is in the cell
  SM_WRITE_MEMBERS,  // an object of the members of an object, whatever their keys are
  SM_WRITE_ENTRIES,  // an array of them: each is an object of its key and its value
  SM_WRITE_COUNT,    // how many elements an array has
  SM_WRITE_CHANGED,  // what a call makes of the text of another value
  SM_WRITE_BY_LABEL, // one of several values of an object, by the text of a member
  SM_WRITE_TRIED,    // the first of several values of the same cell that is not wrong
} sm_write_kind;

// What SM_WRITE_BY_KIND goes by, in the order of its pieces.
enum { SM_KIND_NULL, SM_KIND_BOOLEAN, SM_KIND_NUMBER, SM_KIND_STRING, SM_KIND_OBJECT, SM_KIND_ARRAY, SM_KINDS };
#define SM_NO_VALUE UINT32_MAX

// A text in `texts`. SM_WRITE_ROOM bytes from its start are readable, whatever its length.
typedef struct {
  uint32_t start, length;
} sm_written_text;
#define SM_WRITE_ROOM ((size_t)32)

typedef struct {
  uint8_t kind;          // sm_write_kind
  bool takes_minus;      // of an integer
  uint8_t most;          // of an integer or decimal
  uint64_t last;         // the largest integer of one digit more; it may be less than all of them
  bool has_places;       // of a decimal: it has at most `places` digits after the point
  uint8_t places;
  bool has_null, has_absent;
  uint32_t interval;     // where a number has to be; 0 if it may be anywhere
  uint32_t child;        // of an object: its number among the objects; of an array: that of its elements' value; of the others that
                         // are not scalars: the number of the call
  uint32_t first_piece, piece_count;  // of what is made of several cells; by kind, the values, SM_NO_VALUE where there is none; by label,
                         // each label and its value; of what is tried: the values that are tried here
  uint32_t part;         // of members and entries: the value that makes each of their values; of what is changed: the value before that;
                         // by label: the value for all other labels; SM_NO_VALUE where there is none
  uint32_t label;        // by label: the cell in the block that the value's node opens
  uint32_t first_step, step_count;  // by label: what the path to it leads through, as in objects
  uint32_t times;        // of what is tried: how many values there are, with those that are not tried here
  uint32_t change;       // of what is changed: the number of the call that changes the text
  bool is_of_block;      // of what is changed: whether that is the object that the value is a member of, not the cell
  sm_written_text separator;          // of what is split: not empty
  sm_written_text key_name, value_name;  // of entries: the names before the key and the value, with the colon
  bool is_strict;        // of a scalar: one of another kind is wrong
  uint32_t otherwise;    // of a scalar: the number of the call that makes what is not plain, plus 1; 0 if there is none
  bool opens;            // of an object or array, and of what is counted: whether one that is closed is opened by `node`; members, entries,
                         // and what goes by a label always are
  sm_node node;
  sm_written_text null, absent;  // what is written instead of a null, or of nothing; refused, or called, where there is none
} sm_written_value;

typedef enum { SM_PIECE_VALUE, SM_PIECE_TEXT, SM_PIECE_OPTIONAL } sm_piece_kind;

// A part of what is made of several cells. A text is as it is inside a string; a label has no quotes. So many pieces after an optional
// one belong to it: they are left out where one of their values is null.
typedef struct {
  uint8_t kind;           // sm_piece_kind
  uint32_t cell, value;   // the cell in the object's block; a scalar
  uint32_t count;
  sm_written_text text;
} sm_written_piece;

// The numbers from `first` to `last`, which count units of 10^-places and have at most SM_INTERVAL_DIGITS digits.
typedef struct {
  bool has_first, has_last, has_ends;  // whether there is a limit, and whether the ends belong to it
  uint8_t places;
  int64_t first, last;
} sm_interval;
enum { SM_INTERVAL_DIGITS = 18 };

// A value that only paths of an object lead through: an object or an array, null, or nothing.
typedef struct {
  uint32_t cell;    // in the block of the object; the cells of what is inside come after it
  uint32_t inside;  // how many these are
  uint32_t depth;   // how many steps lead to it
  bool is_array;    // whether paths lead through an array, and not through an object
} sm_written_step;

// Whether an object is there: by an interval, or by a call.
typedef struct {
  uint32_t interval;  // 0: called
  uint32_t cell;      // in the object's block: what has to be a number in the interval
  uint32_t call;
  uint32_t next;      // what is decided after it, if it holds; 0: nothing
} sm_condition;

typedef struct {
  uint32_t cell;         // in the block of its object
  uint32_t value;
  sm_written_text name;  // what comes before the value: `{"name":` of the first field, `,"name":` of the others
  uint8_t kind, most;    // the value's kind; its most digits, up to 8
  bool is_needed;        // whether the object is wrong if the value is wrong or not there
  bool takes_no_null;    // whether it is also wrong if the value is null
  uint32_t interval;     // the value's
  uint32_t told;         // the number of the call that makes it where it is refused or wrong, and notes why, plus 1; 0 if there is none
} sm_written_field;

typedef struct {
  uint32_t first_field, field_count;  // at least one
  uint32_t first_step, step_count;    // the values that only paths lead through, each before those inside it
  bool is_strict;                     // whether it is refused if it has a member that its node does not name
  uint32_t early, late;               // the conditions before and after the fields; 0: none
  bool has_rest;                      // whether a call makes an object of members that come after the fields
  uint32_t rest;
} sm_written_object;

typedef enum {
  SM_WRITTEN,   // the text is at the end of the output
  SM_REFUSED,   // nothing is written
  SM_LEFT_OUT,  // nothing is written: a condition does not hold
  SM_NO_ROOM,   // nothing is written: the output has to grow
  SM_WRONG,     // nothing is written: there surely is no such value; of a part alone, a row is refused then
  SM_FAILED,    // nothing is written: calls noted all that is wrong with the record
} sm_write_result;

// A text that a call made; it is valid until the next call.
typedef struct {
  const uint8_t *start;
  size_t length;
} sm_made_text;

// Makes a value of a cell, changes a text, or asks a condition; `block` is the first cell of its object, where it is part of one. The cell
// of what comes after the fields of an object is that of the object. A text to change comes in `made`, which is empty for all else. It answers
// SM_WRITTEN where there is a text, or where the condition holds; SM_LEFT_OUT; SM_REFUSED; for a member that is told, SM_WRONG.
typedef sm_write_result (*sm_row_call)(
    void *context, uint32_t call, const sm_row *row, uint32_t block, const sm_cell *cell, sm_made_text *made);

typedef struct {
  const sm_written_value *values;
  const sm_written_object *objects;
  const sm_written_field *fields;
  const sm_written_piece *pieces;
  const sm_interval *intervals;    // the first one is not used
  const sm_condition *conditions;  // the first one is not used
  const sm_written_step *steps;
  const uint8_t *texts;
  uint32_t root;         // the record's value
  bool omits_nulls;      // members that are null are left out
  uint64_t most_elements, most_members;
  // Records with more work, as sm_row_count counts it, are refused; and those with more for one container that is opened.
  uint64_t most_work, most_opened;
  sm_row_call call;      // NULL if nothing is called
  void *context;         // of the calls
} sm_row_program;

// Writes a row.
sm_write_result sm_write_row(sm_row row, const sm_row_program *program, sm_output *output);

// Writes a row, and calls for the members of the record that are refused or wrong. Such a call answers SM_WRONG if there is no value, and has
// noted why.
sm_write_result sm_write_row_or_tell(sm_row row, const sm_row_program *program, sm_output *output);

// Writes the value of a cell of the row, which does not belong to an object in it.
sm_write_result sm_write_inner_row(
    sm_row row, const sm_cell *cell, uint32_t value, const sm_row_program *program, sm_output *output);

// Writes a row as indented JSON (SM_AS_INDENTED), and a line feed.
sm_write_result sm_write_row_indented(sm_row row, const sm_row_program *program, sm_output *output);

// Which column each field of a program is, -1 for an object with columns in it: room for one a field. False if the columns are not those
// of the program's records in their order; then rows are made of the records' texts.
bool sm_match_columns(const sm_row_program *program, const sm_text_cells *cells, int32_t *columns);

// Writes a row in a form of cells, whose columns are matched. `lacks_record`: whether it is the form's room for a record that has to
// grow. It refuses what may be written from the record's text all the same: an object with columns in it that is null, or is opened.
sm_write_result sm_write_row_cells(
    sm_row row, const sm_row_program *program, sm_output *output, sm_text_form_writer *form, bool *lacks_record);

// What becomes of the next row.
typedef enum {
  SM_ROW_TAKEN,
  SM_ROW_PASSED,  // it is not a record
  SM_ROW_ALONE,   // the run ends before it
} sm_row_choice;

// Asked before each row, with the number of those before it.
typedef sm_row_choice sm_row_begin(void *context, size_t before);

// How rows follow each other, and how far it goes.
typedef struct {
  // The first `prefix` bytes at `ends` come before each text, the next `suffix` bytes after it; at most SM_WRITE_ROOM of both.
  const uint8_t *ends;
  size_t prefix, suffix;
  sm_text_form_writer *form;  // writes each text in another form, and no bytes around it; NULL if texts stay as they are
  uint64_t most;         // bytes of the longest row
  size_t enough;         // bytes of output that end it
  bool has_row;          // it starts with the row that is handed over
  sm_row_begin *begin;   // called before each row; NULL if all are taken, and nothing asks what the records know of themselves
  void (*note)(void *context, const sm_row *row);  // called for each row that is written or left out; NULL if nothing looks at them
  void *context;         // of both
} sm_row_run;

// Why the writing of rows stopped.
typedef enum {
  SM_STOP_STEP,     // `step` is what came next; SM_STEP_ROW is a row that is refused or too long, or that its form cannot hold
  SM_STOP_NO_ROOM,  // a row is handed over, but the output has to grow
  SM_STOP_NO_RECORD_ROOM,  // a row is handed over, but the form's room for a record has to grow
  SM_STOP_ENOUGH,   // the output is as long as it was asked to be
} sm_write_stop;

typedef struct {
  size_t count;     // rows that are written
  size_t left_out;  // rows that a condition leaves out
  sm_token last;    // the last one of both, where there is one
  sm_write_stop stop;
  sm_step step;
} sm_written_rows;

// Goes from step to step as long as there are rows to write.
sm_written_rows sm_write_rows(sm_walker *walker, const sm_row_program *program, sm_output *output, sm_row_run run);

#endif
