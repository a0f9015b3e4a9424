// What rows have of values with any members: JSON as it stands, dictionaries, lists of their entries; of values that are chosen by their
// kind, by a label or by trying; and of values whose text is changed. See `row_writer.h`.

#include "row_output.h"
#include "walker.h"

// Objects with more members are written by slower code.
enum { MOST_KEYS = 128 };

// What tells most keys apart: their length, and the bytes at both ends. The text has the quotes.
static inline uint64_t fingerprint(const uint8_t *text, size_t length) {
  uint32_t first = 0, last = 0;
  if (length >= sizeof first) {
    memcpy(&first, text, sizeof first);
    memcpy(&last, text + length - sizeof last, sizeof last);
  } else if (length == 3) {
    first = text[1];
  }
  return (first | (uint64_t)last << 32) + length * 0x9E3779B97F4A7C15u;
}

// Whether all keys from one on surely differ. Those with escapes may be the same, however they are written.
static bool are_different(const row_writer *o, uint32_t first) {
  uint64_t seen[MOST_KEYS];
  size_t count = 0;
  for (uint32_t number = first; number != 0; number = o->cells[number].next) {
    const sm_cell *key = &o->cells[number];
    const uint8_t *text = o->text + key->start;
    size_t length = key->end - key->start;
    if (count == MOST_KEYS || key->has_escapes) return false;
    uint64_t here = fingerprint(text, length);
    // PERF: most objects have few members, for which vectors are no gain.
#pragma clang loop vectorize(disable)
    for (size_t k = 0; k < count; k++) {
      if (seen[k] != here) continue;
      const sm_cell *other = &o->cells[first];
      for (size_t left = k; left > 0; left--) other = &o->cells[other->next];
      if (other->end - other->start == length && memcmp(o->text + other->start, text, length) == 0) return false;
    }
    seen[count++] = here;
  }
  return true;
}

// --- Any value.

// Writes a container without the white space in it.
static sm_write_result write_container(row_writer *o, const sm_cell *cell) {
  const sm_cell *place = place_of(o->row, cell);
  if (place == NULL || work_on(o->row) > o->program->most_opened) return SM_REFUSED;
  uint32_t start = place->start, end = place->end;
  size_t length = end - start;
  if (!has_space(o, o->is_indented ? 2 * length : length)) return SM_NO_ROOM;
  // What is indented is made at the end of the output first.
  uint8_t *const last = o->end, *const copy = o->is_indented ? last - SM_WRITE_ROOM - length : o->at;
  length = sm_row_copy(o->row->walker, start, end, copy);
  if (length == 0) return SM_REFUSED;
  if (!o->is_indented) {
    o->at += length;
    return SM_WRITTEN;
  }
  o->end = copy;
  sm_write_result result = sm_write_made(o, copy, length);
  o->end = last;
  return result;
}

// Writes a value as it stands.
static inline sm_write_result write_any(row_writer *o, const sm_cell *cell) {
  if (cell->kind == '{' || cell->kind == '[') return write_container(o, cell);
  size_t length = cell->end - cell->start;
  if (cell->kind == 'n' || cell->kind == SM_CELL_ABSENT) return SM_REFUSED;
  if (cell->has_escapes && !has_plain_escapes(o->text + cell->start + 1, length - 2)) return sm_write_spelled(o, cell);
  if (!has_space(o, length)) return SM_NO_ROOM;
  put_cell(o, cell);
  return SM_WRITTEN;
}

static sm_write_result write_by_kind(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  unsigned kind;
  switch (cell->kind) {
    case SM_CELL_ABSENT: return SM_REFUSED;
    case 'n': kind = SM_KIND_NULL; break;
    case 't':
    case 'f': kind = SM_KIND_BOOLEAN; break;
    case '"': kind = SM_KIND_STRING; break;
    case '{': kind = SM_KIND_OBJECT; break;
    case '[': kind = SM_KIND_ARRAY; break;
    default: kind = SM_KIND_NUMBER;
  }
  uint32_t chosen = o->program->pieces[value->first_piece + kind].value;
  if (chosen == SM_NO_VALUE) return SM_REFUSED;
  return of_part(sm_write_value(o, &o->program->values[chosen], block, cell));
}

