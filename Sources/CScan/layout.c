// Learns layouts, and says when lines are compared with them; see `layout.h`. The comparison itself is in `layout_vector.h`; containers that
// are opened again have `layout_opened.c`.

#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "scan_private.h"

// The most layouts that may be learned at once, however many records match.
enum { MOST_CREDIT = 16 };
// For how many batches layouts are left alone the first time, and how often that doubles.
enum { FIRST_PAUSE = 16, MOST_BACKOFF = 8 };
// The most bytes of a document that is compared.
enum { MOST_DOCUMENT = 16 << 10 };
// Elements that are named by an index, in one array.
enum { MOST_INDEX = 16 };

// --- Learning: goes over a record that is a row, as `row.c` did, and takes its texts.

// The block in which members have their cells.
typedef struct {
  uint32_t first_tag, cell_count, start;
} block_place;

typedef struct {
  const sm_walker *w;
  sm_layout *layout;
  size_t i;               // the entry at hand
  size_t from;            // where the text before the next value starts
  uint32_t first_mark;    // of the text before the next value
  uint64_t depth, deepest;
} learner;

static bool learn_value(learner *l, const sm_entry *opened, uint32_t number, block_place around);

static uint8_t byte_at(const learner *l, size_t i) { return l->w->batch[l->w->row.index[i]]; }

static bool add_mark(learner *l, bool is_end, uint32_t cell, size_t place) {
  if (l->layout->mark_count == SM_MOST_MARKS) return false;
  l->layout->marks[l->layout->mark_count++] = (sm_mark){.cell = cell, .is_end = is_end, .place = (int32_t)place};
  return true;
}

// A container begins with the entry at hand, or ended with the one before it.
static bool mark_start(learner *l, uint32_t cell) { return add_mark(l, false, cell, l->w->row.index[l->i]); }
static bool mark_end(learner *l, uint32_t cell) { return add_mark(l, true, cell, l->w->row.index[l->i - 1] + (size_t)1); }

// Lets a field of a cell name another cell.
static bool refer(learner *l, uint32_t cell, sm_reference_field field, uint32_t other) {
  sm_layout *layout = l->layout;
  if (layout->reference_count == SM_MOST_REFERENCES) return false;
  layout->references[layout->reference_count++] = (sm_reference){.cell = (uint16_t)cell, .field = field};
  switch (field) {
    case SM_REFERS_BY_START: layout->cells[cell].start = other; break;
    case SM_REFERS_BY_END: layout->cells[cell].end = other; break;
    case SM_REFERS_BY_NEXT: layout->cells[cell].next = other; break;
  }
  return true;
}

// New cells, in which there is nothing; 0 if there is no room.
static uint32_t take_cells(learner *l, uint32_t count) {
  if (count > SM_LAYOUT_CELLS - l->layout->used) return 0;
  uint32_t first = l->layout->used;
  memset(l->layout->cells + first, 0, count * sizeof *l->layout->cells);
  l->layout->used += count;
  return first;
}

// Ends the text before a value that starts at `end`, and whose entry is at hand. NULL: there is no room.
static sm_part *add_part(learner *l, uint8_t kind, size_t end) {
  sm_layout *layout = l->layout;
  for (;;) {
    if (layout->part_count == SM_MOST_PARTS) return NULL;
    sm_part *part = &layout->parts[layout->part_count++];
    size_t length = end - l->from;
    bool is_last = length <= SM_LAYOUT_TEXT;
    if (!is_last) length = SM_LAYOUT_TEXT;
    *part = (sm_part){.kind = is_last ? kind : SM_PART_TEXT, .length = (uint8_t)length};
    part->mask = length == 64 ? UINT64_MAX : ((uint64_t)1 << length) - 1;
    memcpy(part->text, l->w->batch + l->from, length);
    if (!is_last) {
      l->from += length;
      continue;
    }
    part->first_mark = (uint16_t)l->first_mark;
    part->mark_count = (uint8_t)(layout->mark_count - l->first_mark);
    for (uint32_t k = l->first_mark; k < layout->mark_count; k++) layout->marks[k].place -= (int32_t)l->from;
    l->first_mark = layout->mark_count;
    return part;
  }
}

// Passes over the scalar at hand; false if it is none. Gives the byte after it.
static bool pass_scalar(learner *l, size_t *end) {
  const sm_walker *w = l->w;
  size_t start = w->row.index[l->i];
  switch (w->batch[start]) {
    case '{': case '[': case '}': case ']': case ',': case ':': return false;
    case '"':
      *end = w->row.index[l->i + 1] + (size_t)1;
      l->i += 2;
      return true;
    default:
      *end = sm_row_scalar(w, start, w->row.index[l->i + 1]);
      l->i++;
      return *end > 0;
  }
}

