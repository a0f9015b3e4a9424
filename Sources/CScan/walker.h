// The walker's internals. `walk.c` holds the grammar, `texts.c` takes whole lines and documents, `steps.c` goes from step to step, `skim.c` is
// the fast path, `row.c` that of whole records, `inner_rows.c` that of values in others, `layout.c` that of records with a layout, `runs.h` that of plain elements, `emission.h` is what is
// handed over, `batches.c` the input, `cut.c` records that are cut off, `levels.c` the path.

#ifndef STREAMMAP_WALKER_H
#define STREAMMAP_WALKER_H

#include "layout.h"
#include "links.h"
#include "scan.h"
#include "selection.h"
#include "walk.h"

// Bytes that are scanned and walked in one go. They and their index stay in the second-level cache, and few records lie in two
// batches. PERF: 16 KiB are 6 % slower on a feed of tweets.
#define SM_BATCH ((size_t)64 << 10)
// Entries of the index after the last one, all of them at the end of the batch.
#define SM_INDEX_END ((size_t)8)
// The room for the index of a batch.
#define SM_INDEX_ROOM (SM_BATCH + 64)
// Bytes of a cut-off sequence that are carried over, and the room for them with the bytes joined to them.
#define SM_CARRY 12
#define SM_STAGE (SM_CARRY + 24)
// Bytes that are readable after a batch that is a copy.
#define SM_CUT_ROOM ((size_t)64)

// What can come next.
typedef enum {
  STATE_TEXT,           // between texts
  STATE_VALUE,          // a value (its node is `node`)
  STATE_ELEMENT,        // after a comma in an array
  STATE_FIRST_ELEMENT,  // after [
  STATE_FIRST_KEY,      // after {
  STATE_KEY,            // after a comma in an object
  STATE_COLON,
  STATE_AFTER_MEMBER,
  STATE_AFTER_ELEMENT,
  STATE_AFTER_TEXT,     // after a text that has to end its line, entry or document
  // In the middle of a token that an earlier batch began.
  STATE_IN_STRING,
  STATE_IN_KEY,
  STATE_IN_NUMBER,
  STATE_IN_LITERAL,
  STATE_RESYNC,         // after a fault: looking for the end of its text, and then for the next one
  STATE_OVER,
} sm_state;

typedef struct {
  sm_node node;
  bool is_object;
  bool has_position;
  bool is_kept;        // its brackets are handed over
  bool has_kept_part;  // in the text, a comma goes before the next key or element
  bool is_stored;      // the key, if there is one, is in the path arena, not in the batch
  uint32_t last;       // the id of the member that the selection named last; at first its entry's `start`
  uint64_t start;      // of a level outside any record: the offset of its bracket
  uint64_t index;
  const uint8_t *key;  // unless stored
  size_t key_length;
  size_t key_start;    // where the key is (or would be) in the arena, once it is stored
} sm_open;

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} sm_buffer;

// How far the end of a record was looked for: by the mark that ends it, or by its brackets.
typedef struct {
  size_t bytes;    // of the batch
  size_t entries;  // of the record
  size_t depth;    // how many brackets are open
} sm_followed;

struct sm_walker {
  // What stays from feed to feed.
  const sm_selection *selection;
  sm_limits limits;
  bool hands_text;          // chunks are the JSON text, too
  bool is_part;             // the feed continues after the final piece, with this byte
  uint8_t byte_after;
  uint32_t *index;          // of the batch
  sm_open *levels;
  size_t level_capacity;
  // For each member's id: the member that was named next when it was last met; NULL if that is not known. PERF: feeds repeat
  // the order of their keys, so most keys need only one comparison.
  const sm_member **successors;
  sm_links links;
  sm_layouts layouts;
  sm_token *tokens;
  size_t token_capacity;
  sm_buffer key;            // the bytes of a key that lies in several batches
  sm_buffer decoded;        // a key without its escapes
  sm_buffer arena;          // the keys of the path that lie in earlier batches
  sm_buffer out;            // the text; else only what is cut off: a token that is joined, and the beginning of the next one
  uint8_t carry[SM_CARRY];  // its first `carry_length` bytes are those of a sequence that a piece cuts off
  uint8_t stage[SM_STAGE];
  uint8_t *cut_bytes;       // see `cut`; NULL until there is one

