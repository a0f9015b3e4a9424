// The short way of a whole record: a table of the values that the selection wants of it, by their place instead of by their order.
//
// Example: the fields id, user.name and tags are wanted; the cells of the block are numbered id 1, user 2, user.name 3, tags 4.
// For {"tags":["x","y"],"lang":"en","id":7,"user":{"name":"Ann"}} the row is
//
//     0  1        2       3        4              5 and 6, the elements
//     –  number   object  string   array: 5, 2    string, next: 6   string
//
// One loop over the index checks the grammar of the record, as the walk does, and fills the cells. What leads from one value to
// the next is compared with what led on in earlier records (`links.h`). It takes only what is plain.
// Where it meets anything else (a fault, a key with escapes or one that comes twice, a value that no field can take, the end of
// the batch), it answers false. Nothing of the walker has changed then, and the record goes the general way. So it finds no faults,
// and makes no decisions of its own. The more records are given up on one after the other, the longer the walker waits before it
// tries again: for no record, then for one, three, seven, up to 511.

#include <stdlib.h>
#include <string.h>

#include "row.h"

// A limit: the row of a record may hold many more cells than the record has bytes, because each object of an array has a block.
enum { FIRST_CELLS = 1024, MOST_CELLS = 1 << 15 };
// After as many misses in a row the pauses do not grow any more.
enum { MOST_MISSES = 10 };

bool sm_grow_cells(sm_walker *w, size_t used, size_t count) {
  size_t capacity = w->row.capacity == 0 ? FIRST_CELLS : w->row.capacity;
  while (capacity < used + count) capacity *= 2;
  if (capacity > MOST_CELLS) return false;
  sm_cell *cells = realloc(w->row.cells, capacity * sizeof *cells);
  if (cells == NULL) return false;
  w->row.cells = cells;
  w->row.capacity = capacity;
  return true;
}

// Begins an object at entry i: takes its block, if it has one of its own. `number` is its own cell, where it has one.
static inline bool open_object(row_reader *r, const sm_entry *opened, bool has_cell, uint32_t number) {
  sm_walker *const w = r->w;
  if (opened->other_members != SM_SKIP) return false;
  r->place = &w->links.places[opened->start];
  r->last = opened->start;
  r->i++;
  // A step of paths: its members have cells in the block around it.
  if (opened->cell_count == 0) return true;
  if (!has_room(w, r->used, opened->cell_count)) return false;
  r->first_tag = opened->first_tag;
  r->cell_count = opened->cell_count;
  r->block = (uint32_t)r->used;
  memset(w->row.cells + r->used, 0, opened->cell_count * sizeof *w->row.cells);
  if (has_cell) w->row.cells[number].start = r->block;
  r->used += opened->cell_count;
  return true;
}

