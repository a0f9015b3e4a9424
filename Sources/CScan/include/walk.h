// The walker: goes over the structure of a feed, checks its whole grammar (RFC 8259), finds the records in
// it, and hands over of each record only what its reader asked for.
//
// The parser behind it sees valid, small JSON; a table of tokens beside it keeps the address in the feed of
// every token handed over. The index is gone over once, no token is buffered unless it is handed over and the
// input ended in the middle of it.
//
// Vocabulary
//   text        one JSON value of the feed with the framing around it: a document, a line, a sequence entry
//   record      a value inside a text that the selection marks as one (often the text itself)
//   selection   which parts of a text are records, and which parts of a record are handed over
//   chunk       bytes handed over: a piece of a record, cut between tokens
//   kept        handed over; all else is skipped: checked and left out

#ifndef STREAMMAP_WALK_H
#define STREAMMAP_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------------------------------------------------
// Selection: immutable tables, shared by any number of walkers and threads once sealed.

// A node says what becomes of the value at one place.
typedef uint32_t sm_node;

enum {
  SM_SKIP = 0,  // the value is skipped
  SM_KEEP = 1,  // the value is kept whole
  SM_SHELL = 2,  // a scalar is kept; of an object or array only the braces or brackets are
};

// Nodes made by `sm_selection_node` keep scalars; for an object, members in its key table go to their node
// and others to `other_members`; for an array, elements whose index is named go to that node and others
// to `other_elements`. Where `other_elements` is SM_SKIP, skipped elements below the highest index that is
// kept are handed over as `null`, so that a reader that counts elements counts right.
typedef struct sm_selection sm_selection;

sm_selection *sm_selection_create(void);  // NULL: out of memory
void sm_selection_destroy(sm_selection *selection);

// A new node inside a record. Its defaults are SM_SKIP for members and elements.
sm_node sm_selection_node(sm_selection *selection);
// A new node on the way to records: of it nothing is kept, it is only searched. A scalar, or a container of
// another kind than the one that leads on, simply holds no records.
sm_node sm_selection_navigation(sm_selection *selection);
void sm_selection_other_members(sm_selection *selection, sm_node node, sm_node child);
void sm_selection_other_elements(sm_selection *selection, sm_node node, sm_node child);
// `key` as it is after unescaping, in UTF-8. The same key again replaces the child and the tag. The tag is a number of the
// caller's, below SM_TAG_END, that is handed over with the member's key: so its reader need not look the key up again.
void sm_selection_member(
    sm_selection *selection, sm_node node, const uint8_t *key, size_t length, sm_node child, uint32_t tag);
// The elements from `first` to before `end`, unless an earlier call had them.
void sm_selection_elements(sm_selection *selection, sm_node node, uint64_t first, uint64_t end, sm_node child);
// Each value that reaches `marker` is a record, and what is kept of it is said by `inside`. A marker can stand
// only where navigation leads (or at the root).
sm_node sm_selection_record(sm_selection *selection, sm_node inside);
// Where navigation reaches `node`, the bit `path` (0..63) of `sm_walker.paths_seen` is set: when the value there
// is an array whose elements lead on, or is a record itself.
void sm_selection_mark(sm_selection *selection, sm_node node, unsigned path);
// Ends the building. False: out of memory at some earlier call, the selection is unusable.
bool sm_selection_seal(sm_selection *selection, sm_node root);

// ---------------------------------------------------------------------------------------------------------
// The walker

typedef enum {
  SM_FRAMING_JSON,    // one text; anything but whitespace behind it is a fault; no text at all is one too
  SM_FRAMING_NDJSON,  // one text a line; lines of only whitespace are passed over
  SM_FRAMING_CONCAT,  // texts one after the other; behind a number or literal there is whitespace
  SM_FRAMING_SEQ,     // RFC 7464: each text behind a record separator (0x1E)
  // Settles on the first bytes: a record separator makes it SEQ. Otherwise the first text decides: if it ends on
  // the line it began on and a line feed follows it before another text, NDJSON; else CONCAT.
  // A fault in a first text of one line that is a record itself makes it NDJSON; in one that is searched for records it
  // is final.
  SM_FRAMING_AUTO,
} sm_framing;

