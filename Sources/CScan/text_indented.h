// Indented JSON; see `text_forms.h`.

#ifndef STREAMMAP_TEXT_INDENTED_H
#define STREAMMAP_TEXT_INDENTED_H

#include "text_forms.h"

// By how many spaces each container moves what is in it.
enum { SM_INDENT = 2 };

// Writes a value that stands `depth` containers deep, without a line feed; moves `*at` after it. False if there is no room before `end`.
bool sm_put_indented(uint8_t **at, uint8_t *end, const uint8_t *text, size_t length, size_t depth);

// Writes a record with each member and element on its own line, as `jq .` does, and a line feed.
sm_text_form_result sm_write_indented(const uint8_t *text, size_t length, sm_output *output);

#endif
