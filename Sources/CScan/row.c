// The short way of a whole record: a table of the values that the selection wants of it, by their place instead of by their order.
//
// Example: the fields id, user.name and tags are wanted; the cells of the block are numbered id 1, user 2, user.name 3, tags 4.
// For {"tags":["x","y"],"lang":"en","id":7,"user":{"name":"Ann"}} the row is
//
//     0  1        2       3        4              5 and 6, the elements
//     –  number   object  string   array: 5, 2    string, next: 6   string
//
// One loop over the index checks the grammar of the record, as the walk does, and fills the cells. It takes only what is plain.
// Where it meets anything else (a fault, a key with escapes or one that comes twice, a value that no field can take, the end of
// the batch), it answers false. Nothing of the walker has changed then, and the record goes the general way. So it finds no faults,
// and makes no decisions of its own. The more records are given up on one after the other, the longer the walker waits before it
// tries again: for no record, then for one, three, seven, up to 511.

#include <stdlib.h>
#include <string.h>

#include "scalars.h"
#include "walker.h"
#include "words.h"

// Containers of a row that are open at a time, the record itself included; of those that are passed over, inside one of them.
enum { DEEPEST = 24, DEEPEST_PASSED = 64 };
// A limit: the row of a record may hold many more cells than the record has bytes, because each object of an array has a block.
enum { FIRST_CELLS = 1024, MOST_CELLS = 1 << 15 };
// After as many misses in a row the pauses do not grow any more.
enum { MOST_MISSES = 10 };

typedef struct {
  const sm_entry *entry;
  uint32_t base, block, cell_count, last;  // of an object that is not the innermost container
  uint32_t list, tail;                     // of an array: its cell, and that of its last element
  bool is_object;
} row_level;

// A number or literal that `is_plain_scalar` does not decide on: there is white space after it, or the end of the batch is near.
// Gives its length, 0 where it is not one.
__attribute__((noinline)) static size_t odd_scalar(const uint8_t *p, size_t length, uint64_t number_limit) {
  while (length > 0 && (p[length - 1] == ' ' || p[length - 1] == '\t' || p[length - 1] == '\r')) length--;
  if (length == 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)) return 4;
  if (length == 5 && memcmp(p, "false", 5) == 0) return 5;
  uint8_t state = SM_NUMBER_START;
  if (length > number_limit || sm_number_run(p, 0, length, &state) < length) return 0;
  return sm_number_is_whole(state) ? length : 0;
}

// The end of the scalar at [start, end), which may have white space after it; 0 where it is none.
static inline size_t scalar_end(const uint8_t *batch, size_t start, size_t end, size_t length, uint64_t number_limit) {
  if (is_plain_scalar(batch + start, end - start, length - start, number_limit)) return end;
  size_t count = odd_scalar(batch + start, end - start, number_limit);
  return count == 0 ? 0 : start + count;
}

// Passes over the container whose bracket is entry `i`, with `depth` containers around it. Gives the entry after it; 0 where it is
// not plain.
__attribute__((noinline)) static size_t pass_container(const sm_walker *w, size_t i, size_t depth) {
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t count = w->count, length = w->batch_length;
  const uint64_t key_limit = w->limits.key, number_limit = w->limits.number;
  uint64_t objects = 0;  // one bit for each open container, the innermost in the lowest
  unsigned open = 0;

open:
  if (open == DEEPEST_PASSED || depth + open >= w->limits.depth) return 0;
  objects = objects << 1 | (batch[index[i]] == '{');
  open++;
  if (++i >= count) return 0;
  if (batch[index[i]] == (objects & 1 ? '}' : ']')) goto close;

part:
  if (objects & 1) {
    if (i + 3 >= count) return 0;
    if ((batch[index[i]] != '"') | (batch[index[i + 2]] != ':') | (index[i + 1] - index[i] - 1 > key_limit)) return 0;
    i += 3;
  }
  if (i + 1 >= count) return 0;
  uint8_t byte = batch[index[i]];
  if (byte == '{' || byte == '[') goto open;
  if (byte == '"') i += 2;
  else if (scalar_end(batch, index[i], index[i + 1], length, number_limit) != 0) i++;
  else return 0;

after:
  if (i >= count) return 0;
  byte = batch[index[i]];
  if (byte == ',') {
    i++;
    goto part;
  }
  if (byte != (objects & 1 ? '}' : ']')) return 0;

close:
  i++;
  objects >>= 1;
  if (--open == 0) return i;
  goto after;
}

