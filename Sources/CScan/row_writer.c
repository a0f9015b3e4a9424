// Writing of rows as JSON; see `row_writer.h`.

#include "row_output.h"
#include "unescape.h"

sm_write_result sm_write_made(row_writer *o, const uint8_t *text, size_t length) {
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

sm_write_result sm_write_spelled(row_writer *o, const sm_cell *cell) {
  size_t length = cell->end - cell->start;
  if (!has_space(o, length)) return SM_NO_ROOM;
  uint8_t *end = sm_respell(o->text + cell->start + 1, length - 2, o->at + 1);
  if (end == NULL) return SM_REFUSED;
  *o->at = *end = '"';
  o->at = end + 1;
  return SM_WRITTEN;
}

static sm_write_result write_text(row_writer *o, sm_written_text text) {
  return sm_write_made(o, o->program->texts + text.start, text.length);
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

static sm_write_result write_object(row_writer *o, const sm_written_object *object, const sm_cell *own);
static sm_write_result write_indented_object(row_writer *o, const sm_written_object *object, const sm_cell *own);
static sm_write_result write_array(row_writer *o, const sm_written_value *value, const sm_cell *array);

// Writes what a call makes of a cell.
static sm_write_result write_called(row_writer *o, uint32_t call, uint32_t block, const sm_cell *cell) {
  sm_made_text made = {0};
  sm_write_result result = o->program->call(o->program->context, call, o->row, block, cell, &made);
  return result == SM_WRITTEN ? sm_write_made(o, made.start, made.length) : result;
}

// Writes a container that is at a place.
__attribute__((noinline)) static sm_write_result write_closed(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *place) {
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, place);
  sm_write_result result = opened == 0 ? SM_REFUSED : sm_write_value(o, value, block, &o->cells[opened]);
  sm_row_release(o->row->walker, used);
  return result;
}

// Writes the first of several cells that has a value. Where that is not plain, the call decides.
__attribute__((noinline)) static sm_write_result write_first(row_writer *o, const sm_written_value *value, uint32_t block) {
  const sm_written_piece *piece = o->program->pieces + value->first_piece, *const end = piece + value->piece_count;
  for (; piece < end; piece++) {
    const sm_cell *cell = &o->cells[block + piece->cell];
    const sm_written_value *one = &o->program->values[piece->value];
    if (cell->kind == SM_CELL_ABSENT || is_wrong(one, cell)) continue;
    if (cell->kind == 'n') return SM_REFUSED;
    return sm_write_value(o, one, block, cell);
  }
  return SM_REFUSED;
}

// What a template has for a cell: what is inside the string, the text of another scalar, nothing for a null. NULL if that is not plain.
static const uint8_t *piece_text(const row_writer *o, const sm_written_piece *piece, uint32_t block, size_t *length) {
  const sm_cell *cell = &o->cells[block + piece->cell];
  const sm_written_value *value = &o->program->values[piece->value];
  *length = 0;
  if (cell->kind == SM_CELL_ABSENT || cell->kind == 'n') {
    bool is_there = cell->kind == 'n' ? value->has_null : value->has_absent;
    sm_written_text text = cell->kind == 'n' ? value->null : value->absent;
    return is_there && text.length == 4 && o->program->texts[text.start] == 'n' ? o->text : NULL;
  }
  if (!is_of_type(o->program, value, o->text, cell)) return NULL;
  bool is_string = cell->kind == '"';
  *length = cell->end - cell->start - 2 * is_string;
  return o->text + cell->start + is_string;
}

// Whether no value of the pieces is null; those of optional parts inside do not count. What is not plain is found when it is written.
static bool is_whole(const row_writer *o, const sm_written_piece *piece, uint32_t count, uint32_t block) {
  for (const sm_written_piece *const end = piece + count; piece < end; piece++) {
    if (piece->kind == SM_PIECE_OPTIONAL) {
      piece += piece->count;
      continue;
    }
    if (piece->kind == SM_PIECE_TEXT) continue;
    uint8_t kind = o->cells[block + piece->cell].kind;
    if (kind == 'n' || kind == SM_CELL_ABSENT) return false;
  }
  return true;
}

// Writes one string of several cells. Where one of them is not plain, the call decides.
__attribute__((noinline)) static sm_write_result write_template(row_writer *o, const sm_written_value *value, uint32_t block) {
  const sm_written_piece *piece = o->program->pieces + value->first_piece, *const end = piece + value->piece_count;
  // The limit of what a call takes counts the values' names, too.
  enum { NAME = 16 };
  uint64_t taken = NAME;
  if (!has_space(o, 1)) return SM_NO_ROOM;
  *o->at++ = '"';
  for (; piece < end; piece++) {
    if (piece->kind == SM_PIECE_OPTIONAL) {
      // A value that is left out may be wrong all the same: all that is optional is looked at.
      bool is_left_out = !is_whole(o, piece + 1, piece->count, block);
      for (const sm_written_piece *inner = piece + 1; is_left_out && inner <= piece + piece->count; inner++) {
        size_t length;
        if (inner->kind == SM_PIECE_VALUE && piece_text(o, inner, block, &length) == NULL) return SM_REFUSED;
      }
      if (is_left_out) piece += piece->count;
      continue;
    }
    if (piece->kind == SM_PIECE_TEXT) {
      if (!has_space(o, piece->text.length)) return SM_NO_ROOM;
      put_text(o, piece->text);
      continue;
    }
    size_t length;
    const uint8_t *text = piece_text(o, piece, block, &length);
    if (text == NULL || (taken += length + NAME) > o->program->most_opened) return SM_REFUSED;
    if (!has_space(o, length)) return SM_NO_ROOM;
    if (length > 0) put_part(o, text, length);
  }
  *o->at++ = '"';
  return SM_WRITTEN;
}

// Writes the parts of a string without escapes as an array.
__attribute__((noinline)) static sm_write_result write_split(row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (cell->kind != '"' || cell->has_escapes) return SM_REFUSED;
  const uint8_t *part = o->text + cell->start + 1, *const end = o->text + cell->end - 1;
  const uint8_t *const separator = o->program->texts + value->separator.start;
  const size_t length = value->separator.length;
  uint8_t *const start = o->at;
  uint64_t left = o->program->most_elements;
  if (!has_space(o, 2)) return SM_NO_ROOM;
  *o->at++ = '[';
  o->width += SM_INDENT;
  bool is_empty = part == end;
  for (bool is_last = is_empty; !is_last;) {
    if (left-- == 0) return SM_REFUSED;
    const uint8_t *next = memchr(part, *separator, (size_t)(end - part));
    while (next != NULL && ((size_t)(end - next) < length || memcmp(next, separator, length) != 0)) {
      next = memchr(next + 1, *separator, (size_t)(end - next - 1));
    }
    is_last = next == NULL;
    size_t count = (size_t)((is_last ? end : next) - part);
    if (!put_break(o) || !has_space(o, count + 3)) return SM_NO_ROOM;
    *o->at++ = '"';
    if (count > 0) put_part(o, part, count);
    *o->at++ = '"';
    if (!is_last) {
      *o->at++ = ',';
      part = next + length;
    }
  }
  o->width -= SM_INDENT;
  if (!is_empty && !put_break(o)) return SM_NO_ROOM;
  *o->at++ = ']';
  // The array would be read again: that is work on its text, too.
  return (uint64_t)(o->at - start) * SM_ROW_WORK > o->program->most_opened ? SM_REFUSED : SM_WRITTEN;
}

// Writes what is called for where it is not plain.
static sm_write_result write_or_call(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  uint8_t *const start = o->at;
  const size_t width = o->width;
  sm_write_result result = value->kind == SM_WRITE_FIRST      ? write_first(o, value, block)
                           : value->kind == SM_WRITE_TEMPLATE ? write_template(o, value, block)
                           : value->kind == SM_WRITE_SPLIT    ? write_split(o, value, cell)
                                                              : sm_write_json(o, value, block, cell);
  if (result != SM_REFUSED) return result;
  o->at = start;
  o->width = width;
  return write_called(o, value->child, block, cell);
}

sm_write_result sm_write_value(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  if (cell->kind == SM_CELL_ABSENT && value->has_absent) return write_text(o, value->absent);
  if (cell->kind == 'n' && value->has_null) return write_text(o, value->null);
  if (value->kind == SM_WRITE_CALLED) return write_called(o, value->child, block, cell);
  if (value->kind > SM_WRITE_CALLED) return write_or_call(o, value, block, cell);
  if (cell->kind == SM_CELL_ABSENT || cell->kind == 'n') return SM_REFUSED;
  if (value->opens) {
    const sm_cell *place = place_to_open(o->row, value, cell);
    if (place != NULL) return write_closed(o, value, block, place);
  }
  if (value->kind == SM_WRITE_OBJECT) {
    if (cell->kind != '{' || cell->is_closed) return SM_REFUSED;
    const sm_written_object *object = &o->program->objects[value->child];
    return o->is_indented ? write_indented_object(o, object, cell) : write_object(o, object, cell);
  }
  if (value->kind == SM_WRITE_ARRAY) return cell->kind == '[' && !cell->is_closed ? write_array(o, value, cell) : SM_REFUSED;
  if (!is_of_type(o->program, value, o->text, cell)) {
    bool is_string = cell->kind == '"' && (value->kind == SM_WRITE_STRING || value->kind == SM_WRITE_SCALAR);
    if (is_string) return sm_write_spelled(o, cell);
    if (is_wrong(value, cell)) return SM_WRONG;
    return value->otherwise > 0 ? of_part(write_called(o, value->otherwise - 1, block, cell)) : SM_REFUSED;
  }
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
      sm_write_result result = sm_write_value(o, inner, 0, element);
      if (result != SM_WRITTEN && result != SM_LEFT_OUT) return of_part(result);
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

// Writes the members that come after the fields, each after a comma: those of an object that a call makes.
__attribute__((noinline)) static sm_write_result write_rest(row_writer *o, const sm_written_object *object, const sm_cell *own) {
  uint8_t *const start = o->at;
  o->width -= o->is_indented ? SM_INDENT : 0;
  sm_write_result result = write_called(o, object->rest, own->start, own);
  // Its closing brace, and the line before that.
  size_t end = 1 + (o->is_indented ? 1 + o->width : 0);
  o->width += o->is_indented ? SM_INDENT : 0;
  if (result != SM_WRITTEN) return of_part(result);
  if (o->at - start == 2) {
    o->at = start;
    return SM_WRITTEN;
  }
  *start = ',';
  o->at -= end;
  return SM_WRITTEN;
}

// Whether members that are null are left out, and this text of one is null.
static inline bool is_null_left_out(const row_writer *o, const uint8_t *value) {
  return o->program->omits_nulls && o->at - value == 4 && *value == 'n';
}

// Writes the value of a member. An object that a condition leaves out is as one that is absent.
static inline sm_write_result write_member_value(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  uint8_t *const start = o->at;
  const size_t width = o->width;
  sm_write_result result = sm_write_value(o, value, block, cell);
  if (result != SM_LEFT_OUT || !value->has_absent) return result;
  o->at = start;
  o->width = width;
  return write_text(o, value->absent);
}

// Writes a member of the record from its name on; where it is not plain, as a call makes it. If there is no value, the call has noted why.
__attribute__((noinline)) static sm_write_result write_or_tell(
    row_writer *o, const sm_written_field *field, const sm_written_value *wanted, uint32_t block, const sm_cell *cell) {
  uint8_t *const start = o->at;
  const size_t width = o->width;
  sm_write_result result = write_name(o, field->name);
  if (result != SM_WRITTEN) return result;
  uint8_t *const value = o->at;
  // PERF: what is made by a call is asked for once.
  bool is_called = wanted->kind == SM_WRITE_CALLED || wanted->kind == SM_WRITE_CHANGED;
  result = lacks_value(field, cell) || is_called ? SM_REFUSED : write_member_value(o, wanted, block, cell);
  if (result == SM_REFUSED || result == SM_WRONG || result == SM_LEFT_OUT) {
    o->at = value;
    o->width = width;
    result = write_called(o, field->told - 1, block, cell);
  }
  bool is_wrong = result == SM_WRONG;
  o->has_failed |= is_wrong;
  if (is_wrong || (result == SM_WRITTEN && is_null_left_out(o, value))) o->at = start;
  return is_wrong ? SM_WRITTEN : of_part(result);
}

// Inlined once for each way to write it.
__attribute__((always_inline)) static inline sm_write_result write_members(
    row_writer *o, const sm_written_object *object, const sm_cell *own, bool is_indented) {
  const sm_row_program *const program = o->program;
  const uint32_t block = own->start;
  const sm_cell *const cells = o->cells + block;
  if (!can_open(program, object, o->row, own)) return SM_REFUSED;
  sm_write_result early = decide(program, object->early, o->row, block);
  if (early != SM_WRITTEN) return early;
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
    const sm_written_value *wanted = &program->values[field->value];
    if (o->tells && field->told != 0) {
      sm_write_result result = write_or_tell(o, field, wanted, block, cell);
      if (result != SM_WRITTEN) return result;
      at = o->at;
      continue;
    }
    if (lacks_value(field, cell)) return SM_WRONG;
    sm_write_result result = write_name(o, field->name);
    const uint8_t *value = o->at;
    if (result == SM_WRITTEN) result = write_member_value(o, wanted, block, cell);
    // What becomes of an object inside is not known here.
    if (result == SM_WRONG && field->is_needed && wanted->kind < SM_WRITE_OBJECT) return SM_WRONG;
    if (result != SM_WRITTEN) return of_part(result);
    if (is_null_left_out(o, value)) continue;
    at = o->at;
  }
  if (object->has_rest) {
    o->at = at;
    sm_write_result result = write_rest(o, object, own);
    if (result != SM_WRITTEN) return result;
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
  return decide(program, object->late, o->row, block);
}

static sm_write_result write_object(row_writer *o, const sm_written_object *object, const sm_cell *own) {
  return write_members(o, object, own, false);
}

static sm_write_result write_indented_object(row_writer *o, const sm_written_object *object, const sm_cell *own) {
  o->width += SM_INDENT;
  sm_write_result result = write_members(o, object, own, true);
  o->width -= SM_INDENT;
  return result;
}

static inline sm_write_result write_record(
    const sm_row *row, const sm_row_program *program, sm_output *output, bool is_indented, bool tells) {
  row_writer o = writer_of(row, program, output);
  o.is_indented = is_indented;
  o.tells = tells;
  const sm_written_value *root = &program->values[program->root];
  sm_write_result result;
  if (root->kind != SM_WRITE_OBJECT || o.cells->kind != '{') result = sm_write_value(&o, root, 0, o.cells);
  else if (is_indented) result = write_indented_object(&o, &program->objects[root->child], o.cells);
  else result = write_object(&o, &program->objects[root->child], o.cells);
  if (result != SM_WRITTEN) return of_row(result);
  if (o.has_failed) return SM_FAILED;
  // There is room: that of a vector after each value.
  if (is_indented) *o.at++ = '\n';
  output->count = (size_t)(o.at - output->start);
  return SM_WRITTEN;
}

sm_write_result sm_write_row(sm_row row, const sm_row_program *program, sm_output *output) {
  return write_record(&row, program, output, false, false);
}

sm_write_result sm_write_row_or_tell(sm_row row, const sm_row_program *program, sm_output *output) {
  return write_record(&row, program, output, false, true);
}

sm_write_result sm_write_inner_row(
    sm_row row, const sm_cell *cell, uint32_t value, const sm_row_program *program, sm_output *output) {
  row_writer o = writer_of(&row, program, output);
  sm_write_result result = sm_write_value(&o, &program->values[value], 0, cell);
  if (result == SM_WRITTEN) output->count = (size_t)(o.at - output->start);
  return of_row(result);
}

sm_write_result sm_write_row_indented(sm_row row, const sm_row_program *program, sm_output *output) {
  return write_record(&row, program, output, true, false);
}
