// Layouts of containers that are opened again; see `layout.h`.
//
// Example: `who` and `where` read the object `user`; a record, its values, and what the layout of `user` says
//
//     {"id":7,"user":{"name":"Ann","city":"Bonn"},"n":1}     values end after   7   "Ann"   "Bonn"   1
//                    ^ 8 bytes after the end of 7            so the first value of `user` is the second one of the record
//
// Between the values, all records of a layout have the same texts. So what was seen once holds for each of them: there, at this place,
// is an object with the layout of `user`. Its values were found, and checked, when the record was compared.

#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "row.h"

// How many times a container is opened in the general way, if it keeps having other layouts.
enum { OPENED_PAUSE = 256 };

static sm_opened_layouts *find_opened(sm_layouts *layouts, sm_node node) {
  for (size_t i = 0; i < layouts->opened_count; i++) {
    if (layouts->opened[i].node == node) return &layouts->opened[i];
  }
  return NULL;
}

// Counts the numbers of cells from where the cells of a container are.
static void move_references(const sm_layout *layout, sm_cell *cells, uint32_t first) {
  for (uint32_t k = 0; k < layout->reference_count; k++) {
    sm_cell *cell = &cells[layout->references[k].cell];
    switch ((sm_reference_field)layout->references[k].field) {
      case SM_REFERS_BY_START: cell->start += first; break;
      case SM_REFERS_BY_END: cell->end += first; break;
      case SM_REFERS_BY_NEXT: cell->next += first; break;
    }
  }
}

// --- In a record with a layout

// The layout of the row's record; NULL if it was not compared with one.
static sm_layout *record_layout(const sm_walker *w) {
  return w->row.is_unscanned ? w->layouts.all[w->layouts.current] : NULL;
}

static bool has_value(const sm_part *part) { return part->kind == SM_PART_SCALAR || part->kind == SM_PART_ARRAY; }

// Where the container is that starts at a place and is opened by a node; NULL if that is not known.
static const sm_inner *find_inner(const sm_walker *w, const sm_layout *record, const uint8_t *start, sm_node node) {
  for (uint32_t k = 0; k < record->inner_count; k++) {
    const sm_inner *inner = &record->inner[k];
    const uint8_t *before = inner->before < 0 ? w->batch : record->parts[inner->before].end;
    if (inner->node == node && before + inner->start == start && inner->layout->edition == inner->edition) return inner;
  }
  return NULL;
}

// Fills the cells of such a container; false if a string is too long for what reads it, or there is no room.
static bool fill_inner(sm_walker *w, const sm_layout *record, const sm_inner *inner, uint32_t start, uint32_t number) {
  const sm_layout *layout = inner->layout;
  const uint8_t *const text = w->batch, *p = text + start;
  const sm_part *found = &record->parts[inner->before + 1];
  sm_cell *const cells = w->row.cells + number;
  if (layout->used > SM_MOST_CELLS - number) return false;
  memcpy(cells, layout->cells, layout->used * sizeof *cells);
  for (const sm_part *part = layout->parts;; part++) {
    if (part->mark_count > 0) sm_set_marks(layout, part, cells, (uint32_t)(p - text));
    if (part->kind == SM_PART_END) break;
    const uint8_t *value = p + part->length;
    if (part->kind == SM_PART_TEXT) {
      p = value;
      continue;
    }
    while (found->kind == SM_PART_TEXT) found++;
    p = found++->end;
    // PERF: most values are not wanted.
    if (part->cell == 0 && !part->is_limited) continue;
    bool is_array = part->kind == SM_PART_ARRAY, is_string = !is_array && *value == '"';
    // No string is longer than its array.
    uint64_t longest = is_string ? (uint64_t)(p - value) - 2 : is_array ? (uint64_t)(p - value) : 0;
    if (part->is_limited && longest > w->limits.string) return false;
    if (is_array || part->cell == 0) continue;
    bool has_escapes = is_string && w->layouts.has_odd_strings && memchr(value, '\\', (size_t)(p - value)) != NULL;
    cells[part->cell] = (sm_cell){
        .start = (uint32_t)(value - text), .end = (uint32_t)(p - text), .kind = *value, .has_escapes = has_escapes};
  }
  move_references(layout, cells, number);
  w->row.used = number + layout->used;
  return true;
}