  // Rows. From `is_out` on, everything in the walker is zero at the start of a feed, but for what sm_walker_reset sets.
  struct {
    bool is_wanted;
    sm_cell *cells;
    size_t used;
    // The entries that a row is made of: the index of the batch or, for a record on several lines, a table without those of line feeds.
    uint32_t *index;
    size_t count;
    uint32_t *flat;        // that table; NULL until there is one
    bool has_lines;        // the record before was on several lines
    struct sm_inner_rows *inner;  // NULL if inner rows are not asked for
    uint64_t work;         // see sm_row_count
    sm_walker *beside;     // reads texts of their own by the same selection; NULL until there is one
    bool is_out;           // a row is handed over
    bool is_unscanned;     // it has the layout of another record, and there is no index of its batch
    uint32_t first_scanned, end_scanned;  // the index is that of this part of such a batch
    uint32_t misses;       // how many more records did not become rows than did, lately
    uint32_t pause;        // how many records are not tried
    size_t entry_count;    // how much of the index the last row's record took
    size_t length;         // its bytes
    // No string of a row that starts after the last one has a backslash before this place of the batch; how far the last search went.
    size_t clean, ahead;
    size_t i;              // the entry of the record in what it is made of
    // The walker at the beginning of the record, for sm_walker_redo.
    sm_node node;
    size_t first;
    uint64_t line, line_start;
    bool is_first_text, has_text;
  } row;

  // Input: the piece, how much of it is done, and the offset in the feed of its first byte.
  const uint8_t *input;
  size_t input_length;
  size_t input_position;
  uint64_t input_offset;
  bool is_final;
  size_t carry_length;
  // The beginning of a record that a piece cuts off, copied (`cut.c`). There is no batch while it waits for the rest.
  struct {
    bool is_waiting;
    uint64_t start;        // its offset in the feed
    size_t length;         // of the bytes that are copied
    size_t scanned, count; // of them, and the entries of their index
    sm_followed followed;
  } cut;

  // The batch: scanned bytes, their index, and how far the walk is in it.
  const uint8_t *batch;
  size_t batch_length;
  size_t batch_room;       // so many bytes from its start on are readable
  uint64_t batch_offset;
  size_t count;            // entries of the index
  size_t i;
  bool is_batch_final;     // the feed ends with the batch
  bool has_batch;
  bool is_closing;         // the batch is the byte after a part, and nothing of it is walked
  sm_scan_state scan;
  sm_scan_fault scan_fault;  // at the end of the batch

  // Grammar.
  sm_framing framing;
  sm_state state;
  sm_state last_state;     // at the end of the feed: the state before it was over
  size_t depth;            // of `levels`
  sm_node node;             // of the value to come
  const uint8_t *found_key;  // the key of the batch that was looked up last, and what was found
  const sm_member *found_member;
  // The nodes with a container in the batch that was not plain (`runs.h`), as bits: see `sm_odd_bit`.
  uint64_t odd_elements;
  uint64_t line;
  uint64_t line_start;
  bool is_framing_settled;
  bool has_separator;       // SEQ: a record separator was met
  bool is_first_text;
  bool has_text;            // JSON: the document was met
  sm_token text;

  // The token that is in progress across batches. `token_start` is an offset in the feed.
  uint64_t token_start;
  uint64_t token_length;    // its bytes in earlier batches
  uint8_t number_state;
  uint8_t literal;
  uint8_t literal_position;
  bool is_token_kept;

  // What is handed over.
  size_t out_complete;      // bytes of `out` that are whole tokens
  size_t token_count;       // of `tokens`
  sm_chunk chunk;
  bool is_chunk_out;        // to be forgotten at the next step
  bool failed_allocation;

  // The record.
  bool in_record;
  bool is_record_whole;     // over, but not handed over before its text is over
  size_t record_depth;
  const sm_entry *record_entry;  // its node; NULL before the first one
  sm_token record;
  uint64_t paths_seen;

  sm_fault fault;
  bool is_fault_pending;    // not reported before the end of its text is known
  sm_position last;         // before the last fault, or at the end of a part
  bool has_last;            // if not, the walker is still where the feed ended
  bool is_part_over;        // the part ended where it may; the state is that of its end
};

// How a part of the walk ended.
typedef enum { GO_ON, STEP_RECORD, STEP_INNER_ROWS, STEP_FAULT } sm_outcome;

static inline uint64_t absolute(const sm_walker *w, size_t position) { return w->batch_offset + position; }

