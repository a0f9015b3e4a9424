// Writing of rows; see `row_writer.h`.
//
// What holds: the text of a cell is a whole token that the walk has checked, with its quotes. Before anything is written, there is
// room for it and for a whole vector after it. Text is copied in whole vectors where these can be read, too.

#include "row_writer.h"

#include <string.h>

#include "walker.h"

typedef struct {
  const sm_row_program *program;
  const sm_cell *cells;
  const uint8_t *text;   // what cells count from
  size_t last_vector;    // up to here, a vector can be read
  uint8_t *at, *end;     // of the output
} row_writer;

static inline uint64_t bytes_of(uint8_t byte) { return byte * (uint64_t)0x0101010101010101u; }

// Copies in whole vectors: up to SM_WRITE_ROOM - 1 bytes more are read and written.
static inline void copy_vectors(uint8_t *to, const uint8_t *from, size_t length) {
  memcpy(to, from, SM_WRITE_ROOM);
#pragma clang loop unroll(disable)
  for (size_t done = SM_WRITE_ROOM; done < length; done += SM_WRITE_ROOM) memcpy(to + done, from + done, SM_WRITE_ROOM);
}

static inline bool has_space(const row_writer *o, size_t length) { return (size_t)(o->end - o->at) >= length + 2 * SM_WRITE_ROOM; }

static inline void put_cell(row_writer *o, const sm_cell *cell) {
  const uint8_t *text = o->text + cell->start;
  size_t length = cell->end - cell->start;
  if (cell->end <= o->last_vector) copy_vectors(o->at, text, length);
  else memcpy(o->at, text, length);
  o->at += length;
}

static inline void put_text(row_writer *o, sm_written_text text) {
  copy_vectors(o->at, o->program->texts + text.start, text.length);
  o->at += text.length;
}

static sm_write_result write_text(row_writer *o, sm_written_text text) {
  if (!has_space(o, text.length)) return SM_NO_ROOM;
  put_text(o, text);
  return SM_WRITTEN;
}

// Whether all escapes of a string are those that the output writes: the short ones, but for the slash.
__attribute__((noinline)) static bool has_plain_escapes(const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length;) {
    const uint8_t *backslash = memchr(text + i, '\\', length - i);
    if (backslash == NULL) return true;
    i = (size_t)(backslash - text) + 2;
    if (strchr("\"\\bfnrt", backslash[1]) == NULL) return false;
  }
  return true;
}

// Of the bytes of a number, only e and E have the exponent's bit, and only + - . have neither that one nor the digits' bit.
enum { DIGIT_BIT = 0x10, EXPONENT_BIT = 0x40, INTEGER_BITS = DIGIT_BIT | EXPONENT_BIT };

// Whether a number, which keeps the grammar, is surely in the range of its type.
static bool is_in_range(const sm_written_value *value, const uint8_t *text, size_t length) {
  bool is_integer = value->kind == SM_WRITE_INTEGER;
  if (is_integer && *text == '-') {
    if (!value->takes_minus) return false;
    text++;
    length--;
  }
  if (length > value->most) return false;
  uint8_t bits = is_integer ? INTEGER_BITS : EXPONENT_BIT, right = is_integer ? DIGIT_BIT : 0;
  for (size_t i = 0; i < length; i++) {
    if ((text[i] & bits) != right) return false;
  }
  return true;
}

static sm_write_result write_object(row_writer *o, const sm_written_object *object, uint32_t block);
static sm_write_result write_array(row_writer *o, const sm_written_value *value, const sm_cell *array);

// Whether a scalar, which is not null, is surely a value of its type.
static bool is_of_type(const row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  const uint8_t *text = o->text + cell->start;
  size_t length = cell->end - cell->start;
  switch (cell->kind) {
    case '{':
    case '[': return false;
    case '"':
      if (value->kind != SM_WRITE_STRING && value->kind != SM_WRITE_SCALAR) return false;
      return !cell->has_escapes || has_plain_escapes(text + 1, length - 2);
    case 't':
    case 'f': return value->kind == SM_WRITE_BOOLEAN || value->kind == SM_WRITE_SCALAR;
    default:
      if (value->kind == SM_WRITE_INTEGER || value->kind == SM_WRITE_DECIMAL) {
        return is_in_range(value, text, length);
      }
      return value->kind == SM_WRITE_NUMBER || value->kind == SM_WRITE_SCALAR;
  }
}

static sm_write_result write_value(row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (cell->kind == SM_CELL_ABSENT) return value->has_absent ? write_text(o, value->absent) : SM_REFUSED;
  if (cell->kind == 'n') return value->has_null ? write_text(o, value->null) : SM_REFUSED;
  if (value->kind == SM_WRITE_OBJECT) {
    return cell->kind == '{' ? write_object(o, &o->program->objects[value->child], cell->start) : SM_REFUSED;
  }
  if (value->kind == SM_WRITE_ARRAY) return cell->kind == '[' ? write_array(o, value, cell) : SM_REFUSED;
  if (!is_of_type(o, value, cell)) return SM_REFUSED;
  if (!has_space(o, cell->end - cell->start)) return SM_NO_ROOM;
  put_cell(o, cell);
  return SM_WRITTEN;
}

