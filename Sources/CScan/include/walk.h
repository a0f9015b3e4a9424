// The walker: goes over the structure of a feed, checks its whole grammar (RFC 8259), finds the records in it, and hands over
// only the parts of each record that its reader asked for.
//
// It hands over a table of tokens, each with its address in the feed, and, where it is asked for it, the JSON text of these
// tokens. A token is buffered only if it is handed over and the input ended in the middle of it.
// A token that the end of the input cuts off is continued, never read again: the walker keeps the state of a number, the place in a
// literal, and what it has of a string that is mapped. Feeds repeat the order of their keys: the walker remembers which member followed
// which, and so recognises most keys by one comparison.
//
// Vocabulary
//   text        one JSON value of the feed with the framing around it: a document, a line, a sequence entry
//   record      a value inside a text that the selection marks as one (often the text itself)
//   selection   which parts of a text are records, and which parts of a record are handed over
//   chunk       what is handed over at one time: a piece of a record, cut between tokens
//   kept        handed over; everything else is skipped: checked and left out

#ifndef STREAMMAP_WALK_H
#define STREAMMAP_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------------------------------------
// Selection: immutable tables, shared by any number of walkers and threads once sealed.

// A node says what happens to the value at one place.
typedef uint32_t sm_node;

enum {
  SM_SKIP = 0,  // the value is skipped
  SM_KEEP = 1,  // the value is kept whole
  SM_SHELL = 2,  // a scalar is kept; of an object or array, only the braces or brackets are
};

// A node made by `sm_selection_node` keeps a scalar. In an object, a member in its key table goes to the node named there, any
// other member to `other_members`. In an array, an element whose index is named goes to the node named there, any other element
// to `other_elements`. Where `other_elements` is SM_SKIP, skipped elements below the highest named index are handed over as
// `null`, so that a reader that counts elements counts correctly.
typedef struct sm_selection sm_selection;

sm_selection *sm_selection_create(void);  // NULL: out of memory
void sm_selection_destroy(sm_selection *selection);

// A new node inside a record. Its defaults are SM_SKIP for members and elements.
sm_node sm_selection_node(sm_selection *selection);
// A new node on the way to records: nothing of it is kept, it is only searched. A scalar, or a container of another kind than the
// one that leads on, simply holds no records.
sm_node sm_selection_navigation(sm_selection *selection);
void sm_selection_other_members(sm_selection *selection, sm_node node, sm_node child);
void sm_selection_other_elements(sm_selection *selection, sm_node node, sm_node child);
// `key` is the key after unescaping, in UTF-8. The same key again replaces the child and the tag. The tag is a number of the
// caller's choice, below SM_TAG_END. It is handed over with the member's key, so the reader need not look the key up again.
void sm_selection_member(
    sm_selection *selection, sm_node node, const uint8_t *key, size_t length, sm_node child, uint32_t tag);
// The elements from `first` to before `end`, unless an earlier call named them.
void sm_selection_elements(sm_selection *selection, sm_node node, uint64_t first, uint64_t end, sm_node child);
// Each value that reaches the new node is a record; `inside` says what is kept of it. Such a node can only be where navigation
// leads (or at the root).
sm_node sm_selection_record(sm_selection *selection, sm_node inside);
// The same, but the value is handed over whole: its reader finds out what of it is a record. Its rows are those of a record whose value
// is at `inside`: for the case that it is one itself. SM_SKIP: it has none.
sm_node sm_selection_held(sm_selection *selection, sm_node inside);
// Where navigation reaches `node`, the bit `path` (0..63) of sm_walker_paths_seen is set, if the value there is an array whose
// elements lead on, or is a record itself.
void sm_selection_mark(sm_selection *selection, sm_node node, unsigned path);
// The same, if the value there is an object.
void sm_selection_mark_object(sm_selection *selection, sm_node node, unsigned path);
// Ends the building. False: memory ran out in some earlier call, and the selection is unusable.
bool sm_selection_seal(sm_selection *selection, sm_node root);
// One element, and its tag, as in `sm_selection_member`.
void sm_selection_element(sm_selection *selection, sm_node node, uint64_t index, sm_node child, uint32_t tag);