// Fills the cells of the object at entry `r->i`, which `root` is for. Sets `r->i` to the entry after it.
static bool read_record(row_reader *r, const sm_entry *root) {
  sm_walker *const w = r->w;
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const sm_entry *const entries = w->selection->entries;
  row_stop stop;
  const sm_entry *opened;
  uint32_t number;  // of the cell of the value at hand
  if (w->depth + DEEPEST > w->limits.depth || root->cell_count == 0) return false;
  r->level = r->levels;
  r->level->entry = root;
  r->level->is_object = true;
  if (!open_object(r, root, false, 0)) return false;

members:
  do {
    stop = r->last_link > 0 ? sm_row_members(r) : STOP_UNKNOWN;
    if (stop == STOP_UNKNOWN) {
      if (r->i < w->count && batch[index[r->i]] == '}') goto close;
      stop = sm_row_other_members(r);
      if (stop == STOP_UNKNOWN) goto close;
    }
  } while (stop == STOP_AFTER);
  if (stop == STOP_ODD) return false;
  if (r->member == NULL) {
    r->i = sm_pass_container(w, r->i, w->depth + (size_t)(r->level - r->levels) + 1);
    if (r->i == 0) return false;
    goto members;
  }
  {
    sm_cell *cell = cell_of(r, w->row.cells + r->block, r->member);
    if (cell == NULL) return false;
    number = (uint32_t)(cell - w->row.cells);
    opened = &entries[r->member->child];
    goto container;
  }

part:
  stop = sm_row_elements(r);
  if (stop == STOP_ODD) return false;
  if (stop == STOP_VALUE) {
    number = r->level->tail;
    opened = &entries[r->level->entry->other_elements];
    goto container;
  }

after_element: {
  uint8_t byte = batch[index[r->i]];
  if (byte == ',') {
    r->i++;
    goto part;
  }
  if (byte != ']') return false;
}

close:
  r->i++;
  if (r->level == r->levels) return true;
  r->level--;
  if (r->i >= w->count) return false;
  if (!r->level->is_object) goto after_element;
  r->first_tag = r->level->first_tag;
  r->cell_count = r->level->cell_count;
  r->block = r->level->block;
  r->place = r->level->place;
  r->last = r->level->last;
  goto members;

container: {
  bool is_object = batch[index[r->i]] == '{', is_in_object = r->level->is_object;
  if (opened->kind != SM_KIND_PARTS || r->level == r->levels + DEEPEST - 1) return false;
  w->row.cells[number] = (sm_cell){0, 0, 0, batch[index[r->i]], false};
  push(r, opened, is_object);
  if (is_object) {
    // A step of paths has its cells in the block of an object.
    if (opened->member_count == 0 || (opened->cell_count == 0 && !is_in_object)) return false;
    if (!open_object(r, opened, true, number)) return false;
    goto members;
  }
  if (opened->other_elements <= SM_KEEP || opened->element_count > 0) return false;
  r->level->list = r->level->tail = number;
  if (++r->i >= w->count) return false;
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
  return i == w->count && w->is_batch_final && w->scan_fault == SM_SCAN_OK;
}

static void note_miss(sm_walker *w) {
  if (w->row.misses < MOST_MISSES) w->row.misses++;
  w->row.pause = ((uint32_t)1 << (w->row.misses - 1)) - 1;
}

bool sm_read_row(sm_walker *w, sm_node node) {
  if (w->row.pause > 0) {
    w->row.pause--;
    return false;
  }
  // A record that is as long as the last one is not in the batch as a whole.
  bool may_end = w->row.entry_count < w->count - w->i;
  w->row.entry_count /= 2;
  if (!may_end) return false;
  size_t first = w->i, length = w->batch_length;
  const sm_entry *entry = &w->selection->entries[w->selection->entries[node].inside];
  row_reader r;  // PERF: its levels are not zeroed.
  r.w = w;
  r.i = first;
  r.used = 0;
  size_t room = SM_LINK_ROOM + SM_VALUE_ROOM;
  r.last_link = length < room || w->links.pause > 0 ? 0 : length - room;
  r.unknown = 0;
  bool is_row = read_record(&r, entry) && ends_here(w, r.i);
  sm_links_end_record(&w->links, r.unknown, r.i - first);
  if (!is_row) {
    note_miss(w);
    return false;
  }
  if (w->row.misses > 0) w->row.misses--;
  w->row.entry_count = r.i - first;
  w->row.is_out = true;
  w->row.node = node;
  w->row.i = first;
  w->row.line = w->line;
  w->row.line_start = w->line_start;
  w->row.is_first_text = w->is_first_text;
  w->row.has_text = w->has_text;
  w->i = r.i;
  return true;
}

void sm_walker_take_rows(sm_walker *w, bool takes_rows) {
  w->row.is_wanted = takes_rows && !w->hands_text && sm_links_create(&w->links, w->selection);
}

sm_row sm_walker_row(const sm_walker *w) {
  return (sm_row){.cells = w->row.cells, .text = w->batch, .readable = w->batch_length};
}

void sm_walker_redo(sm_walker *w) {
  if (!w->row.is_out) return;
  w->row.is_out = false;
  note_miss(w);
  if (w->depth == 0) w->text.end = w->text.start;
  w->row.pause++;
  w->i = w->row.i;
  w->line = w->row.line;
  w->line_start = w->row.line_start;
  w->is_first_text = w->row.is_first_text;
  w->has_text = w->row.has_text;
  w->node = w->row.node;
  w->state = STATE_VALUE;
}
