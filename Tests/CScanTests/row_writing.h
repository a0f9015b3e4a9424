// Shapes of mappings, for the tests of rows; and how rows of them are written.

#ifndef ROW_WRITING_H
#define ROW_WRITING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "row_writer.h"
#include "test.h"

// What is wanted of a value.
enum { SHAPE_SCALAR, SHAPE_PATH, SHAPE_OBJECT, SHAPE_LIST };
typedef struct {
  int kind;
  sm_node node;
  size_t member_count;
  struct { size_t key; int child; uint32_t tag; } members[5];
  int element;
  uint32_t first_tag, cell_count;  // of an object
} shape;
typedef struct {
  shape shapes[60];
  int count;
  uint32_t next_tag;
} shapes;

// A program that writes all scalars of a mapping, and what it is made of.
typedef struct {
  sm_written_value values[60];
  sm_written_object objects[60];
  sm_written_field fields[400];
  uint32_t steps[400];
  uint8_t texts[4096];
  size_t object_count, field_count, step_count, text_length;
  bool is_whole;  // if not, some object has no field
  sm_row_program program;
} writing;

static sm_written_text add_text(writing *w, const char *text) {
  size_t length = strlen(text);
  sm_written_text added = {(uint32_t)w->text_length, (uint32_t)length};
  memcpy(w->texts + w->text_length, text, length);
  w->text_length += length;
  return added;
}

// The name of the value of a cell: long ones are longer than a vector.
static void name_of(char *name, bool is_first, uint32_t tag) {
  sprintf(name, "%c\"%s%u\":", is_first ? '{' : ',', tag % 3 == 0 ? "a name that is longer than a vector is, " : "n", (unsigned)tag);
}

static void add_fields(writing *w, const shapes *all, const shape *object, const shape *here, bool *is_first) {
  for (size_t k = 0; k < here->member_count; k++) {
    const shape *child = &all->shapes[here->members[k].child];
    uint32_t tag = here->members[k].tag;
    if (child->kind == SHAPE_PATH) {
      w->steps[w->step_count++] = tag - object->first_tag;
      add_fields(w, all, object, child, is_first);
      continue;
    }
    char name[80];
    name_of(name, *is_first, tag);
    *is_first = false;
    const sm_written_value *value = &w->values[here->members[k].child];
    w->fields[w->field_count++] = (sm_written_field){
        tag - object->first_tag, (uint32_t)here->members[k].child, add_text(w, name), value->kind, value->most};
  }
}

static void make_writing(writing *w, const shapes *all, rng *r) {
  *w = (writing){.is_whole = true};
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    static const uint8_t kinds[] = {SM_WRITE_SCALAR, SM_WRITE_OBJECT, SM_WRITE_OBJECT, SM_WRITE_ARRAY};
    static const uint8_t scalars[] = {SM_WRITE_SCALAR, SM_WRITE_STRING, SM_WRITE_INTEGER, SM_WRITE_DECIMAL};
    sm_written_value *value = &w->values[i];
    *value = (sm_written_value){.kind = kinds[here->kind], .most = 8, .takes_minus = true, .child = (uint32_t)here->element};
    if (here->kind == SHAPE_SCALAR && chance(r, 50)) value->kind = scalars[below(r, 4)];
    if (chance(r, 90)) value->has_null = true, value->null = add_text(w, "null");
    if (chance(r, 90)) value->has_absent = true, value->absent = add_text(w, "\"nothing is there\"");
  }
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    if (here->kind != SHAPE_OBJECT) continue;
    sm_written_object object = {.first_field = (uint32_t)w->field_count, .first_step = (uint32_t)w->step_count};
    bool is_first = true;
    add_fields(w, all, here, here, &is_first);
    object.field_count = (uint32_t)w->field_count - object.first_field;
    object.step_count = (uint32_t)w->step_count - object.first_step;
    if (object.field_count == 0) w->is_whole = false;
    w->values[i].child = (uint32_t)w->object_count;
    w->objects[w->object_count++] = object;
  }
  w->program = (sm_row_program){w->values, w->objects, w->fields, w->steps, w->texts, 0, 3};
}

