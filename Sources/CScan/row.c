// The short way of a whole record: a table of the values that the selection wants of it, by their place instead of by their order.
//
// Example: the fields id, user.name and tags are wanted; the cells of the block are numbered id 1, user 2, user.name 3, tags 4.
// For {"tags":["x","y"],"lang":"en","id":7,"user":{"name":"Ann"}} the row is
//
//     0          1  2        3       4        5              6 and 7, the elements
//     object: 1  –  number   object  string   array: 6, 2    string, next: 7   string
//
// One loop over the index checks the grammar of the record, as the walk does, and fills the cells. What leads from one value to
// the next is compared with what led on in earlier records (`links.h`). It takes only what is plain. A scalar is a row of one
// cell, and so is what the selection does not open. A record that the batch cuts off is put off to the next one. Where it meets anything else
// (a fault, a key that comes twice), the record is no row. Nothing of the walker has changed then, and the record goes the general way. So it
// finds no faults, and makes no decisions of its own. The more records are given up on one after the other, the longer the walker waits before
// it tries again: for no record, then for one, three, seven, up to 511.

#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "row_values.h"

// After as many misses in a row the pauses do not grow any more.
enum { MOST_MISSES = 10 };

// Begins an object, or an array with named elements, whose own cell is `number`, at entry i.
static inline bool open_named(row_reader *r, const sm_entry *opened, uint32_t number) {
  sm_walker *const w = r->w;
  size_t first = r->i++;
  r->place = &w->links.places[opened->start];
  r->last = opened->start;
  r->level->cell = number;
  r->level->tail = 0;
  sm_cell *cell = &w->row.cells[number];
  uint8_t kind = cell->kind;
  if (opened->cell_count > 0) {
    if (!has_room(r->used, opened->cell_count)) return false;
    r->first_tag = opened->first_tag;
    r->cell_count = opened->cell_count;
    r->block = (uint32_t)r->used;
    memset(w->row.cells + r->used, 0, opened->cell_count * sizeof *w->row.cells);
    cell->start = r->block;
    r->used += opened->cell_count;
    if (!opened->reopens) return true;
    cell = &w->row.cells[r->block];
    cell->kind = kind;
    cell->has_escapes = true;  // a block's first cell, not the first element of an array
    cell->next = (uint32_t)(opened - w->selection->entries);
  } else if (!opened->reopens) {
    // A step of paths: its members have cells in the block around it.
    return true;
  }
  cell->start = w->row.index[first];
  cell->is_closed = true;
  return true;
}

