// Texts that are taken as rows in one step: lines, and documents that come in one piece.

#include "texts.h"

#include <string.h>

// Begins the text that a row was made of: a row may be on several lines, and the walker is on the last of them.
static void begin_read_text(sm_walker *w, const sm_entry *entry, size_t position) {
  begin_record(w, entry, position);
  w->record.line = w->row.line;
  w->record.line_start = w->row.line_start;
  w->text = w->record;
}

// PERF: one call for a whole line. On a feed of small records, the steps of the walk cost as much as the reading of their values.
bool sm_take_line(sm_walker *w) {
  if (w->state != STATE_TEXT || w->framing != SM_FRAMING_NDJSON || !w->row.is_wanted || w->row.pause > 0) return false;
  if (w->i >= w->count) return false;
  size_t position = w->index[w->i];
  sm_node node = w->selection->root;
  const sm_entry *entry = &w->selection->entries[node];
  uint8_t byte = w->batch[position];
  if (byte == '\n' || entry->kind != SM_KIND_RECORD) return false;
  sm_row_outcome outcome = sm_read_row(w, node);
  if (outcome != SM_IS_ROW) {
    // The walk must not try again.
    if (outcome == SM_IS_NO_ROW) w->row.pause++;
    return false;
  }
  if ((byte | 0x20) == '{') sm_learn_layout(w, sm_row_entry(w, node), w->row.i);
  begin_read_text(w, entry, position);
  uint64_t end = sm_row_end(w);
  if (w->i == w->count) {
    // The feed ends with the line.
    end_value(w, end);
    return false;
  }
  // A row of a line is only taken with the line feed after it.
  w->text.end = w->record.end = end;
  w->has_text = true;
  w->is_first_text = false;
  w->in_record = false;
  w->line++;
  w->line_start = absolute(w, w->index[w->i++] + 1);
  return true;
}

bool sm_take_document(sm_walker *w) {
  sm_node node = w->selection->root;
  const sm_entry *entry = &w->selection->entries[node];
  size_t position = w->index[0];
  if (w->count == 0 || (w->batch[position] | 0x20) != '{' || entry->kind != SM_KIND_RECORD) return false;
  sm_row_outcome outcome = sm_read_row(w, node);
  if (outcome != SM_IS_ROW) {
    // The walk must not try again.
    if (outcome == SM_IS_NO_ROW) w->row.pause++;
    return false;
  }
  sm_learn_layout(w, sm_row_entry(w, node), w->row.i);
  begin_read_text(w, entry, position);
  end_value(w, absolute(w, w->index[w->i - 1] + 1));
  return true;
}

// A row whose cells are filled is at the beginning of bytes that are the batch, but for their index.
static void begin_known_row(sm_walker *w, const uint8_t *batch, size_t length, size_t room, size_t record, bool final) {
  sm_node node = w->selection->root;
  w->batch = batch;
  w->batch_length = length;
  w->batch_room = room;
  w->batch_offset = w->input_offset + w->input_position;
  w->is_batch_final = final;
  w->scan_fault = SM_SCAN_OK;
  w->row.length = record;
  w->row.node = node;
  w->row.index = w->index;
  w->row.count = w->row.i = w->row.first = 0;
  w->row.line = w->line;
  w->row.line_start = w->line_start;
  w->row.is_first_text = w->is_first_text;
  w->row.has_text = w->has_text;
  w->row.is_out = w->row.is_unscanned = true;
  w->row.end_scanned = 0;
  w->text = empty_token(w, 0);
  begin_record(w, &w->selection->entries[node], 0);
}

bool sm_take_known_line(sm_walker *w) {
  if (w->framing != SM_FRAMING_NDJSON || w->state != STATE_TEXT || w->carry_length > 0 || w->cut.is_waiting ||
      !sm_compares_layouts(w)) return false;
  size_t left = w->input_length - w->input_position, line;
  const uint8_t *text = w->input + w->input_position;
  size_t record = sm_match_line(w, text, left, &line);
  if (record == 0) return false;
  begin_known_row(w, text, line, left, record, false);
  w->text.end = w->record.end = absolute(w, record);
  w->has_text = true;
  w->is_first_text = false;
  w->in_record = false;
  w->line++;
  w->line_start = absolute(w, line);
  w->input_position += line;
  return true;
}

bool sm_take_known_document(sm_walker *w, const uint8_t *bytes, size_t length) {
  if (!sm_compares_layouts(w)) return false;
  size_t record;
  const uint8_t *copy = sm_match_document(w, bytes, length, &record);
  if (copy == NULL) return false;
  begin_known_row(w, copy, length, length + SM_LAYOUT_TEXT, record, true);
  w->input_position = length;
  end_value(w, absolute(w, record));
  for (const uint8_t *p = copy, *end = copy + length; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
    w->line++;
    w->line_start = absolute(w, (size_t)(p - copy) + 1);
  }
  return true;
}