// In a row (see below), each object at `node` has a block of `cell_count` cells. The member with the tag `first_tag` + i has cell
// i, also where it is inside a member that has no block of its own. No two of these members may have the same tag. The same holds for
// arrays with elements that are named by their index.
void sm_selection_block(sm_selection *selection, sm_node node, uint32_t first_tag, uint32_t cell_count);
// In a row, an object at `node` can also be opened again: the first cell of its block (without a block, its own cell) says where it is.
void sm_selection_reopen(sm_selection *selection, sm_node node);
// The values at `node`, which is inside a record, are read as rows by another node: one that is asked for nothing but rows. At the
// node of a record's value, these are the record's rows; at any other, they are inner rows (see below).
void sm_selection_rows(sm_selection *selection, sm_node node, sm_node rows);

// ---------------------------------------------------------------------------------------------------------
// The walker

typedef enum {
  SM_FRAMING_JSON,    // one text; anything but white space after it is a fault, and so is no text at all
  SM_FRAMING_NDJSON,  // one text per line; lines of only white space are passed over
  SM_FRAMING_CONCAT,  // texts one after the other; after a number or literal there is white space
  SM_FRAMING_SEQ,     // RFC 7464: each text after a record separator (0x1E)
  // Decides by the first bytes: a record separator makes it SEQ. Otherwise the first text decides: if it ends on the line it
  // began on and a line feed follows it before another text, NDJSON; else CONCAT. A fault in a first text of one line that is
  // itself a record makes it NDJSON; a fault in a first text that is searched for records is final.
  SM_FRAMING_AUTO,
} sm_framing;

typedef struct {
  uint64_t depth;   // containers open at a time, counted from the text's own value (a depth of 1 is `[]`)
  uint64_t string;  // bytes of a kept string, as written, without quotes
  uint64_t number;  // bytes of a number, kept or skipped
  uint64_t key;     // bytes of a key, as written, without quotes, kept or skipped
} sm_limits;

// Where a token is in the feed. Offsets count from the feed's first byte (a byte-order mark included), lines from 1. `line_start`
// is the offset of the first byte of the line, so the column (in bytes, from 1) is start - line_start + 1.
#define SM_TAG_BITS 20
#define SM_TAG_END ((uint32_t)1 << SM_TAG_BITS)
#define SM_LINE_BITS (61 - SM_TAG_BITS)
typedef struct {
  uint64_t start;
  uint64_t end;  // one past its last byte; for an opening brace or bracket, the byte after it
  uint64_t line : SM_LINE_BITS;
  uint64_t has_escapes : 1;  // SM_FORM_TOKENS: a string or key with a backslash
  uint64_t is_key : 1;
  uint64_t is_absent : 1;  // a null in the place of a skipped element: it has no text
  uint64_t tag : SM_TAG_BITS;  // the tag of a key that the selection names; else 0
  uint64_t line_start;
} sm_token;

typedef enum {
  SM_STEP_INPUT,   // all input is used up (or the final input is not set yet): give more with sm_walker_input
  SM_STEP_CHUNK,   // a piece of a record is handed over; the record continues
  SM_STEP_RECORD,  // the last piece of a record is handed over (sm_walker_record says where the record is)
  SM_STEP_ROW,     // a whole record is handed over as a row
  SM_STEP_INNER_ROWS,  // a piece of a record is handed over, and the values that come next in it, as rows; the record continues
  SM_STEP_FAULT,   // `fault` says what is wrong; what was handed over of an open record is void
  SM_STEP_END,     // the feed is over
} sm_step;

