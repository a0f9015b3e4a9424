// Rows of cells; see `text_forms.h`.

#include "text_rows.h"

#include "text_indented.h"
#include "unescape.h"

static void fail(sm_row_form *r, sm_unheld unheld) {
  if (r->writer->unheld != SM_HELD) return;
  r->writer->unheld = unheld;
  r->writer->column = r->column;
}

// --- The text of a cell. `end` is where bytes stop being readable.

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
static inline uint8_t *put_csv(uint8_t *to, const uint8_t *text, size_t length, const uint8_t *end, bool is_plain) {
  if (length == 0) return copy_quoted(to, text, 0);
  uint8_t *done = is_plain ? sm_copy_unquoted(to, text, length, end, true) : sm_copy_unquoted(to, text, length, end, false);
  return done != NULL ? done : copy_quoted(to, text, length);
}

// Whether one of eight bytes may be escaped: those below 14, and backslashes. A byte that is not may be taken for one.
static inline bool may_have_escaped(uint64_t bytes) {
  const uint64_t ones = 0x0101010101010101, backslashes = bytes ^ ones * '\\';
  return (((bytes - ones * 14) & ~bytes) | ((backslashes - ones) & ~backslashes)) & ones << 7;
}

// With its tabs, line ends and backslashes as `\t`, `\n`, `\r`, `\\`.
static uint8_t *put_escaped(uint8_t *to, const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length;) {
    // PERF: hardly any text has such bytes.
    const uint64_t bytes = length - i >= sizeof bytes ? sm_load(text + i) : 0;
    if (!may_have_escaped(bytes)) {
      memcpy(to, &bytes, sizeof bytes);
      to += sizeof bytes;
      i += sizeof bytes;
      continue;
    }
    uint8_t byte = text[i++];
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

// `may_escape`: whether there may be a byte that TSV and COPY escape, or a quote.
static inline void put_text(sm_row_form *r, const uint8_t *text, size_t length, const uint8_t *end, bool may_escape) {
  if (r->form->kind == SM_AS_CSV) r->at = put_csv(r->at, text, length, end, !may_escape);
  else if (may_escape && r->form->kind != SM_AS_TEXT) r->at = put_escaped(r->at, text, length);
  else r->at = put_plain(r->at, text, length, end);
}

// --- Values.

static void check_number(sm_row_form *r, const uint8_t *number, size_t length) {
  // PERF: a number without an exponent is not that long, nearly always.
  bool is_short = length < 1024;
  for (size_t i = 0; is_short && i < length; i++) is_short = (number[i] | 0x20) != 'e';
  if (!is_short && r->form->is_long(number, length)) fail(r, SM_LONG_NUMBER);
}

// `jsonb` has the same texts and numbers.
static void check_json(sm_row_form *r, const uint8_t *at, const uint8_t *end) {
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
static inline void check(sm_row_form *r, const uint8_t *text, size_t length) {
  uint8_t content = sm_content(r);
  if (content == SM_HOLDS_NUMBER) check_number(r, text, length);
  if (content == SM_HOLDS_DATE && length >= 5 && memcmp(text, "0000-", 5) == 0) fail(r, SM_YEAR_ZERO);
}

// A string whose text does not stand in the record as it is. It is made after the longest that can become of it.
static void put_changed(sm_row_form *r, const uint8_t *inside, size_t length, bool has_escapes, bool has_mark) {
  uint8_t *made = r->at + 2 * length + 4, *text = made + 1, *end = text;
  *made = '\'';
  if (has_escapes) {
    // The escapes are right: they were checked, or written by ourselves.
    uint8_t *after = sm_unescape(inside, length, text);
    if (after != NULL) end = after;
    size_t count = (size_t)(end - text);
    has_mark = sm_is_formula(r, text, count);
    if (r->form->kind == SM_AS_COPY && memchr(text, 0, count) != NULL) fail(r, SM_ZERO_CHARACTER);
    check(r, text, count);
  } else {
    memcpy(text, inside, length);
    end += length;
  }
  const uint8_t *start = has_mark ? made : text;
  put_text(r, start, (size_t)(end - start), end, true);
}

void sm_put_string(sm_row_form *r, const uint8_t *inside, size_t length, const uint8_t *end) {
  if (sm_is_formula(r, inside, length)) return put_changed(r, inside, length, false, true);
  check(r, inside, length);
  // Without an escape, it has no tab, line end or backslash.
  put_text(r, inside, length, end, false);
}

// There is no value, or null.
static void put_nothing(sm_row_form *r) {
  if (r->form->kind == SM_AS_COPY) {
    *r->at++ = '\\';
    *r->at++ = 'N';
  } else if (r->form->kind == SM_AS_CSV && r->form->cells.columns == 1) {
    // A row is never an empty line, which readers pass over.
    r->at = copy_quoted(r->at, r->at, 0);
  }
}

void sm_put_cell(sm_row_form *r, const sm_text_cell *cell, const uint8_t *text, const uint8_t *end) {
  if (cell->kind == 0) return put_nothing(r);
  text += cell->start;
  size_t length = cell->end - cell->start;
  if (sm_content(r) == SM_HOLDS_JSON) {
    check_json(r, text, text + length);
    r->at = put_escaped(r->at, text, length);
  } else if (cell->kind == '"') {
    text++;
    length = length < 2 ? 0 : length - 2;
    if (cell->has_escapes) put_changed(r, text, length, true, false);
    else sm_put_string(r, text, length, end);
  } else {
    check(r, text, length);
    put_text(r, text, length, end, cell->kind == '{' || cell->kind == '[');
  }
}

sm_text_form_result sm_write_cells(sm_text_form_writer *writer, const uint8_t *text, size_t length, sm_output *output) {
  const sm_text_form *form = writer->form;
  size_t columns = form->cells.columns;
  if (output->capacity - output->count < sm_most_cell_bytes(length) + 5 * columns) return SM_FORM_NO_ROOM;
  sm_row_form r = {.writer = writer, .form = form, .at = output->start + output->count};
  writer->unheld = SM_HELD;
  for (r.column = 0; r.column < columns; r.column++) {
    if (r.column > 0) *r.at++ = sm_delimiter(form);
    sm_put_cell(&r, &writer->found[r.column], text, text + length);
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
