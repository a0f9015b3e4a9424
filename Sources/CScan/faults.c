// What is wrong, where it is, and whether the walk can continue after it.

#include "walker.h"

static bool can_go_on(const sm_walker *w) {
  switch (w->framing) {
    case SM_FRAMING_NDJSON: return true;
    case SM_FRAMING_SEQ: return true;
    // A text that is searched for records is taken for a document: continuing after the next line feed would be a guess.
    case SM_FRAMING_AUTO:
      return !w->is_framing_settled && w->is_first_text &&
             w->selection->entries[w->selection->root].kind == SM_KIND_RECORD;
    default: return false;
  }
}

sm_expected sm_expected_here(const sm_walker *w) {
  switch (w->state) {
    case STATE_TEXT: return w->framing == SM_FRAMING_SEQ && !w->has_separator ? SM_EXPECTED_SEPARATOR : SM_EXPECTED_VALUE;
    case STATE_VALUE:
    case STATE_ELEMENT: return SM_EXPECTED_VALUE;
    case STATE_FIRST_ELEMENT: return SM_EXPECTED_VALUE_OR_END;
    case STATE_FIRST_KEY: return SM_EXPECTED_KEY_OR_END;
    case STATE_KEY: return SM_EXPECTED_KEY;
    case STATE_COLON: return SM_EXPECTED_COLON;
    case STATE_AFTER_MEMBER: return SM_EXPECTED_COMMA_OR_BRACE;
    case STATE_AFTER_ELEMENT: return SM_EXPECTED_COMMA_OR_BRACKET;
    case STATE_AFTER_TEXT: return SM_EXPECTED_TEXT_END;
    case STATE_IN_STRING:
    case STATE_IN_KEY: return SM_EXPECTED_STRING_END;
    case STATE_IN_NUMBER: return sm_number_is_whole(w->number_state) ? SM_EXPECTED_NUMBER_END : SM_EXPECTED_DIGIT;
    case STATE_IN_LITERAL: return SM_EXPECTED_LITERAL;
    default: return SM_EXPECTED_NOTHING;
  }
}

// Whether the next element of the innermost array, or the one after it, would be a record.
static bool is_among_records(const sm_walker *w) {
  if (w->depth == 0 || (w->state != STATE_AFTER_ELEMENT && w->state != STATE_ELEMENT && w->state != STATE_FIRST_ELEMENT)) return false;
  const sm_open *level = &w->levels[w->depth - 1];
  if (level->node == SM_SKIP) return false;
  const sm_entry *entries = w->selection->entries;
  return entries[sm_find_element(&entries[level->node], level->index)].kind == SM_KIND_RECORD;
}

// Where the characters begin that this batch has of a string that is too long: it may have begun in an earlier one.
static uint64_t in_long_string(const sm_walker *w) {
  return w->token_start < w->batch_offset ? w->batch_offset : w->token_start + 1;
}

sm_outcome sm_fail_at(sm_walker *w, sm_fault_kind kind, sm_expected what, uint64_t start, uint64_t end, uint8_t found) {
  if (kind == SM_FAULT_MEMORY) {
    w->has_last = false;
  } else {
    sm_keep_position(w);
    // The token at fault may be taken from the index already.
    if (w->last.offset > start) w->last.offset = start;
  }
  bool final = !can_go_on(w);
  if (!final && w->framing == SM_FRAMING_AUTO) {
    // So far, nothing speaks against lines.
    w->framing = SM_FRAMING_NDJSON;
    w->is_framing_settled = true;
  }
  if (kind == SM_FAULT_MEMORY) final = true;
  if (w->state == STATE_TEXT) w->text = (sm_token){.start = start, .end = end, .line = w->line, .line_start = w->line_start};
  bool in_string = w->state == STATE_IN_STRING || w->state == STATE_IN_KEY;
  bool is_long = kind == SM_FAULT_STRING || kind == SM_FAULT_KEY;
  w->fault = (sm_fault){
      kind, what, {.start = start, .end = end, .line = w->line, .line_start = w->line_start}, found, final,
      w->is_final, in_string, w->in_record || is_among_records(w),
      in_string && is_long ? in_long_string(w) : start};
  w->text.end = end;
  w->state = final ? STATE_OVER : STATE_RESYNC;
  return STEP_FAULT;
}

// The byte at `position` cannot stand there.
sm_outcome sm_fail_byte(sm_walker *w, sm_expected what, size_t position) {
  uint8_t byte = w->batch[position];
  sm_fault_kind kind = SM_FAULT_UNEXPECTED;
  bool ends = (byte == '\n' && w->framing == SM_FRAMING_NDJSON) || (byte == 0x1E && w->framing == SM_FRAMING_SEQ);
  if (ends && what != SM_EXPECTED_TEXT_END) kind = SM_FAULT_TRUNCATED;
  return sm_fail_at(w, kind, what, absolute(w, position), absolute(w, position) + (kind == SM_FAULT_UNEXPECTED), byte);
}

// What the scanner found at the end of the batch.
sm_outcome sm_fail_scan(sm_walker *w) {
  uint64_t at = absolute(w, w->batch_length);
  uint8_t byte = w->batch[w->batch_length];
  switch (w->scan_fault) {
    case SM_SCAN_UTF8: return sm_fail_at(w, SM_FAULT_UTF8, SM_EXPECTED_NOTHING, at, at + 1, byte);
    case SM_SCAN_CONTROL: return sm_fail_at(w, SM_FAULT_CONTROL, SM_EXPECTED_NOTHING, at, at + 1, byte);
    case SM_SCAN_ESCAPE: return sm_fail_at(w, SM_FAULT_ESCAPE, SM_EXPECTED_NOTHING, at, at + 1, byte);
    case SM_SCAN_SURROGATE: return sm_fail_at(w, SM_FAULT_SURROGATE, SM_EXPECTED_NOTHING, at, at + 1, byte);
    default: return sm_fail_at(w, SM_FAULT_UNEXPECTED, sm_expected_here(w), at, at + 1, byte);
  }
}

sm_outcome sm_fail_limit(sm_walker *w, sm_fault_kind kind, uint64_t start, uint64_t end) {
  return sm_fail_at(w, kind, SM_EXPECTED_NOTHING, start, end, 0);
}
