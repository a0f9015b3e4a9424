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

enum { INTERVALS = 40, MOST_VALUES = 120, MOST_PIECES = 600, MOST_CONDITIONS = 200, FIRST_REST = 1000 };

// A program that writes all scalars of a mapping, and what it is made of.
typedef struct {
  sm_written_value values[MOST_VALUES];
  sm_written_object objects[60];
  sm_written_field fields[400];
  sm_written_piece pieces[MOST_PIECES];
  sm_interval intervals[INTERVALS];
  sm_condition conditions[MOST_CONDITIONS + 1];
  uint32_t steps[400];
  uint8_t texts[4096];
  size_t value_count, piece_count, object_count, field_count, step_count, condition_count, text_length;
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

// Adds pieces of scalars that are members of an object, or of a path in it; those of a template, if there are texts.
static void add_pieces(writing *w, const shapes *all, const shape *object, const shape *here, bool has_texts, int depth, rng *r) {
  for (size_t left = 1 + below(r, 4); left > 0 && w->piece_count + 1 < MOST_PIECES; left--) {
    sm_written_piece *piece = &w->pieces[w->piece_count];
    *piece = (sm_written_piece){.kind = SM_PIECE_TEXT};
    if (has_texts && chance(r, 30)) {
      piece->text = add_text(w, chance(r, 30) ? "" : chance(r, 50) ? ", " : "a text \\u0041 that is longer than a vector is");
      w->piece_count++;
    } else if (has_texts && depth < 3 && chance(r, 25)) {
      piece->kind = SM_PIECE_OPTIONAL;
      size_t number = w->piece_count++;
      add_pieces(w, all, object, here, true, depth + 1, r);
      piece->count = (uint32_t)(w->piece_count - number - 1);
    } else {
      size_t k = below(r, here->member_count);
      uint32_t value = (uint32_t)here->members[k].child;
      if (all->shapes[value].kind != SHAPE_SCALAR || w->values[value].kind == SM_WRITE_CALLED) continue;
      *piece = (sm_written_piece){SM_PIECE_VALUE, here->members[k].tag - object->first_tag, value, 0, {0, 0}};
      w->piece_count++;
    }
  }
}

// A value that is made of several cells.
static uint32_t add_several(writing *w, const shapes *all, const shape *object, const shape *here, rng *r) {
  uint32_t number = (uint32_t)w->value_count++;
  sm_written_value *value = &w->values[number];
  *value = (sm_written_value){.kind = chance(r, 50) ? SM_WRITE_FIRST : SM_WRITE_TEMPLATE, .child = (uint32_t)below(r, FIRST_REST)};
  value->first_piece = (uint32_t)w->piece_count;
  add_pieces(w, all, object, here, value->kind == SM_WRITE_TEMPLATE, 0, r);
  value->piece_count = (uint32_t)w->piece_count - value->first_piece;
  return number;
}

static void add_fields(writing *w, const shapes *all, const shape *object, const shape *here, bool *is_first, rng *r) {
  for (size_t k = 0; k < here->member_count; k++) {
    const shape *child = &all->shapes[here->members[k].child];
    uint32_t tag = here->members[k].tag;
    if (child->kind == SHAPE_PATH) {
      w->steps[w->step_count++] = tag - object->first_tag;
      add_fields(w, all, object, child, is_first, r);
      continue;
    }
    char name[80];
    name_of(name, *is_first, tag);
    *is_first = false;
    uint32_t number = (uint32_t)here->members[k].child;
    if (child->kind == SHAPE_SCALAR && chance(r, 15) && w->value_count < MOST_VALUES) number = add_several(w, all, object, here, r);
    const sm_written_value *value = &w->values[number];
    w->fields[w->field_count++] = (sm_written_field){
        tag - object->first_tag, number, add_text(w, name), value->kind, value->most, value->interval};
  }
}

static sm_interval make_interval(rng *r) {
  sm_interval made = {chance(r, 70), chance(r, 70), chance(r, 50), chance(r, 50) ? 0 : (uint8_t)below(r, 19), 0, 0};
  int64_t ends[2];
  for (int i = 0; i < 2; i++) {
    ends[i] = (int64_t)(chance(r, 80) ? below(r, 1000) : below(r, 1000000000000000000)) * (chance(r, 20) ? -1 : 1);
  }
  made.first = ends[0] < ends[1] ? ends[0] : ends[1];
  made.last = ends[0] < ends[1] ? ends[1] : ends[0];
  return made;
}

// Makes a condition, and perhaps others that are decided after it.
static uint32_t make_condition(writing *w, const shape *object, rng *r) {
  if (chance(r, 80) || w->condition_count == MOST_CONDITIONS) return 0;
  uint32_t number = (uint32_t)++w->condition_count;
  w->conditions[number] = (sm_condition){
      chance(r, 50) ? 0 : 1 + (uint32_t)below(r, INTERVALS - 1), (uint32_t)below(r, object->cell_count), (uint32_t)below(r, 1000), 0};
  w->conditions[number].next = make_condition(w, object, r);
  return number;
}

// What calls answer in the tests: it depends on their number and on the place of the cell or block.
static char called[2][100];
static sm_write_result answer(
    void *context, uint32_t call, const sm_row *row, uint32_t block, const sm_cell *cell, sm_made_text *made) {
  (void)row;
  uint32_t place = cell == NULL ? block : cell->start;
  if ((call + place) % 7 == 0) return SM_LEFT_OUT;
  if ((call + place) % 11 == 0) return SM_REFUSED;
  if (cell == NULL) return SM_WRITTEN;
  static int turn;
  char *text = called[turn = !turn];
  if (call >= FIRST_REST && (call + place) % 5 == 0) {
    *made = (sm_made_text){(const uint8_t *)"{}", 2};
    return SM_WRITTEN;
  }
  // The rest of an object is an object.
  const char *form = call >= FIRST_REST || place % 3 == 0 ? "{\"called\":[%u,[%u],{}],\"at\":%u,\"with\":\"%.*s\"}" : "\"called %u in %u at %u %.*s\"";
  int length = sprintf(text, form, call, block, place, (int)(place % 20), "with a longer text for it");
  if (context != called) length = 0;
  made->start = (const uint8_t *)text;
  made->length = (size_t)length;
  return SM_WRITTEN;
}

static void make_writing(writing *w, const shapes *all, rng *r) {
  *w = (writing){.is_whole = true, .value_count = (size_t)all->count};
  for (int i = 1; i < INTERVALS; i++) w->intervals[i] = make_interval(r);
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    static const uint8_t kinds[] = {SM_WRITE_SCALAR, SM_WRITE_OBJECT, SM_WRITE_OBJECT, SM_WRITE_ARRAY};
    static const uint8_t scalars[] = {SM_WRITE_SCALAR, SM_WRITE_STRING, SM_WRITE_INTEGER, SM_WRITE_DECIMAL};
    sm_written_value *value = &w->values[i];
    *value = (sm_written_value){.kind = kinds[here->kind], .most = 8, .takes_minus = true, .child = (uint32_t)here->element};
    if (here->kind == SHAPE_SCALAR && chance(r, 50)) value->kind = scalars[below(r, 4)];
    value->is_strict = value->kind == SM_WRITE_STRING && chance(r, 50);
    if (value->kind == SM_WRITE_INTEGER || value->kind == SM_WRITE_DECIMAL) {
      if (chance(r, 30)) value->interval = 1 + (uint32_t)below(r, INTERVALS - 1);
    }
    if (here->kind != SHAPE_OBJECT && chance(r, 10)) value->kind = SM_WRITE_CALLED, value->child = (uint32_t)below(r, FIRST_REST);
    if (chance(r, 90)) value->has_null = true, value->null = add_text(w, "null");
    if (chance(r, 90)) value->has_absent = true, value->absent = add_text(w, chance(r, 30) ? "null" : chance(r, 70) ? "\"nothing is there\"" : "{\"a\":[0,{\"b\":[]}]}");
  }
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    if (here->kind != SHAPE_OBJECT) continue;
    sm_written_object object = {.first_field = (uint32_t)w->field_count, .first_step = (uint32_t)w->step_count};
    bool is_first = true;
    add_fields(w, all, here, here, &is_first, r);
    object.field_count = (uint32_t)w->field_count - object.first_field;
    object.step_count = (uint32_t)w->step_count - object.first_step;
    if (object.field_count == 0) w->is_whole = false;
    object.early = make_condition(w, here, r);
    object.late = make_condition(w, here, r);
    if (object.field_count > 0 && chance(r, 10)) {
      object.has_rest = true;
      object.rest = FIRST_REST + (uint32_t)below(r, 1000);
    }
    w->values[i].child = (uint32_t)w->object_count;
    w->objects[w->object_count++] = object;
  }
  w->program = (sm_row_program){
      .values = w->values, .objects = w->objects, .fields = w->fields, .pieces = w->pieces, .intervals = w->intervals,
      .conditions = w->conditions, .steps = w->steps, .texts = w->texts, .root = 0, .omits_nulls = chance(r, 30),
      .most_elements = 3, .most_opened = chance(r, 90) ? 1000000 : 60, .call = answer, .context = called};
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
  // -0 leaves as 0.
  if (value->kind == SM_WRITE_INTEGER && is_negative && text[1] == '0') return false;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == 'e' || text[i] == 'E') return false;
    if (value->kind == SM_WRITE_INTEGER && text[i] == '.') return false;
  }
  return length - (value->kind == SM_WRITE_INTEGER && is_negative) <= value->most;
}

