// Indented JSON; see `text_forms.h`.

#ifndef STREAMMAP_TEXT_INDENTED_H
#define STREAMMAP_TEXT_INDENTED_H

#include <string.h>

#include "text_forms.h"

// By how many spaces each container moves what is in it.
enum { SM_INDENT = 2, SM_INDENT_VECTOR = 16 };

// Begins a line with so many spaces. There is room for them, and for a vector after the line feed.
static inline uint8_t *sm_put_line(uint8_t *at, size_t width) {
  *at++ = '\n';
  memset(at, ' ', SM_INDENT_VECTOR);
  if (width > SM_INDENT_VECTOR) memset(at, ' ', width);
  return at + width;
}

// Writes a value that stands `depth` containers deep, without a line feed; moves `*at` after it. False if there is no room before `end`.
bool sm_put_indented(uint8_t **at, uint8_t *end, const uint8_t *text, size_t length, size_t depth);

// Writes a record with each member and element on its own line, as `jq .` does, and a line feed.
sm_text_form_result sm_write_indented(const uint8_t *text, size_t length, sm_output *output);

#endif
