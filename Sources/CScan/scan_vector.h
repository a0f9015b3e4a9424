// The scanner in blocks of 64 bytes, without a branch on what they hold: the part that all processors with vectors share.
// `scan_avx2.c`, `scan_avx512.c` and `scan_neon.c` define the operations on a block and then include this file.
//
// Worked example, for the first bytes of {"a\"b":1} (one character of the masks stands for one byte, first byte left):
//
//     bytes       {"a\"b":1}
//     backslash   ...1......
//     escaped     ....1.....    the byte after an odd number of backslashes
//     quote       .1....1...    and not escaped
//     in_string   .11111....    prefix-xor of quote: the opening quote is inside, the closing one is not
//     structure   1......1.1    and not in a string
//     scalar      ........1.    none of all these, and the byte before is not a scalar's
//     index       11....1111
//
// Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019): the masks. Keiser and Lemire, "Validating UTF-8 in less
// than one instruction per byte" (2020): UTF-8. Whatever is wrong, the portable scanner runs over the window again and says
// where: a fault costs no more than twice the bytes before it.
//
// A file that includes this defines
//   TARGET, VECTOR       how a function for its instructions is declared
//   SCAN                 the name of its scanner, declared in scan_private.h
//   block, load_block    64 bytes
//   equal, control       masks: bytes equal to one; bytes below 0x20
//   folded               the block with brackets as braces
//   beyond               the mask of the bytes that are not ASCII
//   classify             masks: structure ( { } [ ] : , line feed, record separator) and space
//   prefix_xor           each bit is the exclusive or of the bits up to it
//   utf8_state           zeroed at the start; utf8_check for a block that is not all ASCII, utf8_ascii for one that is,
//                        utf8_failed
//   write_positions      positions of the bits of a mask; may write up to 64 entries
//
// If you add a fault, also touch `scan_portable.c`: all implementations give the same results.

#include <string.h>

#include "scan_private.h"

// The bytes that are escaped; `escapes` gets the backslashes that escape them. `carry` says whether the block before escapes the
// first byte.
VECTOR uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry, uint64_t *escapes) {
  if (backslash == 0) {
    uint64_t escaped = *carry;
    *carry = 0;
    *escapes = 0;
    return escaped;
  }
  const uint64_t odd = 0xAAAAAAAAAAAAAAAAu;
  uint64_t potential = backslash & ~*carry;
  uint64_t even_series = ((potential << 1) | odd) - potential;
  uint64_t codes = even_series ^ odd;
  uint64_t escaped = codes ^ (backslash | *carry);
  *escapes = codes & backslash;
  *carry = *escapes >> 63;
  return escaped;
}

// Checks the escapes of a block, which start at the bits `escapes`; false if one is wrong. `*behind` is where the last one
// ends.
static bool check_escapes(const uint8_t *bytes, size_t length, size_t base, uint64_t escapes, size_t *behind) {
  while (escapes != 0) {
    size_t position = base + (size_t)__builtin_ctzll(escapes);
    escapes &= escapes - 1;
    if (position < *behind) continue;  // the second half of a pair
    sm_sequence sequence = sm_check_escape(bytes + position, length - position);
    if (sequence.length == 0) return false;
    *behind = position + sequence.length;
  }
  return true;
}

// What is known of the byte before a block.
typedef struct {
  uint64_t in_string;  // all bits
  uint64_t in_scalar;  // the first bit
} place;

typedef struct {
  uint64_t inside;   // strings, with their opening quotes
  uint64_t scalar;
  uint64_t entries;  // of the index
} masks;

VECTOR masks go_over(place *here, block b, uint64_t quote) {
  uint64_t inside = prefix_xor(quote) ^ here->in_string, structure, space;
  classify(b, &structure, &space);
  structure &= ~inside;
  uint64_t scalar = ~(structure | space | quote | inside);
  uint64_t starts = scalar & ~(scalar << 1 | here->in_scalar);
  *here = (place){(uint64_t)((int64_t)inside >> 63), scalar >> 63};
  return (masks){inside, scalar, structure | quote | starts};
}