// Units of 10^-18 in a number of at most 18 bytes without an exponent; false for others.
static bool read_units(__int128 *units, const uint8_t *text, size_t length) {
  bool is_negative = *text == '-', has_point = false;
  if (length - is_negative > 18) return false;
  int places = 0;
  *units = 0;
  for (size_t i = is_negative; i < length; i++) {
    if (text[i] == 'e' || text[i] == 'E') return false;
    if (text[i] == '.') has_point = true;
    else *units = *units * 10 + (text[i] - '0'), places += has_point;
  }
  while (places++ < 18) *units *= 10;
  if (is_negative) *units = -*units;
  return true;
}

static sm_write_result is_inside(const sm_interval *interval, const uint8_t *text, size_t length) {
  __int128 number, first = interval->first, last = interval->last;
  if (!read_units(&number, text, length)) return SM_REFUSED;
  for (int places = interval->places; places < 18; places++) first *= 10, last *= 10;
  if (interval->has_first && (number < first || (number == first && !interval->has_ends))) return SM_LEFT_OUT;
  if (interval->has_last && (number > last || (number == last && !interval->has_ends))) return SM_LEFT_OUT;
  return SM_WRITTEN;
}

static bool is_number(uint8_t kind) { return kind == '-' || (kind >= '0' && kind <= '9'); }