// Fills the cells of the container at entry `r->i`, which is the value of cell `number`, by a node that opens it. Sets `r->i` to the
// entry after it.
//
// `is_record`: it is a record, and an object.
// PERF: inlined where whole records are read.
__attribute__((always_inline)) static inline bool read_container(
    row_reader *r, const sm_entry *opened, uint32_t number, bool is_record) {
  sm_walker *const w = r->w;
  const uint32_t *const index = w->row.index;
  const uint8_t *const batch = w->batch;
  const sm_entry *const entries = w->selection->entries;
  row_stop stop;
  r->level = r->levels;
  r->level->is_object = false;
  if (!is_record) goto container;
  w->row.cells[number] = (sm_cell){.kind = '{'};
  push(r, opened, true);
  if (!open_named(r, opened, number)) return false;

members:
  do {
    stop = r->last_link > 0 ? sm_row_members(r) : STOP_UNKNOWN;
    if (stop == STOP_UNKNOWN) {
      if (r->i < w->row.count && batch[index[r->i]] == '}') goto close;
      stop = sm_row_other_members(r);
      if (stop == STOP_UNKNOWN) goto close;
    }
  } while (stop == STOP_AFTER);
  if (stop == STOP_ODD) return false;
  if (r->member != NULL) {
    sm_cell *cell = cell_of(r, w->row.cells + r->block, r->member);
    if (cell == NULL) return false;
    number = (uint32_t)(cell - w->row.cells);
    opened = &entries[r->member->child];
    goto container;
  }
  if (r->other != 0) {
    number = r->other;
    opened = &entries[r->level->entry->other_members];
    goto container;
  }
  r->i = sm_pass_container(w, r->i, w->depth + (size_t)(r->level - r->levels), UINT64_MAX);
  if (r->i == 0) return false;
  goto members;

part:
  if (r->level->entry->element_count > 0) goto named_element;
  stop = sm_row_elements(r);
  if (stop == STOP_ODD) return false;
  if (stop == STOP_VALUE) {
    number = r->level->tail;
    opened = &entries[r->level->entry->other_elements];
    goto container;
  }

after_element: {
  if (r->i >= w->row.count) return false;
  uint8_t byte = batch[index[r->i]];
  if (byte == ',') {
    if (++r->i >= w->row.count) return false;
    goto part;
  }
  if (byte != ']') return false;
}

close:
  r->i++;
  if (r->level->entry->reopens) {
    bool has_names = r->level->is_object || r->level->entry->element_count > 0, has_block = r->level->entry->cell_count > 0;
    // The elements of an array may have had blocks of their own.
    uint32_t block = r->level->is_object ? r->block : r->level->block;
    uint32_t place = !has_names ? w->row.cells[r->level->cell].start : has_block ? block : r->level->cell;
    w->row.cells[place].end = index[r->i - 1] + 1;
  }
  r->level--;
  if (r->level == r->levels) return true;

  if (!r->level->is_object) goto after_element;
  if (r->i >= w->row.count) return false;
  r->first_tag = r->level->first_tag;
  r->cell_count = r->level->cell_count;
  r->block = r->level->block;
  r->place = r->level->place;
  r->last = r->level->last;
  goto members;

named_element: {
  row_level *level = r->level;
  const sm_named_elements *named = sm_named_element(level->entry, level->tail++);
  bool is_container = batch[index[r->i]] == '{' || batch[index[r->i]] == '[';
  if (named == NULL || named->child == SM_SKIP) {
    if (is_container) r->i = sm_pass_container(w, r->i, w->depth + (size_t)(level - r->levels), UINT64_MAX);
    else if (!sm_row_pass(r)) return false;
    if (r->i == 0) return false;
    goto after_element;
  }
  r->first_tag = level->first_tag;
  r->cell_count = level->cell_count;
  r->block = level->block;
  number = r->block + named->tag - r->first_tag;
  opened = &entries[named->child];
  if (is_container) goto container;
  if (r->i + 1 >= w->row.count || !sm_row_fill(r, number)) return false;
  goto after_element;
}

container: {
  bool is_object = batch[index[r->i]] == '{';
  size_t depth = (size_t)(r->level - r->levels);
  w->row.cells[number] = (sm_cell){.kind = batch[index[r->i]]};
  if (depth == 0 && !sm_row_opens(opened, is_object)) return false;
  if (r->level == r->deepest || !sm_row_opens(opened, is_object)) {
    // What paths go through has no other place for what is in it.
    if (r->level == r->deepest && sm_row_opens(opened, is_object) && opened->cell_count == 0 && (is_object || opened->element_count > 0)) return false;
    size_t first = r->i;
    r->i = sm_pass_container(w, first, w->depth + depth, w->limits.string);
    if (r->i == 0) return false;
    w->row.cells[number].start = index[first];
    w->row.cells[number].end = index[r->i - 1] + 1;
    w->row.cells[number].is_closed = true;
    if (r->level->is_object) goto members;
    goto after_element;
  }
  push(r, opened, is_object);
  if (is_object || opened->element_count > 0) {
    if (!open_named(r, opened, number)) return false;
    if (is_object) goto members;
    r->level->first_tag = r->first_tag;
    r->level->cell_count = r->cell_count;
    r->level->block = r->block;
    if (r->i >= w->row.count) return false;
    if (batch[index[r->i]] == ']') goto close;
    goto part;
  }
  r->level->cell = r->level->tail = number;
  if (opened->reopens) {
    if (!has_room(r->used, 1)) return false;
    w->row.cells[number].start = r->level->tail = (uint32_t)r->used++;
    w->row.cells[r->level->tail] = (sm_cell){.start = index[r->i], .kind = SM_CELL_HEAD, .is_closed = true};
  }
  if (++r->i >= w->row.count) return false;
  if (batch[index[r->i]] == ']') goto close;
  goto part;
}
}