typedef enum {
  SM_FAULT_NONE = 0,
  // Grammar. `expected` says what could have stood there.
  SM_FAULT_UNEXPECTED,      // a byte that cannot stand here
  SM_FAULT_TRUNCATED,       // the text (line, sequence entry, feed) ends too early
  // From the scanner.
  SM_FAULT_UTF8,
  SM_FAULT_CONTROL,
  SM_FAULT_ESCAPE,
  SM_FAULT_SURROGATE,
  // Limits.
  SM_FAULT_DEPTH,
  SM_FAULT_STRING,
  SM_FAULT_NUMBER,
  SM_FAULT_KEY,
  // From the machine.
  SM_FAULT_MEMORY,
  SM_FAULT_EMPTY,           // SM_FRAMING_JSON: no text at all
  SM_FAULT_PART,            // a part of a feed ends where none can end
} sm_fault_kind;

typedef enum {
  SM_EXPECTED_NOTHING = 0,     // not a grammar fault
  SM_EXPECTED_VALUE,
  SM_EXPECTED_VALUE_OR_END,    // after [
  SM_EXPECTED_KEY,             // after a comma in an object
  SM_EXPECTED_KEY_OR_END,      // after {
  SM_EXPECTED_COLON,
  SM_EXPECTED_COMMA_OR_BRACE,  // after a member
  SM_EXPECTED_COMMA_OR_BRACKET,
  SM_EXPECTED_DIGIT,           // inside a number
  SM_EXPECTED_NUMBER_END,      // 01, 1.2.3, 1x: the number is over, and something follows it directly
  SM_EXPECTED_LITERAL,         // inside true, false or null
  SM_EXPECTED_STRING_END,      // truncated inside a string
  SM_EXPECTED_TEXT_END,        // after the one document; after the text of a line
  SM_EXPECTED_SEPARATOR,       // CONCAT: after a number or literal; SEQ: a record separator
} sm_expected;

typedef struct {
  sm_fault_kind kind;
  sm_expected expected;
  sm_token at;      // the offending byte or token: [start, end); start == end at the end of the feed
  uint8_t found;    // the offending byte, where there is one
  bool final;       // no record can be read after it (the framing has no place to continue from)
  bool cut_off;     // all input had been given when it was met
  bool in_string;   // it is met inside a string or a key
  bool in_record;   // it is in a record, or where the next one could begin beside the last one
  uint64_t rest;    // where one can read on to find the end of what it is in
} sm_fault;

// One open container, from the text's value (level 0) inwards: together they are the path. An object has the key of its current
// member (as written, still escaped), an array the index of its current element.
typedef struct {
  uint64_t start;  // of a level around records: the offset of its bracket, which identifies it; else 0
  const uint8_t *key;
  size_t key_length;
  uint64_t index;
  bool is_object;
  bool has_position;  // false: no member or element was begun yet
} sm_level;

typedef struct sm_walker sm_walker;

// The form in which a record is handed over.
typedef enum {
  SM_FORM_TOKENS,  // its tokens, whose texts stay where they are
  SM_FORM_TEXT,    // its text as compact JSON, and the tokens of that text
} sm_form;

// NULL: out of memory. The selection must outlive the walker.
sm_walker *sm_walker_create(const sm_selection *selection, sm_framing framing, sm_limits limits, sm_form form);
void sm_walker_destroy(sm_walker *walker);
// Makes a walker ready for another feed: like a new one, but with its memory.
void sm_walker_reset(sm_walker *walker, sm_framing framing);

// Gives the next piece of the feed, after SM_STEP_INPUT (or at the start). The walker reads `bytes` in place: they must not
// change until it answers SM_STEP_INPUT or SM_STEP_END. `final`: the feed ends with them (`length` may be 0). The walker does not
// handle a byte-order mark: start after it, and give the offset in the feed of the first byte of the first piece to
// sm_walker_start before that piece.
void sm_walker_input(sm_walker *walker, const uint8_t *bytes, size_t length, bool final);
void sm_walker_start(sm_walker *walker, uint64_t offset);

