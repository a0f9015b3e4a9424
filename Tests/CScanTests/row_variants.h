// Lines of well-formed JSON, written in another way.

#ifndef ROW_VARIANTS_H
#define ROW_VARIANTS_H

#include <string.h>

#include "slow_reading.h"
#include "test.h"

// Puts a line with other scalars: its layout is the same.
static inline void put_varied(buf *b, const buf *line, rng *r) {
  static const char *const scalars[] = {"7", "-1.5e3", "true", "null", "\"\"", "\"a\"", "\"a text of some length\"", "\"\\n\\u00e9\"", "\"\xc3\xa9\""};
  const uint8_t *p = line->bytes, *end = p + line->count;
  while (p < end) {
    if (strchr("{}[],: \n", *p) != NULL) {
      put_byte(b, *p++);
      continue;
    }
    const uint8_t *next = past_value(p);
    bool is_key = *p == '"' && *past_space(next) == ':';
    // Odd strings are rare: a container with one has to be opened when it is known already, not before.
    const char *other = scalars[below(r, chance(r, 20) ? 9 : 7)];
    if (is_key || chance(r, 20)) put(b, p, (size_t)(next - p));
    else put(b, (const uint8_t *)other, strlen(other));
    p = next;
  }
}

// Puts lines with line feeds where white space may be.
static inline void put_on_lines(buf *b, const buf *lines, rng *r) {
  static const char *const breaks[] = {"\n", "\n    ", "\r\n\t", " \n\n"};
  const uint8_t *p = lines->bytes, *end = p + lines->count;
  uint64_t most = below(r, 100);
  while (p < end) {
    const uint8_t *next = *p == '"' ? past_value(p) : p + 1;
    put(b, p, (size_t)(next - p));
    // Not in the middle of a number or a literal.
    bool is_mark = strchr("{}[],:\"", *p) != NULL || (next < end && strchr("}],", *next) != NULL);
    if (is_mark && chance(r, most)) put_text(b, breaks[below(r, 4)]);
    p = next;
  }
}

#endif
