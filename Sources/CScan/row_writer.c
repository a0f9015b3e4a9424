// Writing of rows; see `row_writer.h`.
//
// What holds: the text of a cell is a whole token that the walk has checked, with its quotes. Before anything is written, there is
// room for it and for a whole vector after it. Text is copied in whole vectors where these can be read, too.

#include "row_writer.h"

#include <string.h>

#include "row_values.h"
#include "text_indented.h"
#include "text_rows.h"
#include "walker.h"

typedef struct {
  const sm_row_program *program;
  const sm_row *row;
  const sm_cell *cells;
  const uint8_t *text;   // what cells count from
  size_t last_vector;    // up to here, a vector can be read
  uint8_t *at, *end;     // of the output
  bool is_indented;
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

// Writes a value that another has made as compact JSON.
static sm_write_result write_made(row_writer *o, const uint8_t *text, size_t length) {
  if (o->is_indented && length > 2 && (*text == '{' || *text == '[')) {
    if (!has_space(o, 0)) return SM_NO_ROOM;
    // A vector stays free after it.
    uint8_t *end = o->end - 2 * SM_WRITE_ROOM;
    return sm_put_indented(&o->at, end, text, length, o->width / SM_INDENT) ? SM_WRITTEN : SM_NO_ROOM;
  }
  if (!has_space(o, length)) return SM_NO_ROOM;
  memcpy(o->at, text, length);
  o->at += length;
  return SM_WRITTEN;
}

static sm_write_result write_text(row_writer *o, sm_written_text text) {
  return write_made(o, o->program->texts + text.start, text.length);
}

// Writes what comes before a member's value.
static sm_write_result write_name(row_writer *o, sm_written_text name) {
  if (!has_space(o, name.length + o->width + 2)) return SM_NO_ROOM;
  if (!o->is_indented) {
    put_text(o, name);
    return SM_WRITTEN;
  }
  *o->at++ = ',';
  o->at = sm_put_line(o->at, o->width);
  put_text(o, (sm_written_text){.start = name.start + 1, .length = name.length - 1});
  *o->at++ = ' ';
  return SM_WRITTEN;
}

// --- Values.

static sm_write_result write_object(row_writer *o, const sm_written_object *object, uint32_t block);
static sm_write_result write_indented_object(row_writer *o, const sm_written_object *object, uint32_t block);
static sm_write_result write_array(row_writer *o, const sm_written_value *value, const sm_cell *array);

// Writes what a call makes of a cell.
static sm_write_result write_called(row_writer *o, uint32_t call, uint32_t block, const sm_cell *cell) {
  sm_made_text made;
  sm_write_result result = o->program->call(o->program->context, call, o->row, block, cell, &made);
  return result == SM_WRITTEN ? write_made(o, made.start, made.length) : result;
}

static sm_write_result write_value(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell);

// Writes a container whose cell is closed.
__attribute__((noinline)) static sm_write_result write_closed(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, cell);
  sm_write_result result = opened == 0 ? SM_REFUSED : write_value(o, value, block, &o->cells[opened]);
  sm_row_release(o->row->walker, used);
  return result;
}

// Writes the value of a cell; `block` is that of the object that it is a member of, if it is one.
static sm_write_result write_value(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  if (cell->kind == SM_CELL_ABSENT && value->has_absent) return write_text(o, value->absent);
  if (cell->kind == 'n' && value->has_null) return write_text(o, value->null);
  if (value->kind == SM_WRITE_CALLED) return write_called(o, value->child, block, cell);
  if (cell->kind == SM_CELL_ABSENT || cell->kind == 'n') return SM_REFUSED;
  if (cell->is_closed && value->opens) return write_closed(o, value, block, cell);
  if (value->kind == SM_WRITE_OBJECT) {
    if (cell->kind != '{' || cell->is_closed) return SM_REFUSED;
    const sm_written_object *object = &o->program->objects[value->child];
    return o->is_indented ? write_indented_object(o, object, cell->start) : write_object(o, object, cell->start);
  }
  if (value->kind == SM_WRITE_ARRAY) return cell->kind == '[' && !cell->is_closed ? write_array(o, value, cell) : SM_REFUSED;
  if (!is_of_type(o->program, value, o->text, cell)) return SM_REFUSED;
  if (!has_space(o, cell->end - cell->start)) return SM_NO_ROOM;
  put_cell(o, cell);
  return SM_WRITTEN;
}

