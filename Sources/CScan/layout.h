// Layouts: what the lines of a feed have in common. Who writes a feed puts the same keys in the same order, with the same white space
// between them; only the values differ. A layout has the texts between the values of such lines, and the cells of their rows.
//
// Example: these lines have one layout
//
//     {"id":7,"tags":["x","y"],"user":{"name":"Ann"}}
//     {"id":12,"tags":[],"user":{"name":null}}
//
//     {"id":   a scalar   ,"tags":[   scalars   ],"user":{"name":   a scalar   }}
//
// Where the texts of a line are those of a layout, and each value between them is a good scalar, the line keeps the grammar as the line
// did that the layout was learned from, and its row differs only in where its values are. So it becomes a row without the scanner and
// without an index: one comparison for each text, one search for the end of each value. Any other line does not match, and is
// read in the general way. So a match makes no decisions of its own.
//
// Objects and arrays inside arrays have no layout. If lines keep having other layouts than those that are known, they are compared less
// and less often.
//
// If someone asks for the index of a part of such a row, this part is scanned then.
//
// A container that several fields read is opened by the node of each. It has layouts of its own then, by the node. In a record that has a
// layout itself, the places of its values are known, and it is not even compared.

#ifndef STREAMMAP_LAYOUT_H
#define STREAMMAP_LAYOUT_H

#include "selection.h"

enum { SM_LAYOUT_TEXT = 64, SM_MOST_PARTS = 96, SM_MOST_MARKS = 240, SM_MOST_NAMED = 32, SM_MOST_REFERENCES = 256, SM_LAYOUT_CELLS = 1024 };

// How many layouts may be learned at first, and after how many matches another one. PERF: a feed whose records are all different costs
// little more than without layouts.
enum { SM_FIRST_CREDIT = 4, SM_MATCHES_FOR_ONE = 64 };
// What another layout counts against one that matches; at which score layouts pay, and at which they are left alone.
enum { SM_MISS = 3, SM_GOOD = 32, SM_BAD = -12 };

// What comes after the text of a part.
enum {
  SM_PART_TEXT,    // more text
  SM_PART_SCALAR,  // a string, a number or a literal
  SM_PART_ARRAY,   // scalars up to a closing bracket, which belongs to the next text
  SM_PART_END,     // what comes after the record
};

typedef struct {
  uint8_t text[SM_LAYOUT_TEXT];
  uint64_t mask;          // which bytes of the text count
  const uint8_t *end;     // of its value, in the text that was compared last. PERF: here, a match costs one store for each value
  uint8_t length;         // of the text
  uint8_t kind;
  bool is_limited;        // the strings after it are within the limit of strings
  bool has_cells;         // of an array: each element has a cell
  uint8_t mark_count;
  uint8_t first_named, named_count;  // of an array: the cells of its first elements, where they are named by index; 0 for one that is not
  uint16_t first_mark;
  uint32_t cell;          // of the scalar or the array; 0 if it is not wanted
  uint32_t tail;          // of an array with cells: the cell before the one of its first element, its own or its head
} sm_part;

// A place in the text of a part that a cell holds: where a container or a key starts, or where it ends.
typedef struct {
  uint32_t cell;
  bool is_end;
  int32_t place;          // from the start of the part's text
} sm_mark;

// A field of a cell that is the number of another cell.
typedef enum { SM_REFERS_BY_START, SM_REFERS_BY_END, SM_REFERS_BY_NEXT } sm_reference_field;
typedef struct {
  uint16_t cell;
  uint8_t field;          // sm_reference_field
} sm_reference;

// Where a container that was opened by its own layout is in the records of a layout.
typedef struct {
  sm_node node;
  int32_t before;         // the part of the record whose value is the last one before it; -1 if there is none
  uint32_t start;         // its bracket, from the end of that value, or from the start of the record
  const struct sm_layout *layout;
  uint64_t edition;       // of that layout, which may be learned again
} sm_inner;

enum { SM_MOST_INNER = 8 };

