// Records to columns straight from rows: the same values as from their JSON text, which is not written. It goes over a program for
// JSON text (row_writer.h), whose fields are matched to the columns by their names.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "column_memory.h"
#include "column_numbers.h"
#include "next_row.h"
#include "row_output.h"
#include "walker.h"

struct sm_column_fields {
  uint32_t *columns;  // by field of the program
};

// --- Which column a field fills.

typedef struct {
  const sm_row_program *program;
  const sm_columns *t;
  uint32_t *columns;  // NULL while fields are counted
  size_t count;
} matcher;

static bool match_value(matcher *m, const sm_written_value *value, uint32_t column);

static bool match_object(matcher *m, const sm_written_object *object, uint32_t column) {
  const sm_column_spec *spec = &m->t->columns[column].spec;
  if (spec->kind != SM_COLUMN_STRUCT || spec->is_open || spec->child_count != object->field_count || object->has_rest) return false;
  for (uint32_t i = 0; i < object->field_count; i++) {
    const sm_written_field *field = &m->program->fields[object->first_field + i];
    // As written: a brace or a comma, then the key.
    const uint8_t *key = m->program->texts + field->name.start + 1;
    uint32_t child = spec->first_child, end = child + spec->child_count;
    for (; child < end; child++) {
      const sm_column_spec *inner = &m->t->columns[child].spec;
      if (inner->key_length == field->name.length - 1 && memcmp(key, m->t->texts + inner->key, inner->key_length) == 0) break;
    }
    if (child == end) return false;
    // No two fields may have one name.
    for (uint32_t j = 0; m->columns != NULL && j < i; j++) {
      if (m->columns[object->first_field + j] == child) return false;
    }
    if (m->columns != NULL) m->columns[object->first_field + i] = child;
    if (m->count <= object->first_field + i) m->count = object->first_field + i + 1;
    if (!match_value(m, &m->program->values[field->value], child)) return false;
  }
  return true;
}

static bool match_value(matcher *m, const sm_written_value *value, uint32_t column) {
  const sm_column_spec *spec = &m->t->columns[column].spec;
  switch ((sm_write_kind)value->kind) {
    case SM_WRITE_OBJECT: return match_object(m, &m->program->objects[value->child], column);
    case SM_WRITE_ARRAY:
      return spec->kind == SM_COLUMN_LIST && match_value(m, &m->program->values[value->child], spec->first_child);
    case SM_WRITE_CALLED:
    case SM_WRITE_FIRST:
    case SM_WRITE_TEMPLATE:
    case SM_WRITE_SPLIT:
    case SM_WRITE_JSON:
    case SM_WRITE_BY_KIND:
    case SM_WRITE_MEMBERS:
    case SM_WRITE_ENTRIES:
    case SM_WRITE_COUNT:
    case SM_WRITE_CHANGED:
    case SM_WRITE_BY_LABEL:
    case SM_WRITE_TRIED: return true;
    case SM_WRITE_SCALAR:
    case SM_WRITE_STRING:
    case SM_WRITE_BOOLEAN:
    case SM_WRITE_NUMBER:
    case SM_WRITE_DECIMAL:
    case SM_WRITE_INTEGER: break;
  }
  return spec->kind < SM_COLUMN_LIST;
}

sm_column_fields *sm_column_fields_create(const sm_row_program *program, const sm_columns *t) {
  matcher m = {.program = program, .t = t};
  uint32_t root = t->is_value ? t->columns[0].spec.first_child : 0;
  const sm_written_value *value = &program->values[program->root];
  if (value->kind >= SM_WRITE_CALLED || !match_value(&m, value, root)) return NULL;
  sm_column_fields *fields = calloc(1, sizeof *fields);
  m.columns = calloc(m.count + 1, sizeof *m.columns);
  if (fields == NULL || m.columns == NULL || !match_value(&m, value, root)) {
    free(fields);
    free(m.columns);
    return NULL;
  }
  fields->columns = m.columns;
  return fields;
}

