// Indented JSON; see `text_forms.h`.

#ifndef STREAMMAP_TEXT_INDENTED_H
#define STREAMMAP_TEXT_INDENTED_H

#include "text_forms.h"

// Writes a record with each member and element on its own line, as `jq .` does, and a line feed.
sm_text_form_result sm_write_indented(const uint8_t *text, size_t length, sm_output *output);

#endif