typedef struct {
  uint64_t depth;   // containers open at a time, counted from the text's own value (a depth of 1 is `[]`)
  uint64_t string;  // bytes of a kept string, as written, without quotes
  uint64_t number;  // bytes of a number, kept or skipped
  uint64_t key;     // bytes of a key, as written, without quotes, kept or skipped
} sm_limits;

// Where a token stands in the feed. All are counted from the feed's first byte (a byte-order mark included) and
// from line 1 up; `line_start` is the offset of the first byte of the line, so that the column (in bytes, from
// 1 up) is start - line_start + 1.
#define SM_TAG_BITS 20
#define SM_TAG_END ((uint32_t)1 << SM_TAG_BITS)
#define SM_LINE_BITS (61 - SM_TAG_BITS)
typedef struct {
  uint64_t start;
  uint64_t end;  // one past its last byte; of an opening brace or bracket the byte after it
  uint64_t line : SM_LINE_BITS;
  uint64_t is_apart : 1;   // the chunk leaves it out
  uint64_t is_key : 1;
  uint64_t is_object : 1;  // a brace: the chunk has a bracket for it
  uint64_t tag : SM_TAG_BITS;  // of a key that the selection names: its tag; else 0
  uint64_t line_start;
} sm_token;

typedef enum {
  SM_STEP_INPUT,   // all input is used up (or the final input is not set yet): give more with sm_walker_input
  SM_STEP_CHUNK,   // a piece of a record is handed over, the record goes on
  SM_STEP_RECORD,  // the last piece of a record is handed over (its record_* fields are set)
  SM_STEP_FAULT,   // what is wrong stands in `fault`; what was handed over of an open record is void
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
  // The machine's.
  SM_FAULT_MEMORY,
  SM_FAULT_EMPTY,           // SM_FRAMING_JSON: no text at all
} sm_fault_kind;

typedef enum {
  SM_EXPECTED_NOTHING = 0,     // not a grammar fault
  SM_EXPECTED_VALUE,
  SM_EXPECTED_VALUE_OR_END,    // behind [
  SM_EXPECTED_KEY,             // behind a comma in an object
  SM_EXPECTED_KEY_OR_END,      // behind {
  SM_EXPECTED_COLON,
  SM_EXPECTED_COMMA_OR_BRACE,  // behind a member
  SM_EXPECTED_COMMA_OR_BRACKET,
  SM_EXPECTED_DIGIT,           // inside a number
  SM_EXPECTED_NUMBER_END,      // 01, 1.2.3, 1x: the number is over and something sticks to it
  SM_EXPECTED_LITERAL,         // inside true, false or null
  SM_EXPECTED_STRING_END,      // truncated inside a string
  SM_EXPECTED_TEXT_END,        // behind the one document; behind the text of a line
  SM_EXPECTED_SEPARATOR,       // CONCAT: behind a number or literal; SEQ: a record separator
} sm_expected;

typedef struct {
  sm_fault_kind kind;
  sm_expected expected;
  sm_token at;      // the offending byte or token: [start, end); start == end at the end of the feed
  uint8_t found;    // the offending byte, where there is one
  bool final;       // no record can be read behind it (the framing has no place to go on from)
} sm_fault;

// One open container, from the text's value (level 0) inwards: together they are the path. Of an object the
// current member's key (as written, still escaped), of an array the current element's index.
typedef struct {
  const uint8_t *key;
  size_t key_length;
  uint64_t index;
  bool is_object;
  bool has_position;  // false: no member or element was begun yet
} sm_level;

typedef struct sm_walker sm_walker;

// How the texts of keys and scalars are handed over.
typedef enum {
  // Where they stand, if they are whole there and without escapes: the chunk has nothing for them, nor for a container inside the
  // record that has nothing else in it. An object is an array in it, of those of its keys and values that are not apart.
  SM_TEXTS_APART,
  SM_TEXTS_INSIDE,  // in the chunk: it is the record's text, and can be kept without the input
} sm_texts;

// NULL: out of memory. The selection must outlive the walker.
sm_walker *sm_walker_create(const sm_selection *selection, sm_framing framing, sm_limits limits, sm_texts texts);
void sm_walker_destroy(sm_walker *walker);
// Makes a walker ready for another feed: as a new one, but with its memory.
void sm_walker_reset(sm_walker *walker, sm_framing framing);