void sm_column_fields_destroy(sm_column_fields *fields) {
  if (fields == NULL) return;
  free(fields->columns);
  free(fields);
}

// --- Values.

typedef struct {
  const sm_row_program *program;
  const uint32_t *columns;
  const sm_row *row;
  sm_columns *t;
} filler;

static sm_write_result fill_object(const filler *o, const sm_written_object *object, const sm_cell *own, sm_column *c);

// Adds what is written as a text, such as what stands in for a null.
static sm_write_result fill_text(const filler *o, sm_column *c, const uint8_t *text, size_t length) {
  sm_add_result result = SM_ADDED;
  uint32_t failed;
  const uint8_t *end = sm_column_add_value(o->t, c, text, text + length, &result, &failed);
  return end == text + length ? SM_WRITTEN : SM_REFUSED;
}

static sm_write_result fill_written(const filler *o, sm_column *c, sm_written_text text) {
  return fill_text(o, c, o->program->texts + text.start, text.length);
}

static sm_write_result fill_called(const filler *o, uint32_t call, uint32_t block, const sm_cell *cell, sm_column *c) {
  sm_made_text made = {0};
  sm_write_result result = o->program->call(o->program->context, call, o->row, block, cell, &made);
  return result == SM_WRITTEN ? fill_text(o, c, made.start, made.length) : result;
}

// PERF: most strings are short, and no call is made for them.
static inline void copy(uint8_t *to, const uint8_t *from, size_t length) {
  typedef struct {
    uint64_t words[2];
  } line;
  if (length > 32) {
    memcpy(to, from, length);
  } else if (length >= 16) {
    line first, last;
    memcpy(&first, from, 16);
    memcpy(&last, from + length - 16, 16);
    memcpy(to, &first, 16);
    memcpy(to + length - 16, &last, 16);
  } else if (length >= 8) {
    uint64_t first, last;
    memcpy(&first, from, 8);
    memcpy(&last, from + length - 8, 8);
    memcpy(to, &first, 8);
    memcpy(to + length - 8, &last, 8);
  } else if (length >= 4) {
    uint32_t first, last;
    memcpy(&first, from, 4);
    memcpy(&last, from + length - 4, 4);
    memcpy(to, &first, 4);
    memcpy(to + length - 4, &last, 4);
  } else {
    for (size_t i = 0; i < length; i++) to[i] = from[i];
  }
}

// Adds a string without escapes, or a number of few digits, where there is room: most values. False, and nothing added, for any other.
// PERF: inline, so that a value costs few instructions more than its bytes.
__attribute__((always_inline)) static inline bool fill_plain(
    const filler *o, const sm_written_value *value, const sm_cell *cell, sm_column *c) {
  size_t at = c->length;
  if (at >= c->capacity) return false;
  const uint8_t *text = o->row->text + cell->start;
  size_t length = cell->end - cell->start;
  if (value->kind == SM_WRITE_STRING) {
    if (cell->kind != '"' || c->spec.kind != SM_COLUMN_STRING || cell->has_escapes) return false;
    int32_t *offsets = (int32_t *)c->values + at;
    size_t start = (size_t)*offsets, count = length - 2;
    // There is memory for as many bytes, and no more than an offset can tell.
    if (count + start > c->byte_capacity || count + start > o->t->most || c->bytes == NULL) return false;
    copy(c->bytes + start, text + 1, count);
    offsets[1] = (int32_t)(start + count);
    o->t->used += sizeof *offsets + count;
  } else {
    bool is_negative = cell->kind == '-';
    if ((!is_negative && !is_digit(cell->kind)) || value->interval != 0) return false;
    if (value->kind == SM_WRITE_INTEGER) {
      int64_t number;
      if (c->spec.kind != SM_COLUMN_INT64 || is_negative > value->takes_minus || length - is_negative > value->most) return false;
      if (!parse_digits(text + is_negative, length - is_negative, &number)) return false;
      ((int64_t *)c->values)[at] = is_negative ? -number : number;
    } else {
      double number;
      if (value->kind != SM_WRITE_DECIMAL || c->spec.kind != SM_COLUMN_DOUBLE || length > value->most) return false;
      if (!parse_short(text, length, 1ull << 53, 22, &number)) return false;
      ((double *)c->values)[at] = number;
    }
    o->t->used += sizeof(int64_t);
  }
  sm_column_end_value(c);
  return true;
}