// Says that the input is a part of a feed: after the final piece, the feed continues with the byte `next`. That byte ends a number, and is
// not walked. A part ends between two tokens outside any record, as sm_walker_position tells a place. There, sm_walker_position gives the
// same place at the end of the part, after SM_STEP_END. Any other end is a final fault (SM_FAULT_PART). It holds for the next feeds, too.
void sm_walker_end_before(sm_walker *walker, uint8_t next);

sm_step sm_walker_next(sm_walker *walker);

// What is handed over.
typedef struct {
  // One token for each value and key in the chunk, in their order. Closing braces and brackets have tokens, commas and colons
  // have none. A string's token includes its quotes. A `null` in the place of a skipped element has the position of that
  // element's first byte as start and end.
  const sm_token *tokens;
  size_t token_count;
  // SM_FORM_TEXT: the JSON text of the chunk, to be parsed after the text before it. The texts of the chunks of one record,
  // joined, are one JSON value; separate records are separate chunks. A number may be the last thing in the text: it is whole.
  // SM_FORM_TOKENS: the text of the first token, if the input ended in the middle of it; else it has no bytes.
  const uint8_t *text;
  size_t text_length;
  // SM_FORM_TOKENS: the text of every other token is in memory at this origin + its `start` (for a string or key, its first quote
  // is there): inside the input, or in the walker's own memory. Only the sum is an address.
  uintptr_t origin;
} sm_chunk;

// After SM_STEP_CHUNK and SM_STEP_RECORD; it and what it points to are valid until the next call of sm_walker_next.
const sm_chunk *sm_walker_chunk(const sm_walker *walker);

// --- Rows: whole records as tables of their values, found by their place. Only where they are asked for, in SM_FORM_TOKENS, for
// records that lie in one batch and have nothing unusual; all others are handed over as tokens.
//
// A container is open (there are cells for what is in it) or closed (its cell only says where it is). Closed are those that a node
// keeps whole or whose kind it does not expect, and those that are too deep. Who needs their parts opens them, by the node of what is
// to be read; the cells that this takes can be given back.

// The kind of a value: the first byte of its text.
enum { SM_CELL_ABSENT = 0, SM_CELL_KEY = ':', SM_CELL_HEAD = 3 };
typedef struct {
  // A scalar, a key and a closed container have the place of their text. An open container with a block has the first cell of that, and
  // the key of its first member that no node names (0 if there is none); an object that only paths go through has this key, too. An open
  // array has the cell of its first element, and their number. If it can be opened again, there is a head before the first element: a
  // closed cell that says where the array is, and whose next one is that element.
  uint32_t start, end;
  // An element has the cell of the next one, a key the next key; the last one has 0. The value of a key is in the cell after it.
  uint32_t next;
  uint8_t kind;
  bool has_escapes;     // of a string or a key
  bool is_closed;       // of a container; an object that only paths go through says where it is, if it can be opened again
} sm_cell;
typedef struct {
  sm_cell *cells;         // the first one is that of the record; their reader may change them
  const uint8_t *text;    // what `start` and `end` count from
  size_t readable;        // so many bytes of the text are in memory
  sm_walker *walker;
} sm_row;

// Asks for rows. It holds for the next feeds, too.
void sm_walker_take_rows(sm_walker *walker, bool takes_rows);
// After SM_STEP_ROW; valid until the next step.
sm_row sm_walker_row(sm_walker *walker);

