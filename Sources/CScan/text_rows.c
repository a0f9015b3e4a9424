// Rows of cells; see `text_forms.h`.
//
// What holds: before a row is written, there is room for the largest that its record can become.

#include <string.h>

#include "row_writer.h"
#include "text_forms.h"
#include "text_indented.h"
#include "text_values.h"
#include "unescape.h"

typedef struct {
  sm_text_form_writer *writer;
  const sm_text_form *form;
  const uint8_t *text, *end;  // the record
  uint8_t *at;                // of the output
  size_t column;
} row;

// A string without its escapes, an apostrophe before it, a quote before each byte and one at each end; a vector after it.
static size_t most_bytes(size_t length, size_t columns) { return 3 * length + 5 * columns + 64; }

static void fail(row *r, sm_unheld unheld) {
  if (r->writer->unheld != SM_HELD) return;
  r->writer->unheld = unheld;
  r->writer->column = r->column;
}

// --- The text of a cell. `end` is where bytes stop being readable.

// Copies text that needs no quotes in CSV; NULL if it needs them.
static inline uint8_t *copy_unquoted(uint8_t *to, const uint8_t *from, size_t length, const uint8_t *end) {
  size_t done = 0;
#if defined(__SSE2__)
  const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"');
  const __m128i feed = _mm_set1_epi8('\n'), carriage = _mm_set1_epi8('\r');
  for (; done < length && (size_t)(end - from) - done >= 16; done += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(from + done));
    _mm_storeu_si128((__m128i *)(to + done), bytes);
    __m128i found = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, comma), _mm_cmpeq_epi8(bytes, quote)),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, feed), _mm_cmpeq_epi8(bytes, carriage)));
    uint32_t bits = (uint32_t)_mm_movemask_epi8(found);
    if (length - done < 16) bits &= (1u << (length - done)) - 1;
    if (bits != 0) return NULL;
  }
#else
  for (; length - done >= 8; done += 8) {
    uint64_t word = sm_load(from + done);
    memcpy(to + done, &word, 8);
    if ((sm_hits(word, ',') | sm_hits(word, '"') | sm_hits(word, '\n') | sm_hits(word, '\r')) != 0) return NULL;
  }
#endif
  for (; done < length; done++) {
    uint8_t byte = from[done];
    if (byte == ',' || byte == '"' || byte == '\n' || byte == '\r') return NULL;
    to[done] = byte;
  }
  return to + length;
}

static uint8_t *copy_quoted(uint8_t *to, const uint8_t *from, size_t length) {
  *to++ = '"';
  for (size_t i = 0; i < length; i++) {
    if (from[i] == '"') *to++ = '"';
    *to++ = from[i];
  }
  *to++ = '"';
  return to;
}

// As a cell of CSV: between quotes where it has to be, and where it is empty.
static inline uint8_t *put_csv(uint8_t *to, const uint8_t *text, size_t length, const uint8_t *end) {
  if (length == 0) return copy_quoted(to, text, 0);
  uint8_t *done = copy_unquoted(to, text, length, end);
  return done != NULL ? done : copy_quoted(to, text, length);
}

// With its tabs, line ends and backslashes as `\t`, `\n`, `\r`, `\\`.
static uint8_t *put_escaped(uint8_t *to, const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = text[i];
    uint8_t escape = byte == '\\' ? '\\' : byte == '\t' ? 't' : byte == '\n' ? 'n' : byte == '\r' ? 'r' : 0;
    if (escape != 0) *to++ = '\\';
    *to++ = escape != 0 ? escape : byte;
  }
  return to;
}

static inline uint8_t *put_plain(uint8_t *to, const uint8_t *text, size_t length, const uint8_t *end) {
  // PERF: most texts are short, and lie before others.
  if (length <= 16 && end - text >= 16) memcpy(to, text, 16);
  else memcpy(to, text, length);
  return to + length;
}

// `may_escape`: whether there may be a byte that TSV and COPY escape.
static inline void put_text(row *r, const uint8_t *text, size_t length, const uint8_t *end, bool may_escape) {
  if (r->form->kind == SM_AS_CSV) r->at = put_csv(r->at, text, length, end);
  else if (may_escape && r->form->kind != SM_AS_TEXT) r->at = put_escaped(r->at, text, length);
  else r->at = put_plain(r->at, text, length, end);
}

// --- Values.

static bool is_formula(const row *r, const uint8_t *text, size_t length) {
  if (r->form->is_formula == NULL || length == 0) return false;
  uint8_t first = *text;
  // PERF: letters and digits begin most texts.
  if ((first > '@' && first < 0x7F) || (uint8_t)(first - '0') < 10) return false;
  return r->form->is_formula(text, length);
}

