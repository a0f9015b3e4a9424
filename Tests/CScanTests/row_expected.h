// What a program has to write of a row, slow and obvious, for the tests of rows.

#ifndef ROW_EXPECTED_H
#define ROW_EXPECTED_H

#include "row_writing.h"
#include "slow_reading.h"

static bool has_only_plain_escapes(const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '\\') continue;
    if (text[++i] == 'u' || text[i] == '/') return false;
  }
  return true;
}

static bool is_right_number(const sm_written_value *value, const uint8_t *text, size_t length) {
  bool is_negative = *text == '-';
  if (value->kind == SM_WRITE_INTEGER && is_negative && text[1] == '0') return false;  // -0 leaves as 0
  for (size_t i = 0; i < length; i++) {
    if (text[i] == 'e' || text[i] == 'E') return false;
    if (value->kind == SM_WRITE_INTEGER && text[i] == '.') return false;
  }
  size_t count = length - (value->kind == SM_WRITE_INTEGER && is_negative);
  if (value->kind != SM_WRITE_INTEGER || count <= value->most) return count <= value->most;
  char digits[32] = {0};
  if (count != value->most + 1u || value->last == 0) return false;
  memcpy(digits, text + is_negative, count);
  return strtoull(digits, NULL, 10) - is_negative <= value->last;
}

static sm_write_result is_inside(const sm_interval *interval, const uint8_t *text, size_t length) {
  __int128 number, first = interval->first, last = interval->last;
  if (!read_units(&number, text, length)) return SM_REFUSED;
  for (int places = interval->places; places < 18; places++) first *= 10, last *= 10;
  if (interval->has_first && (number < first || (number == first && !interval->has_ends))) return SM_LEFT_OUT;
  if (interval->has_last && (number > last || (number == last && !interval->has_ends))) return SM_LEFT_OUT;
  return SM_WRITTEN;
}

static bool is_number(uint8_t kind) { return kind == '-' || (kind >= '0' && kind <= '9'); }

static sm_write_result expected_decision(const writing *w, sm_row row, uint32_t number, uint32_t block) {
  if (number == 0) return SM_WRITTEN;
  const sm_condition *condition = &w->conditions[number];
  sm_write_result result = SM_LEFT_OUT;
  const sm_cell *cell = &row.cells[block + condition->cell];
  if (condition->interval == 0) result = answer(NULL, condition->call, &row, block, NULL, NULL);
  else if (is_number(cell->kind)) result = is_inside(&w->intervals[condition->interval], row.text + cell->start, cell->end - cell->start);
  return result == SM_WRITTEN ? expected_decision(w, row, condition->next, block) : result;
}

// Whether a cell has a value of another kind than a strict type.
static bool is_of_other_kind(const sm_written_value *value, const sm_cell *cell) {
  if (!value->is_strict || cell->kind == 'n' || cell->kind == SM_CELL_ABSENT) return false;
  if (value->kind == SM_WRITE_STRING) return cell->kind != '"';
  if (value->kind == SM_WRITE_BOOLEAN) return cell->kind != 't' && cell->kind != 'f';
  return (value->kind == SM_WRITE_NUMBER || value->kind == SM_WRITE_INTEGER || value->kind == SM_WRITE_DECIMAL) && !is_number(cell->kind);
}

// Whether a scalar that is not plain is called for: the pieces of a template are not.
static bool calls_scalars = true;

static sm_write_result refused_unless(bool is_good) { return is_good ? SM_WRITTEN : SM_REFUSED; }

static sm_write_result put_expected(buf *out, const writing *w, sm_row row, uint32_t value_number, uint32_t block, const sm_cell *cell);

