// The cells of a record; see `text_forms.h`. Recursion goes as deep as the columns' keys, not as the text.
//
// Keys are expected in the order of the mapping, so a cell costs one comparison and the search for its end.

#include <string.h>

#include "text_forms.h"
#include "text_values.h"

typedef struct {
  const sm_text_cells *cells;
  const uint8_t *text, *end;
  sm_text_cell *found;
} finder;

static inline const uint8_t *find_value(const finder *f, const sm_text_part *part, const uint8_t *at);

sm_text_cell sm_cell_at(const uint8_t *text, size_t length, size_t start) {
  sm_text_cell cell = {.start = start, .kind = text[start] == 'n' ? 0 : text[start]};
  cell.end = (size_t)(sm_end_of_value(text + start, text + length, &cell.has_escapes) - text);
  return cell;
}

size_t sm_value_end(const uint8_t *text, size_t length, size_t start) {
  bool has_escapes;
  return (size_t)(sm_end_of_value(text + start, text + length, &has_escapes) - text);
}

size_t sm_value_of_member(const uint8_t *text, size_t length, const uint8_t *key, size_t key_length, size_t *value_end) {
  const uint8_t *at = text, *end = text + length, *found = NULL;
  if (length < 2 || *at != '{') return 0;
  for (at++; at < end && *at == '"';) {
    bool has_escapes;
    const uint8_t *colon = sm_end_of_string(at, end, &has_escapes);
    bool is_it = (size_t)(colon - at) == key_length && memcmp(at, key, key_length) == 0;
    const uint8_t *value = colon < end ? colon + 1 : end;
    at = sm_end_of_value(value, end, &has_escapes);
    if (is_it && value < end) {
      found = value;
      *value_end = (size_t)(at - text);
    }
    if (at < end) at++;
  }
  return found == NULL ? 0 : (size_t)(found - text);
}

static inline bool is_key(const finder *f, const sm_text_member *member, const uint8_t *at) {
  const uint8_t *key = f->cells->keys + member->key;
  size_t length = member->length, left = (size_t)(f->end - at);
  if (length > left) return false;
  // PERF: a key with its quotes and colon has at least three bytes, and mostly some more.
  if (length < 8) return memcmp(at, key, length) == 0;
  if (sm_load(at) != sm_load(key)) return false;
  size_t done = 8;
  for (; length - done >= 8; done += 8) {
    if (sm_load(at + done) != sm_load(key + done)) return false;
  }
  return sm_load(at + length - 8) == sm_load(key + length - 8);
}

// The member whose key is here: one from `next` on, or one before it; else NULL.
static inline const sm_text_member *find_member(
    const finder *f, const sm_text_member *next, const sm_text_member *first, const sm_text_member *end, const uint8_t *at) {
  for (const sm_text_member *member = next; member < end; member++) {
    if (is_key(f, member, at)) return member;
  }
  for (const sm_text_member *member = first; member < next; member++) {
    if (is_key(f, member, at)) return member;
  }
  return NULL;
}

static const uint8_t *find_members(const finder *f, const sm_text_part *part, const uint8_t *at) {
  const sm_text_member *first = f->cells->members + part->first_member, *end = first + part->member_count, *next = first;
  for (at++; at < f->end && *at != '}';) {
    const sm_text_member *member = find_member(f, next, first, end, at);
    if (member != NULL) {
      next = member + 1;
      at = find_value(f, f->cells->parts + member->part, at + member->length);
    } else {
      // No column has it.
      bool has_escapes;
      at = sm_end_of_string(at, f->end, &has_escapes);
      if (at < f->end) at = sm_end_of_value(at + 1, f->end, &has_escapes);
    }
    if (at < f->end && *at == ',') at++;
  }
  return at < f->end ? at + 1 : at;
}

// Looks at a value, and returns where it ends.
static inline const uint8_t *find_value(const finder *f, const sm_text_part *part, const uint8_t *at) {
  if (at >= f->end) return f->end;
  if (part->column >= 0) {
    sm_text_cell cell = {.start = (size_t)(at - f->text), .kind = *at == 'n' ? 0 : *at};
    at = sm_end_of_value(at, f->end, &cell.has_escapes);
    cell.end = (size_t)(at - f->text);
    f->found[part->column] = cell;
    return at;
  }
  // An object may be null.
  bool has_escapes;
  return *at == '{' ? find_members(f, part, at) : sm_end_of_value(at, f->end, &has_escapes);
}

void sm_find_cells(const sm_text_cells *cells, const uint8_t *text, size_t length, sm_text_cell *found) {
  finder f = {.cells = cells, .text = text, .end = text + length, .found = found};
  memset(found, 0, cells->columns * sizeof *found);
  find_value(&f, cells->parts, text);
}