static sm_write_result write_elements(row_writer *o, const sm_written_value *value, const sm_cell *array) {
  if (array->end > o->program->most_elements) return SM_REFUSED;
  if (!has_space(o, 1)) return SM_NO_ROOM;
  const sm_written_value *inner = &o->program->values[value->child];
  const sm_cell *element = &o->cells[array->start];
  if (element->kind == SM_CELL_HEAD) element = &o->cells[element->next];
  *o->at++ = '[';
  // Where the text of the elements starts, and where that of those so far ends, with a comma.
  uint8_t *const parts = o->at, *end = o->at;
  for (uint32_t left = array->end; left > 0; left--) {
    if (o->is_indented) {
      if (!has_space(o, o->width + 1)) return SM_NO_ROOM;
      o->at = sm_put_line(o->at, o->width);
    }
    if (inner->kind == SM_WRITE_STRING && element->kind == '"' && !element->has_escapes) {
      if (!has_space(o, element->end - element->start)) return SM_NO_ROOM;
      put_cell(o, element);
    } else {
      sm_write_result result = write_value(o, inner, 0, element);
      if (result != SM_WRITTEN && result != SM_LEFT_OUT) return result;
      if (result == SM_LEFT_OUT) o->at = end;
    }
    element = &o->cells[element->next];
    if (o->at == end) continue;
    // There is room: that of a vector after each value.
    *o->at++ = ',';
    end = o->at;
  }
  // The bracket, or the line before it, replaces the last comma.
  if (end > parts) {
    o->at--;
    if (o->is_indented) {
      if (!has_space(o, o->width)) return SM_NO_ROOM;
      o->at = sm_put_line(o->at, o->width - SM_INDENT);
    }
  }
  *o->at++ = ']';
  return SM_WRITTEN;
}

static sm_write_result write_array(row_writer *o, const sm_written_value *value, const sm_cell *array) {
  o->width += SM_INDENT;
  sm_write_result result = write_elements(o, value, array);
  o->width -= SM_INDENT;
  return result;
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
  if (((sm_load(o->text + cell->start) ^ right) & bits & sm_load(sm_masks[length])) != 0) return false;
  return field->interval == 0 || decide_number(&o->program->intervals[field->interval], o->text + cell->start, length) == SM_WRITTEN;
}

// Whether paths lead through objects and arrays, where they lead through anything.
static inline bool has_steps(const row_writer *o, const sm_written_object *object, uint32_t block) {
  const uint32_t *step = o->program->steps + object->first_step;
  for (uint32_t left = object->step_count; left > 0; left--) {
    uint32_t here = *step++;
    uint8_t kind = o->cells[block + (here & ~SM_ARRAY_STEP)].kind;
    if (kind != (here & SM_ARRAY_STEP ? '[' : '{') && kind != SM_CELL_ABSENT) return false;
  }
  return true;
}

// Inlined once for each way to write it.
__attribute__((always_inline)) static inline sm_write_result write_members(
    row_writer *o, const sm_written_object *object, uint32_t block, bool is_indented) {
  const sm_row_program *const program = o->program;
  const sm_cell *const cells = o->cells + block;
  if (!has_steps(o, object, block)) return SM_REFUSED;
  if (object->early != 0) {
    sm_write_result result = decide(program, &program->conditions[object->early], o->row, block);
    if (result != SM_WRITTEN) return result;
  }
  const sm_written_field *field = program->fields + object->first_field, *const end = field + object->field_count;
  const uint8_t *const texts = program->texts, *const text = o->text;
  uint8_t *at = o->at, *const start = at;
  for (; field < end; field++) {
    const sm_cell *cell = &cells[field->cell];
    // PERF: most values are strings without escapes or short numbers, which lie far enough before the end of the batch.
    if (is_plain(o, field, cell)) {
      size_t name = field->name.length, length = cell->end - cell->start;
      if ((size_t)(o->end - at) < name + length + (is_indented ? o->width + 2 : 0) + 2 * SM_WRITE_ROOM) return SM_NO_ROOM;
      if (is_indented) {
        *at++ = ',';
        at = sm_put_line(at, o->width);
        copy_vectors(at, texts + field->name.start + 1, name - 1);
        at += name - 1;
        *at++ = ' ';
      } else {
        copy_vectors(at, texts + field->name.start, name);
        at += name;
      }
      copy_vectors(at, text + cell->start, length);
      at += length;
      continue;
    }
    o->at = at;
    sm_write_result result = write_name(o, field->name);
    uint8_t *value = o->at;
    if (result == SM_WRITTEN) result = write_value(o, &program->values[field->value], block, cell);
    // What a member becomes that is left out is not known here.
    if (result != SM_WRITTEN) return result == SM_LEFT_OUT ? SM_REFUSED : result;
    if (program->omits_nulls && o->at - value == 4 && *value == 'n') continue;
    at = o->at;
  }
  // There is room: that of a vector after each value. The brace replaces the first comma.
  if (at == start) {
    at++;
  } else if (is_indented) {
    if ((size_t)(o->end - at) < o->width + 2 * SM_WRITE_ROOM) return SM_NO_ROOM;
    at = sm_put_line(at, o->width - SM_INDENT);
  }
  *start = '{';
  *at++ = '}';
  o->at = at;
  return object->late == 0 ? SM_WRITTEN : decide(program, &program->conditions[object->late], o->row, block);
}