// Puts the pieces from one to before another; `taken` counts what their values take. A part that is left out is put nowhere.
static sm_write_result put_pieces(buf *out, const writing *w, sm_row row, uint32_t block, size_t first, size_t last, uint64_t *taken) {
  for (size_t i = first; i < last; i++) {
    const sm_written_piece *piece = &w->pieces[i];
    if (piece->kind == SM_PIECE_TEXT) put(out, w->texts + piece->text.start, piece->text.length);
    if (piece->kind == SM_PIECE_VALUE) {
      buf value = {0};
      calls_scalars = false;
      sm_write_result result = put_expected(&value, w, row, piece->value, block, &row.cells[block + piece->cell]);
      calls_scalars = true;
      uint8_t kind = row.cells[block + piece->cell].kind;
      bool is_null = value.count == 4 && memcmp(value.bytes, "null", 4) == 0, is_missing = kind == 'n' || kind == SM_CELL_ABSENT;
      if (is_missing && !is_null) result = SM_REFUSED;
      bool is_string = value.count > 0 && value.bytes[0] == '"';
      // Strings with other escapes are left to the call.
      const sm_cell *cell = &row.cells[block + piece->cell];
      if (kind == '"' && !has_only_plain_escapes(row.text + cell->start, cell->end - cell->start)) result = SM_REFUSED;
      size_t length = is_null || result != SM_WRITTEN ? 0 : value.count - 2 * is_string;
      if (length > 0) put(out, value.bytes + is_string, length);
      *taken += length + 16;
      drop(&value);
      if (result != SM_WRITTEN) return SM_REFUSED;
    }
    if (piece->kind == SM_PIECE_OPTIONAL) {
      bool is_whole = true;
      for (size_t k = i + 1; k <= i + piece->count; k++) {
        if (w->pieces[k].kind == SM_PIECE_OPTIONAL) k += w->pieces[k].count;
        else if (w->pieces[k].kind == SM_PIECE_VALUE) {
          uint8_t kind = row.cells[block + w->pieces[k].cell].kind;
          is_whole = is_whole && kind != 'n' && kind != SM_CELL_ABSENT;
        }
      }
      if (!is_whole) {
        // All values in it have to be right.
        buf nowhere = {0};
        uint64_t untold = 0;
        sm_write_result result = SM_WRITTEN;
        for (size_t k = i + 1; k <= i + piece->count && result == SM_WRITTEN; k++) {
          if (w->pieces[k].kind == SM_PIECE_VALUE) result = put_pieces(&nowhere, w, row, block, k, k + 1, &untold);
        }
        drop(&nowhere);
        if (result != SM_WRITTEN) return result;
        i += piece->count;
      }
    }
  }
  return SM_WRITTEN;
}

// What is made of several cells, without a call.
static sm_write_result put_several(buf *out, const writing *w, sm_row row, const sm_written_value *value, uint32_t block) {
  size_t first = value->first_piece, last = first + value->piece_count;
  if (value->kind == SM_WRITE_TEMPLATE) {
    uint64_t taken = 16;
    put_byte(out, '"');
    sm_write_result result = put_pieces(out, w, row, block, first, last, &taken);
    put_byte(out, '"');
    return taken > w->program.most_opened ? SM_REFUSED : result;
  }
  for (; first < last; first++) {
    const sm_cell *cell = &row.cells[block + w->pieces[first].cell];
    if (cell->kind == 'n') return SM_REFUSED;
    if (cell->kind == SM_CELL_ABSENT) continue;
    if (is_of_other_kind(&w->values[w->pieces[first].value], cell)) continue;
    return put_expected(out, w, row, w->pieces[first].value, block, cell);
  }
  return SM_REFUSED;
}

// Whether calls note what is wrong with members; whether one did.
static bool tells, has_failed_member;
static uint64_t failed_rows;

// How many members a call made that were not written, and how many scalars that are the same in a column.
static uint64_t told;

// The most bytes of a row's text at a time: elements that are left out are written before that is known.
static size_t most_written;