static bool learn_scalar(learner *l, uint32_t cell, bool is_limited) {
  sm_part *part = add_part(l, SM_PART_SCALAR, l->w->row.index[l->i]);
  size_t end;
  if (part == NULL || !pass_scalar(l, &end)) return false;
  part->cell = cell;
  part->is_limited = is_limited;
  l->from = end;
  return true;
}

// Goes over the elements from entry i on, which have to be scalars, up to the closing bracket. NULL: they are not.
static sm_part *learn_elements(learner *l, bool is_limited) {
  sm_part *part = add_part(l, SM_PART_ARRAY, l->w->row.index[l->i - 1] + (size_t)1);
  if (part == NULL) return NULL;
  part->is_limited = is_limited;
  while (byte_at(l, l->i) != ']') {
    size_t end;
    if (!pass_scalar(l, &end)) return NULL;
    if (byte_at(l, l->i) == ',') l->i++;
  }
  l->from = l->w->row.index[l->i];
  return part;
}

// A container that has no cells for its parts.
static bool learn_closed(learner *l, bool is_limited) {
  bool is_object = byte_at(l, l->i) == '{';
  if (l->depth == l->deepest) return false;
  l->depth++;
  l->i++;
  if (!is_object) {
    if (learn_elements(l, is_limited) == NULL) return false;
  } else {
    while (byte_at(l, l->i) != '}') {
      if (byte_at(l, l->i) == ',') l->i++;
      l->i += 3;
      uint8_t byte = byte_at(l, l->i);
      bool is_good = byte == '{' || byte == '[' ? learn_closed(l, is_limited) : learn_scalar(l, 0, is_limited);
      if (!is_good) return false;
    }
  }
  l->i++;
  l->depth--;
  return true;
}

// The member whose key is at hand, up to its value. False: it cannot be said here.
static bool learn_key(learner *l, const sm_entry *opened, uint32_t own, uint32_t *last_key, block_place block, const sm_entry **child, uint32_t *cell) {
  const sm_walker *w = l->w;
  size_t start = w->row.index[l->i], end = w->row.index[l->i + 1];
  const uint8_t *key = w->batch + start + 1;
  size_t length = end - start - 1;
  *child = NULL;
  *cell = 0;
  if (memchr(key, '\\', length) != NULL) return false;
  bool is_escaped;
  const sm_member *member = sm_find_written_member(opened, key, length, &is_escaped);
  l->i += 3;
  sm_cell *cells = l->layout->cells;
  if (member != NULL && member->child != SM_SKIP) {
    uint32_t number = member->tag - block.first_tag;
    if (number >= block.cell_count) return false;
    *child = &w->selection->entries[member->child];
    *cell = block.start + number;
    return true;
  }
  if (opened->other_members == SM_SKIP) return true;
  // A key that is kept, and its value.
  uint32_t number = opened->cell_count == 0 && opened->reopens ? 0 : take_cells(l, 2);
  if (number == 0 || !add_mark(l, false, number, start) || !add_mark(l, true, number, end + 1)) return false;
  cells[number].kind = SM_CELL_KEY;
  bool is_first = *last_key == 0;
  if (!refer(l, is_first ? own : *last_key, is_first ? SM_REFERS_BY_END : SM_REFERS_BY_NEXT, number)) return false;
  *last_key = number;
  *child = &w->selection->entries[opened->other_members];
  *cell = number + 1;
  return true;
}

static bool learn_members(learner *l, const sm_entry *opened, uint32_t own, block_place block) {
  uint32_t last_key = 0;
  while (byte_at(l, l->i) != '}') {
    if (byte_at(l, l->i) == ',') l->i++;
    const sm_entry *child;
    uint32_t cell;
    if (!learn_key(l, opened, own, &last_key, block, &child, &cell) || !learn_value(l, child, cell, block)) return false;
  }
  return true;
}

static bool learn_named_elements(learner *l, const sm_entry *opened, block_place block) {
  sm_layout *layout = l->layout;
  if (opened->last_element >= MOST_INDEX) return false;
  uint32_t first = layout->named_count, count = (uint32_t)opened->last_element + 1;
  if (first + count > SM_MOST_NAMED) return false;
  layout->named_count += count;
  for (uint32_t k = 0; k < count; k++) {
    const sm_named_elements *named = sm_named_element(opened, k);
    bool is_wanted = named != NULL && named->child != SM_SKIP;
    if (is_wanted && named->tag - block.first_tag >= block.cell_count) return false;
    layout->named[first + k] = is_wanted ? block.start + named->tag - block.first_tag : 0;
  }
  sm_part *part = learn_elements(l, false);
  if (part == NULL) return false;
  layout->has_element_cells = true;
  part->first_named = (uint8_t)first;
  part->named_count = (uint8_t)count;
  return true;
}

