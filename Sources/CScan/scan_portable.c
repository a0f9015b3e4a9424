// The scanner without instructions of any one machine: a state machine over bytes, which takes words of eight bytes where strings
// are long. The other implementations are compared with it. They fall back on it to find the exact place of a fault.

#include <string.h>

#include "classes.h"
#include "scan_private.h"

// In the result, the bytes that end the plain part of a string (a quote, a backslash, a control character or a byte beyond ASCII)
// have their highest bit set. Borrows only reach bytes above a true hit, so the lowest bit set is right.
static inline uint64_t special(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  uint64_t quote = word ^ (ones * '"');
  uint64_t backslash = word ^ (ones * '\\');
  return (word | (word - ones * 0x20) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & highs;
}

// Where the plain part of a string ends. The string continues at `i`.
static inline size_t plain_end(const uint8_t *bytes, size_t i, size_t length) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint64_t word;
  while (i + 8 <= length) {
    memcpy(&word, bytes + i, 8);
    uint64_t hits = special(word);
    if (hits != 0) return i + ((size_t)__builtin_ctzll(hits) >> 3);
    i += 8;
  }
#endif
  while (i < length && bytes[i] < 0x80 && bytes[i] >= 0x20 && bytes[i] != '"' && bytes[i] != '\\') i++;
  return i;
}

static inline bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Goes over well-formed characters of two and three bytes, which are common in most scripts. Stops before anything else.
static inline size_t plain_characters(const uint8_t *bytes, size_t i, size_t length) {
  while (i + 3 <= length) {
    uint8_t lead = bytes[i];
    if (lead >= 0xE1 && lead <= 0xEF && lead != 0xED && continues(bytes[i + 1]) && continues(bytes[i + 2])) {
      i += 3;
    } else if (lead >= 0xC2 && lead <= 0xDF && continues(bytes[i + 1])) {
      i += 2;
    } else {
      break;
    }
  }
  return i;
}

sm_scan_result sm_scan_portable(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  bool in_string = state->in_string, in_scalar = state->in_scalar;
  size_t i = 0, count = 0;
  sm_scan_fault fault = SM_SCAN_OK;
  while (i < length) {
    if (in_string) {
      i = plain_end(bytes, i, length);
      if (i == length) break;
      if (bytes[i] == '"') {
        index[count++] = (uint32_t)i++;
        in_string = false;
        continue;
      }
      if (bytes[i] >= 0x80) {
        size_t behind = plain_characters(bytes, i, length);
        if (behind > i) {
          i = behind;
          continue;
        }
      } else if (bytes[i] < 0x20) {
        fault = SM_SCAN_CONTROL;
        break;
      }
    } else if (bytes[i] < 0x80) {
      uint8_t class = sm_classes[bytes[i]];
      if (class == SM_CLASS_SCALAR) {
        if (!in_scalar) index[count++] = (uint32_t)i;
        do i++;
        while (i < length && bytes[i] < 0x80 && sm_classes[bytes[i]] == SM_CLASS_SCALAR);
        in_scalar = true;
        continue;
      }
      if (class == SM_CLASS_BACKSLASH) {
        fault = SM_SCAN_STRAY_BACKSLASH;
        break;
      }
      in_scalar = false;
      index[count] = (uint32_t)i++;
      count += class != SM_CLASS_SPACE;
      in_string = class == SM_CLASS_QUOTE;
      continue;
    }
    // An escape, or a character that is not plain.
    bool is_escape = bytes[i] == '\\';
    sm_sequence sequence =
        is_escape ? sm_check_escape(bytes + i, length - i) : sm_check_utf8(bytes + i, length - i);
    if (sequence.length == 0) {
      fault = sequence.fault;
      if (fault == SM_SCAN_OK && final) fault = is_escape ? SM_SCAN_ESCAPE : SM_SCAN_UTF8;
      break;
    }
    if (!in_string) {
      if (!in_scalar) index[count++] = (uint32_t)i;
      in_scalar = true;
    }
    i += sequence.length;
  }
  state->in_string = in_string;
  state->in_scalar = in_scalar;
  return (sm_scan_result){.scanned = i, .count = count, .fault = fault};
}