// Writes the value of an open object that its label chooses.
static sm_write_result write_labelled(row_writer *o, const sm_written_value *value, const sm_cell *own) {
  const sm_cell *label = &o->cells[own->start + value->label];
  uint32_t chosen = value->part;
  if (label->has_escapes || !settle_steps(o->program, value->first_step, value->step_count, o->row->cells + own->start)) return SM_REFUSED;
  // A null may be on the way to the label.
  if (label->kind == 'n' && value->step_count > 0) return SM_REFUSED;
  if (label->kind != SM_CELL_ABSENT && (label->kind | 0x20) != '{') {
    bool is_string = label->kind == '"';
    const uint8_t *text = o->text + label->start + is_string;
    size_t length = label->end - label->start - 2 * is_string;
    const sm_written_piece *piece = o->program->pieces + value->first_piece, *const end = piece + value->piece_count;
    for (; piece < end; piece++) {
      if (piece->text.length != length || memcmp(o->program->texts + piece->text.start, text, length) != 0) continue;
      chosen = piece->value;
      break;
    }
  }
  if (chosen == SM_NO_VALUE) return SM_REFUSED;
  return of_part(sm_write_value(o, &o->program->values[chosen], own->start, own));
}

// Whether a row may be looked at again so many times.
static bool may_repeat(const row_writer *o, uint64_t times) {
  uint64_t work = work_on(o->row);
  return work <= o->program->most_opened && sm_row_count(o->row->walker, work * times) <= o->program->most_work;
}

// Whether an open object lacks what it needs, whatever else is in it.
static bool lacks_any(const row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (value->kind != SM_WRITE_OBJECT || cell->kind != '{' || place_to_open(o->row, value, cell) != NULL) return false;
  const sm_written_object *object = &o->program->objects[value->child];
  if (!can_open(o->program, object, o->row, cell)) return false;
  const sm_written_field *field = o->program->fields + object->first_field, *const end = field + object->field_count;
  for (; field < end; field++) {
    if (lacks_value(field, &o->cells[cell->start + field->cell])) return true;
  }
  return false;
}

// Writes the first of several values that is not wrong. Where it is not known whether one is, the call decides.
static sm_write_result write_tried(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  bool is_container = cell->kind == '{' || cell->kind == '[';
  // What these become is decided by each value.
  if (cell->kind == 'n' || cell->kind == SM_CELL_ABSENT) return SM_REFUSED;
  if (is_container && !may_repeat(o, value->times)) return SM_REFUSED;
  uint8_t *const start = o->at;
  const sm_written_piece *piece = o->program->pieces + value->first_piece, *const end = piece + value->piece_count;
  for (; piece < end; piece++) {
    const sm_written_value *one = &o->program->values[piece->value];
    // PERF: looked at before anything is written in vain.
    if (lacks_any(o, one, cell)) continue;
    sm_write_result result = sm_write_value(o, one, block, cell);
    if (result != SM_WRONG) return of_part(result);
    o->at = start;
  }
  return SM_REFUSED;
}

static sm_write_result write_by_label(row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  // The object may have to be looked at again once its label is known: that is work on it.
  if (cell->kind != '{' || !may_repeat(o, 1)) return SM_REFUSED;
  const sm_cell *place = place_to_open(o->row, value, cell);
  if (place == NULL) return write_labelled(o, value, cell);
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, place);
  sm_write_result result = opened == 0 ? SM_REFUSED : write_labelled(o, value, &o->cells[opened]);
  sm_row_release(o->row->walker, used);
  return result;
}

// --- Members.

// Writes a member of an entry up to its value.
static bool put_entry_name(row_writer *o, sm_written_text name) {
  if (!put_break(o) || !has_space(o, name.length + 1)) return false;
  put_text(o, name);
  if (o->is_indented) *o->at++ = ' ';
  return true;
}

// Writes a member, or an entry, up to its value; false if there is no room.
static bool begin_member(row_writer *o, const sm_written_value *value, const sm_cell *key) {
  if (!put_break(o)) return false;
  size_t length = key->end - key->start;
  if (value->kind == SM_WRITE_MEMBERS) {
    if (!has_space(o, length + 2)) return false;
    put_cell(o, key);
    *o->at++ = ':';
    if (o->is_indented) *o->at++ = ' ';
    return true;
  }
  if (!has_space(o, 1)) return false;
  *o->at++ = '{';
  o->width += SM_INDENT;
  if (!put_entry_name(o, value->key_name) || !has_space(o, length + 1)) return false;
  put_cell(o, key);
  *o->at++ = ',';
  return put_entry_name(o, value->value_name);
}

static bool end_member(row_writer *o, const sm_written_value *value) {
  if (value->kind == SM_WRITE_ENTRIES) {
    o->width -= SM_INDENT;
    if (!put_break(o) || !has_space(o, 1)) return false;
    *o->at++ = '}';
  }
  if (!has_space(o, 1)) return false;
  *o->at++ = ',';
  return true;
}

