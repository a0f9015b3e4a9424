// The structure scanner: one pass over a window that finds where tokens start, knows what is inside a
// string, and checks everything that can be checked without grammar: strict UTF-8 (RFC 3629), unescaped
// control characters in strings and escape sequences, surrogate pairs included (RFC 8259, section 7).
//
// `sm_scan` is the only entry. It dispatches, once per process, to the best code for the machine. All implementations give the
// same results bit for bit (the tests compare them with each other).
//
// Worked example. For the 21 bytes
//
//     {"a": [12, "x\n"] }⏎
//     0         1         2
//     012345678901234567890      (⏎ is one line feed; \n is a backslash and an n)
//
// the index is 0 { · 1 " · 3 " · 4 : · 6 [ · 7 (12 starts) · 9 , · 11 " · 15 " · 16 ] · 18 } · 19 ⏎
//
// Entries, in order of their position:
//   - each of  { } [ ] : ,  outside strings
//   - each quote that opens or closes a string (an opening quote is always followed by its closing one)
//   - each line feed (0x0A) and each record separator (0x1E) outside strings
//   - the first byte of each scalar: a run of other bytes outside strings that are not space, tab or
//     carriage return. The walker checks what a run holds (a number, a literal, garbage).

#ifndef STREAMMAP_SCAN_H
#define STREAMMAP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is carried from one window to the next. Zero is the state at the start of a feed.
typedef struct {
  bool in_string;  // the next byte lies inside a string
  bool in_scalar;  // the byte before the next one belongs to a scalar run
} sm_scan_state;

typedef enum {
  SM_SCAN_OK = 0,
  SM_SCAN_UTF8,             // not a well-formed UTF-8 sequence (overlong, surrogate, above U+10FFFF, cut off)
  SM_SCAN_CONTROL,          // an unescaped control character (below 0x20) inside a string
  SM_SCAN_ESCAPE,           // \ followed by something RFC 8259 does not know, or \u without four hex digits
  SM_SCAN_SURROGATE,        // a \u escape that is half of a surrogate pair without its other half
  SM_SCAN_STRAY_BACKSLASH,  // a backslash outside a string
} sm_scan_fault;

typedef struct {
  size_t scanned;  // bytes [0, scanned) are indexed and checked, and must not be given again
  size_t count;    // entries written to the index, all of them positions below `scanned`
  sm_scan_fault fault;  // if not OK: what is wrong at byte `scanned`; nothing after it was looked at
} sm_scan_result;

// Scans `bytes[0..<length]`, which continue what was scanned before, and writes to `index` the positions
// (relative to `bytes`) of what it finds.
//
// - It never stops inside an escape sequence or a UTF-8 sequence. Without `final`, at most 11 bytes at the end stay unscanned
//   when the end of the window cuts off such a sequence (a surrogate pair takes 12 bytes): give them again with what follows.
//   With `final`, a cut-off sequence is a fault at its first byte.
// - The fault with the lowest position is reported. For a UTF-8 fault, that is the first byte of the ill-formed sequence; for an
//   escape or a surrogate, it is the backslash that starts the wrong escape (for a high surrogate followed by an escape that is
//   not a low one: the backslash of the high one).
// - After a fault, the state is meaningless: start again after the fault with a zeroed state.
// - `length` is below 2^31. `index` has room for `length + 64` entries (vector code writes past the count).
// - Time: O(length). Nothing is allocated. No byte outside `bytes[0..<length]` is read.
sm_scan_result sm_scan(sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index);

// The name of the code that `sm_scan` runs on this machine: "portable", "avx2", "avx512" or "neon".
const char *sm_scan_implementation(void);

// Selects an implementation by name, for tests and comparisons. False if the machine lacks it. Do not use it while another
// thread scans.
bool sm_scan_select(const char *name);

#endif