static sm_write_result expected_decision(const writing *w, sm_row row, uint32_t number, uint32_t block) {
  if (number == 0) return SM_WRITTEN;
  const sm_condition *condition = &w->conditions[number];
  sm_write_result result = SM_LEFT_OUT;
  const sm_cell *cell = &row.cells[block + condition->cell];
  if (condition->interval == 0) result = answer(NULL, condition->call, &row, block, NULL, NULL);
  else if (is_number(cell->kind)) result = is_inside(&w->intervals[condition->interval], row.text + cell->start, cell->end - cell->start);
  return result == SM_WRITTEN ? expected_decision(w, row, condition->next, block) : result;
}

static sm_write_result refused_unless(bool is_good) { return is_good ? SM_WRITTEN : SM_REFUSED; }

static sm_write_result put_expected(
    buf *out, const writing *w, sm_row row, uint32_t value_number, uint32_t block, const sm_cell *cell);

// Puts the pieces from one to before another; `taken` counts what their values take. A part that is left out is put nowhere.
static sm_write_result put_pieces(buf *out, const writing *w, sm_row row, uint32_t block, size_t first, size_t last, uint64_t *taken) {
  for (size_t i = first; i < last; i++) {
    const sm_written_piece *piece = &w->pieces[i];
    if (piece->kind == SM_PIECE_TEXT) put(out, w->texts + piece->text.start, piece->text.length);
    if (piece->kind == SM_PIECE_VALUE) {
      buf value = {0};
      sm_write_result result = put_expected(&value, w, row, piece->value, block, &row.cells[block + piece->cell]);
      uint8_t kind = row.cells[block + piece->cell].kind;
      bool is_null = value.count == 4 && memcmp(value.bytes, "null", 4) == 0, is_missing = kind == 'n' || kind == SM_CELL_ABSENT;
      if (is_missing && !is_null) result = SM_REFUSED;
      bool is_string = value.count > 0 && value.bytes[0] == '"';
      size_t length = is_null || result != SM_WRITTEN ? 0 : value.count - 2 * is_string;
      if (length > 0) put(out, value.bytes + is_string, length);
      *taken += length + 16;
      drop(&value);
      if (result != SM_WRITTEN) return SM_REFUSED;
    }
    if (piece->kind == SM_PIECE_OPTIONAL) {
      bool is_whole = true;
      for (size_t k = i + 1; k <= i + piece->count; k++) {
        if (w->pieces[k].kind == SM_PIECE_OPTIONAL) k += w->pieces[k].count;
        else if (w->pieces[k].kind == SM_PIECE_VALUE) {
          uint8_t kind = row.cells[block + w->pieces[k].cell].kind;
          is_whole = is_whole && kind != 'n' && kind != SM_CELL_ABSENT;
        }
      }
      if (!is_whole) {
        // All values in it have to be right.
        buf nowhere = {0};
        uint64_t untold = 0;
        sm_write_result result = SM_WRITTEN;
        for (size_t k = i + 1; k <= i + piece->count && result == SM_WRITTEN; k++) {
          if (w->pieces[k].kind == SM_PIECE_VALUE) result = put_pieces(&nowhere, w, row, block, k, k + 1, &untold);
        }
        drop(&nowhere);
        if (result != SM_WRITTEN) return result;
        i += piece->count;
      }
    }
  }
  return SM_WRITTEN;
}