// Where the tokens of a closed container at [start, end), or of the record, start in the text (see scan.h), from its bracket on. NULL: there is
// none. It is valid until the next question about the row.
const uint32_t *sm_row_index(sm_walker *walker, uint32_t start, uint32_t end);
// Where the record starts, and how many bytes it has.
uint32_t sm_row_start(const sm_walker *walker);
size_t sm_row_length(const sm_walker *walker);
// The key of the member whose value starts at a place.
sm_cell sm_row_key(sm_walker *walker, uint32_t place);
// Whether a member of the record, at any depth, may have a key, which is given with its quotes.
bool sm_row_may_name(sm_walker *walker, const uint8_t *key, size_t length);
// Finds the first member with a key, which is given with its quotes and needs no escapes, in a closed container at [start, end), or in the
// record. The value is a scalar or a closed container; its kind is SM_CELL_ABSENT if there is no such member. False: that cannot be said,
// since a key is written with escapes, or nothing is known of the tokens.
bool sm_row_member(sm_walker *walker, uint32_t start, uint32_t end, const uint8_t *key, size_t length, sm_cell *value);
// Counts that so much work is done again: SM_ROW_WORK for each byte that is looked at again. Gives how much it is, for this record.
// No token takes more bytes on a tape or in a tree.
#define SM_ROW_WORK 24
uint64_t sm_row_count(sm_walker *walker, uint64_t work);
// Opens the closed container at [start, end) by a node. Gives its cell; 0 if the node does not open it, or it cannot be
// opened as a row. The node has to have a block, or to be that of a list.
uint32_t sm_row_open(sm_walker *walker, uint32_t start, uint32_t end, sm_node node);
// A block of cells in which there is nothing; 0 if there is no room.
uint32_t sm_row_block(sm_walker *walker, uint32_t cell_count);
// How many cells are in use; and gives back those after the first `count`.
uint32_t sm_row_cells(const sm_walker *walker);
void sm_row_release(sm_walker *walker, uint32_t count);
// Copies the JSON of a closed container to `out`, which has room for its text, without white space and with the escapes of `sm_respell`.
// Gives how many bytes it wrote; 0 if there is no such container, or a string has half of a surrogate pair.
size_t sm_row_copy(sm_walker *walker, uint32_t start, uint32_t end, uint8_t *out);
// Reads a JSON text of its own as a row with one cell, by the nodes of the same selection. NULL cells: it cannot. The row is valid
// until the next text is read beside this row, or this row is over.
sm_row sm_row_text(sm_walker *walker, const uint8_t *text, size_t length);

// After SM_STEP_ROW: the next step hands over the same record again, as tokens.
void sm_walker_redo(sm_walker *walker);

// --- Inner rows: of a record that is not a row, whole values inside it are rows, if the selection has rows for them and they lie in one
// batch. They are one value, or elements of an array, one after the other.

// Asks for them, besides rows. It holds for the next feeds, too.
void sm_walker_take_inner_rows(sm_walker *walker, bool takes_rows);
// After SM_STEP_INNER_ROWS: how many there are, and the node by which they were read. All are valid until the next step.
size_t sm_walker_inner_rows(const sm_walker *walker, sm_node *rows);
// Makes one of them what sm_walker_row and the questions about a row are about; gives its cell, and where its text is in the feed.
uint32_t sm_walker_inner_row(sm_walker *walker, size_t number, sm_token *place);
// The next step continues with this one, as tokens; those before it are done.
void sm_walker_redo_inner_row(sm_walker *walker, size_t number);

// Gives the only piece of a feed that is one document, instead of sm_walker_input. True: it is a row, as after SM_STEP_ROW. False:
// continue with sm_walker_next.
bool sm_walker_take_document(sm_walker *walker, const uint8_t *bytes, size_t length);

// --- After SM_STEP_RECORD and SM_STEP_ROW: the record's first byte and the byte after its last one; its line. While a record is open or just
// over, `start` and `line` are set already.
sm_token sm_walker_record(const sm_walker *walker);
// The number of levels around the record (0 if the text itself is the record). sm_walker_level says what they are, while the
// walker is in the record or just after it. After SM_STEP_FAULT: all levels at the fault, those inside the record and inside
// skipped parts included.
size_t sm_walker_levels(const sm_walker *walker, bool of_record);
sm_level sm_walker_level(const sm_walker *walker, size_t i);

