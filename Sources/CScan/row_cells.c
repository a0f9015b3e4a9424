// Rows in the forms of cells, from the cells of the table: no text of the record is made, but of values that are not plain. See
// `row_writer.h`.

#include "row_output.h"
#include "text_rows.h"

static bool match_object(
    const sm_row_program *program, const sm_text_cells *cells, const sm_written_object *object, const sm_text_part *part,
    int32_t *columns, int32_t *next) {
  // Which members the rest has is not known before.
  if (object->field_count != part->member_count || object->has_rest) return false;
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
  sm_write_result result = sm_write_value(&made, value, block, cell);
  if (result == SM_NO_ROOM) c->lacks_record = true;
  if (result != SM_WRITTEN) return of_part(result);
  size_t length = (size_t)(made.at - form->record);
  if (!has_cell_space(c, length)) return SM_NO_ROOM;
  // PERF: where a value ends that was made here is known.
  const uint8_t kind = *form->record;
  const bool has_escapes = kind == '"' && memchr(form->record, '\\', length) != NULL;
  const sm_text_cell text = {.end = length, .kind = kind == 'n' ? 0 : kind, .has_escapes = has_escapes};
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
      if (cell->kind != '{' || cell->is_closed || !can_open(program, inside, o->row, cell)) return SM_REFUSED;
      sm_write_result result = write_object_cells(c, inside, cell->start);
      if (result != SM_WRITTEN) return result;
      continue;
    }
    c->text.column = (size_t)column;
    const uint8_t content = kind == SM_AS_COPY ? sm_content(&c->text) : SM_HOLDS_TEXT;
    const bool stands = is_plain(o, field, cell) && content != SM_HOLDS_JSON;
    // Only the cell of a scalar says where its text is.
    size_t length = stands ? cell->end - cell->start : 0;
    if (!has_cell_space(c, length)) return SM_NO_ROOM;
    if (column > 0) *c->text.at++ = kind == SM_AS_CSV ? ',' : '\t';
    if (!stands) {
      if (lacks_value(field, cell)) return SM_REFUSED;
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
  if (row.cells->kind != '{') return SM_REFUSED;
  uint32_t block = row.cells->start;
  cell_writer c = {.row = &o, .text = {.writer = form, .form = form->form, .at = o.at}, .end = o.end};
  form->unheld = SM_HELD;
  sm_write_result result = can_open(program, object, &row, row.cells) ? SM_WRITTEN : SM_REFUSED;
  if (result == SM_WRITTEN) result = decide(program, object->early, o.row, block);
  if (result == SM_WRITTEN) result = write_object_cells(&c, object, block);
  if (result == SM_WRITTEN) result = decide(program, object->late, o.row, block);
  *lacks_record = c.lacks_record;
  if (result != SM_WRITTEN) return result;
  if (form->unheld != SM_HELD) return SM_REFUSED;
  if (!has_cell_space(&c, 0)) return SM_NO_ROOM;
  *c.text.at++ = '\n';
  output->count = (size_t)(c.text.at - output->start);
  return SM_WRITTEN;
}