// The cells of a closed object's members, by a reading of its text: keys and values in turn. The objects of tests have few members.
enum { MOST_READ = 20 };
static size_t read_members(sm_cell *cells, sm_row row, const sm_cell *object) {
  size_t count = 0;
  const uint8_t *p = past_space(row.text + object->start + 1);
  while (*p != '}' && count + 2 <= MOST_READ) {
    for (int part = 0; part < 2; part++) {
      const uint8_t *end = past_value(p);
      bool is_container = *p == '{' || *p == '[';
      cells[count++] = (sm_cell){
          .start = (uint32_t)(p - row.text), .end = (uint32_t)(end - row.text), .kind = *p, .is_closed = is_container,
          .has_escapes = *p == '"' && memchr(p, '\\', (size_t)(end - p)) != NULL};
      p = past_space(end);
      if (*p == (part == 0 ? ':' : ',')) p = past_space(p + 1);
    }
  }
  return *p == '}' ? count : MOST_READ + 1;
}

// Whether a token is a scalar of a type.
static bool is_right_scalar(const writing *w, const sm_written_value *value, const uint8_t *text, size_t length) {
  bool takes_all = value->kind == SM_WRITE_SCALAR;
  switch (*text) {
    case '{':
    case '[': return false;
    case '"': return takes_all || value->kind == SM_WRITE_STRING;
    case 't':
    case 'f': return takes_all || value->kind == SM_WRITE_BOOLEAN;
    default:
      if (!takes_all && (value->kind == SM_WRITE_STRING || value->kind == SM_WRITE_BOOLEAN || !is_right_number(value, text, length))) return false;
      return value->interval == 0 || is_inside(&w->intervals[value->interval], text, length) == SM_WRITTEN;
  }
}

// The parts of a string.
static sm_write_result put_split(buf *out, const writing *w, sm_row row, const sm_written_value *value, const sm_cell *cell) {
  if (cell->kind != '"' || cell->has_escapes) return SM_REFUSED;
  const char *separator = (const char *)w->texts + value->separator.start;
  size_t length = value->separator.length, start = out->count, last = cell->end - 1, count = 1;
  put_text(out, cell->start + 1 == last ? "[" : "[\"");
  for (size_t i = cell->start + 1; i < last; i++) {
    // Those before it are written all the same.
    if (out->count > most_written) most_written = out->count;
    if (last - i < length || memcmp(row.text + i, separator, length) != 0) {
      put_byte(out, row.text[i]);
      continue;
    }
    if (count++ == w->program.most_elements) return SM_REFUSED;
    put_text(out, "\",\"");
    i += length - 1;
  }
  put_text(out, cell->start + 1 == last ? "]" : "\"]");
  if (out->count > most_written) most_written = out->count;
  return refused_unless((out->count - start) * SM_ROW_WORK <= w->program.most_opened);
}