static sm_write_result write_object(row_writer *o, const sm_written_object *object, uint32_t block) {
  return write_members(o, object, block, false);
}

static sm_write_result write_indented_object(row_writer *o, const sm_written_object *object, uint32_t block) {
  o->width += SM_INDENT;
  sm_write_result result = write_members(o, object, block, true);
  o->width -= SM_INDENT;
  return result;
}

static inline row_writer writer_of(const sm_row *row, const sm_row_program *program, const sm_output *output) {
  return (row_writer){
      .program = program, .row = row, .cells = row->cells, .text = row->text, .at = output->start + output->count,
      .end = output->start + output->capacity, .last_vector = row->readable < SM_WRITE_ROOM ? 0 : row->readable - SM_WRITE_ROOM};
}

static inline sm_write_result write_record(const sm_row *row, const sm_row_program *program, sm_output *output, bool is_indented) {
  row_writer o = writer_of(row, program, output);
  o.is_indented = is_indented;
  const sm_written_value *root = &program->values[program->root];
  sm_write_result result;
  if (root->kind != SM_WRITE_OBJECT) result = write_value(&o, root, 0, o.cells);
  else if (is_indented) result = write_indented_object(&o, &program->objects[root->child], o.cells->start);
  else result = write_object(&o, &program->objects[root->child], o.cells->start);
  if (result != SM_WRITTEN) return result;
  // There is room: that of a vector after each value.
  if (is_indented) *o.at++ = '\n';
  output->count = (size_t)(o.at - output->start);
  return SM_WRITTEN;
}

sm_write_result sm_write_row(sm_row row, const sm_row_program *program, sm_output *output) {
  return write_record(&row, program, output, false);
}

sm_write_result sm_write_row_indented(sm_row row, const sm_row_program *program, sm_output *output) {
  return write_record(&row, program, output, true);
}

// --- Rows of cells, from the cells of the table: no text of the record is made, but of values that are not plain.

static bool match_object(
    const sm_row_program *program, const sm_text_cells *cells, const sm_written_object *object, const sm_text_part *part,
    int32_t *columns, int32_t *next) {
  if (object->field_count != part->member_count) return false;
  for (uint32_t i = 0; i < object->field_count; i++) {
    const sm_written_field *field = &program->fields[object->first_field + i];
    const sm_text_member *member = &cells->members[part->first_member + i];
    // A comma is before the field's name.
    if (field->name.length != member->length + 1 ||
        memcmp(program->texts + field->name.start + 1, cells->keys + member->key, member->length) != 0) {
      return false;
    }
    const sm_text_part *inner = &cells->parts[member->part];
    columns[object->first_field + i] = inner->column;
    if (inner->column >= 0) {
      if (inner->column != (*next)++) return false;
      continue;
    }
    const sm_written_value *value = &program->values[field->value];
    if (value->kind != SM_WRITE_OBJECT) return false;
    const sm_written_object *inside = &program->objects[value->child];
    if (inside->early != 0 || inside->late != 0 || !match_object(program, cells, inside, inner, columns, next)) return false;
  }
  return true;
}

bool sm_match_columns(const sm_row_program *program, const sm_text_cells *cells, int32_t *columns) {
  const sm_written_value *root = &program->values[program->root];
  int32_t next = 0;
  return root->kind == SM_WRITE_OBJECT && cells->parts->column < 0 &&
         match_object(program, cells, &program->objects[root->child], cells->parts, columns, &next) && (size_t)next == cells->columns;
}

typedef struct {
  row_writer *row;
  sm_row_form text;
  uint8_t *end;        // of the output
  bool lacks_record;   // whether there is no room for the text of a value
} cell_writer;

static inline bool has_cell_space(const cell_writer *c, size_t length) {
  return (size_t)(c->end - c->text.at) >= sm_most_cell_bytes(length);
}

// A value that is not plain: its JSON first.
static sm_write_result write_changed(cell_writer *c, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  sm_text_form_writer *form = c->text.writer;
  row_writer made = *c->row;
  made.at = form->record;
  made.end = form->record + form->record_capacity;
  sm_write_result result = write_value(&made, value, block, cell);
  if (result == SM_NO_ROOM) c->lacks_record = true;
  // What a member becomes that is left out is not known here.
  if (result != SM_WRITTEN) return result == SM_LEFT_OUT ? SM_REFUSED : result;
  size_t length = (size_t)(made.at - form->record);
  if (!has_cell_space(c, length)) return SM_NO_ROOM;
  sm_text_cell text = sm_cell_at(form->record, length, 0);
  sm_put_cell(&c->text, &text, form->record, made.at);
  return SM_WRITTEN;
}