// The member with a key that is not the expected one. Where that cannot be said here, `*is_odd` is set.
__attribute__((noinline)) static const sm_member *other_member(
    sm_walker *w, const sm_entry *entry, uint32_t last, const uint8_t *key, size_t length, bool *is_odd) {
  uint64_t prefix = sm_prefix(key, length);
  *is_odd = length > w->limits.key || sm_has_backslash(prefix);
  if (*is_odd || !sm_may_be_member(entry, prefix)) return NULL;
  const sm_member *member = sm_find_written_member(entry, key, length, is_odd);
  if (member != NULL && member->is_plain) w->successors[last] = member;
  return member;
}

// Makes room for `count` more cells after the first `used`.
__attribute__((noinline)) static bool grow(sm_walker *w, size_t used, size_t count) {
  size_t capacity = w->row.capacity == 0 ? FIRST_CELLS : w->row.capacity;
  while (capacity < used + count) capacity *= 2;
  if (capacity > MOST_CELLS) return false;
  sm_cell *cells = realloc(w->row.cells, capacity * sizeof *cells);
  if (cells == NULL) return false;
  w->row.cells = cells;
  w->row.capacity = capacity;
  return true;
}

static inline bool has_room(sm_walker *w, size_t used, size_t count) {
  return used + count <= w->row.capacity || grow(w, used, count);
}

// Fills the cells of the object at entry `*at`, which `root` is for. Sets `*at` to the entry after it.
//
// PERF: everything that a member needs is in locals, and a member that follows the one that it followed before needs nothing else.
static bool read_record(sm_walker *w, const sm_entry *root, size_t *at) {
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t count = w->count, length = w->batch_length;
  const uint64_t number_limit = w->limits.number, string_limit = w->limits.string;
  const sm_entry *const entries = w->selection->entries;
  const sm_member *const *const successors = w->successors;
  row_level levels[DEEPEST], *level = levels;
  size_t i = *at, used = 0;
  sm_cell *cells = w->row.cells;
  // Of the innermost object: the number of the cell that tag 0 would have (modulo 2^32), the numbers of its block, and the id of
  // the member that was named last.
  uint32_t base = 0, block = 0, cell_count = 0, last = 0;
  uint32_t number = 0;  // of the cell of the value at hand
  const sm_member *member;
  const sm_entry *opened = root;
  if (w->depth + DEEPEST > w->limits.depth || root->cell_count == 0) return false;
  *level = (row_level){.entry = root, .is_object = true};
  goto open_object;

member:
  // PERF: of a string, the entry after it is asked for below.
  if (i + 4 >= count) return false;
  member = successors[last];
  {
    size_t start = index[i], key_length = index[i + 1] - start - 1;
    if ((batch[start] != '"') | (batch[index[i + 2]] != ':')) return false;
    // A key that came before is within the limit of keys.
    bool is_expected = member != NULL && key_length == member->length && start + 9 <= length &&
                       (sm_load(batch + start + 1) & member->mask) == member->prefix;
    if (!is_expected || (key_length > 8 && memcmp(batch + start + 9, member->key + 8, key_length - 8) != 0)) {
      bool is_odd;
      member = other_member(w, level->entry, last, batch + start + 1, key_length, &is_odd);
      if (is_odd) return false;
    }
  }
  if (member == NULL || member->child == SM_SKIP) goto passed_value;
  last = member->id;
  number = base + member->tag;
  if (number - block >= cell_count || cells[number].kind != SM_CELL_ABSENT) return false;
  i += 3;
  {
    size_t start = index[i], end = index[i + 1];
    uint8_t byte = batch[start];
    if (byte == '"') {
      if (i + 2 >= count || end - start - 1 > string_limit) return false;
      bool has_escapes = sm_has_escape(batch + start + 1, end - start - 1, length - start - 1);
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)end + 1, 0, byte, has_escapes};
      i += 2;
    } else if (byte == '{' || byte == '[') {
      opened = &entries[member->child];
      goto container;
    } else {
      size_t behind = scalar_end(batch, start, end, length, number_limit);
      if (behind == 0) return false;
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)behind, 0, byte, false};
      i++;
    }
  }