// What is made of any JSON, without a call.
static sm_write_result put_json(buf *out, const writing *w, sm_row row, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  bool is_container = cell->kind == '{' || cell->kind == '[';
  uint64_t work = (uint64_t)sm_row_length(row.walker) * SM_ROW_WORK;
  if (cell->kind == SM_CELL_ABSENT) return SM_REFUSED;
  if (value->kind == SM_WRITE_COUNT) {
    if (cell->kind != '[' || cell->is_closed || work > w->program.most_opened || cell->end > w->program.most_elements) return SM_REFUSED;
    uint32_t number = cell->start;
    if (row.cells[number].kind == SM_CELL_HEAD) number = row.cells[number].next;
    for (uint32_t i = 0; i < cell->end; i++, number = row.cells[number].next) {
      if (memchr("\"ntf-0123456789", row.cells[number].kind, 15) == NULL || row.cells[number].has_escapes) return SM_REFUSED;
    }
    put_byte(out, (uint8_t)('0' + cell->end));
    return SM_WRITTEN;
  }
  if (value->kind == SM_WRITE_JSON) {
    if (cell->kind == 'n' || (is_container && work > w->program.most_opened)) return SM_REFUSED;
    // There has to be room for the white space in it, too.
    size_t most = out->count + cell->end - cell->start;
    if (most > most_written) most_written = most;
    put_compact(out, row.text + cell->start, cell->end - cell->start);
    return SM_WRITTEN;
  }
  if (value->kind == SM_WRITE_BY_KIND) {
    static const char kinds[] = "nb0\"{[";
    char kind = (char)cell->kind;
    if (kind == 't' || kind == 'f') kind = 'b';
    else if (is_number(cell->kind)) kind = '0';
    uint32_t chosen = w->pieces[value->first_piece + (size_t)(strchr(kinds, kind) - kinds)].value;
    return chosen == SM_NO_VALUE ? SM_REFUSED : refused_unless(put_expected(out, w, row, chosen, block, cell) == SM_WRITTEN);
  }
  if (cell->kind != '{' || work > w->program.most_opened) return SM_REFUSED;
  sm_cell cells[MOST_READ];
  size_t count = read_members(cells, row, cell), start = out->count;
  bool is_list = value->kind == SM_WRITE_ENTRIES, is_first = true;
  for (size_t i = 0; i < count; i += 2) {
    size_t length = cells[i].end - cells[i].start;
    if (cells[i].has_escapes) return SM_REFUSED;
    for (size_t k = 0; k < i; k += 2) {
      if (cells[k].end - cells[k].start == length && memcmp(row.text + cells[k].start, row.text + cells[i].start, length) == 0) return SM_REFUSED;
    }
  }
  put_byte(out, is_list ? '[' : '{');
  for (size_t i = 0; i < count; i += 2) {
    size_t length = cells[i].end - cells[i].start, before = out->count;
    // Those before it are written all the same.
    if (i / 2 == w->program.most_members) return SM_REFUSED;
    if (!is_first) put_byte(out, ',');
    if (is_list) put_byte(out, '{'), put(out, w->texts + value->key_name.start, value->key_name.length);
    put(out, row.text + cells[i].start, length);
    put_byte(out, is_list ? ',' : ':');
    if (is_list) put(out, w->texts + value->value_name.start, value->value_name.length);
    sm_write_result result = put_expected(out, w, row, value->part, 0, &cells[i + 1]);
    if ((result != SM_WRITTEN && result != SM_LEFT_OUT) || (result == SM_LEFT_OUT && is_list)) return SM_REFUSED;
    if (is_list) put_byte(out, '}');
    if (out->count > most_written) most_written = out->count;
    if (result == SM_LEFT_OUT) out->count = before;
    else is_first = false;
  }
  put_byte(out, is_list ? ']' : '}');
  return refused_unless(!is_list || (out->count - start) * SM_ROW_WORK <= w->program.most_opened);
}

// What a call makes of the text of another value.
static sm_write_result put_changed(buf *out, const writing *w, sm_row row, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  sm_cell own = {.start = block, .kind = '{'};
  const sm_cell *source = value->is_of_block ? &own : cell;
  if (source->kind == 'n' || source->kind == SM_CELL_ABSENT) return SM_REFUSED;
  size_t before = out->count;
  if (put_expected(out, w, row, value->part, block, source) != SM_WRITTEN) return SM_REFUSED;
  if (out->count > most_written) most_written = out->count;
  sm_made_text made = {out->bytes + before, out->count - before};
  out->count = before;
  if (answer(called, value->change, &row, block, source, &made) != SM_WRITTEN) return SM_REFUSED;
  put(out, made.start, made.length);
  return SM_WRITTEN;
}