// A place for what is to be noted: a new one, or that of a layout which was learned again. NULL: there is none.
static sm_inner *place_inner(sm_layout *record) {
  if (record->inner_count < SM_MOST_INNER) return &record->inner[record->inner_count++];
  for (uint32_t k = 0; k < SM_MOST_INNER; k++) {
    if (record->inner[k].layout->edition != record->inner[k].edition) return &record->inner[k];
  }
  return NULL;
}

// Notes where a container is that has just been compared with a layout, if it has the same values there as the record.
static void learn_inner(sm_walker *w, uint32_t start, sm_node node, const sm_layout *layout) {
  sm_layout *record = record_layout(w);
  if (record == NULL || layout->has_element_cells) return;
  const uint8_t *bracket = w->batch + start, *last = w->batch;
  int32_t count = (int32_t)record->part_count, before = -1, number = 0;
  for (; number < count && !(has_value(&record->parts[number]) && record->parts[number].end > bracket); number++) {
    if (has_value(&record->parts[number])) last = record->parts[before = number].end;
  }
  for (const sm_part *part = layout->parts; part->kind != SM_PART_END; part++) {
    if (!has_value(part)) continue;
    while (number < count && !has_value(&record->parts[number])) number++;
    if (number == count || record->parts[number++].end != part->end) return;
  }
  sm_inner *inner = place_inner(record);
  if (inner == NULL) return;
  *inner = (sm_inner){
      .node = node, .before = before, .start = (uint32_t)(bracket - last), .layout = layout, .edition = layout->edition};
}

// --- Opening

bool sm_match_opened(sm_walker *w, uint32_t start, uint32_t end, sm_node node, uint32_t number) {
  const sm_layout *record = record_layout(w);
  const sm_inner *inner = record == NULL ? NULL : find_inner(w, record, w->batch + start, node);
  if (inner != NULL) return fill_inner(w, record, inner, start, number);
  sm_opened_layouts *known = find_opened(&w->layouts, node);
  if (known == NULL || known->count == 0) return false;
  if (known->pause > 0) {
    known->pause--;
    return false;
  }
  sm_match_function *matches = sm_layout_matcher();
  if (matches == NULL || w->batch_room < (size_t)end + SM_LAYOUT_TEXT) return false;
  // The index may be that of what is around the container, and in use.
  sm_match match = {
      .text = w->batch, .start = w->batch + start, .last = w->batch + end, .cells = w->row.cells + number, .first = number,
      .string_limit = w->limits.string, .number_limit = w->limits.number};
  for (uint8_t k = 0; k < known->count; k++) {
    uint8_t tried = (uint8_t)((known->current + k) % known->count);
    sm_layout *layout = known->all[tried];
    if (layout->used > SM_MOST_CELLS - number || matches(&match, layout) != w->batch + end) continue;
    move_references(layout, match.cells, number);
    w->row.used = number + match.used;
    known->current = tried;
    known->matches++;
    if (known->score < SM_GOOD) known->score++;
    if (known->matches % SM_MATCHES_FOR_ONE == 0 && known->credit < SM_FIRST_CREDIT) known->credit++;
    learn_inner(w, start, node, layout);
    return true;
  }
  known->score -= SM_MISS;
  if (known->score <= SM_BAD) {
    known->score = 0;
    known->pause = OPENED_PAUSE;
  }
  return false;
}

void sm_learn_opened(sm_walker *w, sm_node node, size_t entry) {
  sm_layouts *layouts = &w->layouts;
  sm_opened_layouts *known = find_opened(layouts, node);
  if (known == NULL) {
    if (layouts->opened_count == SM_OPENED_NODES || sm_layout_matcher() == NULL) return;
    known = &layouts->opened[layouts->opened_count++];
    *known = (sm_opened_layouts){.node = node, .credit = SM_FIRST_CREDIT};
  }
  if (known->credit == 0 || known->pause > 0) return;
  known->credit--;
  bool is_new = known->count < SM_OPENED_LAYOUTS;
  uint8_t place = is_new ? known->count : (uint8_t)((known->current + 1) % SM_OPENED_LAYOUTS);
  sm_layout *layout = is_new ? malloc(sizeof *layout) : known->all[place];
  if (layout == NULL) return;
  bool is_learned = sm_learn_texts(layout, w, &w->selection->entries[node], entry);
  if (is_new && !is_learned) return free(layout);
  known->all[place] = layout;
  if (is_new) known->count++;
  // What was half learned matches nothing.
  if (!is_learned) layout->used = SM_MOST_CELLS + 1;
}