// The value of a kind that goes by the kind of a cell, if it is a scalar; else the value itself.
static inline const sm_written_value *chosen_scalar(const row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (value->kind != SM_WRITE_BY_KIND) return value;
  bool is_string = cell->kind == '"';
  if (!is_string && (uint8_t)(cell->kind - '0') > 9) return value;
  uint32_t chosen = o->program->pieces[value->first_piece + (is_string ? SM_KIND_STRING : SM_KIND_NUMBER)].value;
  return chosen == SM_NO_VALUE ? value : &o->program->values[chosen];
}

// Whether the value of a member stays as it is, and can be copied as vectors. False is undecided.
static inline bool is_plain_part(const row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (value->kind == SM_WRITE_JSON || (value->kind == SM_WRITE_SCALAR && value->interval == 0)) {
    // A bracket and a brace differ in this bit.
    bool is_scalar = (cell->kind != 'n') & ((cell->kind | 0x20) != '{');
    return is_scalar && !cell->has_escapes && cell->end <= o->last_vector;
  }
  uint8_t most = value->most < 8 ? value->most : 8;
  // Before so many digits after a point there are two more bytes.
  if (value->has_places && value->places + 2 < most) most = value->places + 2;
  return is_plain_of(o, value->kind, most, value->interval, cell);
}

// Writes a member whose value stays as it is, with a comma.
// PERF: there is room for all of it at once.
static inline bool put_plain_member(row_writer *o, const sm_written_value *value, const sm_cell *key) {
  const sm_cell *cell = key + 1;
  const bool is_list = value->kind == SM_WRITE_ENTRIES;
  size_t name = key->end - key->start, length = cell->end - cell->start;
  if (!has_space(o, name + length + (is_list ? value->key_name.length + value->value_name.length + 4 : 2))) return false;
  const uint8_t *const texts = o->program->texts;
  uint8_t *at = o->at;
  if (is_list) {
    *at++ = '{';
    copy_vectors(at, texts + value->key_name.start, value->key_name.length);
    at += value->key_name.length;
  }
  copy_vectors(at, o->text + key->start, name);
  at += name;
  *at++ = is_list ? ',' : ':';
  if (is_list) {
    copy_vectors(at, texts + value->value_name.start, value->value_name.length);
    at += value->value_name.length;
  }
  copy_vectors(at, o->text + cell->start, length);
  at += length;
  if (is_list) *at++ = '}';
  *at++ = ',';
  o->at = at;
  return true;
}

// Writes the members from a key on, whose keys surely differ.
static sm_write_result write_all_members(row_writer *o, const sm_written_value *value, uint32_t first) {
  const sm_written_value *inner = &o->program->values[value->part];
  const bool is_list = value->kind == SM_WRITE_ENTRIES;
  uint64_t left = is_list && o->program->most_elements < o->program->most_members ? o->program->most_elements : o->program->most_members;
  if (!has_space(o, 1)) return SM_NO_ROOM;
  *o->at++ = is_list ? '[' : '{';
  // Where the text of the members starts, and where that of those so far ends, with a comma.
  uint8_t *const parts = o->at, *end = o->at;
  o->width += SM_INDENT;
  for (uint32_t number = first; number != 0; number = o->cells[number].next) {
    if (left-- == 0) return SM_REFUSED;
    if (!o->is_indented && is_plain_part(o, chosen_scalar(o, inner, &o->cells[number + 1]), &o->cells[number + 1])) {
      if (!put_plain_member(o, value, &o->cells[number])) return SM_NO_ROOM;
      end = o->at;
      continue;
    }
    if (!begin_member(o, value, &o->cells[number])) return SM_NO_ROOM;
    sm_write_result result = sm_write_value(o, inner, 0, &o->cells[number + 1]);
    if (result == SM_LEFT_OUT && !is_list) {
      o->at = end;
      continue;
    }
    if (result != SM_WRITTEN) return of_part(result);
    if (!end_member(o, value)) return SM_NO_ROOM;
    end = o->at;
  }
  o->width -= SM_INDENT;
  // The bracket, or the line before it, replaces the last comma.
  if (end > parts) {
    o->at--;
    if (!put_break(o)) return SM_NO_ROOM;
  }
  if (!has_space(o, 1)) return SM_NO_ROOM;
  *o->at++ = is_list ? ']' : '}';
  return SM_WRITTEN;
}

