// Inner rows: of a record that is not a row (it is longer than a batch, say), the values in it that are rows.
//
// Example: of {"items":[{"id":1},{"id":2}, …]}, the elements of `items` are mapped by an object of their own. The record goes the walker's way,
// with tokens for `{`, `"items"` and `[`. Then the elements come as rows, as many at a time as are plain, up to one that the batch cuts off.
//
// What is tried in vain is read once more. So it is remembered for each node how many entries its last values had, and how often one was given
// up; and what is tried in vain in a batch is bounded, whatever is in it.

#include <stdlib.h>
#include <string.h>

#include "emission.h"
#include "row.h"

// How many are handed over at a time, and the cells after which no other one begins: who reads them may need more.
enum { MOST_ROWS = 64, ENOUGH_CELLS = SM_MOST_CELLS / 2 };
// After as many misses in a row the pauses do not grow any more.
enum { MOST_MISSES = 10 };
// How often the entries of a batch may be read in vain.
enum { MOST_IN_VAIN = 16 };

typedef struct {
  size_t i;            // its first entry in the batch
  size_t first, count; // its entries in what rows are made of
  uint64_t line, line_start;
  uint32_t cell;
} inner_row;

// What is known of the values at a node.
typedef struct {
  uint32_t entries;  // of the longest of the last ones; of one that was given up, more than were left of the batch
  uint16_t pause;    // how many are not tried
  uint8_t misses;    // how many more were given up than were made, lately
} node_history;

struct sm_inner_rows {
  size_t count;
  sm_node node;
  uint64_t index;    // of the first one, if they are elements
  bool is_refused;   // the next value is one that was refused
  size_t in_vain;    // entries of this batch that were read in vain
  inner_row rows[MOST_ROWS];
  node_history nodes[];
};

void sm_walker_take_inner_rows(sm_walker *w, bool takes_rows) {
  if (!takes_rows || !w->row.is_wanted) return sm_inner_rows_destroy(w);
  if (w->row.inner != NULL) return;
  // Without memory for them, the record is read all the same.
  w->row.inner = calloc(1, sizeof *w->row.inner + w->selection->count * sizeof *w->row.inner->nodes);
}

void sm_inner_rows_begin_batch(sm_walker *w) {
  if (w->row.inner != NULL) w->row.inner->in_vain = 0;
}

void sm_inner_rows_begin(sm_walker *w) {
  if (w->row.inner != NULL) w->row.inner->is_refused = false;
}

void sm_inner_rows_destroy(sm_walker *w) {
  free(w->row.inner);
  w->row.inner = NULL;
}

static void note_miss(node_history *node) {
  if (node->misses < MOST_MISSES) node->misses++;
  node->pause = (uint16_t)((1 << (node->misses - 1)) - 1);
}

// Values of a node may be of many lengths: the longest of the last ones counts.
static void note_length(node_history *node, size_t entries) {
  node->entries -= node->entries / 8;
  if (node->entries < entries) node->entries = (uint32_t)entries;
}

// Whether a value at a node is tried, while `left` entries are left of the batch.
static bool is_tried(struct sm_inner_rows *inner, node_history *node, size_t left) {
  if (inner->is_refused || inner->in_vain > MOST_IN_VAIN * SM_BATCH) {
    inner->is_refused = false;
    return false;
  }
  if (node->pause > 0) {
    node->pause--;
    return false;
  }
  // PERF: one that is as long as those before is not in the batch as a whole.
  if (node->entries < left) return true;
  node->entries -= (node->entries + 7) / 8;
  return false;
}

// Whether a line feed is white space, and says nothing more.
static bool takes_line_feeds(const sm_walker *w) {
  return w->framing == SM_FRAMING_JSON || w->framing == SM_FRAMING_CONCAT || w->framing == SM_FRAMING_SEQ;
}

// Reads the container at the current entry by a node, and passes over it. Gives whether it is a row.
//
// `may_have_lines`: whether the entries of line feeds may be left out, in a table that holds only this row.
static bool read_row(sm_walker *w, const sm_entry *opened, inner_row *row, bool may_have_lines, bool *has_lines) {
  row_reader r;
  sm_lines_inside lines = {0};
  *row = (inner_row){.i = w->i, .first = w->i, .line = w->line, .line_start = w->line_start, .cell = (uint32_t)w->row.used};
  bool is_row = false;
  if (!*has_lines || !may_have_lines) {
    w->row.index = w->index;
    w->row.count = w->count;
    sm_begin_row(&r, w, w->i, w->row.used + 1);
    is_row = sm_open_container(&r, opened, row->cell);
    lines.end = r.i;
  }
  if (!is_row && may_have_lines && sm_leave_out_line_feeds(w, &lines)) {
    bool is_first_try = *has_lines;
    *has_lines = lines.line_feeds > 0;
    w->row.clean = 0;
    if (is_first_try || *has_lines) {
      row->first = 0;
      sm_begin_row(&r, w, 0, w->row.used + 1);
      is_row = sm_open_container(&r, opened, row->cell);
    }
  }
  if (!is_row) return false;
  sm_links_end_record(&w->links, r.unknown, r.i - row->first);
  row->count = r.i - row->first;
  w->row.used = r.used;
  w->i = lines.end;
  w->line += lines.line_feeds;
  if (lines.line_feeds > 0) w->line_start = absolute(w, lines.last + 1);
  return true;
}

