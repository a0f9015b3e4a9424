// What the writers of rows share: `row_writer.c` writes JSON, with `row_json.c` for what has any members, `row_cells.c` the cells of
// other forms.
//
// What holds: the text of a cell is a whole token that the walk has checked, with its quotes. Before anything is written, there is
// room for it and for a whole vector after it. Text is copied in whole vectors where these can be read, too.

#ifndef STREAMMAP_ROW_OUTPUT_H
#define STREAMMAP_ROW_OUTPUT_H

#include <string.h>

#include "row_values.h"
#include "row_writer.h"
#include "text_indented.h"
#include "walker.h"

typedef struct {
  const sm_row_program *program;
  const sm_row *row;
  const sm_cell *cells;
  const uint8_t *text;   // what cells count from
  size_t last_vector;    // up to here, a vector can be read
  uint8_t *at, *end;     // of the output
  bool is_indented;
  bool tells, has_failed;  // whether calls note what is wrong with members of the record; whether one has no value
  size_t width;          // where it is indented: the spaces before what is in the innermost container
} row_writer;

static inline uint64_t bytes_of(uint8_t byte) { return byte * (uint64_t)0x0101010101010101u; }

// Copies in whole vectors: up to SM_WRITE_ROOM - 1 bytes more are read and written.
static inline void copy_vectors(uint8_t *to, const uint8_t *from, size_t length) {
  memcpy(to, from, SM_WRITE_ROOM);
#pragma clang loop unroll(disable)
  for (size_t done = SM_WRITE_ROOM; done < length; done += SM_WRITE_ROOM) memcpy(to + done, from + done, SM_WRITE_ROOM);
}

static inline bool has_space(const row_writer *o, size_t length) { return (size_t)(o->end - o->at) >= length + 2 * SM_WRITE_ROOM; }

// Copies a part of what cells count from.
static inline void put_part(row_writer *o, const uint8_t *text, size_t length) {
  if (text + length <= o->text + o->last_vector) copy_vectors(o->at, text, length);
  else memcpy(o->at, text, length);
  o->at += length;
}

static inline void put_cell(row_writer *o, const sm_cell *cell) { put_part(o, o->text + cell->start, cell->end - cell->start); }

// Begins a line, where there are lines; false if there is no room.
static inline bool put_break(row_writer *o) {
  if (!o->is_indented) return true;
  if (!has_space(o, o->width + 1)) return false;
  o->at = sm_put_line(o->at, o->width);
  return true;
}

static inline void put_text(row_writer *o, sm_written_text text) {
  copy_vectors(o->at, o->program->texts + text.start, text.length);
  o->at += text.length;
}

// Whether a value of a kind, of at most so many digits (up to 8), is surely of its type, and can be copied as vectors. False is undecided.
static inline bool is_plain_of(const row_writer *o, uint8_t kind, uint8_t most, uint32_t interval, const sm_cell *cell) {
  if (cell->end > o->last_vector) return false;
  if (kind == SM_WRITE_STRING) return cell->kind == '"' && !cell->has_escapes;
  size_t length = cell->end - cell->start;
  if (kind != SM_WRITE_INTEGER && kind != SM_WRITE_DECIMAL) return false;
  if ((uint8_t)(cell->kind - '0') > 9 || length > most) return false;
  uint64_t bits = bytes_of(kind == SM_WRITE_INTEGER ? INTEGER_BITS : EXPONENT_BIT);
  uint64_t right = bytes_of(kind == SM_WRITE_INTEGER ? DIGIT_BIT : 0);
  if (((sm_load(o->text + cell->start) ^ right) & bits & sm_load(sm_masks[length])) != 0) return false;
  return interval == 0 || decide_number(&o->program->intervals[interval], o->text + cell->start, length) == SM_WRITTEN;
}

static inline bool is_plain(const row_writer *o, const sm_written_field *field, const sm_cell *cell) {
  return is_plain_of(o, field->kind, field->most, field->interval, cell);
}

static inline row_writer writer_of(const sm_row *row, const sm_row_program *program, const sm_output *output) {
  return (row_writer){
      .program = program, .row = row, .cells = row->cells, .text = row->text, .at = output->start + output->count,
      .end = output->start + output->capacity, .last_vector = row->readable < SM_WRITE_ROOM ? 0 : row->readable - SM_WRITE_ROOM};
}

// Writes a value that another has made as compact JSON.
sm_write_result sm_write_made(row_writer *o, const uint8_t *text, size_t length);

// Writes a string with other escapes than those that it needs.
sm_write_result sm_write_spelled(row_writer *o, const sm_cell *cell);

// row_json.c: writes the kinds from SM_WRITE_JSON on. Where these are not plain, it refuses them, and some text may be left.
sm_write_result sm_write_json(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell);

// Writes the value of a cell; `block` is that of the object that it is a member of, if it is one.
sm_write_result sm_write_value(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell);

#endif
