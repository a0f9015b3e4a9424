// Parts of rows: the index of closed containers, for those that read them, and texts of their own.

#include <stdlib.h>
#include <string.h>

#include "row.h"
#include "row_values.h"
#include "unescape.h"

// The first entry from `low` to before `high` that is not before a place; `high` if there is none.
static size_t first_entry(const uint32_t *index, size_t low, size_t high, uint32_t place) {
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (index[middle] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Leaves out the entries of line feeds in [start, end) of a text. Gives how many are left.
static size_t without_line_feeds(const uint8_t *text, size_t start, size_t end, uint32_t *index, size_t count) {
  // PERF: most texts have none.
  if (memchr(text + start, '\n', end - start) == NULL) return count;
  size_t left = 0;
  for (size_t k = 0; k < count; k++) {
    index[left] = index[k];
    left += text[index[k]] != '\n';
  }
  return left;
}

size_t sm_row_find(sm_walker *w, uint32_t start, uint32_t end) {
  if (!w->row.is_unscanned) return first_entry(w->row.index, w->row.i, w->row.i + w->row.entry_count, start);
  // PERF: of a row that came without an index, only the part is scanned.
  if (start < w->row.first_scanned || end > w->row.end_scanned) {
    w->row.end_scanned = 0;
    w->row.count = 0;
    if (start >= end || end > w->batch_length) return 0;
    sm_scan_state state = {0};
    sm_scan_result result = sm_scan(&state, w->batch + start, end - start, true, w->row.index);
    if (result.fault != SM_SCAN_OK) return 0;
    for (size_t k = 0; k < result.count; k++) w->row.index[k] += start;
    size_t count = without_line_feeds(w->batch, start, end, w->row.index, result.count);
    for (size_t k = 0; k < SM_INDEX_END; k++) w->row.index[count + k] = end;
    // What is asked for after the last entry is the byte after the part.
    w->row.count = count + 1;
    w->row.first_scanned = start;
    w->row.end_scanned = end;
  }
  return first_entry(w->row.index, 0, w->row.count, start);
}

const uint32_t *sm_row_index(sm_walker *w, uint32_t start, uint32_t end) {
  size_t entry = sm_row_find(w, start, end);
  return entry == w->row.count ? NULL : w->row.index + entry;
}

uint32_t sm_row_start(const sm_walker *w) { return w->row.is_unscanned ? 0 : w->row.index[w->row.i]; }

size_t sm_row_length(const sm_walker *w) { return w->row.length; }

sm_cell sm_row_key(sm_walker *w, uint32_t place) {
  uint32_t start = sm_row_start(w);
  size_t entry = sm_row_find(w, start, start + (uint32_t)w->row.length);
  if (entry == w->row.count) return (sm_cell){.kind = SM_CELL_ABSENT};
  size_t value = first_entry(w->row.index, entry, w->row.count, place);
  // Before it are the brace, the key and the colon.
  if (value < entry + 4) return (sm_cell){.kind = SM_CELL_ABSENT};
  entry = value;
  return (sm_cell){.start = w->row.index[entry - 3], .end = w->row.index[entry - 2] + 1, .kind = SM_CELL_KEY};
}

// Whether a key of the row is written with escapes.
static bool has_escaped_key(const sm_walker *w, const uint32_t *at, uint32_t end) {
  if (memchr(w->batch + sm_row_start(w), '\\', w->row.length) == NULL) return false;
  while (*at < end) {
    if (w->batch[*at] != '"') {
      at++;
      continue;
    }
    if (w->batch[at[2]] == ':' && memchr(w->batch + at[0], '\\', at[1] - at[0]) != NULL) return true;
    at += 2;
  }
  return false;
}

enum { TEXTS_AT_ONCE = 16 };

// A bit for each of so many entries: whether the next one is that far away.
// PERF: there is no branch in it, so it is done by vector instructions.
static uint32_t texts_of(const uint32_t *at, uint32_t distance) {
  uint32_t texts = 0;
  for (size_t k = 0; k < TEXTS_AT_ONCE; k++) texts |= (uint32_t)(at[k + 1] - at[k] == distance) << k;
  return texts;
}

bool sm_row_may_name(sm_walker *w, const uint8_t *key, size_t length) {
  uint32_t start = sm_row_start(w), end = start + (uint32_t)w->row.length;
  size_t entry = sm_row_find(w, start, end);
  if (entry == w->row.count || length < 2 || length > UINT32_MAX) return true;
  const uint32_t *at = w->row.index + entry, *last = w->row.index + w->row.count;
  // With escapes, a key can be written in other ways.
  if (has_escaped_key(w, at, end)) return true;
  uint32_t distance = (uint32_t)length - 1;
  while (*at < end) {
    bool are_many = last - at > TEXTS_AT_ONCE;
    uint32_t texts = are_many ? texts_of(at, distance) : at[1] - at[0] == distance;
    for (; texts != 0; texts &= texts - 1) {
      const uint8_t *text = w->batch + at[__builtin_ctz(texts)];
      // After the row, another may follow, or nothing that can be read.
      if (text + length > w->batch + end) continue;
      // PERF: no call for a text that differs from the key near its start.
      if (text[1] == key[1] && memcmp(text, key, length) == 0) return true;
    }
    at += are_many ? TEXTS_AT_ONCE : 1;
  }
  return false;
}

// The cell of the value that has the entries from `first` to before `end`; it is closed if it is a container.
static sm_cell closed_cell(sm_walker *w, size_t first, size_t end) {
  sm_cell cell = {.start = w->row.index[first], .kind = w->batch[w->row.index[first]]};
  if (cell.kind == '{' || cell.kind == '[') {
    cell.end = w->row.index[end - 1] + 1;
    cell.is_closed = true;
  } else if (cell.kind == '"') {
    cell.end = w->row.index[first + 1] + 1;
    cell.has_escapes = memchr(w->batch + cell.start, '\\', cell.end - cell.start) != NULL;
  } else {
    cell.end = (uint32_t)sm_row_scalar(w, cell.start, w->row.index[end]);
    if (cell.end == 0) cell.kind = SM_CELL_ABSENT;
  }
  return cell;
}

// The entry after the value at an entry, before `end`.
static size_t after_value(const sm_walker *w, size_t i, uint32_t end) {
  size_t depth = 0;
  do {
    uint8_t byte = w->batch[w->row.index[i]];
    i += byte == '"' ? 2 : 1;
    depth += (byte | 0x20) == '{';
    depth -= (byte | 0x20) == '}';
  } while (depth > 0 && w->row.index[i] < end);
  return i;
}

bool sm_row_member(sm_walker *w, uint32_t start, uint32_t end, const uint8_t *key, size_t length, sm_cell *value) {
  size_t i = sm_row_find(w, start, end);
  *value = (sm_cell){.kind = SM_CELL_ABSENT};
  if (i == w->row.count) return false;
  if (w->batch[start] != '{') return true;
  const uint32_t *const index = w->row.index;
  for (i++; w->batch[index[i]] == '"'; i++) {
    uint32_t first = index[i];
    size_t written = index[i + 1] + 1 - first, at = i + 3;
    i = after_value(w, at, end);
    if (written == length && memcmp(w->batch + first, key, length) == 0) {
      *value = closed_cell(w, at, i);
      return true;
    }
    // PERF: a key is never shorter for its escapes.
    if (written > length && memchr(w->batch + first, '\\', written) != NULL) return false;
    if (index[i] >= end || w->batch[index[i]] != ',') break;
  }
  return true;
}

// Adds the cell of the value that has the entries from `first` to before `end`.
static uint32_t add_cell(sm_walker *w, size_t first, size_t end) {
  uint32_t number = (uint32_t)w->row.used++;
  w->row.cells[number] = closed_cell(w, first, end);
  return number;
}

bool sm_is_compact(const sm_walker *w, size_t i, uint32_t start, uint32_t end) {
  const uint8_t *const batch = w->batch;
  // White space is before an entry. After the last entry, the index says that it is at the end.
  for (const uint32_t *entry = w->row.index + i; *entry < end;) {
    uint8_t byte = batch[*entry];
    if (*entry > start && batch[*entry - 1] <= ' ') return false;
    entry += byte == '"' ? 2 : 1;
  }
  return true;
}

// Writes the content of a string as it leaves, and the quote before it; NULL if that is not possible.
static uint8_t *put_spelled(uint8_t *at, const uint8_t *string, size_t length) {
  *at++ = '"';
  return sm_respell(string + 1, length - 2, at);
}

size_t sm_row_copy(sm_walker *w, uint32_t start, uint32_t end, uint8_t *out) {
  const uint8_t *const batch = w->batch;
  const uint32_t *const index = w->row.index;
  uint8_t *at = out;
  bool has_escapes = memchr(batch + start, '\\', end - start) != NULL;
  // PERF: of a record like those before it is known that it has no white space.
  bool is_whole = !has_escapes && w->row.is_unscanned && !w->layouts.has_spaces;
  size_t i = is_whole ? 0 : sm_row_find(w, start, end);
  if (!is_whole && i == w->row.count) return 0;
  // PERF: most feeds are compact.
  if (is_whole || (!has_escapes && sm_is_compact(w, i, start, end))) {
    memcpy(out, batch + start, end - start);
    return end - start;
  }
  // PERF: tokens with nothing between them are copied together.
  size_t from = start, to = from;
  for (; i < w->row.count && index[i] < end; i++) {
    size_t first = index[i], stop = first + 1;
    bool is_spelled = true;
    switch (batch[first]) {
      case '{':
      case '}':
      case '[':
      case ']':
      case ':':
      case ',': break;
      case '"':
        stop = index[i + 1] + 1u;
        is_spelled = !has_escapes || has_plain_escapes(batch + first + 1, stop - first - 2);
        i++;
        break;
      default:
        stop = index[i + 1];
        while (is_space(batch[stop - 1])) stop--;
    }
    if (first != to || !is_spelled) {
      memcpy(at, batch + from, to - from);
      at += to - from;
      from = first;
    }
    if (!is_spelled) {
      at = put_spelled(at, batch + first, stop - first);
      if (at == NULL) return 0;
      from = stop - 1;
    }
    to = stop;
  }
  memcpy(at, batch + from, to - from);
  return (size_t)(at - out) + (to - from);
}

sm_row sm_row_text(sm_walker *w, const uint8_t *text, size_t length) {
  sm_row none = {.cells = NULL};
  if (length == 0 || length > SM_BATCH) return none;
  if (w->row.beside == NULL) {
    w->row.beside = sm_walker_create(w->selection, SM_FRAMING_JSON, w->limits, SM_FORM_TOKENS);
    if (w->row.beside == NULL) return none;
    sm_walker_take_rows(w->row.beside, true);
  }
  sm_walker *beside = w->row.beside;
  if (!beside->row.is_wanted) return none;
  beside->scan = (sm_scan_state){0};
  sm_scan_batch(beside, text, length, true);
  size_t count = without_line_feeds(text, 0, length, beside->index, beside->count);
  if (beside->scan_fault != SM_SCAN_OK || count == 0) return none;
  for (size_t k = 0; k < SM_INDEX_END; k++) beside->index[count + k] = (uint32_t)length;
  beside->row.index = beside->index;
  beside->row.count = count;
  uint8_t byte = text[beside->index[0]];
  size_t end = byte == '{' || byte == '[' ? sm_pass_container(beside, 0, 0, beside->limits.string) : byte == '"' ? 2 : 1;
  beside->row.used = 0;
  if (end != count || add_cell(beside, 0, end) != 0) return none;
  if (beside->row.cells[0].kind == SM_CELL_ABSENT) return none;
  beside->row.i = 0;
  beside->row.work = w->row.work;
  beside->row.entry_count = end;
  beside->row.length = beside->index[end - 1] + 1 - beside->index[0];
  return sm_walker_row(beside);
}
