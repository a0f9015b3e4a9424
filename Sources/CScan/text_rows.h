// The text of a cell in a row; see `text_forms.h`.
//
// What holds: before a cell is written, there is room for the most that its value can become.

#ifndef STREAMMAP_TEXT_ROWS_H
#define STREAMMAP_TEXT_ROWS_H

#include <string.h>

#include "text_forms.h"
#include "text_values.h"

// A row that is being written.
typedef struct {
  sm_text_form_writer *writer;
  const sm_text_form *form;
  uint8_t *at;    // of the output
  size_t column;
} sm_row_form;

// A string without its escapes, an apostrophe before it, a quote before each byte and one at each end; a delimiter, and a vector after it.
static inline size_t sm_most_cell_bytes(size_t length) { return 3 * length + 48; }

static inline uint8_t sm_delimiter(const sm_text_form *form) { return form->kind == SM_AS_CSV ? ',' : '\t'; }

// Copies text that needs no quotes in CSV; NULL if it needs them. Bytes up to `end` can be read. `is_plain`: a comma is all that can be in it,
// as in a string without an escape.
__attribute__((always_inline)) static inline uint8_t *sm_copy_unquoted(
    uint8_t *to, const uint8_t *from, size_t length, const uint8_t *end, bool is_plain) {
  size_t done = 0;
#if defined(__SSE2__)
  const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"');
  const __m128i feed = _mm_set1_epi8('\n'), carriage = _mm_set1_epi8('\r');
  for (; done < length && (size_t)(end - from) - done >= 16; done += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(from + done));
    _mm_storeu_si128((__m128i *)(to + done), bytes);
    __m128i found = _mm_cmpeq_epi8(bytes, comma);
    if (!is_plain) {
      __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, feed), _mm_cmpeq_epi8(bytes, carriage));
      found = _mm_or_si128(_mm_or_si128(found, _mm_cmpeq_epi8(bytes, quote)), ends);
    }
    uint32_t bits = (uint32_t)_mm_movemask_epi8(found);
    if (length - done < 16) bits &= (1u << (length - done)) - 1;
    if (bits != 0) return NULL;
  }
#else
  for (; length - done >= 8; done += 8) {
    uint64_t word = sm_load(from + done);
    memcpy(to + done, &word, 8);
    if (sm_hits(word, ',') != 0) return NULL;
    if (!is_plain && (sm_hits(word, '"') | sm_hits(word, '\n') | sm_hits(word, '\r')) != 0) return NULL;
  }
#endif
  for (; done < length; done++) {
    uint8_t byte = from[done];
    if (byte == ',' || (!is_plain && (byte == '"' || byte == '\n' || byte == '\r'))) return NULL;
    to[done] = byte;
  }
  return to + length;
}

// Whether a text may be a formula of a spreadsheet.
static inline bool sm_is_formula(const sm_row_form *r, const uint8_t *text, size_t length) {
  if (r->form->is_formula == NULL || length == 0) return false;
  uint8_t first = *text;
  // PERF: letters and digits begin most texts.
  if ((first > '@' && first < 0x7F) || (uint8_t)(first - '0') < 10) return false;
  return r->form->is_formula(text, length);
}

// Whether COPY has to look at what a column holds.
static inline uint8_t sm_content(const sm_row_form *r) {
  return r->form->kind == SM_AS_COPY ? r->form->contents[r->column] : SM_HOLDS_TEXT;
}

// Writes a string without escapes, by what is between its quotes; bytes up to `end` can be read.
void sm_put_string(sm_row_form *r, const uint8_t *inside, size_t length, const uint8_t *end);

// Writes a cell of a text that ends at `end`.
void sm_put_cell(sm_row_form *r, const sm_text_cell *cell, const uint8_t *text, const uint8_t *end);

#endif