// --- After SM_STEP_FAULT: `fault.final` says whether the walker can continue. If it can, call next: it continues after the next line
// feed (record separator), where the next text starts as if nothing had happened. If not, every further call answers SM_STEP_END.
sm_fault sm_walker_fault(const sm_walker *walker);
// The malformed text. Where the walker can continue, this is the whole line (entry), without the line feed (record separator): the
// step comes once its end or SM_LARGEST_TEXT bytes of it are known. For a larger text, it is the first SM_LARGEST_TEXT bytes, or
// those up to the fault if these are more. Where the walker cannot continue, it is the text up to the fault.
// So a rejected line is there as a whole, and can be corrected. The index stays right, because a line feed inside a string is itself a
// fault: even a feed of faults alone takes linear time.
sm_token sm_walker_text(const sm_walker *walker);
#define SM_LARGEST_TEXT ((uint64_t)64 << 10)

// Whether a record is open (a chunk of it was handed over, but it has not ended): a reader must throw it away at a fault.
bool sm_walker_in_record(const sm_walker *walker);
// Bit k is set when path k was met (sm_selection_mark).
uint64_t sm_walker_paths_seen(const sm_walker *walker);
// The paths that lead to the record that is open or just over, as bits.
uint64_t sm_walker_record_paths(const sm_walker *walker);
// The node of that record; SM_SKIP before the first one.
sm_node sm_walker_record_node(const sm_walker *walker);
// --- Positions: to continue in another walker, perhaps of another process.
// What comes next at a position.
typedef enum {
  SM_AT_TEXT,           // a text
  SM_AT_TEXT_END,       // what ends the text
  SM_AT_FAULT,          // after a fault: the next text is still to be found
  // Inside a text, in its innermost open container:
  SM_AT_VALUE,          // the value of a member or element that is begun
  SM_AT_NEXT,           // after a member or element
  SM_AT_FIRST_KEY,
  SM_AT_KEY,
  SM_AT_COLON,
  SM_AT_FIRST_ELEMENT,
  SM_AT_ELEMENT,
} sm_at;

typedef struct {
  uint64_t offset;      // of the first byte to give
  uint64_t line;        // the line there
  uint64_t line_start;
  sm_token text;        // the current text
  uint64_t paths_seen;
  sm_framing framing;   // as it is known by now
  bool is_framing_settled;
  bool has_separator;
  bool is_first_text;
  bool has_text;
  sm_at place;
  size_t depth;         // how many of the open levels, from the outermost on, are around it
} sm_position;

// Between two calls of next: a place where a walker that has read no byte can continue; in a record or a token it is the place before
// that. False if there is no such place: after the end.
bool sm_walker_position(const sm_walker *walker, sm_position *position);
// After SM_STEP_FAULT, until the next step: the place before the record or the token that the fault is in. After SM_STEP_END without
// such a fault: the place at the end, for a feed that continues there. False if there is none.
bool sm_walker_last_position(const sm_walker *walker, sm_position *position);

// Whether the walker has come to the end of the feed, or to a fault that ends it. The last record may still be taken.
bool sm_walker_is_over(const sm_walker *walker);
// Puts a walker, with the same selection, where another one was; the next input is that from the position's offset on. Use it
// instead of sm_walker_start. False if no walker can have been there with this selection and these limits, or if memory
// runs out; the walker is reset then. The caller has to check the numbers of lines and offsets.
bool sm_walker_restore(sm_walker *walker, const sm_position *position, const sm_level *levels, size_t count);

// The bytes of the feed from an offset on up to the last piece, if the walker has copied them, as it does with a record that a piece cuts off;
// NULL if it has not. Until the next step.
const uint8_t *sm_walker_copied(const sm_walker *walker, uint64_t offset, size_t *length);

// The number of bytes of the feed that the walker is done with, and the line of the next byte that it does not know. Time: of the lines, O(length)
// of a record that waits for the rest of it.
uint64_t sm_walker_offset(const sm_walker *walker);
uint64_t sm_walker_line(const sm_walker *walker);
uint64_t sm_walker_line_start(const sm_walker *walker);
// The memory in bytes of what grows with the feed's tokens and their depth.
size_t sm_walker_memory(const sm_walker *walker);
// The framing as it is known by now.
sm_framing sm_walker_framing(const sm_walker *walker);

#endif
