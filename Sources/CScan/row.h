// What the parts of the reading of rows share: `row.c` goes through the containers of a record, `row_members.c` over the members
// and elements in them.

#ifndef STREAMMAP_ROW_H
#define STREAMMAP_ROW_H

#include "links.h"
#include "scalars.h"
#include "walker.h"
#include "words.h"

// Containers of a row that are open at a time, the record itself included; those inside them are closed.
enum { SM_ROW_DEPTH = 24 };

typedef struct {
  const sm_entry *entry;
  uint32_t first_tag, cell_count, block;   // of an object that is not the innermost container, and of an array with named elements
  sm_place *place;
  uint32_t last;
  uint32_t cell;                           // its own cell
  uint32_t tail;                           // the cell of its last element, or of its last key that is not named; of an array whose
                                           // elements are named by index, how many there were
  bool is_object;
} row_level;

// What is known in the middle of a record. PERF: the loops over members and elements have their part of it in registers.
typedef struct {
  sm_walker *w;
  size_t i;               // the entry at hand
  size_t last_link;       // before this, the bytes of a link and those after it can be compared
  size_t used;            // cells
  const sm_member *member;  // that of the value at hand; NULL if it is not named
  uint32_t other;           // the cell of the value at hand, where it is not named and wanted; else 0
  // For the innermost object: the tag of the first cell of its block, and where the block is.
  uint32_t first_tag, cell_count, block;
  // Where the innermost object stands, while no value is at hand.
  sm_place *place;
  uint32_t last;          // the id of the member that was named last without a link; at first its entry's `start`
  size_t unknown;         // members that no link led to, and none does now
  row_level *level;       // the innermost
  row_level *deepest;     // what is in it is closed
  row_level levels[SM_ROW_DEPTH + 1];  // before the outermost one is one that stands for what is around it
} row_reader;

// What a loop stopped at.
typedef enum {
  STOP_ODD,      // the record is not plain
  STOP_UNKNOWN,  // no link leads on from entry i, which is a comma, a key or a brace
  STOP_VALUE,    // entry i is a container, the value of `member`
  STOP_AFTER,    // entry i comes after an element, or after a member where a link may lead on
} row_stop;

// The cell of the value of a member in the innermost object; NULL if there is none, or it has a value already.
static inline sm_cell *cell_of(const row_reader *r, sm_cell *block, const sm_member *member) {
  uint32_t number = member->tag - r->first_tag;
  if (number >= r->cell_count || block[number].kind != SM_CELL_ABSENT) return NULL;
  return &block[number];
}

// Begins a level inside an object or array.
static inline void push(row_reader *r, const sm_entry *opened, bool is_object) {
  row_level *level = r->level++;
  if (level->is_object) {
    level->first_tag = r->first_tag;
    level->cell_count = r->cell_count;
    level->block = r->block;
    level->place = r->place;
    level->last = r->last;
  }
  level[1].entry = opened;
  level[1].is_object = is_object;
}

// A record on several lines.
typedef struct {
  size_t end;         // the entry after it
  size_t line_feeds;
  size_t last;        // where the last of them is
} sm_lines_inside;

// row.c: makes a table of the entries of the container at hand without those of line feeds, because between tokens these say nothing to a row.
// False: the container does not end in the batch.
bool sm_leave_out_line_feeds(sm_walker *w, sm_lines_inside *lines);
// Begins to read at an entry, while the first `used` cells are in use.
void sm_begin_row(row_reader *r, sm_walker *w, size_t first, size_t used);
// Reads the container at entry `r->i`, which is the value of cell `number`.
bool sm_open_container(row_reader *r, const sm_entry *opened, uint32_t number);

// row_members.c: goes over members that links lead to, up to a container or a member that none leads to.
row_stop sm_row_members(row_reader *r);
// Continues from a place where no link leads on, up to a container, a closing brace (STOP_UNKNOWN) or a place where a link may lead
// on. It learns the links.
row_stop sm_row_other_members(row_reader *r);
// Goes over the elements of an array from entry i on, up to a container, which has its cell already, or up to what comes after an
// element and is no comma.
row_stop sm_row_elements(row_reader *r);
// Passes over the container whose bracket is entry `i`, with `depth` containers around it. Gives the entry after it; 0 if it is
// not plain, or has a string of more than `most` bytes.
size_t sm_pass_container(const sm_walker *w, size_t i, size_t depth, uint64_t most);
// Passes over the scalar at entry i; false if it is none.
bool sm_row_pass(row_reader *r);
// Makes the scalar at entry i, which is not the last one, the value of a cell. Entry i becomes the one after it. False: it is none.
bool sm_row_fill(row_reader *r, uint32_t number);
// Whether [start, end) of the batch is a scalar that may have white space after it; gives its end, 0 if it is none.
size_t sm_row_scalar(const sm_walker *w, size_t start, size_t end);

// row_parts.c: the first entry of the part [start, end) of the row's text. The part has to be the record or a container in it, or to end
// where one of these does. Gives `count` if it has none.
size_t sm_row_find(sm_walker *w, uint32_t start, uint32_t end);

// row_parts.c: whether no white space is between the tokens of the part of the row's text that has the entries from `i` on.
bool sm_is_compact(const sm_walker *w, size_t i, uint32_t start, uint32_t end);

// Whether a node opens a container.
static inline bool sm_row_opens(const sm_entry *entry, bool is_object) {
  if (entry->kind != SM_KIND_PARTS) return false;
  if (!is_object) return entry->other_elements != SM_SKIP || entry->element_count > 0;
  return entry->member_count > 0 || (entry->cell_count > 0 && entry->element_count == 0);
}

// Whether a node opens a record. An object has a block wherever the node has cells, also if all of them are for the elements of arrays.
static inline bool sm_row_opens_record(const sm_entry *entry, bool is_object) {
  return is_object ? entry->cell_count > 0 : sm_row_opens(entry, false);
}

// White space between tokens: rows have no entries for line feeds.
static inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

static inline bool has_room(size_t used, size_t count) { return used + count <= SM_MOST_CELLS; }

#endif