// Begins a level. PERF: one field after the other; a level made elsewhere and copied waits for its own stores.
static inline void sm_begin_level(
    sm_open *level, sm_node node, bool is_object, bool is_kept, const sm_entry *entry) {
  level->node = node;
  level->is_object = is_object;
  level->has_position = false;
  level->is_kept = is_kept;
  level->has_kept_part = false;
  level->is_stored = false;
  level->index = 0;
  level->key = NULL;
  level->key_length = 0;
  level->key_start = 0;
  level->last = entry->start;
}

static inline uint64_t sm_odd_bit(sm_node node) { return (uint64_t)1 << (node & 63); }

static inline sm_open *innermost(sm_walker *w) { return w->depth > 0 ? &w->levels[w->depth - 1] : NULL; }

// walk.c: walks the batch until a record or a fault, or until all of its index is used up.
sm_outcome sm_walk_batch(sm_walker *walker);
// texts.c: takes the next line as a row. False if the walk has to continue: it does not try to take the same line again.
bool sm_take_line(sm_walker *walker);
// Takes the first text of the first batch as a row, if the feed ends in the batch. False as above. The rest is walked.
bool sm_take_document(sm_walker *walker);
// Take the next line, or a document, as a row, if it has a layout that is known. There is no batch then. False: nothing has changed.
bool sm_take_known_line(sm_walker *walker);
bool sm_take_known_document(sm_walker *walker, const uint8_t *bytes, size_t length);
// Continue with a token that an earlier batch began.
sm_outcome sm_resume_string(sm_walker *walker);
sm_outcome sm_resume_key(sm_walker *walker);
sm_outcome sm_run_scalar(sm_walker *walker, size_t position, bool is_number);
// faults.c: a fault at [start, end) of the feed. `sm_fail_scan` is for what the scanner found at the end of the batch.
sm_outcome sm_fail_at(
    sm_walker *walker, sm_fault_kind kind, sm_expected what, uint64_t start, uint64_t end, uint8_t found);
// The byte at a position of the batch cannot stand there.
sm_outcome sm_fail_byte(sm_walker *walker, sm_expected what, size_t position);
sm_outcome sm_fail_limit(sm_walker *walker, sm_fault_kind kind, uint64_t start, uint64_t end);
sm_outcome sm_fail_scan(sm_walker *walker);
sm_expected sm_expected_here(const sm_walker *walker);

// snapshot.c: keeps the position, because the walker is about to leave it for good.
void sm_keep_position(sm_walker *walker);

// batches.c: the next batch; false if there is no input left.
bool sm_next_batch(sm_walker *walker);
// Makes these bytes, which are scanned, the batch; the index has so many entries.
void sm_begin_batch(sm_walker *walker, const uint8_t *bytes, size_t length, size_t count, sm_scan_fault fault);
// Scans bytes, and makes them the batch.
void sm_scan_batch(sm_walker *walker, const uint8_t *bytes, size_t length, bool final);
// Leaves the batch: the parts of it that are still needed are copied.
void sm_leave_batch(sm_walker *walker);
bool sm_append(sm_walker *walker, sm_buffer *buffer, const uint8_t *bytes, size_t length);
// Empties a buffer; one that a single token made larger than this gives most of its memory back.
#define SM_KEPT ((size_t)1 << 20)
void sm_empty(sm_buffer *buffer);

// levels.c
bool sm_push(sm_walker *walker, bool is_object, sm_node node, bool is_kept);
void sm_store_path(sm_walker *walker);
// The member that the selection names at a level by this key (as written); NULL if it names none.
const sm_member *sm_member_at(sm_walker *walker, sm_open *level, const uint8_t *key, size_t length);

// The cells of a row: a record may need many more than it has bytes, because each object of an array has a block.
#define SM_MOST_CELLS ((size_t)1 << 15)