// Whether the text of the record that ends before entry `i` ends in the batch, too. If not, the batch may be gone before it is
// known to be good.
static bool ends_here(const sm_walker *w, size_t i) {
  if (w->depth > 0 || w->framing == SM_FRAMING_CONCAT || w->framing == SM_FRAMING_AUTO) return true;
  if (w->framing == SM_FRAMING_NDJSON && i < w->count) return w->batch[w->index[i]] == '\n';
  while (i < w->count && w->batch[w->index[i]] == '\n') i++;
  // An entry ends where the next one begins.
  if (w->framing == SM_FRAMING_SEQ && i < w->count) return w->batch[w->index[i]] == 0x1E;
  return i == w->count && w->is_batch_final && w->scan_fault == SM_SCAN_OK;
}

bool sm_leave_out_line_feeds(sm_walker *w, sm_lines_inside *lines) {
  if (w->row.flat == NULL) w->row.flat = malloc(SM_INDEX_ROOM * sizeof *w->row.flat);
  if (w->row.flat == NULL) return false;
  uint32_t *to = w->row.flat;
  size_t i = w->i, depth = 0;
  *lines = (sm_lines_inside){0};
  do {
    if (i == w->count) return false;
    uint32_t place = w->index[i++];
    uint8_t byte = w->batch[place];
    if (byte == '\n') {
      lines->line_feeds++;
      lines->last = place;
      continue;
    }
    *to++ = place;
    depth += (byte | 0x20) == '{';
    depth -= (byte | 0x20) == '}';
  } while (depth > 0);
  lines->end = i;
  w->row.index = w->row.flat;
  w->row.count = (size_t)(to - w->row.flat);
  for (size_t k = 0; k < SM_INDEX_END; k++) to[k] = w->index[i];
  return true;
}

static void note_miss(sm_walker *w) {
  if (w->row.misses < MOST_MISSES) w->row.misses++;
  w->row.pause = ((uint32_t)1 << (w->row.misses - 1)) - 1;
}

static inline void begin_row(row_reader *r, sm_walker *w, size_t first, size_t used) {
  size_t readable = w->batch_room, room = SM_LINK_ROOM + SM_VALUE_ROOM;
  r->w = w;
  r->deepest = r->levels + (w->limits.depth - w->depth < SM_ROW_DEPTH ? w->limits.depth - w->depth : SM_ROW_DEPTH);
  r->i = first;
  r->used = used;
  r->last_link = readable < room || w->links.pause > 0 ? 0 : readable - room;
  if (r->last_link > w->batch_length) r->last_link = w->batch_length;
  r->unknown = 0;
}

void sm_begin_row(row_reader *r, sm_walker *w, size_t first, size_t used) { begin_row(r, w, first, used); }

__attribute__((noinline)) bool sm_open_container(row_reader *r, const sm_entry *opened, uint32_t number) {
  return read_container(r, opened, number, false);
}

// Reads a container that the selection does not open.
static bool read_closed(row_reader *r) {
  sm_walker *const w = r->w;
  size_t first = r->i;
  r->i = sm_pass_container(w, first, w->depth, w->limits.string);
  if (r->i == 0) return false;
  uint32_t start = w->row.index[first];
  w->row.cells[0] = (sm_cell){.start = start, .end = w->row.index[r->i - 1] + 1, .kind = w->batch[start], .is_closed = true};
  return true;
}