static sm_write_result write_array(row_writer *o, const sm_written_value *value, const sm_cell *array) {
  if (array->end > o->program->most_elements) return SM_REFUSED;
  if (!has_space(o, 1)) return SM_NO_ROOM;
  const sm_written_value *inner = &o->program->values[value->child];
  const sm_cell *element = &o->cells[array->start];
  *o->at++ = '[';
  for (uint32_t left = array->end; left > 0; left--) {
    if (inner->kind == SM_WRITE_STRING && element->kind == '"' && !element->has_escapes) {
      if (!has_space(o, element->end - element->start)) return SM_NO_ROOM;
      put_cell(o, element);
    } else {
      sm_write_result result = write_value(o, inner, element);
      if (result != SM_WRITTEN) return result;
    }
    // There is room: that of a vector after each value.
    *o->at++ = ',';
    element = &o->cells[element->next];
  }
  // The bracket replaces the last comma.
  if (array->end > 0) o->at--;
  *o->at++ = ']';
  return SM_WRITTEN;
}

// Whether a value is surely of its type, and can be copied as vectors. False is undecided.
static inline bool is_plain(const row_writer *o, const sm_written_field *field, const sm_cell *cell) {
  if (cell->end > o->last_vector) return false;
  if (field->kind == SM_WRITE_STRING) return cell->kind == '"' && !cell->has_escapes;
  size_t length = cell->end - cell->start;
  if (field->kind != SM_WRITE_INTEGER && field->kind != SM_WRITE_DECIMAL) return false;
  if ((uint8_t)(cell->kind - '0') > 9 || length > field->most) return false;
  uint64_t bits = bytes_of(field->kind == SM_WRITE_INTEGER ? INTEGER_BITS : EXPONENT_BIT);
  uint64_t right = bytes_of(field->kind == SM_WRITE_INTEGER ? DIGIT_BIT : 0);
  return ((sm_load(o->text + cell->start) ^ right) & bits & sm_load(sm_masks[length])) == 0;
}

static sm_write_result write_object(row_writer *o, const sm_written_object *object, uint32_t block) {
  const sm_row_program *const program = o->program;
  const sm_cell *const cells = o->cells + block;
  const uint32_t *step = program->steps + object->first_step;
  for (uint32_t left = object->step_count; left > 0; left--) {
    uint8_t kind = cells[*step++].kind;
    if (kind != '{' && kind != SM_CELL_ABSENT) return SM_REFUSED;
  }
  const sm_written_field *field = program->fields + object->first_field, *const end = field + object->field_count;
  const uint8_t *const texts = program->texts, *const text = o->text;
  uint8_t *at = o->at;
  for (; field < end; field++) {
    const sm_cell *cell = &cells[field->cell];
    // PERF: most values are strings without escapes or short numbers, which lie far enough before the end of the batch.
    if (is_plain(o, field, cell)) {
      size_t name = field->name.length, length = cell->end - cell->start;
      if ((size_t)(o->end - at) < name + length + 2 * SM_WRITE_ROOM) return SM_NO_ROOM;
      copy_vectors(at, texts + field->name.start, name);
      at += name;
      copy_vectors(at, text + cell->start, length);
      at += length;
      continue;
    }
    o->at = at;
    sm_write_result result = write_text(o, field->name);
    if (result == SM_WRITTEN) result = write_value(o, &program->values[field->value], cell);
    if (result != SM_WRITTEN) return result;
    at = o->at;
  }
  // There is room: that of a vector after each value.
  *at++ = '}';
  o->at = at;
  return SM_WRITTEN;
}

sm_write_result sm_write_row(sm_row row, const sm_row_program *program, sm_output *output) {
  row_writer o = {
      .program = program, .cells = row.cells, .text = row.text, .at = output->start + output->count,
      .end = output->start + output->capacity, .last_vector = row.readable < SM_WRITE_ROOM ? 0 : row.readable - SM_WRITE_ROOM};
  sm_write_result result = write_object(&o, &program->objects[program->values[program->root].child], 0);
  if (result == SM_WRITTEN) output->count = (size_t)(o.at - output->start);
  return result;
}

sm_written_rows sm_write_rows(
    sm_walker *walker, const sm_row_program *program, sm_output *output, const uint8_t *ends, size_t prefix, size_t suffix,
    uint64_t most, size_t enough, bool has_row) {
  sm_written_rows done = {0};
  for (; output->count < enough; done.count++) {
    done.step = has_row ? SM_STEP_ROW : sm_walker_next(walker);
    has_row = false;
    done.stop = SM_STOP_STEP;
    if (done.step != SM_STEP_ROW || walker->record.end - walker->record.start > most) return done;
    size_t before = output->count;
    done.stop = SM_STOP_NO_ROOM;
    if (output->capacity - before < 2 * SM_WRITE_ROOM) return done;
    for (size_t i = 0; i < prefix; i++) output->start[output->count++] = ends[i];
    sm_write_result result = sm_write_row(sm_walker_row(walker), program, output);
    if (result == SM_WRITTEN && output->capacity - output->count < suffix) result = SM_NO_ROOM;
    if (result != SM_WRITTEN) {
      output->count = before;
      if (result == SM_REFUSED) done.stop = SM_STOP_STEP;
      return done;
    }
    for (size_t i = 0; i < suffix; i++) output->start[output->count++] = ends[prefix + i];
  }
  done.stop = SM_STOP_ENOUGH;
  return done;
}