static void check_number(row *r, const uint8_t *number, size_t length) {
  // PERF: a number without an exponent is not that long, nearly always.
  bool is_short = length < 1024;
  for (size_t i = 0; is_short && i < length; i++) is_short = (number[i] | 0x20) != 'e';
  if (!is_short && r->form->is_long(number, length)) fail(r, SM_LONG_NUMBER);
}

// `jsonb` has the same texts and numbers.
static void check_json(row *r, const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    if (*at == '"') {
      at = sm_next_mark(at + 1, end);
      while (at < end && *at == '\\') {
        if (end - at >= 6 && memcmp(at, "\\u0000", 6) == 0) fail(r, SM_ZERO_CHARACTER);
        at = sm_next_mark(at + (end - at < 2 ? 1 : 2), end);
      }
      if (at < end) at++;
    } else if (*at == '-' || (uint8_t)(*at - '0') < 10) {
      const uint8_t *start = at;
      at = sm_end_of_word(at, end);
      check_number(r, start, (size_t)(at - start));
    } else {
      at++;
    }
  }
}

// Whether COPY can hold what a cell says.
static inline void check(row *r, const uint8_t *text, size_t length) {
  if (r->form->kind != SM_AS_COPY) return;
  uint8_t content = r->form->contents[r->column];
  if (content == SM_HOLDS_NUMBER) check_number(r, text, length);
  if (content == SM_HOLDS_DATE && length >= 5 && memcmp(text, "0000-", 5) == 0) fail(r, SM_YEAR_ZERO);
}

// A string whose text does not stand in the record as it is. It is made after the longest that can become of it.
static void put_changed(row *r, const uint8_t *inside, size_t length, bool has_escapes, bool has_mark) {
  uint8_t *made = r->at + 2 * length + 4, *text = made + 1, *end = text;
  *made = '\'';
  if (has_escapes) {
    // The escapes are right: they were checked, or written by ourselves.
    uint8_t *after = sm_unescape(inside, length, text);
    if (after != NULL) end = after;
    size_t count = (size_t)(end - text);
    has_mark = is_formula(r, text, count);
    if (r->form->kind == SM_AS_COPY && memchr(text, 0, count) != NULL) fail(r, SM_ZERO_CHARACTER);
    check(r, text, count);
  } else {
    memcpy(text, inside, length);
    end += length;
  }
  const uint8_t *start = has_mark ? made : text;
  put_text(r, start, (size_t)(end - start), end, true);
}

static inline void put_cell(row *r, const sm_text_cell *cell) {
  const uint8_t *text = r->text + cell->start;
  size_t length = cell->end - cell->start;
  if (r->form->kind == SM_AS_COPY && r->form->contents[r->column] == SM_HOLDS_JSON) {
    check_json(r, text, text + length);
    r->at = put_escaped(r->at, text, length);
    return;
  }
  bool is_string = cell->kind == '"';
  if (is_string) {
    text++;
    length = length < 2 ? 0 : length - 2;
    if (cell->has_escapes) return put_changed(r, text, length, true, false);
    if (is_formula(r, text, length)) return put_changed(r, text, length, false, true);
  }
  check(r, text, length);
  // Without an escape, a string has no tab, line end or backslash; nor has a number.
  put_text(r, text, length, r->end, cell->kind == '{' || cell->kind == '[');
}

sm_text_form_result sm_write_cells(sm_text_form_writer *writer, const uint8_t *text, size_t length, sm_output *output) {
  const sm_text_form *form = writer->form;
  size_t columns = form->cells.columns;
  if (output->capacity - output->count < most_bytes(length, columns)) return SM_FORM_NO_ROOM;
  row r = {.writer = writer, .form = form, .text = text, .end = text + length, .at = output->start + output->count};
  writer->unheld = SM_HELD;
  uint8_t delimiter = form->kind == SM_AS_CSV ? ',' : '\t';
  for (r.column = 0; r.column < columns; r.column++) {
    const sm_text_cell *cell = &writer->found[r.column];
    if (r.column > 0) *r.at++ = delimiter;
    if (cell->kind != 0) {
      put_cell(&r, cell);
    } else if (form->kind == SM_AS_COPY) {
      *r.at++ = '\\';
      *r.at++ = 'N';
    } else if (form->kind == SM_AS_CSV && columns == 1) {
      // A row is never an empty line, which readers pass over.
      r.at = copy_quoted(r.at, text, 0);
    }
  }
  *r.at++ = '\n';
  if (writer->unheld != SM_HELD) return SM_FORM_UNHELD;
  output->count = (size_t)(r.at - output->start);
  return SM_FORM_WRITTEN;
}

sm_text_form_result sm_write_form(sm_text_form_writer *writer, const uint8_t *text, size_t length, sm_output *output) {
  if (writer->form->kind == SM_AS_INDENTED) return sm_write_indented(text, length, output);
  sm_find_cells(&writer->form->cells, text, length, writer->found);
  return sm_write_cells(writer, text, length, output);
}