// Reads the record at entry `first` of what rows are made of.
static bool read_record(row_reader *r, sm_walker *w, const sm_entry *entry, size_t first) {
  begin_row(r, w, first, 1);
  bool is_object = w->batch[w->row.index[first]] == '{', is_open = sm_row_opens_record(entry, is_object);
  bool is_row = !is_open ? read_closed(r) : is_object ? read_container(r, entry, 0, true) : sm_open_container(r, entry, 0);
  sm_links_end_record(&w->links, r->unknown, r->i - first);
  return is_row;
}

// Hands a row out that was read from entry `first` of its table on, and passes over it.
// PERF: inlined where whole records are read.
__attribute__((always_inline)) static inline void hand_out(sm_walker *w, sm_node node, const row_reader *r, size_t first, size_t length, sm_lines_inside lines) {
  w->row.used = r->used;
  if (w->row.misses > 0) w->row.misses--;
  w->row.entry_count = r->i - first;
  w->row.length = length;
  w->row.is_out = true;
  w->row.is_unscanned = false;
  w->row.work = 0;
  w->row.node = node;
  w->row.i = first;
  w->row.first = w->i;
  w->row.line = w->line;
  w->row.line_start = w->line_start;
  w->row.is_first_text = w->is_first_text;
  w->row.has_text = w->has_text;
  w->i = lines.end;
  w->line += lines.line_feeds;
  if (lines.line_feeds > 0) w->line_start = absolute(w, lines.last + 1);
}

// Takes a scalar at the current entry as a row of one cell. One that the batch may cut off is no row, nor is a text that has nothing after it:
// what that means depends on the framing.
__attribute__((noinline)) static sm_row_outcome read_scalar(sm_walker *w, sm_node node) {
  row_reader r;
  w->row.index = w->index;
  w->row.count = w->count;
  begin_row(&r, w, w->i, 1);
  if (r.i + 1 >= w->count || !sm_row_fill(&r, 0) || !ends_here(w, r.i)) return SM_IS_NO_ROW;
  const sm_cell *cell = w->row.cells;
  bool is_alone = cell->kind == '"' || w->depth > 0 || (cell->end < w->batch_length && is_space(w->batch[cell->end]));
  if (!is_alone) return SM_IS_NO_ROW;
  hand_out(w, node, &r, w->i, cell->end - cell->start, (sm_lines_inside){.end = r.i});
  return SM_IS_ROW;
}

sm_row_outcome sm_read_row(sm_walker *w, sm_node node) {
  if (w->row.pause > 0) {
    w->row.pause--;
    return SM_IS_NO_ROW;
  }
  const sm_entry *entry = sm_row_entry(w, node);
  if (entry == NULL || w->depth >= w->limits.depth) return SM_IS_NO_ROW;
  uint8_t byte = w->batch[w->index[w->i]];
  bool is_object = byte == '{';
  if (!is_object && byte != '[') return read_scalar(w, node);
  // What is in an object that only paths go through has no cells.
  if (is_object && sm_row_opens(entry, true) && entry->cell_count == 0) return SM_IS_NO_ROW;
  // PERF: a record that is as long as the last one is not in the batch as a whole.
  bool may_end = w->row.entry_count < w->count - w->i;
  w->row.entry_count /= 2;
  if (!may_end && sm_put_off(w, true)) return SM_IS_CUT_OFF;
  row_reader r;  // PERF: its levels are not zeroed.
  sm_lines_inside lines = {0};
  size_t first = w->i;
  // In these, a line feed is white space, and says nothing more.
  bool may_have_lines = w->framing == SM_FRAMING_JSON || w->framing == SM_FRAMING_CONCAT || w->framing == SM_FRAMING_SEQ;
  bool is_row = false;
  if (!w->row.has_lines || !may_have_lines) {
    w->row.index = w->index;
    w->row.count = w->count;
    is_row = read_record(&r, w, entry, first);
    lines.end = r.i;
  }
  // PERF: records like the one before are tried in the right way first.
  if (!is_row && may_have_lines && sm_leave_out_line_feeds(w, &lines)) {
    bool is_first_try = w->row.has_lines;
    w->row.has_lines = lines.line_feeds > 0;
    // The strings that were searched last may come again.
    w->row.clean = 0;
    if (is_first_try || w->row.has_lines) is_row = read_record(&r, w, entry, first = 0);
  }
  if (!is_row || !ends_here(w, lines.end)) {
    if (may_end && sm_put_off(w, false)) return SM_IS_CUT_OFF;
    note_miss(w);
    return SM_IS_NO_ROW;
  }
  hand_out(w, node, &r, first, w->row.index[r.i - 1] + 1 - w->row.index[first], lines);
  return SM_IS_ROW;
}