static bool has_only_plain_escapes(const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '\\') continue;
    if (text[++i] == 'u' || text[i] == '/') return false;
  }
  return true;
}

static bool is_right_number(const sm_written_value *value, const uint8_t *text, size_t length) {
  bool is_negative = *text == '-';
  for (size_t i = 0; i < length; i++) {
    if (text[i] == 'e' || text[i] == 'E') return false;
    if (value->kind == SM_WRITE_INTEGER && text[i] == '.') return false;
  }
  return length - (value->kind == SM_WRITE_INTEGER && is_negative) <= value->most;
}

// What a cell has to become, slow and obvious; false where it is refused.
static bool put_expected(buf *out, const writing *w, sm_row row, uint32_t value_number, const sm_cell *cell) {
  const sm_written_value *value = &w->values[value_number];
  if (cell->kind == SM_CELL_ABSENT || cell->kind == 'n') {
    bool is_null = cell->kind == 'n';
    sm_written_text text = is_null ? value->null : value->absent;
    for (uint32_t i = 0; i < text.length; i++) put_byte(out, w->texts[text.start + i]);
    return is_null ? value->has_null : value->has_absent;
  }
  const uint8_t *text = row.text + cell->start;
  size_t length = cell->end - cell->start;
  if (value->kind == SM_WRITE_OBJECT) {
    if (cell->kind != '{') return false;
    const sm_written_object *object = &w->objects[value->child];
    const sm_cell *cells = row.cells + cell->start;
    for (uint32_t i = 0; i < object->step_count; i++) {
      uint8_t kind = cells[w->steps[object->first_step + i]].kind;
      if (kind != '{' && kind != SM_CELL_ABSENT) return false;
    }
    for (uint32_t i = 0; i < object->field_count; i++) {
      const sm_written_field *field = &w->fields[object->first_field + i];
      for (uint32_t k = 0; k < field->name.length; k++) put_byte(out, w->texts[field->name.start + k]);
      if (!put_expected(out, w, row, field->value, &cells[field->cell])) return false;
    }
    put_byte(out, '}');
    return true;
  }
  if (value->kind == SM_WRITE_ARRAY) {
    if (cell->kind != '[' || cell->end > w->program.most_elements) return false;
    put_byte(out, '[');
    uint32_t element = cell->start;
    for (uint32_t i = 0; i < cell->end; i++) {
      if (i > 0) put_byte(out, ',');
      if (!put_expected(out, w, row, value->child, &row.cells[element])) return false;
      element = row.cells[element].next;
    }
    put_byte(out, ']');
    return true;
  }
  for (size_t i = 0; i < length; i++) put_byte(out, text[i]);
  bool takes_all = value->kind == SM_WRITE_SCALAR;
  switch (cell->kind) {
    case '{':
    case '[': return false;
    case '"': return (takes_all || value->kind == SM_WRITE_STRING) && has_only_plain_escapes(text, length);
    case 't':
    case 'f': return takes_all;
    default: return takes_all || (value->kind != SM_WRITE_STRING && is_right_number(value, text, length));
  }
}

// Whether a row is written as it has to be, in memory of the size that it needs.
static bool writes_row(const writing *w, sm_row row, rng *r) {
  if (!w->is_whole) return true;
  buf expected = {0};
  sm_cell record = {.kind = '{'};
  bool is_taken = put_expected(&expected, w, row, 0, &record), is_good = false;
  for (size_t capacity = below(r, 100);; capacity += 1 + below(r, 200)) {
    sm_output output = {need(capacity), 0, capacity};
    sm_write_result result = sm_write_row(row, &w->program, &output);
    if (result == SM_WRITTEN) {
      is_good = is_taken && output.count == expected.count && memcmp(output.start, expected.bytes, expected.count) == 0;
    } else if (result == SM_REFUSED) {
      is_good = !is_taken && output.count == 0;
    }
    free(output.start);
    if (result != SM_NO_ROOM) break;
    // A vector after each value, and brackets, need no more than this.
    if (capacity > expected.count + 2 * SM_WRITE_ROOM && is_taken) break;
  }
  drop(&expected);
  return is_good;
}

#endif