// Writes the members of an object, which is opened if it is closed.
static sm_write_result write_members_of(row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  if (cell->kind != '{') return SM_REFUSED;
  const sm_cell *place = place_of(o->row, cell);
  if (place == NULL) return are_different(o, cell->end) ? write_all_members(o, value, cell->end) : SM_REFUSED;
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, place);
  sm_write_result result = SM_REFUSED;
  if (opened != 0 && are_different(o, o->cells[opened].end)) result = write_all_members(o, value, o->cells[opened].end);
  sm_row_release(o->row->walker, used);
  return result;
}

// --- Counts.

// Writes how many elements an array has, if all are scalars that surely stay as they are.
static sm_write_result write_count(row_writer *o, const sm_cell *array) {
  // The array would be made and read again: that is work on its text.
  if (array->kind != '[' || array->is_closed || work_on(o->row) > o->program->most_opened) return SM_REFUSED;
  uint32_t count = array->end;
  if (count > o->program->most_elements) return SM_REFUSED;
  const sm_cell *element = &o->cells[array->start];
  if (element->kind == SM_CELL_HEAD) element = &o->cells[element->next];
  for (uint32_t left = count; left > 0; left--) {
    bool is_scalar = element->kind == '"' || element->kind == 'n' || is_other_scalar(element);
    if (!is_scalar || element->has_escapes) return SM_REFUSED;
    element = &o->cells[element->next];
  }
  uint8_t digits[10], *first = digits + sizeof digits;
  do *--first = (uint8_t)('0' + count % 10);
  while ((count /= 10) > 0);
  return sm_write_made(o, first, (size_t)(digits + sizeof digits - first));
}

static sm_write_result write_count_of(row_writer *o, const sm_written_value *value, const sm_cell *cell) {
  const sm_cell *place = place_to_open(o->row, value, cell);
  if (place == NULL) return write_count(o, cell);
  if (!value->opens) return SM_REFUSED;
  uint32_t used = sm_row_cells(o->row->walker), opened = open_closed(o->program, o->row, value, place);
  sm_write_result result = opened == 0 ? SM_REFUSED : write_count(o, &o->cells[opened]);
  sm_row_release(o->row->walker, used);
  return result;
}

// --- Changes.

static sm_write_result write_changed(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  const sm_row_program *const program = o->program;
  uint8_t *const start = o->at;
  const bool is_indented = o->is_indented;
  // Only an object has members with a block.
  const sm_cell own = {.start = block, .kind = '{'};
  if (value->is_of_block) cell = &own;
  // What these become is decided at each step.
  if (cell->kind == 'n' || cell->kind == SM_CELL_ABSENT) return SM_REFUSED;
  // Compact text is changed.
  o->is_indented = false;
  sm_write_result result = sm_write_value(o, &program->values[value->part], block, cell);
  o->is_indented = is_indented;
  if (result != SM_WRITTEN) return of_part(result);
  sm_made_text made = {.start = start, .length = (size_t)(o->at - start)};
  result = program->call(program->context, value->change, o->row, block, cell, &made);
  // What becomes of a value that is left out is not known here.
  if (result != SM_WRITTEN) return SM_REFUSED;
  o->at = start;
  return sm_write_made(o, made.start, made.length);
}

sm_write_result sm_write_json(row_writer *o, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  switch ((sm_write_kind)value->kind) {
    case SM_WRITE_JSON: return write_any(o, cell);
    case SM_WRITE_BY_KIND: return write_by_kind(o, value, block, cell);
    case SM_WRITE_MEMBERS: return write_members_of(o, value, cell);
    case SM_WRITE_ENTRIES: {
      // The list would be read again: that is work on its text, too.
      uint8_t *const start = o->at;
      sm_write_result result = write_members_of(o, value, cell);
      bool is_long = (uint64_t)(o->at - start) * SM_ROW_WORK > o->program->most_opened;
      return result == SM_WRITTEN && is_long ? SM_REFUSED : result;
    }
    case SM_WRITE_COUNT: return write_count_of(o, value, cell);
    case SM_WRITE_CHANGED: return write_changed(o, value, block, cell);
    case SM_WRITE_BY_LABEL: return write_by_label(o, value, cell);
    case SM_WRITE_TRIED: return write_tried(o, value, block, cell);
    case SM_WRITE_SCALAR:
    case SM_WRITE_STRING:
    case SM_WRITE_BOOLEAN:
    case SM_WRITE_NUMBER:
    case SM_WRITE_DECIMAL:
    case SM_WRITE_INTEGER:
    case SM_WRITE_OBJECT:
    case SM_WRITE_ARRAY:
    case SM_WRITE_CALLED:
    case SM_WRITE_FIRST:
    case SM_WRITE_TEMPLATE:
    case SM_WRITE_SPLIT: return SM_REFUSED;
  }
  return SM_REFUSED;
}