// The container at hand, the value of a cell, by a node that opens it.
static bool learn_opened(learner *l, const sm_entry *opened, uint32_t own, block_place around) {
  sm_cell *cells = l->layout->cells;
  uint8_t kind = byte_at(l, l->i);
  bool has_names = kind == '{' || opened->element_count > 0;
  // The cell that says where it is, and the one before the first element.
  uint32_t place = own, tail = own;
  if (has_names && opened->cell_count > 0) {
    place = take_cells(l, opened->cell_count);
    if (place == 0) return false;
    around = (block_place){opened->first_tag, opened->cell_count, place};
    if (!refer(l, own, SM_REFERS_BY_START, place)) return false;
    if (opened->reopens) {
      cells[place].kind = kind;
      cells[place].has_escapes = true;
      cells[place].next = (uint32_t)(opened - l->w->selection->entries);
    }
  } else if (!has_names && opened->reopens) {
    place = tail = take_cells(l, 1);
    if (place == 0 || !refer(l, own, SM_REFERS_BY_START, place)) return false;
    cells[place].kind = SM_CELL_HEAD;
  }
  if (opened->reopens) {
    cells[place].is_closed = true;
    if (!mark_start(l, place)) return false;
  }
  l->depth++;
  l->i++;
  if (kind == '{') {
    if (!learn_members(l, opened, own, around)) return false;
  } else if (has_names) {
    if (!learn_named_elements(l, opened, around)) return false;
  } else {
    sm_part *part = learn_elements(l, true);
    if (part == NULL) return false;
    l->layout->has_element_cells = true;
    part->has_cells = true;
    part->cell = own;
    part->tail = tail;
  }
  l->i++;
  l->depth--;
  return !opened->reopens || mark_end(l, place);
}

// The value at hand, by the node of what reads it; NULL if it is not wanted.
static bool learn_value(learner *l, const sm_entry *opened, uint32_t number, block_place around) {
  uint8_t kind = byte_at(l, l->i);
  if (kind != '{' && kind != '[') return learn_scalar(l, number, opened != NULL);
  if (opened == NULL) return learn_closed(l, false);
  if (l->depth == l->deepest) return false;
  l->layout->cells[number].kind = kind;
  if (sm_row_opens(opened, kind == '{')) return learn_opened(l, opened, number, around);
  l->layout->cells[number].is_closed = true;
  return mark_start(l, number) && learn_closed(l, true) && mark_end(l, number);
}

bool sm_learn_texts(sm_layout *layout, sm_walker *w, const sm_entry *entry, size_t first) {
  layout->part_count = layout->mark_count = layout->named_count = layout->reference_count = layout->inner_count = 0;
  layout->edition = ++w->layouts.editions;
  layout->has_element_cells = false;
  layout->used = 1;
  layout->cells[0] = (sm_cell){.kind = w->batch[w->row.index[first]]};
  uint64_t left = w->limits.depth - w->depth, deepest = left < SM_ROW_DEPTH ? left : SM_ROW_DEPTH;
  learner l = {.w = w, .layout = layout, .i = first, .from = w->row.index[first], .deepest = deepest};
  bool is_open = sm_row_opens_record(entry, layout->cells[0].kind == '{');
  bool is_learned = is_open ? learn_opened(&l, entry, 0, (block_place){0}) : learn_value(&l, entry, 0, (block_place){0});
  if (!is_learned || add_part(&l, SM_PART_END, w->row.index[l.i - 1] + (size_t)1) == NULL) return false;
  layout->has_spaces = !sm_is_compact(w, first, w->row.index[first], w->row.index[l.i - 1] + 1);
  return true;
}

void sm_learn_layout(sm_walker *w, const sm_entry *entry, size_t first) {
  sm_layouts *layouts = &w->layouts;
  if (layouts->credit == 0 || layouts->is_learned || layouts->pause > 0 || sm_layout_matcher() == NULL) return;
  layouts->credit--;
  layouts->is_learned = true;
  size_t number = layouts->count < SM_MOST_LAYOUTS ? layouts->count : layouts->victim;
  sm_layout **place = &layouts->all[number];
  if (*place == NULL) *place = malloc(sizeof **place);
  if (*place == NULL) return;
  if (!sm_learn_texts(*place, w, entry, first)) {
    // It stands for no line.
    (*place)->part_count = 0;
    return;
  }
  if (number == layouts->count) layouts->count++;
  layouts->victim = (number + 1) % SM_MOST_LAYOUTS;
}

void sm_layouts_begin(sm_layouts *layouts) { layouts->credit = SM_FIRST_CREDIT; }

