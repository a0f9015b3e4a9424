// Rows in other forms, from the cells of the table: what comes out is what comes out of the record's text.

#ifndef CELL_WRITING_H
#define CELL_WRITING_H

#include "row_expected.h"

// The columns of a program's records.
typedef struct {
  sm_text_part parts[400];
  sm_text_member members[400];
  uint8_t keys[4096];
  size_t part_count, member_count, key_length, columns;
  bool is_unmatched;  // of an object with columns in it: these come from texts alone
} columns_of_cells;

static size_t cell_rows;

// Adds the value of an object: objects in it are columns, or have some.
static uint32_t add_part(columns_of_cells *c, const writing *w, const sm_written_object *object, rng *r) {
  uint32_t part = (uint32_t)c->part_count++, first = (uint32_t)c->member_count;
  c->member_count += object->field_count;
  c->parts[part] = (sm_text_part){-1, first, object->field_count};
  for (uint32_t i = 0; i < object->field_count; i++) {
    const sm_written_field *field = &w->fields[object->first_field + i];
    const sm_written_value *value = &w->values[field->value];
    sm_text_member *member = &c->members[first + i];
    member->key = (uint32_t)c->key_length;
    member->length = field->name.length - 1;
    memcpy(c->keys + c->key_length, w->texts + field->name.start + 1, member->length);
    c->key_length += member->length;
    if (value->kind == SM_WRITE_OBJECT && chance(r, 80)) {
      const sm_written_object *inside = &w->objects[value->child];
      if (inside->early != 0 || inside->late != 0 || inside->has_rest) c->is_unmatched = true;
      member->part = add_part(c, w, inside, r);
    } else {
      member->part = (uint32_t)c->part_count++;
      c->parts[member->part] = (sm_text_part){(int32_t)c->columns++, 0, 0};
    }
  }
  return part;
}

static bool is_equals_sign(const uint8_t *text, size_t length) { return length > 0 && *text == '='; }
static bool is_of_nine(const uint8_t *number, size_t length) { return length > 0 && number[length - 1] == '9'; }

// The row of a record's text; false if a column cannot hold its value.
static bool put_row_of_text(sm_text_form_writer *writer, const buf *record, buf *row) {
  for (size_t capacity = 100;; capacity *= 2) {
    sm_output output = {need(capacity), 0, capacity};
    sm_text_form_result result = sm_write_form(writer, record->bytes, record->count, &output);
    if (result == SM_FORM_WRITTEN) put(row, output.start, output.count);
    free(output.start);
    if (result != SM_FORM_NO_ROOM) return result == SM_FORM_WRITTEN;
  }
}

// The same from the row's cells, in memory of ever larger size.
static sm_write_result put_row_of_cells(sm_text_form_writer *writer, const writing *w, sm_row cells, buf *row) {
  size_t capacity = 1;
  while (true) {
    sm_output output = {need(capacity), 0, capacity};
    bool lacks_record = false;
    sm_write_result result = sm_write_row_cells(cells, &w->program, &output, writer, &lacks_record);
    if (result == SM_WRITTEN) put(row, output.start, output.count);
    else if (output.count != 0) fail("a row is there that is not written");
    free(output.start);
    if (result != SM_NO_ROOM) return result;
    if (lacks_record) {
      free(writer->record);
      writer->record_capacity += 1 + writer->record_capacity;
      writer->record = need(writer->record_capacity);
    } else {
      capacity += 1 + capacity / 2;
    }
  }
}

static void print_texts(const buf *record, const buf *expected, const buf *made) {
  print_bytes("record", record->bytes, record->count);
  print_bytes("expected", expected->bytes, expected->count);
  print_bytes("made", made->bytes, made->count);
}

// Whether a row is indented as its text is, in memory of ever larger size.
static bool writes_indented(const writing *w, sm_row row) {
  if (!w->is_whole) return true;
  sm_text_form form = {.kind = SM_AS_INDENTED};
  sm_text_form_writer writer = {.form = &form};
  buf record = {0}, expected = {0}, made = {0};
  sm_write_result right = put_expected_row(&record, w, row), result = SM_NO_ROOM;
  if (right == SM_WRITTEN && !put_row_of_text(&writer, &record, &expected)) fail("an indented record has no text");
  for (size_t capacity = 1; result == SM_NO_ROOM; capacity += 1 + capacity / 3) {
    sm_output output = {need(capacity), 0, capacity};
    result = sm_write_row_indented(row, &w->program, &output);
    if (result == SM_WRITTEN) put(&made, output.start, output.count);
    else if (output.count != 0) fail("a row is there that is not written");
    free(output.start);
  }
  bool is_good = result == right && (right != SM_WRITTEN || same(&made, &expected));
  if (!is_good) {
    printf("    indented: %d, right is %d\n", (int)result, (int)right);
    print_texts(&record, &expected, &made);
  }
  drop(&record);
  drop(&expected);
  drop(&made);
  return is_good;
}

static bool writes_cells(const writing *w, sm_row row, rng *r) {
  if (!w->is_whole || w->values[0].kind != SM_WRITE_OBJECT) return true;
  static columns_of_cells c;
  c = (columns_of_cells){0};
  add_part(&c, w, &w->objects[w->values[0].child], r);
  if (w->objects[w->values[0].child].has_rest) c.is_unmatched = true;
  uint8_t *contents = need(c.columns);
  for (size_t i = 0; i < c.columns; i++) contents[i] = (uint8_t)below(r, 4);
  sm_text_form form = {
      .kind = (sm_text_form_kind)(SM_AS_CSV + below(r, 3)),
      .cells = {c.parts, c.members, c.keys, c.columns},
      .contents = contents, .is_formula = chance(r, 50) ? is_equals_sign : NULL, .is_long = is_of_nine};
  int32_t *columns = need((w->field_count + 1) * sizeof *columns);
  sm_text_form_writer writer = {
      .form = &form, .found = need(c.columns * sizeof(sm_text_cell)), .columns = columns, .record = need(1), .record_capacity = 1};
  bool is_good = sm_match_columns(&w->program, &form.cells, columns) == !c.is_unmatched;
  if (!is_good) fail("the columns are not matched as they have to be");
  if (is_good && !c.is_unmatched) {
    buf record = {0}, expected = {0}, made = {0};
    sm_write_result right = put_expected_row(&record, w, row), result = put_row_of_cells(&writer, w, row, &made);
    bool is_held = right == SM_WRITTEN && put_row_of_text(&writer, &record, &expected);
    // It may refuse a row, which is made from the text then; but it may not write what the text does not become.
    if (result == SM_WRITTEN) {
      is_good = is_held && same(&made, &expected);
      cell_rows++;
    } else {
      is_good = result == SM_REFUSED || result == right;
    }
    if (!is_good) {
      printf("    form %d, %d from cells, %d from text\n", (int)form.kind, (int)result, (int)right);
      print_texts(&record, &expected, &made);
    }
    drop(&record);
    drop(&expected);
    drop(&made);
  }
  free(contents);
  free(columns);
  free(writer.found);
  free(writer.record);
  return is_good;
}

#endif
