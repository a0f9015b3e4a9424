// Which keys a row may have, compared with a slow reading of its text.

#ifndef ROW_NAMES_H
#define ROW_NAMES_H

#include <stdlib.h>
#include <string.h>

#include "slow_reading.h"
#include "test.h"

static uint64_t named, not_named;

// What a slow reading finds of a key in well-formed JSON.
typedef struct {
  bool has_key;      // a key that is this one, escaped or not
  bool has_text;     // a string with these bytes
  bool has_escapes;  // a key with escapes
} slow_names;

static slow_names read_names(const uint8_t *p, const uint8_t *end, const uint8_t *key, size_t length) {
  slow_names names = {0};
  while (p < end) {
    if (*p != '"') {
      p++;
      continue;
    }
    const uint8_t *next = past_value(p);
    size_t count = (size_t)(next - p);
    bool is_text = count == length && memcmp(p, key, length) == 0;
    names.has_text = names.has_text || is_text;
    if (next < end && *past_space(next) == ':') {
      uint8_t *decoded = need(count);
      size_t decoded_count = decode_key(p + 1, count - 2, decoded);
      names.has_key = names.has_key || (decoded_count == length - 2 && memcmp(decoded, key + 1, length - 2) == 0);
      names.has_escapes = names.has_escapes || memchr(p, '\\', count) != NULL;
      free(decoded);
    }
    p = next;
  }
  return names;
}

// Asks for each key of the models that is written without escapes, and for one that is nowhere.
static void check_names(sm_walker *w, const uint8_t *text, size_t length) {
  for (size_t number = 0; number <= 6; number++) {
    size_t count = 0;
    const char *name = number < 6 ? key_text(number, &count) : "nowhere";
    if (number == 6) count = strlen(name);
    uint8_t *key = need(count + 2);
    key[0] = key[count + 1] = '"';
    memcpy(key + 1, name, count);
    bool is_plain_key = true;
    for (size_t i = 0; i < count; i++) is_plain_key = is_plain_key && key[i + 1] >= 0x20 && key[i + 1] != '"' && key[i + 1] != '\\';
    if (is_plain_key) {
      slow_names slow = read_names(text, text + length, key, count + 2);
      bool may = sm_row_may_name(w, key, count + 2);
      if (slow.has_key && !may) fail("a key of the row is not found");
      if (may && !slow.has_text && !slow.has_escapes) fail("a key is found that the row does not have");
      named += may;
      not_named += !may;
    }
    free(key);
  }
}

#endif