// Gives the next piece of the feed, after SM_STEP_INPUT (or at the start). The walker reads `bytes` in place until
// it answers SM_STEP_INPUT or SM_STEP_END: they must stay as they are until then. `final`: the feed ends with
// them (`length` may be 0). A byte-order mark is not the walker's business: start behind it and set `offset`
// (the offset in the feed of the first byte of the first piece) with the first call.
void sm_walker_input(sm_walker *walker, const uint8_t *bytes, size_t length, bool final);
void sm_walker_start(sm_walker *walker, uint64_t offset);

sm_step sm_walker_next(sm_walker *walker);

// What is handed over.
typedef struct {
  // Valid JSON, to be fed to the parser behind what came before it. Chunks of one record, joined, are one JSON value, or nothing
  // where that is a scalar that is apart; separate records are separate chunks. With SM_TEXTS_APART it is not the record's own text:
  // see there.
  const uint8_t *bytes;
  size_t length;
  // One token for each value and key in the chunk in their order, closing braces and brackets included, commas and colons not. A
  // string's token includes its quotes. A `null` that stands for a skipped element carries the position of that element's first
  // byte as start and end.
  const sm_token *tokens;
  size_t token_count;
  // The text of a token that is apart stands in memory at its `start` behind this address (a string's or a key's first quote is
  // there): inside the input, or the walker's own. The address itself may be no one's. 0 with SM_TEXTS_INSIDE.
  uintptr_t apart_origin;
} sm_chunk;

// After SM_STEP_CHUNK and SM_STEP_RECORD; it and what it points to are valid until the next call of sm_walker_next.
const sm_chunk *sm_walker_chunk(const sm_walker *walker);

// --- After SM_STEP_RECORD: the record's first byte and the byte behind its last one; its line. While a record is
// open or just over, `start` and `line` are set already.
sm_token sm_walker_record(const sm_walker *walker);
// The number of levels around the record (0 where the text itself is the record), and while in or just behind it
// what they are. After SM_STEP_FAULT: all levels at the fault, those inside the record and inside skipped
// parts included.
size_t sm_walker_levels(const sm_walker *walker, bool of_record);
sm_level sm_walker_level(const sm_walker *walker, size_t i);

// --- After SM_STEP_FAULT: `fault.final` says whether the walker can go on. If it can, call next: it goes on behind
// the next line feed (record separator), where the next text starts as if nothing had happened. If not, every
// further call answers SM_STEP_END.
sm_fault sm_walker_fault(const sm_walker *walker);
// The whole malformed text (line, entry) as far as it is known: from its first byte to the fault.
sm_token sm_walker_text(const sm_walker *walker);

// Whether a record is open (its chunk was handed over, it was not ended): what a reader must throw away at a fault.
bool sm_walker_in_record(const sm_walker *walker);
// Bit k is set when path k was met (sm_selection_mark).
uint64_t sm_walker_paths_seen(const sm_walker *walker);
// The paths that the record leads to which is open or just over, as bits.
uint64_t sm_walker_record_paths(const sm_walker *walker);
// --- Positions: to go on in another walker, perhaps of another process.
typedef struct {
  uint64_t offset;      // of the first byte to be given
  uint64_t line;        // there
  uint64_t line_start;
  sm_token text;        // the current text
  uint64_t paths_seen;
  sm_framing framing;   // as it is known by now
  bool is_framing_settled;
  bool has_separator;
  bool is_first_text;
  bool has_text;
  bool is_behind_fault;  // the next text is still to be found
} sm_position;

// Between two calls of next: where a walker can go on that has read no byte; its levels are those that are open
// (sm_walker_levels with false), or none where it is behind a fault. False where there is no such place: in a record, in a
// token, behind the end.
bool sm_walker_position(const sm_walker *walker, sm_position *position);
// Puts a walker, with the same selection, where another one was; the next input is that from its offset on. Instead of
// sm_walker_start. False where no walker can have been there with this selection and these limits, or memory ends; the walker is
// reset then. The numbers of lines and offsets are the caller's to check.
bool sm_walker_restore(sm_walker *walker, const sm_position *position, const sm_level *levels, size_t count);

// Bytes of the feed that are behind the walker, and the line it is on.
uint64_t sm_walker_offset(const sm_walker *walker);
uint64_t sm_walker_line(const sm_walker *walker);
// The framing as it is known by now.
sm_framing sm_walker_framing(const sm_walker *walker);

#endif
