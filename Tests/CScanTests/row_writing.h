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

enum { INTERVALS = 40, MOST_VALUES = 240, MOST_PIECES = 900, MOST_CONDITIONS = 200, FIRST_REST = 1000, FIRST_TOLD = 2000 };

// A program that writes all scalars of a mapping, and what it is made of.
typedef struct {
  sm_written_value values[MOST_VALUES];
  sm_written_object objects[180];
  sm_written_field fields[1200];
  sm_written_piece pieces[MOST_PIECES];
  sm_interval intervals[INTERVALS];
  sm_condition conditions[MOST_CONDITIONS + 1];
  sm_written_step steps[400];
  uint8_t texts[4096];
  size_t value_count, piece_count, object_count, field_count, step_count, condition_count, text_length;
  uint32_t object_values[60];  // by shape: the value that writes its object
  uint32_t lenient[60];        // by shape: the value of an object with the same fields that needs none; 0 if there is none
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
      if (all->shapes[value].kind != SHAPE_SCALAR || w->values[value].kind >= SM_WRITE_CALLED) continue;
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

// Adds an object of scalars that are members of another one, of the same block; 0 if there are none.
static uint32_t add_block_object(writing *w, const shapes *all, const shape *object, rng *r) {
  sm_written_object added = {.first_field = (uint32_t)w->field_count};
  for (size_t k = 0; k < object->member_count; k++) {
    uint32_t number = (uint32_t)object->members[k].child, tag = object->members[k].tag;
    const sm_written_value *value = &w->values[number];
    if (all->shapes[number].kind != SHAPE_SCALAR || chance(r, 30)) continue;
    char name[80];
    name_of(name, added.field_count++ == 0, tag);
    bool is_needed = chance(r, 15);
    w->fields[w->field_count++] = (sm_written_field){
        tag - object->first_tag, number, add_text(w, name), value->kind, value->most < 8 ? value->most : 8, is_needed, is_needed && chance(r, 50), value->interval,
        chance(r, 40) ? 1 + FIRST_TOLD + (uint32_t)below(r, 20) : 0};
  }
  if (added.field_count == 0 || w->value_count + 8 >= MOST_VALUES) return 0;
  w->values[w->value_count] = (sm_written_value){.kind = SM_WRITE_OBJECT, .child = (uint32_t)w->object_count};
  w->objects[w->object_count++] = added;
  return (uint32_t)w->value_count++;
}

// What a call makes of the text of another value.
static sm_written_value changed(uint32_t part, bool is_of_block, rng *r) {
  return (sm_written_value){
      .kind = SM_WRITE_CHANGED, .part = part, .is_of_block = is_of_block, .change = (uint32_t)below(r, FIRST_REST),
      .child = (uint32_t)below(r, FIRST_REST)};
}

// Lets an integer be at most a number that feeds have, or one next to it.
static void limit_integer(sm_written_value *value, rng *r) {
  static const uint64_t numbers[] = {12, 1234567, 12345678, 1234567890123456};
  value->last = numbers[below(r, 4)] + below(r, 3) - 1;
  value->most = 0;
  for (uint64_t rest = value->last / 10; rest > 0; rest /= 10) value->most++;
}

// Adds a scalar, or any value.
static uint32_t add_part_value(writing *w, rng *r) {
  static const uint8_t kinds[] = {SM_WRITE_SCALAR, SM_WRITE_STRING, SM_WRITE_DECIMAL, SM_WRITE_JSON, SM_WRITE_JSON, SM_WRITE_CALLED};
  uint32_t number = (uint32_t)w->value_count++;
  sm_written_value *value = &w->values[number];
  *value = (sm_written_value){.kind = kinds[below(r, 6)], .most = 8, .is_strict = chance(r, 50), .child = (uint32_t)below(r, FIRST_REST)};
  value->otherwise = (uint32_t)(chance(r, 25) ? 1 + below(r, FIRST_REST) : 0);
  if (chance(r, 90)) value->has_null = true, value->null = add_text(w, "null");
  return number;
}

// Adds an object that is like another one, but needs none of its fields.
static void add_lenient(writing *w, sm_written_object object, uint32_t value) {
  uint32_t first = object.first_field;
  object.first_field = (uint32_t)w->field_count;
  for (uint32_t i = 0; i < object.field_count; i++) {
    w->fields[w->field_count] = w->fields[first + i];
    w->fields[w->field_count].is_needed = w->fields[w->field_count].takes_no_null = false;
    w->field_count++;
  }
  w->values[value].child = (uint32_t)w->object_count;
  w->objects[w->object_count++] = object;
}

// The first of several values that is not wrong: of an object, the work of all of them is counted.
static sm_written_value tried(writing *w, uint32_t first, bool is_scalar, uint32_t *lenient, rng *r) {
  sm_written_value value = {
      .kind = SM_WRITE_TRIED, .first_piece = (uint32_t)w->piece_count, .times = 1 + (uint32_t)below(r, 3),
      .child = (uint32_t)below(r, FIRST_REST)};
  w->pieces[w->piece_count++] = (sm_written_piece){.value = first};
  while (is_scalar && chance(r, 60) && value.first_piece + 4 > w->piece_count) {
    w->pieces[w->piece_count++] = (sm_written_piece){.value = chance(r, 30) ? first : add_part_value(w, r)};
  }
  if (w->values[first].kind == SM_WRITE_OBJECT && chance(r, 70)) {
    *lenient = (uint32_t)w->value_count++;
    w->values[*lenient] = w->values[first];
    w->pieces[w->piece_count++] = (sm_written_piece){.value = *lenient};
  }
  value.piece_count = (uint32_t)w->piece_count - value.first_piece;
  return value;
}

// An object that its label chooses: the value of a shape's object for some labels, what a call makes for others.
static void make_labelled(writing *w, sm_written_value *value, const shape *object, rng *r) {
  static const char *const labels[] = {"a", "1", "true", "null", "", "text", "12", "b"};
  uint32_t part = (uint32_t)w->value_count++;
  w->values[part] = *value;
  uint32_t other = (uint32_t)w->value_count++;
  w->values[other] = (sm_written_value){.kind = SM_WRITE_CALLED, .child = (uint32_t)below(r, FIRST_REST)};
  *value = (sm_written_value){
      .kind = SM_WRITE_BY_LABEL, .child = (uint32_t)below(r, FIRST_REST), .label = (uint32_t)below(r, object->cell_count),
      .part = chance(r, 20) ? SM_NO_VALUE : part, .first_piece = (uint32_t)w->piece_count};
  for (int i = 0; i < 8; i++) {
    if (chance(r, 40)) continue;
    w->pieces[w->piece_count++] = (sm_written_piece){
        .text = add_text(w, labels[i]), .value = chance(r, 20) ? SM_NO_VALUE : chance(r, 40) ? other : part};
  }
  value->piece_count = (uint32_t)w->piece_count - value->first_piece;
}

// How many cells a path's members and those inside them have.
static uint32_t cells_inside(const shapes *all, const shape *path) {
  uint32_t count = 0;
  for (size_t k = 0; k < path->member_count; k++) {
    const shape *child = &all->shapes[path->members[k].child];
    count += 1 + (child->kind == SHAPE_PATH ? cells_inside(all, child) : 0);
  }
  return count;
}

static void add_fields(
    writing *w, const shapes *all, const shape *object, const shape *here, uint32_t depth, uint32_t block_object, bool *is_first, rng *r) {
  for (size_t k = 0; k < here->member_count; k++) {
    const shape *child = &all->shapes[here->members[k].child];
    uint32_t tag = here->members[k].tag;
    if (child->kind == SHAPE_PATH) {
      w->steps[w->step_count++] = (sm_written_step){tag - object->first_tag, cells_inside(all, child), depth, false};
      add_fields(w, all, object, child, depth + 1, block_object, is_first, r);
      continue;
    }
    char name[80];
    name_of(name, *is_first, tag);
    *is_first = false;
    uint32_t number = (uint32_t)here->members[k].child;
    if (child->kind == SHAPE_SCALAR && chance(r, 15) && w->value_count < MOST_VALUES) number = add_several(w, all, object, here, r);
    if (child->kind == SHAPE_SCALAR && block_object > 0 && chance(r, 15) && w->value_count < MOST_VALUES) {
      number = (uint32_t)w->value_count++;
      w->values[number] = changed(block_object, true, r);
    }
    const sm_written_value *value = &w->values[number];
    bool is_needed = chance(r, 15);
    w->fields[w->field_count++] = (sm_written_field){
        tag - object->first_tag, number, add_text(w, name), value->kind, value->most < 8 ? value->most : 8, is_needed, is_needed && chance(r, 50), value->interval,
        chance(r, 40) ? 1 + FIRST_TOLD + (uint32_t)below(r, 20) : 0};
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
  // What is inside a null says how many steps lead to that.
  if (cell != NULL && cell->kind == 'n' && cell->end == 0) place += cell->next;
  if ((call + place) % 7 == 0) return SM_LEFT_OUT;
  if ((call + place) % 11 == 0) return SM_REFUSED;
  if (cell == NULL) return SM_WRITTEN;
  if (call >= FIRST_TOLD && (call + place) % 3 == 0) return SM_WRONG;
  static int turn;
  char *text = called[turn = !turn];
  if (made->start != NULL) {
    // A change: each byte of its text counts.
    uint32_t sum = 0;
    for (size_t i = 0; i < made->length; i++) sum = sum * 31 + made->start[i];
    int length = sprintf(text, sum % 3 == 0 ? "[%u,\"of %zu\",%u]" : "\"%u of %zu bytes: %u\"", call, made->length, sum);
    *made = (sm_made_text){(const uint8_t *)text, (size_t)length};
    return SM_WRITTEN;
  }
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

// Gives null to all that is inside a null, the outermost one; false if paths cannot go through something else.
static bool settles_paths(const writing *w, sm_row row, const sm_written_object *object, uint32_t block) {
  const sm_written_step *steps = w->steps + object->first_step;
  bool is_settled = true;
  for (uint32_t i = 0; i < object->step_count && is_settled; i++) {
    const sm_cell *own = &row.cells[block + steps[i].cell];
    is_settled = own->kind == '{' || own->kind == 'n' || own->kind == SM_CELL_ABSENT;
    if (own->kind != 'n' || own->next > 0) continue;
    for (uint32_t k = steps[i].cell + 1; k <= steps[i].cell + steps[i].inside; k++) {
      row.cells[block + k] = (sm_cell){.start = steps[i].cell, .next = steps[i].depth, .kind = 'n'};
    }
  }
  return is_settled;
}

// Makes a value one of any JSON, of members or of entries, which are opened by `node`, or one that goes by the kind.
static void make_json(writing *w, sm_written_value *value, sm_node node, rng *r) {
  static const uint8_t kinds[] = {SM_WRITE_JSON, SM_WRITE_BY_KIND, SM_WRITE_MEMBERS, SM_WRITE_ENTRIES, SM_WRITE_SPLIT};
  value->kind = kinds[below(r, 5)];
  value->child = (uint32_t)below(r, FIRST_REST);
  value->node = node;
  value->interval = 0;
  if (value->kind == SM_WRITE_BY_KIND) {
    value->first_piece = (uint32_t)w->piece_count;
    for (int kind = 0; kind < SM_KINDS; kind++) {
      w->pieces[w->piece_count++] = (sm_written_piece){.value = chance(r, 20) ? SM_NO_VALUE : add_part_value(w, r)};
    }
  } else if (value->kind == SM_WRITE_SPLIT) {
    static const char *const separators[] = {"a", "e", "o", "th", "is", "er"};
    value->separator = add_text(w, separators[below(r, 6)]);
  } else if (value->kind != SM_WRITE_JSON) {
    value->part = add_part_value(w, r);
    value->key_name = add_text(w, "\"key\":");
    value->value_name = add_text(w, chance(r, 50) ? "\"value\":" : "\"a name that is longer than a vector is\":");
  }
}

static void make_writing(writing *w, const shapes *all, sm_node members, rng *r) {
  *w = (writing){.is_whole = true, .value_count = (size_t)all->count};
  for (int i = 1; i < INTERVALS; i++) w->intervals[i] = make_interval(r);
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    static const uint8_t kinds[] = {SM_WRITE_SCALAR, SM_WRITE_OBJECT, SM_WRITE_OBJECT, SM_WRITE_ARRAY};
    static const uint8_t scalars[] = {SM_WRITE_SCALAR, SM_WRITE_STRING, SM_WRITE_INTEGER, SM_WRITE_DECIMAL};
    sm_written_value *value = &w->values[i];
    *value = (sm_written_value){.kind = kinds[here->kind], .most = 8, .takes_minus = true, .child = (uint32_t)here->element};
    if (here->kind == SHAPE_SCALAR && chance(r, 50)) value->kind = scalars[below(r, 4)];
    value->is_strict = chance(r, 50);
    value->otherwise = (uint32_t)(chance(r, 25) ? 1 + below(r, FIRST_REST) : 0);
    if (value->kind == SM_WRITE_INTEGER && chance(r, 50)) value->most = (uint8_t)(1 + below(r, 18));
    if (value->kind == SM_WRITE_INTEGER && chance(r, 50)) limit_integer(value, r);
    if (value->kind == SM_WRITE_INTEGER || value->kind == SM_WRITE_DECIMAL) {
      if (chance(r, 30)) value->interval = 1 + (uint32_t)below(r, INTERVALS - 1);
    }
    if (here->kind == SHAPE_SCALAR && chance(r, 30) && w->value_count + 8 < MOST_VALUES && w->piece_count + 8 < MOST_PIECES) {
      make_json(w, value, members, r);
    } else if (here->kind != SHAPE_OBJECT && chance(r, 10)) {
      value->kind = SM_WRITE_CALLED, value->child = (uint32_t)below(r, FIRST_REST);
    }
    if (here->kind == SHAPE_LIST && chance(r, 20)) value->kind = SM_WRITE_COUNT, value->child = (uint32_t)below(r, FIRST_REST);
    if (chance(r, 90)) value->has_null = true, value->null = add_text(w, "null");
    bool is_root = i == 0;
    w->object_values[i] = (uint32_t)i;
    if (!is_root && chance(r, 10) && w->value_count + 8 < MOST_VALUES) {
      uint32_t part = w->object_values[i] = (uint32_t)w->value_count++;
      w->values[part] = *value;
      *value = chance(r, 50) || w->piece_count + 8 >= MOST_PIECES ? changed(part, false, r) : tried(w, part, here->kind == SHAPE_SCALAR, &w->lenient[i], r);
    } else if (!is_root && here->kind == SHAPE_OBJECT && chance(r, 30) && w->value_count + 8 < MOST_VALUES && w->piece_count + 8 < MOST_PIECES) {
      w->object_values[i] = (uint32_t)w->value_count;
      make_labelled(w, value, here, r);
    }
    if (chance(r, 90)) value->has_absent = true, value->absent = add_text(w, chance(r, 30) ? "null" : chance(r, 70) ? "\"nothing is there\"" : "{\"a\":[0,{\"b\":[]}]}");
  }
  for (int i = 0; i < all->count; i++) {
    const shape *here = &all->shapes[i];
    if (here->kind != SHAPE_OBJECT) continue;
    sm_written_object object = {.first_field = (uint32_t)w->field_count, .first_step = (uint32_t)w->step_count};
    uint32_t block_object = chance(r, 50) ? add_block_object(w, all, here, r) : 0;
    object.first_field = (uint32_t)w->field_count;
    bool is_first = true;
    add_fields(w, all, here, here, 1, block_object, &is_first, r);
    object.field_count = (uint32_t)w->field_count - object.first_field;
    object.step_count = (uint32_t)w->step_count - object.first_step;
    if (object.field_count == 0) w->is_whole = false;
    object.early = make_condition(w, here, r);
    object.late = make_condition(w, here, r);
    if (object.field_count > 0 && chance(r, 10)) {
      object.has_rest = true;
      object.rest = FIRST_REST + (uint32_t)below(r, 1000);
    }
    // One that is changed, or that its label chooses, was added after the others.
    uint32_t own = w->object_values[i];
    w->values[own].child = (uint32_t)w->object_count;
    w->objects[w->object_count++] = object;
    if (w->lenient[i] > 0) add_lenient(w, object, w->lenient[i]);
  }
  w->program = (sm_row_program){
      .values = w->values, .objects = w->objects, .fields = w->fields, .pieces = w->pieces, .intervals = w->intervals,
      .conditions = w->conditions, .steps = w->steps, .texts = w->texts, .root = 0, .omits_nulls = chance(r, 30),
      .most_elements = 3, .most_members = 3, .most_work = UINT64_MAX, .most_opened = chance(r, 90) ? 1000000 : 60, .call = answer, .context = called};
}

#endif