typedef struct sm_layout {
  uint32_t part_count, mark_count, named_count, reference_count;
  uint32_t used;          // cells; those of elements come after them
  uint32_t inner_count;
  uint64_t edition;       // no other one has this number
  bool has_element_cells; // nothing but a comparison finds the elements of its arrays
  bool has_spaces;        // white space between tokens, but for the elements of its arrays
  sm_part parts[SM_MOST_PARTS];
  sm_mark marks[SM_MOST_MARKS];
  uint32_t named[SM_MOST_NAMED];
  sm_reference references[SM_MOST_REFERENCES];
  sm_cell cells[SM_LAYOUT_CELLS];
  sm_inner inner[SM_MOST_INNER];
} sm_layout;

// A text that is compared with layouts.
typedef struct {
  const uint8_t *text;    // what cells count from
  const uint8_t *start;
  const uint8_t *last;    // the last place where SM_LAYOUT_TEXT bytes are readable
  sm_cell *cells;         // room for SM_MOST_CELLS - first
  uint32_t first;         // the number of the first cell
  uint32_t *index;        // room for the index of a batch; NULL if there is none: then no string has escapes or other bytes than ASCII
  uint64_t string_limit, number_limit;
  // Of a match:
  uint32_t used;
  bool has_odd_strings;   // with escapes or with other bytes than ASCII
  bool has_spaces;        // white space around the elements of an array
} sm_match;

// Fills the cells of a record, if it has this layout. Gives the byte after the record; NULL if it has another one.
typedef const uint8_t *sm_match_function(sm_match *match, sm_layout *layout);

// The function for this machine; NULL if it has none.
sm_match_function *sm_layout_matcher(void);

// For the functions: fills what cells hold of the text of a part, which starts at a place.
static inline void sm_set_marks(const sm_layout *layout, const sm_part *part, sm_cell *cells, uint32_t start) {
  for (uint32_t k = 0; k < part->mark_count; k++) {
    const sm_mark *mark = &layout->marks[part->first_mark + k];
    uint32_t place = start + (uint32_t)mark->place;
    if (mark->is_end) cells[mark->cell].end = place;
    else cells[mark->cell].start = place;
  }
}

// For the functions: the end of a string with escapes or with bytes beyond ASCII, whose opening quote is `start`; NULL if it is not good.
const uint8_t *sm_match_odd_string(sm_match *match, const uint8_t *start, bool *has_escapes);

// Layouts of containers that are opened again: those of the values that one node opens. PERF: a container that several fields read is opened
// for each of them, which costs a comparison then, and no scan.
enum { SM_OPENED_NODES = 16, SM_OPENED_LAYOUTS = 2 };

typedef struct {
  sm_node node;
  uint8_t count;
  uint8_t current;        // the one that matched last
  uint8_t credit;         // how many may be learned now
  int8_t score;           // how much more matched than did not, lately
  uint32_t pause;         // how many times it is opened without layouts
  uint64_t matches;
  sm_layout *all[SM_OPENED_LAYOUTS];
} sm_opened_layouts;

// How many layouts a walker keeps. PERF: feeds of events have a few kinds of records, and some leave out a member now and then.
enum { SM_MOST_LAYOUTS = 8 };

// The layouts of a walker: they hold for one selection, whatever the feed.
typedef struct {
  sm_layout *all[SM_MOST_LAYOUTS];
  size_t count;
  size_t current;         // the one that matched last
  size_t victim;          // the one that is replaced next
  int score;              // how much more matched than did not, lately
  uint32_t pause;         // how many batches or documents are read without layouts
  uint32_t backoff;
  uint32_t credit;        // how many may be learned now
  uint32_t matches;
  bool is_learned;        // one was learned from the batch
  bool has_odd_strings;   // in the record that matched last, whose layout is the current one
  bool has_spaces;        // in that record there is white space between tokens
  uint64_t editions;      // how many layouts were learned
  sm_opened_layouts opened[SM_OPENED_NODES];  // by when their nodes were first opened
  size_t opened_count;
  uint8_t *document;      // a copy of a document, with SM_LAYOUT_TEXT bytes after it; NULL until there is one
} sm_layouts;

#endif