void sm_walker_take_rows(sm_walker *w, bool takes_rows) {
  w->row.is_wanted = takes_rows && !w->hands_text && sm_links_create(&w->links, w->selection);
  // PERF: they stay where they are, and what no row needs is never touched.
  if (w->row.is_wanted && w->row.cells == NULL) w->row.cells = malloc(SM_MOST_CELLS * sizeof *w->row.cells);
  if (w->row.cells == NULL) w->row.is_wanted = false;
}

sm_row sm_walker_row(sm_walker *w) {
  return (sm_row){.cells = w->row.cells, .text = w->batch, .readable = w->batch_room, .walker = w};
}

uint64_t sm_row_count(sm_walker *w, uint64_t work) {
  w->row.work += work;
  return w->row.work;
}

uint32_t sm_row_cells(const sm_walker *w) { return (uint32_t)w->row.used; }

void sm_row_release(sm_walker *w, uint32_t count) {
  if (count < w->row.used) w->row.used = count;
}

uint32_t sm_row_block(sm_walker *w, uint32_t cell_count) {
  if (!has_room(w->row.used, cell_count)) return 0;
  memset(w->row.cells + w->row.used, 0, cell_count * sizeof *w->row.cells);
  uint32_t block = (uint32_t)w->row.used;
  w->row.used += cell_count;
  return block;
}

uint32_t sm_row_open(sm_walker *w, uint32_t start, uint32_t end, sm_node node) {
  const sm_entry *opened = &w->selection->entries[node];
  if (!has_room(w->row.used, 1)) return 0;
  // What paths go through has its cells in the block of something else.
  if (opened->cell_count == 0 && (opened->member_count > 0 || opened->element_count > 0)) return 0;
  uint32_t number = (uint32_t)w->row.used;
  if (sm_match_opened(w, start, end, node, number)) return number;
  size_t entry = sm_row_find(w, start, end);
  if (entry >= w->row.count || w->row.index[entry] != start) return 0;
  row_reader r;
  begin_row(&r, w, entry, w->row.used + 1);
  // These strings may come before those that were searched last.
  w->row.clean = 0;
  bool is_open = sm_open_container(&r, opened, number);
  w->row.clean = 0;
  if (!is_open) return 0;
  w->row.used = r.used;
  sm_learn_opened(w, node, entry);
  return number;
}

void sm_walker_redo(sm_walker *w) {
  if (!w->row.is_out) return;
  if (w->row.is_unscanned) {
    size_t room = w->batch_room;
    sm_scan_batch(w, w->batch, w->batch_length, w->is_batch_final);
    w->batch_room = room;
    w->row.is_unscanned = false;
  }
  w->row.is_out = false;
  note_miss(w);
  if (w->depth == 0) w->text.end = w->text.start;
  w->row.pause++;
  w->i = w->row.first;
  w->line = w->row.line;
  w->line_start = w->row.line_start;
  w->is_first_text = w->row.is_first_text;
  w->has_text = w->row.has_text;
  w->node = w->row.node;
  w->state = STATE_VALUE;
}