void sm_layouts_destroy(sm_layouts *layouts) {
  for (size_t i = 0; i < layouts->opened_count; i++) {
    for (size_t k = 0; k < layouts->opened[i].count; k++) free(layouts->opened[i].all[k]);
  }
  for (size_t i = 0; i < SM_MOST_LAYOUTS; i++) free(layouts->all[i]);
  free(layouts->document);
}

size_t sm_layouts_memory(const sm_layouts *layouts) {
  size_t count = layouts->count;
  for (size_t i = 0; i < layouts->opened_count; i++) count += layouts->opened[i].count;
  return count * sizeof(sm_layout);
}

// --- Matching

const uint8_t *sm_match_odd_string(sm_match *match, const uint8_t *start, bool *has_escapes) {
  const uint8_t *end = match->last + SM_LAYOUT_TEXT, *p = start + 1;
  if (match->index == NULL) return NULL;
  for (;; p++) {
    p = memchr(p, '"', (size_t)(end - p));
    if (p == NULL) return NULL;
    size_t backslashes = 0;
    while (p[-1 - (ptrdiff_t)backslashes] == '\\') backslashes++;
    if (backslashes % 2 == 0) break;
  }
  size_t length = (size_t)(++p - start);
  sm_scan_state state = {0};
  sm_scan_result result = sm_scan(&state, start, length, true, match->index);
  if (result.fault != SM_SCAN_OK || result.count != 2) return NULL;
  *has_escapes = memchr(start, '\\', length) != NULL;
  return p;
}

// Compares a text with all layouts, the last one that matched first.
static const uint8_t *find_layout(sm_layouts *layouts, sm_match *match) {
  sm_match_function *matches = sm_layout_matcher();
  if (matches == NULL) return NULL;
  for (size_t k = 0; k < layouts->count; k++) {
    size_t number = (layouts->current + k) % layouts->count;
    if (layouts->all[number]->part_count == 0) continue;
    const uint8_t *end = matches(match, layouts->all[number]);
    if (end == NULL) continue;
    layouts->current = number;
    return end;
  }
  return NULL;
}

static void note_match(sm_layouts *layouts) {
  if (layouts->score < SM_GOOD) layouts->score++;
  else layouts->backoff = 0;
  if (++layouts->matches % SM_MATCHES_FOR_ONE == 0 && layouts->credit < MOST_CREDIT) layouts->credit++;
}

static void note_miss(sm_layouts *layouts) {
  layouts->score -= SM_MISS;
  if (layouts->score > SM_BAD) return;
  layouts->score = 0;
  layouts->pause = (uint32_t)FIRST_PAUSE << layouts->backoff;
  if (layouts->backoff < MOST_BACKOFF) layouts->backoff++;
}

// Compares the `length` bytes at `text`, which may begin with a record. Gives the length of the record; 0 if it is not known.
static size_t match_text(sm_walker *w, const uint8_t *text, size_t length) {
  sm_match match = {
      .text = text, .start = text, .last = text + length - SM_LAYOUT_TEXT, .cells = w->row.cells, .index = w->index,
      .string_limit = w->limits.string, .number_limit = w->limits.number};
  const uint8_t *end = find_layout(&w->layouts, &match);
  if (end == NULL) {
    note_miss(&w->layouts);
    return 0;
  }
  w->row.used = match.used;
  w->layouts.has_odd_strings = match.has_odd_strings;
  w->layouts.has_spaces = match.has_spaces || w->layouts.all[w->layouts.current]->has_spaces;
  return (size_t)(end - text);
}

size_t sm_match_line(sm_walker *w, const uint8_t *text, size_t length, size_t *line) {
  if (length > SM_BATCH) length = SM_BATCH;
  if (length < 2 * SM_LAYOUT_TEXT) return 0;
  size_t record = match_text(w, text, length), end = record;
  if (record == 0) return 0;
  while (end < length && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) end++;
  if (end == length || text[end] != '\n') return 0;
  note_match(&w->layouts);
  *line = end + 1;
  return record;
}

const uint8_t *sm_match_document(sm_walker *w, const uint8_t *text, size_t length, size_t *record) {
  sm_layouts *layouts = &w->layouts;
  if (length > MOST_DOCUMENT) return NULL;
  if (layouts->document == NULL) layouts->document = calloc(1, MOST_DOCUMENT + SM_LAYOUT_TEXT);
  if (layouts->document == NULL) return NULL;
  // PERF: a document ends where its memory does. A copy has room for whole blocks.
  memcpy(layouts->document, text, length);
  memset(layouts->document + length, 0, SM_LAYOUT_TEXT);
  *record = match_text(w, layouts->document, length + SM_LAYOUT_TEXT);
  if (*record == 0) return NULL;
  for (size_t k = *record; k < length; k++) {
    if (text[k] != ' ' && text[k] != '\t' && text[k] != '\r' && text[k] != '\n') return NULL;
  }
  note_match(layouts);
  return layouts->document;
}