// Whether an object lacks what it needs: what is before the missing field does not matter.
static bool lacks_needed(const writing *w, sm_row row, const sm_written_value *value, const sm_cell *cell) {
  if (value->kind != SM_WRITE_OBJECT || cell->kind != '{' || cell->is_closed) return false;
  const sm_written_object *object = &w->objects[value->child];
  bool is_lacking = false;
  bool is_settled = settles_paths(w, row, object, cell->start);
  for (uint32_t i = 0; i < object->field_count; i++) {
    const sm_written_field *field = &w->fields[object->first_field + i];
    uint8_t kind = row.cells[cell->start + field->cell].kind;
    is_lacking = is_lacking || (kind == 'n' && field->takes_no_null) || (kind == SM_CELL_ABSENT && field->is_needed);
  }
  return is_lacking && is_settled;
}

// What the first of several values that is not wrong makes, without a call.
static sm_write_result put_tried(buf *out, const writing *w, sm_row row, const sm_written_value *value, uint32_t block, const sm_cell *cell) {
  uint64_t work = (uint64_t)sm_row_length(row.walker) * SM_ROW_WORK;
  if (cell->kind == 'n' || cell->kind == SM_CELL_ABSENT) return SM_REFUSED;
  if ((cell->kind == '{' || cell->kind == '[') && work > w->program.most_opened) return SM_REFUSED;
  size_t before = out->count;
  for (uint32_t i = 0; i < value->piece_count; i++) {
    uint32_t number = w->pieces[value->first_piece + i].value;
    if (lacks_needed(w, row, &w->values[number], cell)) continue;
    sm_write_result result = put_expected(out, w, row, number, block, cell);
    if (out->count > most_written) most_written = out->count;
    if (result != SM_WRONG) return refused_unless(result == SM_WRITTEN);
    out->count = before;
  }
  return SM_REFUSED;
}

// What a label chooses, without a call.
static sm_write_result put_labelled(buf *out, const writing *w, sm_row row, const sm_written_value *value, const sm_cell *cell) {
  uint64_t work = (uint64_t)sm_row_length(row.walker) * SM_ROW_WORK;
  if (cell->kind != '{' || cell->is_closed || work > w->program.most_opened) return SM_REFUSED;
  const sm_cell *label = &row.cells[cell->start + value->label];
  if (label->has_escapes) return SM_REFUSED;
  uint32_t chosen = value->part;
  if (label->kind != SM_CELL_ABSENT && label->kind != '{' && label->kind != '[') {
    size_t quote = label->kind == '"', length = label->end - label->start - 2 * quote;
    for (uint32_t i = value->piece_count; i > 0; i--) {
      const sm_written_piece *piece = &w->pieces[value->first_piece + i - 1];
      bool is_same = piece->text.length == length && memcmp(w->texts + piece->text.start, row.text + label->start + quote, length) == 0;
      if (is_same) chosen = piece->value;
    }
  }
  return chosen == SM_NO_VALUE ? SM_REFUSED : refused_unless(put_expected(out, w, row, chosen, cell->start, cell) == SM_WRITTEN);
}