// layout.c: learns the layout of the record that begins at entry `first`, and is a row by a node.
void sm_learn_layout(sm_walker *walker, const sm_entry *entry, size_t first);
// Compares a line, or a document, with the layouts that are known, and fills the cells of its row. `length` bytes are readable. Gives the
// length of the record; 0 if its layout is not known. `*line` is the length of the line, with its line feed.
size_t sm_match_line(sm_walker *walker, const uint8_t *text, size_t length, size_t *line);
// The same for a document, which is copied. Gives the copy; NULL if its layout is not known.
const uint8_t *sm_match_document(sm_walker *walker, const uint8_t *text, size_t length, size_t *record);
void sm_layouts_begin(sm_layouts *layouts);
void sm_layouts_destroy(sm_layouts *layouts);
size_t sm_layouts_memory(const sm_layouts *layouts);
// Learns the texts between the values of the container at entry `first`, which is a row by a node, and the cells of the row. False: it has no layout.
bool sm_learn_texts(sm_layout *layout, sm_walker *walker, const sm_entry *entry, size_t first);

// layout_opened.c
// Opens the container [start, end) of the row's text by a node, as a container before it was; its cells are those from `number` on. False: it is
// to be opened in the general way.
bool sm_match_opened(sm_walker *walker, uint32_t start, uint32_t end, sm_node node, uint32_t number);
// Learns how the container at an entry was opened by a node, in the general way.
void sm_learn_opened(sm_walker *walker, sm_node node, size_t entry);
// Whether records are compared with layouts now.
static inline bool sm_compares_layouts(const sm_walker *w) {
  return w->layouts.count > 0 && w->layouts.pause == 0 && w->row.is_wanted && w->row.pause == 0 &&
         w->selection->entries[w->selection->root].kind == SM_KIND_RECORD;
}

// The node by which rows of the records at a node are read; NULL if they are not. What is held is handed over whole, but its rows are those of
// a record.
static inline const sm_entry *sm_row_entry(const sm_walker *w, sm_node record) {
  const sm_entry *entries = w->selection->entries, *entry = &entries[record];
  if (entry->kind == SM_KIND_RECORD) entry = &entries[entry->inside];
  if (entry->rows != SM_SKIP) return &entries[entry->rows];
  return entry->cell_count > 0 ? entry : NULL;
}

// Whether a record became a row.
typedef enum {
  SM_IS_ROW,
  SM_IS_NO_ROW,   // it cannot, or was not tried; nothing has changed
  SM_IS_CUT_OFF,  // it may in the next batch, which begins with it; this one is used up
} sm_row_outcome;
// row.c: takes the value at the current entry, whose node is that of a record, as a row.
sm_row_outcome sm_read_row(sm_walker *walker, sm_node node);
// Where in the feed the row ends that was read last.
static inline uint64_t sm_row_end(const sm_walker *w) { return absolute(w, w->row.index[w->row.i] + w->row.length); }

// inner_rows.c: takes the container at the current entry, which is inside a record, as a row, and the elements after it. Gives how many; the
// current entry is the one after them then.
size_t sm_read_inner_rows(sm_walker *walker, sm_node node);
// There is another batch, and another feed.
void sm_inner_rows_begin_batch(sm_walker *walker);
void sm_inner_rows_begin(sm_walker *walker);
void sm_inner_rows_destroy(sm_walker *walker);

// cut.c: leaves the record at the current entry to the next batch. False, with nothing changed: it is not cut off, or would be there, too.
// `is_likely`: it is as long as what is left of the batch.
bool sm_put_off(sm_walker *walker, bool is_likely);
// How many line feeds there are in a record that waits for the rest of it; `start`, if it is not NULL, gets where the line after them starts.
size_t sm_waiting_lines(const sm_walker *walker, uint64_t *start);
// The next batch, if a record waits for the rest of it; false if there is not enough input.
bool sm_join_cut(sm_walker *walker);

// skim.c: goes over what is plain inside a text.
void sm_skim(sm_walker *walker);

// number.c: the states of the number automaton. A number may end in those of `sm_number_is_whole`.
enum {
  SM_NUMBER_START, SM_NUMBER_MINUS, SM_NUMBER_ZERO, SM_NUMBER_INTEGER, SM_NUMBER_POINT, SM_NUMBER_FRACTION,
  SM_NUMBER_E, SM_NUMBER_SIGN, SM_NUMBER_EXPONENT,
};
static inline bool sm_number_is_whole(uint8_t state) {
  return state == SM_NUMBER_ZERO || state == SM_NUMBER_INTEGER || state == SM_NUMBER_FRACTION ||
         state == SM_NUMBER_EXPONENT;
}
// Walks a number from `position` on. Gives the place of the first byte that does not continue it, or `end`.
size_t sm_number_run(const uint8_t *bytes, size_t position, size_t end, uint8_t *state);

#endif
