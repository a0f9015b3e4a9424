// Compares a text with a layout, SPAN bytes a step. Included by the implementations of the scanner, which define the vectors.

#include "layout.h"
#include "scalars.h"
#include "walker.h"

// What the comparison of a text reads again and again. PERF: it stays in registers, because no cell is written through it.
typedef struct {
  const uint8_t *text, *last;
  uint64_t string_limit, number_limit;
} bounds;

// The end of the scalar at `p`; NULL if it is none, or not surely a good one.
VECTOR const uint8_t *match_scalar(
    sm_match *match, bounds at, const uint8_t *p, bool is_limited, sm_cell *cell) {
  if (p > at.last) return NULL;
  const uint8_t *start = p;
  uint8_t kind = *p;
  bool has_escapes = false;
  if (kind == '"') {
    for (p++;; p += SPAN) {
      if (p > at.last) return NULL;
      uint64_t odd, quotes = string_ends(load_span(p), &odd);
      if ((quotes | odd) == 0) continue;
      // Up to the first quote, all bytes are plain.
      if (((quotes ^ (quotes - 1)) & odd) == 0) {
        p += __builtin_ctzll(quotes) + 1;
        break;
      }
      p = sm_match_odd_string(match, start, &has_escapes);
      if (p == NULL) return NULL;
      match->has_odd_strings = true;
      break;
    }
    if (is_limited && (uint64_t)(p - start) - 2 > at.string_limit) return NULL;
  } else {
    uint64_t ends = scalar_ends(load_span(p));
    if (ends == 0) return NULL;
    size_t length = (size_t)__builtin_ctzll(ends);
    if (length == 0 || (length > at.number_limit && kind <= '9')) return NULL;
    size_t room = (size_t)(at.last + SM_LAYOUT_TEXT - p);
    if (!is_simple_scalar(p, kind, length) && !is_plain_scalar(p, length, room, at.number_limit)) return NULL;
    p += length;
  }
  if (cell != NULL) {
    *cell = (sm_cell){
        .start = (uint32_t)(start - at.text), .end = (uint32_t)(p - at.text), .kind = kind, .has_escapes = has_escapes};
  }
  return p;
}

static inline const uint8_t *past_spaces(sm_match *match, const uint8_t *p, const uint8_t *last) {
  for (; p <= last && (*p == ' ' || *p == '\t' || *p == '\r'); p++) match->has_spaces = true;
  return p;
}

// The closing bracket after the elements at `p`; NULL if they are not all good scalars.
TARGET __attribute__((noinline)) static const uint8_t *match_elements(
    sm_match *match, bounds at, const sm_layout *layout, const sm_part *part, const uint8_t *p) {
  uint32_t tail = part->tail, count = 0;
  p = past_spaces(match, p, at.last);
  if (p > at.last) return NULL;
  if (*p == ']') return p;
  for (;; count++) {
    sm_cell *cell = NULL;
    if (part->has_cells) {
      if (match->used + match->first == SM_MOST_CELLS) return NULL;
      uint32_t number = match->used++;
      if (tail == part->cell) match->cells[tail].start = match->first + number;
      else match->cells[tail].next = match->first + number;
      tail = number;
      cell = &match->cells[number];
    } else if (count < part->named_count && layout->named[part->first_named + count] > 0) {
      cell = &match->cells[layout->named[part->first_named + count]];
    }
    p = match_scalar(match, at, p, part->is_limited || cell != NULL, cell);
    if (p == NULL) return NULL;
    p = past_spaces(match, p, at.last);
    if (p > at.last) return NULL;
    if (*p == ']') break;
    if (*p != ',') return NULL;
    p = past_spaces(match, p + 1, at.last);
  }
  if (part->has_cells) match->cells[part->cell].end = count + 1;
  return p;
}

// Whether the text before a part is there; SM_LAYOUT_TEXT bytes are readable.
VECTOR bool has_text(const sm_part *part, const uint8_t *p) {
  if ((differences(load_span(p), load_span(part->text)) & part->mask) != 0) return false;
  // PERF: most texts are shorter.
  return SPAN == SM_LAYOUT_TEXT || part->length <= SPAN ||
         (differences(load_span(p + SPAN), load_span(part->text + SPAN)) & part->mask >> SPAN % 64) == 0;
}

TARGET const uint8_t *MATCH(sm_match *match, sm_layout *layout) {
  sm_part *part = layout->parts;
  const bounds at = {match->text, match->last, match->string_limit, match->number_limit};
  const uint8_t *p = match->start;
  sm_cell *const cells = match->cells;
  // PERF: most lines that have another layout show it soon.
  if (p > at.last || !has_text(part, p)) return NULL;
  memcpy(cells, layout->cells, layout->used * sizeof *cells);
  match->used = layout->used;
  match->has_odd_strings = match->has_spaces = false;
  for (;;) {
    if (part->mark_count > 0) sm_set_marks(layout, part, cells, (uint32_t)(p - at.text));
    p += part->length;
    if (part->kind == SM_PART_SCALAR) {
      p = match_scalar(match, at, p, part->is_limited, part->cell == 0 ? NULL : &cells[part->cell]);
      if (p == NULL) return NULL;
      part->end = p;
    } else if (part->kind == SM_PART_ARRAY) {
      p = match_elements(match, at, layout, part, p);
      if (p == NULL) return NULL;
      part->end = p;
    } else if (part->kind == SM_PART_END) {
      return p;
    }
    part++;
    if (p > at.last || !has_text(part, p)) return NULL;
  }
}