static sm_write_result write_object_cells(cell_writer *c, const sm_written_object *object, uint32_t block);

// Paths lead through objects and arrays, as they have to. Inlined once for each form.
__attribute__((always_inline)) static inline sm_write_result write_cells_as(
    cell_writer *c, const sm_written_object *object, uint32_t block, sm_text_form_kind kind) {
  row_writer *const o = c->row;
  const sm_row_program *const program = o->program;
  const sm_cell *const cells = o->cells + block;
  const sm_written_field *field = program->fields + object->first_field, *const end = field + object->field_count;
  // A vector after the end of a value that is plain can be read.
  const uint8_t *const last = o->text + o->last_vector + SM_WRITE_ROOM;
  for (; field < end; field++) {
    const sm_cell *cell = &cells[field->cell];
    int32_t column = c->text.writer->columns[field - program->fields];
    if (column < 0) {
      const sm_written_object *inside = &program->objects[program->values[field->value].child];
      if (cell->kind != '{' || cell->is_closed || !has_steps(o, inside, cell->start)) return SM_REFUSED;
      sm_write_result result = write_object_cells(c, inside, cell->start);
      if (result != SM_WRITTEN) return result;
      continue;
    }
    c->text.column = (size_t)column;
    size_t length = cell->end - cell->start;
    if (!has_cell_space(c, length)) return SM_NO_ROOM;
    if (column > 0) *c->text.at++ = kind == SM_AS_CSV ? ',' : '\t';
    const uint8_t content = kind == SM_AS_COPY ? sm_content(&c->text) : SM_HOLDS_TEXT;
    if (!is_plain(o, field, cell) || content == SM_HOLDS_JSON) {
      sm_write_result result = write_changed(c, &program->values[field->value], block, cell);
      if (result != SM_WRITTEN) return result;
    } else if (field->kind == SM_WRITE_STRING) {
      const uint8_t *inside = o->text + cell->start + 1;
      length -= 2;
      uint8_t *at = NULL;
      // PERF: most cells are texts that CSV needs no quotes for. TSV and COPY have nothing to escape in a string without an escape.
      if (length > 0 && !sm_is_formula(&c->text, inside, length)) {
        if (kind == SM_AS_CSV) {
          at = sm_copy_unquoted(c->text.at, inside, length, last, true);
        } else if (content == SM_HOLDS_TEXT) {
          copy_vectors(c->text.at, inside, length);
          at = c->text.at + length;
        }
      }
      if (at != NULL) c->text.at = at;
      else sm_put_string(&c->text, inside, length, last);
    } else {
      // A number of few digits, without an exponent.
      copy_vectors(c->text.at, o->text + cell->start, length);
      c->text.at += length;
    }
  }
  return SM_WRITTEN;
}

static sm_write_result write_object_cells(cell_writer *c, const sm_written_object *object, uint32_t block) {
  switch (c->text.form->kind) {
  case SM_AS_CSV: return write_cells_as(c, object, block, SM_AS_CSV);
  case SM_AS_COPY: return write_cells_as(c, object, block, SM_AS_COPY);
  case SM_AS_TSV:
  case SM_AS_TEXT: return write_cells_as(c, object, block, SM_AS_TSV);
  case SM_AS_INDENTED: break;
  }
  return SM_REFUSED;
}

sm_write_result sm_write_row_cells(
    sm_row row, const sm_row_program *program, sm_output *output, sm_text_form_writer *form, bool *lacks_record) {
  row_writer o = writer_of(&row, program, output);
  const sm_written_object *object = &program->objects[program->values[program->root].child];
  uint32_t block = row.cells->start;
  cell_writer c = {.row = &o, .text = {.writer = form, .form = form->form, .at = o.at}, .end = o.end};
  form->unheld = SM_HELD;
  sm_write_result result = has_steps(&o, object, block) ? SM_WRITTEN : SM_REFUSED;
  if (result == SM_WRITTEN && object->early != 0) result = decide(program, &program->conditions[object->early], o.row, block);
  if (result == SM_WRITTEN) result = write_object_cells(&c, object, block);
  if (result == SM_WRITTEN && object->late != 0) result = decide(program, &program->conditions[object->late], o.row, block);
  *lacks_record = c.lacks_record;
  if (result != SM_WRITTEN) return result;
  if (form->unheld != SM_HELD) return SM_REFUSED;
  if (!has_cell_space(&c, 0)) return SM_NO_ROOM;
  *c.text.at++ = '\n';
  output->count = (size_t)(c.text.at - output->start);
  return SM_WRITTEN;
}
