// Indented JSON; see `text_forms.h`. Strings and numbers stay as they are written.
//
// What holds: before anything is written, there is room for it and for a vector after it.

#include "text_indented.h"

#include "text_values.h"

typedef struct {
  uint8_t *at, *end;  // of the output
  size_t depth;
} indenter;

static inline bool has_space(const indenter *o, size_t length) { return (size_t)(o->end - o->at) >= length + SM_INDENT_VECTOR; }

static inline bool put_line_end(indenter *o) {
  size_t width = o->depth * SM_INDENT;
  if (!has_space(o, width + 1)) return false;
  o->at = sm_put_line(o->at, width);
  return true;
}

static inline bool put(indenter *o, const uint8_t *text, size_t length, const uint8_t *end) {
  if (!has_space(o, length)) return false;
  if (length <= SM_INDENT_VECTOR && end - text >= SM_INDENT_VECTOR) memcpy(o->at, text, SM_INDENT_VECTOR);
  else memcpy(o->at, text, length);
  o->at += length;
  return true;
}

// Writes a token, and returns where it ends; NULL if there is no room.
static inline const uint8_t *put_token(indenter *o, const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at;
  uint8_t byte = *at;
  if (!has_space(o, 2)) return NULL;
  switch (byte) {
  case '{':
  case '[':
    *o->at++ = byte;
    at++;
    if (at < end && (*at == '}' || *at == ']')) {
      *o->at++ = *at;
      return at + 1;
    }
    o->depth++;
    return put_line_end(o) ? at : NULL;
  case '}':
  case ']':
    if (o->depth > 0) o->depth--;
    if (!put_line_end(o)) return NULL;
    *o->at++ = byte;
    return at + 1;
  case ',':
    *o->at++ = byte;
    return put_line_end(o) ? at + 1 : NULL;
  case ':':
    *o->at++ = byte;
    *o->at++ = ' ';
    return at + 1;
  case '"': {
    bool has_escapes;
    at = sm_end_of_string(at, end, &has_escapes);
    break;
  }
  default: at = sm_end_of_word(at, end);
  }
  return put(o, start, (size_t)(at - start), end) ? at : NULL;
}

bool sm_put_indented(uint8_t **at, uint8_t *end, const uint8_t *text, size_t length, size_t depth) {
  indenter o = {.at = *at, .end = end, .depth = depth};
  const uint8_t *const last = text + length;
  while (text < last) {
    text = put_token(&o, text, last);
    if (text == NULL) return false;
  }
  *at = o.at;
  return true;
}

sm_text_form_result sm_write_indented(const uint8_t *text, size_t length, sm_output *output) {
  uint8_t *at = output->start + output->count, *const end = output->start + output->capacity;
  if (!sm_put_indented(&at, end, text, length, 0) || at == end) return SM_FORM_NO_ROOM;
  *at++ = '\n';
  output->count = (size_t)(at - output->start);
  return SM_FORM_WRITTEN;
}