// What a cell has to become, slow and obvious.
static sm_write_result put_expected(buf *out, const writing *w, sm_row row, uint32_t value_number, uint32_t block, const sm_cell *cell) {
  const sm_written_value *value = &w->values[value_number];
  bool is_null = cell->kind == 'n', is_missing = is_null || cell->kind == SM_CELL_ABSENT;
  if (is_missing && (is_null ? value->has_null : value->has_absent)) {
    sm_written_text text = is_null ? value->null : value->absent;
    for (uint32_t i = 0; i < text.length; i++) put_byte(out, w->texts[text.start + i]);
    return SM_WRITTEN;
  }
  if (value->kind > SM_WRITE_CALLED) {
    size_t before = out->count;
    bool is_several = value->kind == SM_WRITE_FIRST || value->kind == SM_WRITE_TEMPLATE;
    sm_write_result result = is_several                      ? put_several(out, w, row, value, block)
                             : value->kind == SM_WRITE_SPLIT ? put_split(out, w, row, value, cell)
                             : value->kind == SM_WRITE_CHANGED ? put_changed(out, w, row, value, block, cell)
                             : value->kind == SM_WRITE_BY_LABEL ? put_labelled(out, w, row, value, cell)
                             : value->kind == SM_WRITE_TRIED ? put_tried(out, w, row, value, block, cell)
                                                             : put_json(out, w, row, value, block, cell);
    if (result == SM_WRITTEN) return SM_WRITTEN;
    if (out->count > most_written) most_written = out->count;
    out->count = before;
  }
  if (value->kind >= SM_WRITE_CALLED) {
    sm_made_text made = {0};
    sm_write_result result = answer(called, value->child, &row, block, cell, &made);
    for (size_t i = 0; result == SM_WRITTEN && i < made.length; i++) put_byte(out, made.start[i]);
    return result;
  }
  if (is_missing) return SM_REFUSED;
  const uint8_t *text = row.text + cell->start;
  size_t length = cell->end - cell->start;
  if (value->kind == SM_WRITE_OBJECT) {
    if (cell->kind != '{' || cell->is_closed) return SM_REFUSED;
    const sm_written_object *object = &w->objects[value->child];
    const sm_cell *cells = row.cells + cell->start;
    if (!settles_paths(w, row, object, cell->start)) return SM_REFUSED;
    sm_write_result early = expected_decision(w, row, object->early, cell->start);
    if (early != SM_WRITTEN) return early;
    size_t start = out->count;
    for (uint32_t i = 0; i < object->field_count; i++) {
      const sm_written_field *field = &w->fields[object->first_field + i];
      size_t before = out->count;
      for (uint32_t k = 0; k < field->name.length; k++) put_byte(out, w->texts[field->name.start + k]);
      size_t value = out->count;
      uint8_t kind = cells[field->cell].kind;
      bool lacks_value = kind == 'n' ? field->takes_no_null : kind == SM_CELL_ABSENT && field->is_needed;
      const sm_written_value *wanted = &w->values[field->value];
      bool is_told = tells && field->told != 0, is_called = wanted->kind == SM_WRITE_CALLED || wanted->kind == SM_WRITE_CHANGED;
      sm_write_result result = lacks_value ? SM_WRONG : SM_REFUSED;
      if (!lacks_value && !(is_told && is_called)) result = put_expected(out, w, row, field->value, cell->start, &cells[field->cell]);
      if (result == SM_LEFT_OUT && wanted->has_absent) {
        if (out->count > most_written) most_written = out->count;
        out->count = value;
        put(out, w->texts + wanted->absent.start, wanted->absent.length);
        result = SM_WRITTEN;
      }
      if (is_told && (result == SM_REFUSED || result == SM_WRONG || result == SM_LEFT_OUT)) {
        if (out->count > most_written) most_written = out->count;
        sm_made_text made = {0};
        out->count = value;
        result = answer(called, field->told - 1, &row, cell->start, &cells[field->cell], &made);
        if (result == SM_WRITTEN) put(out, made.start, made.length);
        told += result == SM_WRITTEN;
        if (result == SM_WRONG) {
          has_failed_member = true;
          out->count = before;
          continue;
        }
        if (result != SM_WRITTEN) return SM_REFUSED;
      }
      bool is_scalar = wanted->kind < SM_WRITE_OBJECT;
      if (result == SM_WRONG && (lacks_value || (field->is_needed && is_scalar))) return SM_WRONG;
      if (result != SM_WRITTEN) return SM_REFUSED;
      if (out->count > most_written) most_written = out->count;
      if (w->program.omits_nulls && out->count - value == 4 && memcmp(out->bytes + value, "null", 4) == 0) out->count = before;
    }
    if (object->has_rest) {
      sm_made_text made = {0};
      if (answer(called, object->rest, &row, cell->start, cell, &made) != SM_WRITTEN) return SM_REFUSED;
      if (made.length > 2) {
        put_byte(out, ',');
        put(out, made.start + 1, made.length - 2);
      }
    }
    if (out->count == start) put_byte(out, '{');
    out->bytes[start] = '{';
    put_byte(out, '}');
    return expected_decision(w, row, object->late, cell->start);
  }
  if (value->kind == SM_WRITE_ARRAY) {
    if (cell->kind != '[' || cell->is_closed || cell->end > w->program.most_elements) return SM_REFUSED;
    put_byte(out, '[');
    size_t parts = out->count;
    uint32_t element = cell->start;
    for (uint32_t i = 0; i < cell->end; i++) {
      size_t before = out->count;
      if (before > parts) put_byte(out, ',');
      sm_write_result result = put_expected(out, w, row, value->child, 0, &row.cells[element]);
      if (result != SM_WRITTEN && result != SM_LEFT_OUT) return SM_REFUSED;
      if (out->count > most_written) most_written = out->count;
      if (result == SM_LEFT_OUT) out->count = before;
      element = row.cells[element].next;
    }
    put_byte(out, ']');
    return SM_WRITTEN;
  }
  if (is_of_other_kind(value, cell)) return SM_WRONG;
  if (is_right_scalar(w, value, text, length)) {
    // There has to be room for its escapes, too.
    if (out->count + length > most_written) most_written = out->count + length;
    put_compact(out, text, length);
    return SM_WRITTEN;
  }
  if (value->otherwise == 0 || !calls_scalars) return SM_REFUSED;
  sm_made_text made = {0};
  // A column may take a number as it stands.
  told += is_number(*text);
  sm_write_result result = answer(called, value->otherwise - 1, &row, block, cell, &made);
  if (result == SM_WRITTEN) put(out, made.start, made.length);
  return refused_unless(result == SM_WRITTEN);
}