// Bytes that must be there after a block: the longest escape that starts in the block ends among them.
#define ROOM 12

// Scans the last bytes of a window, fewer than a block and its room, as blocks that are filled up with white space. False, with
// nothing changed, where something in them needs a closer look.
VECTOR bool scan_last(place *here, const uint8_t *bytes, size_t length, size_t base, uint32_t *index, size_t *count) {
  // Aligned by `_Alignas`: the address sanitizer does not see the alignment that the compiler itself gives its vectors.
  _Alignas(64) uint8_t copy[128];
  memset(copy, ' ', sizeof copy);
  memcpy(copy, bytes + base, length - base);
  place now = *here;
  size_t found = *count;
  for (size_t at = 0; at < length - base; at += 64) {
    block b = load_block(copy + at);
    masks m = go_over(&now, b, equal(b, '"'));
    if ((equal(b, '\\') | beyond(b) | (control(b) & m.inside)) != 0) return false;
    found += write_positions(index + found, m.entries, (uint32_t)(base + at));
    now.in_scalar = m.scalar >> ((length - base - at > 64 ? 64 : length - base - at) - 1) & 1;
  }
  *here = now;
  *count = found;
  return true;
}

VECTOR sm_scan_result scan_blocks(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  size_t offset = 0, count = 0, behind_escapes = 0;
  place here = {state->in_string ? ~(uint64_t)0 : 0, state->in_scalar};
  uint64_t carry = 0;
  utf8_state utf8 = {0};
  for (; offset + 64 + ROOM <= length; offset += 64) {
    block b = load_block(bytes + offset);
    uint64_t backslash = equal(b, '\\'), escapes;
    uint64_t escaped = escaped_bytes(backslash, &carry, &escapes);
    masks m = go_over(&here, b, equal(b, '"') & ~escaped);
    uint64_t wrong = (control(b) & m.inside) | (backslash & ~m.inside);
    uint64_t high = beyond(b);
    if (high != 0) {
      wrong |= high & ~m.inside;
      utf8_check(&utf8, b);
    } else {
      utf8_ascii(&utf8, b);
    }
    if (__builtin_expect(
            wrong != 0 || utf8_failed(&utf8) ||
                (escapes != 0 && !check_escapes(bytes, length, offset, escapes, &behind_escapes)),
            0)) {
      return sm_scan_portable(state, bytes, length, final, index);
    }
    count += write_positions(index + count, m.entries, (uint32_t)offset);
  }
  // The rest starts after an escape that reaches into it, or at the start of a character that does.
  size_t rest = behind_escapes > offset ? behind_escapes : offset;
  if (rest == offset && offset > 0) {
    if (bytes[offset - 1] >= 0xC0) rest -= 1;
    else if (bytes[offset - 2] >= 0xE0) rest -= 2;
    else if (bytes[offset - 3] >= 0xF0) rest -= 3;
  }
  sm_scan_result last = {.scanned = length - rest};
  if (rest != offset || !scan_last(&here, bytes, length, rest, index, &count)) {
    sm_scan_state now = {here.in_string != 0, here.in_scalar != 0};
    last = sm_scan_portable(&now, bytes + rest, length - rest, final, index + count);
    for (size_t i = 0; i < last.count; i++) index[count + i] += (uint32_t)rest;
    here = (place){now.in_string ? ~(uint64_t)0 : 0, now.in_scalar};
  }
  *state = (sm_scan_state){here.in_string != 0, here.in_scalar != 0};
  return (sm_scan_result){.scanned = rest + last.scanned, .count = count + last.count, .fault = last.fault};
}

TARGET sm_scan_result SCAN(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  return scan_blocks(state, bytes, length, final, index);
}