// Whether a node opens the container at the current entry.
static bool opens(const sm_walker *w, const sm_entry *opened) { return sm_row_opens(opened, w->batch[w->index[w->i]] == '{'); }

// Goes to the next element of an array, after one; false if it cannot be a row.
static bool next_element(sm_walker *w) {
  size_t i = w->i;
  if (i >= w->count || w->batch[w->index[i]] != ',') return false;
  uint64_t line = w->line, line_start = w->line_start;
  bool line_feeds = takes_line_feeds(w);
  for (i++; line_feeds && i < w->count && w->batch[w->index[i]] == '\n'; i++) {
    line++;
    line_start = absolute(w, w->index[i] + 1);
  }
  if (i >= w->count || (w->batch[w->index[i]] | 0x20) != '{') return false;
  w->i = i;
  w->line = line;
  w->line_start = line_start;
  return true;
}

size_t sm_read_inner_rows(sm_walker *w, sm_node node) {
  struct sm_inner_rows *const inner = w->row.inner;
  node_history *const history = &inner->nodes[node];
  const sm_entry *opened = &w->selection->entries[w->selection->entries[node].rows];
  if (!opens(w, opened) || !is_tried(inner, history, w->count - w->i)) return 0;
  sm_open *level = innermost(w);
  bool is_list = !level->is_object && w->selection->entries[level->node].element_count == 0;
  bool has_lines = w->row.has_lines;
  inner->count = 0;
  inner->node = node;
  inner->index = level->index;
  w->row.used = 1;
  w->row.clean = 0;
  for (;;) {
    // Where the walk continues if the next one is no row.
    size_t i = w->i;
    uint64_t line = w->line, line_start = w->line_start;
    if (inner->count > 0 && !next_element(w)) break;
    size_t left = w->count - w->i;
    bool is_row = inner->count == 0 || (history->entries < left && opens(w, opened));
    if (is_row && !read_row(w, opened, &inner->rows[inner->count], inner->count == 0 && takes_line_feeds(w), &has_lines)) {
      is_row = false;
      inner->in_vain += left;
      // It may be much longer, and so may be those after it.
      history->entries = (uint32_t)(4 * left);
    }
    if (!is_row) {
      w->i = i;
      w->line = line;
      w->line_start = line_start;
      break;
    }
    note_length(history, inner->rows[inner->count].count);
    inner->count++;
    // A table without line feeds holds only one of them.
    bool is_alone = !is_list || w->row.index != w->index;
    if (is_alone || inner->count == MOST_ROWS || w->row.used > ENOUGH_CELLS) break;
  }
  w->row.has_lines = has_lines;
  if (inner->count == 0) {
    note_miss(history);
    return 0;
  }
  if (history->misses > 0) history->misses--;
  if (!level->is_object) {
    level->has_position = true;
    level->index += inner->count - 1;
  }
  return inner->count;
}

size_t sm_walker_inner_rows(const sm_walker *w, sm_node *rows) {
  *rows = w->selection->entries[w->row.inner->node].rows;
  return w->row.inner->count;
}

uint32_t sm_walker_inner_row(sm_walker *w, size_t number, sm_token *place) {
  const inner_row *row = &w->row.inner->rows[number];
  size_t first = w->row.index[row->first], last = w->row.index[row->first + row->count - 1] + 1;
  w->row.is_unscanned = false;
  w->row.i = row->first;
  w->row.entry_count = row->count;
  w->row.length = last - first;
  // The work that is done again is counted for the record as a whole.
  *place = sm_token_at(absolute(w, first), absolute(w, last), row->line, row->line_start, SM_PLAIN, 0);
  return row->cell;
}

void sm_walker_redo_inner_row(sm_walker *w, size_t number) {
  struct sm_inner_rows *const inner = w->row.inner;
  const inner_row *row = &inner->rows[number];
  note_miss(&inner->nodes[inner->node]);
  inner->is_refused = true;
  w->i = row->i;
  w->line = row->line;
  w->line_start = row->line_start;
  w->node = inner->node;
  w->state = STATE_VALUE;
  sm_open *level = innermost(w);
  if (!level->is_object) level->index = inner->index + number;
}