after_member: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    goto member;
  }
  if (byte != '}') return false;
  goto close;
}

passed_value: {
  uint8_t byte = batch[index[i + 3]];
  if (byte == '"') {
    i += 5;
  } else if (byte == '{' || byte == '[') {
    i = pass_container(w, i + 3, w->depth + (size_t)(level - levels) + 1);
    if (i == 0) return false;
  } else {
    if (scalar_end(batch, index[i + 3], index[i + 4], length, number_limit) == 0) return false;
    i += 4;
  }
  if (i >= count) return false;
  goto after_member;
}

element:
  if (i + 1 >= count || !has_room(w, used, 1)) return false;
  cells = w->row.cells;
  number = (uint32_t)used++;
  if (level->tail == level->list) cells[level->list].start = number;
  else cells[level->tail].next = number;
  level->tail = number;
  cells[level->list].end++;
  {
    size_t start = index[i], end = index[i + 1];
    uint8_t byte = batch[start];
    if (byte == '"') {
      if (i + 2 >= count || end - start - 1 > string_limit) return false;
      bool has_escapes = sm_has_escape(batch + start + 1, end - start - 1, length - start - 1);
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)end + 1, 0, byte, has_escapes};
      i += 2;
    } else if (byte == '{' || byte == '[') {
      opened = &entries[level->entry->other_elements];
      goto container;
    } else {
      size_t behind = scalar_end(batch, start, end, length, number_limit);
      if (behind == 0) return false;
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)behind, 0, byte, false};
      i++;
    }
  }

after_element: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    goto element;
  }
  if (byte != ']') return false;
}

close:
  i++;
  if (level == levels) {
    *at = i;
    return true;
  }
  level--;
  if (i >= count) return false;
  if (!level->is_object) goto after_element;
  base = level->base;
  block = level->block;
  cell_count = level->cell_count;
  last = level->last;
  goto after_member;

container: {
  bool is_object = batch[index[i]] == '{';
  if (opened->kind != SM_KIND_PARTS || level == levels + DEEPEST - 1) return false;
  cells[number] = (sm_cell){0, 0, 0, batch[index[i]], false};
  bool is_in_object = level->is_object;
  if (is_in_object) {
    level->base = base;
    level->block = block;
    level->cell_count = cell_count;
    level->last = last;
  }
  level++;
  level->entry = opened;
  level->is_object = is_object;
  if (is_object) {
    if (opened->member_count == 0) return false;
    if (opened->cell_count > 0) goto open_object;
    // A step of paths: its members have cells in the block around it.
    if (!is_in_object) return false;
    goto open_path;
  }
  if (opened->other_elements <= SM_KEEP || opened->element_count > 0) return false;
  level->list = level->tail = number;
  if (++i >= count) return false;
  if (batch[index[i]] == ']') goto close;
  goto element;
}

open_object:
  cell_count = opened->cell_count;
  if (!has_room(w, used, cell_count)) return false;
  cells = w->row.cells;
  block = (uint32_t)used;
  base = block - opened->first_tag;
  memset(cells + used, 0, cell_count * sizeof *cells);
  if (level > levels) cells[number].start = block;
  used += cell_count;

open_path:
  if (opened->other_members != SM_SKIP) return false;
  last = opened->start;
  if (++i >= count) return false;
  if (batch[index[i]] == '}') goto close;
  goto member;
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
  size_t first = w->i, end = first;
  const sm_entry *entry = &w->selection->entries[w->selection->entries[node].inside];
  if (!read_record(w, entry, &end) || !ends_here(w, end)) {
    note_miss(w);
    return false;
  }
  if (w->row.misses > 0) w->row.misses--;
  w->row.entry_count = end - first;
  w->row.is_out = true;
  w->row.node = node;
  w->row.i = first;
  w->row.line = w->line;
  w->row.line_start = w->line_start;
  w->row.is_first_text = w->is_first_text;
  w->row.has_text = w->has_text;
  w->i = end;
  return true;
}

void sm_walker_take_rows(sm_walker *w, bool takes_rows) { w->row.is_wanted = takes_rows && !w->hands_text; }

sm_row sm_walker_row(const sm_walker *w) { return (sm_row){.cells = w->row.cells, .text = w->batch}; }

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