// What a row has to become: one that is wrong is refused, or has failed if that is told. Its cells stay as they are.
static sm_write_result put_expected_row(buf *out, const writing *w, sm_row row) {
  size_t size = sm_row_cells(row.walker) * sizeof *row.cells;
  sm_cell *copy = need(size), *own = row.cells;
  row.cells = memcpy(copy, own, size);
  has_failed_member = false;
  sm_write_result result = put_expected(out, w, row, 0, 0, copy);
  free(copy);
  failed_rows += result == SM_WRITTEN && has_failed_member;
  if (result == SM_WRITTEN && has_failed_member) return SM_FAILED;
  return result == SM_WRONG ? SM_REFUSED : result;
}

// Whether a row is written as it has to be, in memory of the size that it needs.
static bool writes_row(const writing *w, sm_row row, bool is_told, rng *r) {
  if (!w->is_whole) return true;
  buf expected = {0};
  most_written = 0;
  tells = is_told;
  sm_write_result right = put_expected_row(&expected, w, row);
  tells = false;
  bool is_good = false;
  buf made = {0};
  for (size_t capacity = below(r, 100);; capacity += 1 + below(r, 200)) {
    sm_output output = {need(capacity), 0, capacity};
    sm_write_result result = (is_told ? sm_write_row_or_tell : sm_write_row)(row, &w->program, &output);
    if (result == SM_WRITTEN) {
      is_good = right == SM_WRITTEN && output.count == expected.count && memcmp(output.start, expected.bytes, expected.count) == 0;
    } else if (result != SM_NO_ROOM) {
      is_good = result == right && output.count == 0;
    }
    if (result == SM_WRITTEN) put(&made, output.start, output.count);
    free(output.start);
    if (result != SM_NO_ROOM) break;
    // A vector after each value, brackets, and the last value of what is refused need no more than this.
    size_t most = most_written > expected.count ? most_written : expected.count;
    if (capacity > most + 3 * SM_WRITE_ROOM && right == SM_WRITTEN) break;
  }
  if (!is_good) {
    printf("    JSON, where %d is right\n", (int)right);
    print_bytes("expected", expected.bytes, expected.count);
    print_bytes("made", made.bytes, made.count);
  }
  drop(&expected);
  drop(&made);
  return is_good;
}

#endif