static sm_write_result fill_value(
    const filler *o, const sm_written_value *value, uint32_t block, const sm_cell *cell, sm_column *c);

static sm_write_result fill_array(const filler *o, const sm_written_value *value, const sm_cell *array, sm_column *c) {
  if (array->end > o->program->most_elements || !sm_has_room(c)) return SM_REFUSED;
  const sm_written_value *inner = &o->program->values[value->child];
  const sm_cell *element = &o->row->cells[array->start];
  if (element->kind == SM_CELL_HEAD) element = &o->row->cells[element->next];
  sm_column *child = &o->t->columns[c->spec.first_child];
  for (uint32_t left = array->end; left > 0; left--) {
    size_t length = child->length, used = o->t->used;
    if (!fill_plain(o, inner, element, child)) {
      sm_write_result result = fill_value(o, inner, 0, element, child);
      if (result == SM_LEFT_OUT) {
        sm_column_cut(o->t, child, length);
        o->t->used = used;
      } else if (result != SM_WRITTEN) {
        return result;
      }
    }
    element = &o->row->cells[element->next];
  }
  if (child->length > o->t->most) return SM_REFUSED;
  ((int32_t *)c->values)[c->length + 1] = (int32_t)child->length;
  o->t->used += c->width;
  sm_column_end_value(c);
  return SM_WRITTEN;
}

// Adds what is written as a text first. A longer text is called for, or the row is refused.
__attribute__((noinline)) static sm_write_result fill_made(
    const filler *o, const sm_written_value *value, uint32_t block, const sm_cell *cell, sm_column *c) {
  uint8_t room[4096];
  row_writer made = writer_of(o->row, o->program, &(sm_output){room, 0, sizeof room});
  sm_write_result result = sm_write_value(&made, value, block, cell);
  if (result == SM_NO_ROOM && value->kind > SM_WRITE_CALLED) return fill_called(o, value->child, block, cell, c);
  if (result == SM_NO_ROOM) return SM_REFUSED;
  return result == SM_WRITTEN ? fill_text(o, c, room, (size_t)(made.at - room)) : of_row(result);
}

// Adds a container whose cell is closed.
__attribute__((noinline)) static sm_write_result fill_closed(
    const filler *o, const sm_written_value *value, uint32_t block, const sm_cell *cell, sm_column *c) {
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, cell);
  sm_write_result result = opened == 0 ? SM_REFUSED : fill_value(o, value, block, &o->row->cells[opened], c);
  sm_row_release(o->row->walker, used);
  return result;
}

// Adds the value of a cell; `block` is that of the object that it is a member of, if it is one.
static sm_write_result fill_value(
    const filler *o, const sm_written_value *value, uint32_t block, const sm_cell *cell, sm_column *c) {
  if (cell->kind == SM_CELL_ABSENT && value->has_absent) return fill_written(o, c, value->absent);
  if (cell->kind == 'n' && value->has_null) return fill_written(o, c, value->null);
  if (value->kind == SM_WRITE_CALLED) return fill_called(o, value->child, block, cell, c);
  if (value->kind > SM_WRITE_CALLED) return fill_made(o, value, block, cell, c);
  if (cell->kind == SM_CELL_ABSENT || cell->kind == 'n') return SM_REFUSED;
  if (cell->is_closed && value->opens) return fill_closed(o, value, block, cell, c);
  if (value->kind == SM_WRITE_OBJECT) {
    return cell->kind == '{' && !cell->is_closed ? fill_object(o, &o->program->objects[value->child], cell, c) : SM_REFUSED;
  }
  if (value->kind == SM_WRITE_ARRAY) return cell->kind == '[' && !cell->is_closed ? fill_array(o, value, cell, c) : SM_REFUSED;
  // Without its escapes a string is the same, however they were written.
  bool is_content = value->kind == SM_WRITE_STRING && cell->kind == '"' && c->spec.kind == SM_COLUMN_STRING;
  if (!is_content && !is_of_type(o->program, value, o->row->text, cell)) return fill_made(o, value, block, cell, c);
  sm_add_result result =
      sm_column_add_token(o->t, c, o->row->text + cell->start, cell->end - cell->start, cell->has_escapes);
  return result == SM_ADDED ? SM_WRITTEN : SM_REFUSED;
}

