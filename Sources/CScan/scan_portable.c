// The scanner without instructions of any one machine: a state machine over bytes, with words of eight where
// strings are long. It is what other implementations are held against, and what they fall back on to find the
// exact place of a fault.

#include <string.h>

#include "classes.h"
#include "scan_private.h"

// Whether a word has a byte that ends the plain part of a string: a quote, a backslash, a control character, or one
// beyond ASCII. Borrows only reach bytes above a true hit, so the answer for the whole word is exact.
static inline bool has_special(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  uint64_t quote = word ^ (ones * '"');
  uint64_t backslash = word ^ (ones * '\\');
  return ((word | (word - ones * 0x20) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & highs) != 0;
}

sm_scan_result sm_scan_portable(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  bool in_string = state->in_string, in_scalar = state->in_scalar;
  size_t i = 0, count = 0;
  sm_scan_fault fault = SM_SCAN_OK;
  while (i < length) {
    uint8_t byte = bytes[i];
    if (byte >= 0x80 || (in_string && byte == '\\')) {
      // A sequence of several bytes.
      sm_sequence sequence =
          byte >= 0x80 ? sm_check_utf8(bytes + i, length - i) : sm_check_escape(bytes + i, length - i);
      if (sequence.length == 0) {
        fault = sequence.fault;
        if (fault == SM_SCAN_OK && final) fault = byte >= 0x80 ? SM_SCAN_UTF8 : SM_SCAN_ESCAPE;
        break;
      }
      if (!in_string) {
        if (!in_scalar) index[count++] = (uint32_t)i;
        in_scalar = true;
      }
      i += sequence.length;
    } else if (in_string) {
      if (byte == '"') {
        index[count++] = (uint32_t)i++;
        in_string = false;
      } else if (byte < 0x20) {
        fault = SM_SCAN_CONTROL;
        break;
      } else {
        i++;
        uint64_t word;
        while (i + 8 <= length && (memcpy(&word, bytes + i, 8), !has_special(word))) i += 8;
      }
    } else {
      uint8_t class = sm_classes[byte];
      if (class == SM_CLASS_SCALAR) {
        if (!in_scalar) index[count++] = (uint32_t)i;
        in_scalar = true;
      } else {
        if (class == SM_CLASS_BACKSLASH) {
          fault = SM_SCAN_STRAY_BACKSLASH;
          break;
        }
        in_scalar = false;
        if (class != SM_CLASS_SPACE) index[count++] = (uint32_t)i;
        in_string = class == SM_CLASS_QUOTE;
      }
      i++;
    }
  }
  state->in_string = in_string;
  state->in_scalar = in_scalar;
  return (sm_scan_result){.scanned = i, .count = count, .fault = fault};
}