// What is made of several cells, without a call.
static sm_write_result put_several(buf *out, const writing *w, sm_row row, const sm_written_value *value, uint32_t block) {
  size_t first = value->first_piece, last = first + value->piece_count;
  if (value->kind == SM_WRITE_TEMPLATE) {
    uint64_t taken = 16;
    put_byte(out, '"');
    sm_write_result result = put_pieces(out, w, row, block, first, last, &taken);
    put_byte(out, '"');
    return taken > w->program.most_opened ? SM_REFUSED : result;
  }
  for (; first < last; first++) {
    const sm_cell *cell = &row.cells[block + w->pieces[first].cell];
    if (cell->kind == 'n') return SM_REFUSED;
    if (cell->kind == SM_CELL_ABSENT) continue;
    bool is_other = is_number(cell->kind) || cell->kind == 't' || cell->kind == 'f';
    if (is_other && w->values[w->pieces[first].value].is_strict) continue;
    return put_expected(out, w, row, w->pieces[first].value, block, cell);
  }
  return SM_REFUSED;
}

// The most bytes of a row's text at a time: elements that are left out are written before that is known.
static size_t most_written;

// What a cell has to become, slow and obvious.
static sm_write_result put_expected(
    buf *out, const writing *w, sm_row row, uint32_t value_number, uint32_t block, const sm_cell *cell) {
  const sm_written_value *value = &w->values[value_number];
  bool is_null = cell->kind == 'n', is_missing = is_null || cell->kind == SM_CELL_ABSENT;
  if (is_missing && (is_null ? value->has_null : value->has_absent)) {
    sm_written_text text = is_null ? value->null : value->absent;
    for (uint32_t i = 0; i < text.length; i++) put_byte(out, w->texts[text.start + i]);
    return SM_WRITTEN;
  }
  if (value->kind == SM_WRITE_FIRST || value->kind == SM_WRITE_TEMPLATE) {
    size_t before = out->count;
    if (put_several(out, w, row, value, block) == SM_WRITTEN) return SM_WRITTEN;
    if (out->count > most_written) most_written = out->count;
    out->count = before;
  }
  if (value->kind >= SM_WRITE_CALLED) {
    sm_made_text made;
    sm_write_result result = answer(called, value->child, &row, block, cell, &made);
    for (size_t i = 0; result == SM_WRITTEN && i < made.length; i++) put_byte(out, made.start[i]);
    return result;
  }
  if (is_missing) return SM_REFUSED;
  const uint8_t *text = row.text + cell->start;
  size_t length = cell->end - cell->start;
  if (value->kind == SM_WRITE_OBJECT) {
    if (cell->kind != '{' || cell->is_closed) return SM_REFUSED;
    const sm_written_object *object = &w->objects[value->child];
    const sm_cell *cells = row.cells + cell->start;
    for (uint32_t i = 0; i < object->step_count; i++) {
      uint8_t kind = cells[w->steps[object->first_step + i]].kind;
      if (kind != '{' && kind != SM_CELL_ABSENT) return SM_REFUSED;
    }
    sm_write_result early = expected_decision(w, row, object->early, cell->start);
    if (early != SM_WRITTEN) return early;
    size_t start = out->count;
    for (uint32_t i = 0; i < object->field_count; i++) {
      const sm_written_field *field = &w->fields[object->first_field + i];
      size_t before = out->count;
      for (uint32_t k = 0; k < field->name.length; k++) put_byte(out, w->texts[field->name.start + k]);
      size_t value = out->count;
      if (put_expected(out, w, row, field->value, cell->start, &cells[field->cell]) != SM_WRITTEN) return SM_REFUSED;
      if (out->count > most_written) most_written = out->count;
      if (w->program.omits_nulls && out->count - value == 4 && memcmp(out->bytes + value, "null", 4) == 0) out->count = before;
    }
    if (object->has_rest) {
      sm_made_text made;
      if (answer(called, object->rest, &row, cell->start, cell, &made) != SM_WRITTEN) return SM_REFUSED;
      if (made.length > 2) {
        put_byte(out, ',');
        put(out, made.start + 1, made.length - 2);
      }
    }
    if (out->count == start) put_byte(out, '{');
    out->bytes[start] = '{';
    put_byte(out, '}');
    return expected_decision(w, row, object->late, cell->start);
  }
  if (value->kind == SM_WRITE_ARRAY) {
    if (cell->kind != '[' || cell->is_closed || cell->end > w->program.most_elements) return SM_REFUSED;
    put_byte(out, '[');
    size_t parts = out->count;
    uint32_t element = cell->start;
    for (uint32_t i = 0; i < cell->end; i++) {
      size_t before = out->count;
      if (before > parts) put_byte(out, ',');
      sm_write_result result = put_expected(out, w, row, value->child, 0, &row.cells[element]);
      if (result == SM_REFUSED) return SM_REFUSED;
      if (out->count > most_written) most_written = out->count;
      if (result == SM_LEFT_OUT) out->count = before;
      element = row.cells[element].next;
    }
    put_byte(out, ']');
    return SM_WRITTEN;
  }
  for (size_t i = 0; i < length; i++) put_byte(out, text[i]);
  bool takes_all = value->kind == SM_WRITE_SCALAR;
  switch (cell->kind) {
    case '{':
    case '[': return SM_REFUSED;
    case '"': return refused_unless((takes_all || value->kind == SM_WRITE_STRING) && has_only_plain_escapes(text, length));
    case 't':
    case 'f': return refused_unless(takes_all);
    default:
      if (!takes_all && (value->kind == SM_WRITE_STRING || !is_right_number(value, text, length))) return SM_REFUSED;
      return refused_unless(value->interval == 0 || is_inside(&w->intervals[value->interval], text, length) == SM_WRITTEN);
  }
}

// Whether a row is written as it has to be, in memory of the size that it needs.
static bool writes_row(const writing *w, sm_row row, rng *r) {
  if (!w->is_whole) return true;
  buf expected = {0};
  most_written = 0;
  sm_write_result right = put_expected(&expected, w, row, 0, 0, &row.cells[0]);
  bool is_good = false;
  for (size_t capacity = below(r, 100);; capacity += 1 + below(r, 200)) {
    sm_output output = {need(capacity), 0, capacity};
    sm_write_result result = sm_write_row(row, &w->program, &output);
    if (result == SM_WRITTEN) {
      is_good = right == SM_WRITTEN && output.count == expected.count && memcmp(output.start, expected.bytes, expected.count) == 0;
    } else if (result != SM_NO_ROOM) {
      is_good = result == right && output.count == 0;
    }
    free(output.start);
    if (result != SM_NO_ROOM) break;
    // A vector after each value, and brackets, need no more than this.
    size_t most = most_written > expected.count ? most_written : expected.count;
    if (capacity > most + 2 * SM_WRITE_ROOM && right == SM_WRITTEN) break;
  }
  drop(&expected);
  return is_good;
}

#endif