static sm_write_result fill_object(const filler *o, const sm_written_object *object, const sm_cell *own, sm_column *c) {
  const sm_row_program *const program = o->program;
  const uint32_t block = own->start;
  const sm_cell *const cells = o->row->cells + block;
  if (!can_open(program, object, o->row, own)) return SM_REFUSED;
  sm_write_result early = decide(program, object->early, o->row, block);
  if (early != SM_WRITTEN) return early;
  const sm_written_field *field = program->fields + object->first_field, *const end = field + object->field_count;
  const uint32_t *column = o->columns + object->first_field;
  for (; field < end; field++, column++) {
    const sm_written_value *value = &program->values[field->value];
    const sm_cell *cell = &cells[field->cell];
    sm_column *inner = &o->t->columns[*column];
    if (fill_plain(o, value, cell, inner)) continue;
    if (lacks_value(field, cell)) return SM_REFUSED;
    sm_write_result result = fill_value(o, value, block, cell, inner);
    if (result != SM_WRITTEN) return of_part(result);
  }
  if (!sm_has_room(c)) return SM_REFUSED;
  sm_column_end_value(c);
  return decide(program, object->late, o->row, block);
}

sm_write_result sm_columns_fill_row(
    sm_row row, const sm_row_program *program, const sm_column_fields *fields, sm_columns *t) {
  filler o = {.program = program, .columns = fields->columns, .row = &row, .t = t};
  sm_column *record = &t->columns[0];
  size_t rows = record->length, used = t->used;
  const sm_written_value *root = &program->values[program->root];
  sm_write_result result;
  if (!t->is_value && root->kind == SM_WRITE_OBJECT) {
    if (row.cells->kind != '{') return SM_REFUSED;
    result = fill_object(&o, &program->objects[root->child], row.cells, record);
  } else {
    result = sm_has_room(record) ? fill_value(&o, root, 0, row.cells, record + 1) : SM_REFUSED;
    if (result == SM_WRITTEN) sm_column_end_value(record);
  }
  if (result == SM_WRITTEN) return result;
  sm_column_cut(t, record, rows);
  t->used = used;
  return result;
}

sm_written_rows sm_columns_fill(
    sm_walker *walker, const sm_row_program *program, const sm_column_fields *fields, sm_columns *t, sm_column_run run) {
  sm_written_rows done = {0};
  while (t->columns[0].length < run.enough_rows && t->used < run.enough_bytes) {
    if (!next_row(walker, &done, &run.has_row, run.most, run.begin, run.context)) return done;
    sm_row row = sm_walker_row(walker);
    sm_write_result result = sm_columns_fill_row(row, program, fields, t);
    if (result != SM_WRITTEN && result != SM_LEFT_OUT) return done;
    done.last = walker->record;
    if (run.note != NULL) run.note(run.context, &row);
    if (result == SM_LEFT_OUT) done.left_out++;
    else done.count++;
  }
  // A row that was handed over is not lost where there was enough before.
  done.stop = run.has_row ? SM_STOP_STEP : SM_STOP_ENOUGH;
  done.step = SM_STEP_ROW;
  return done;
}
