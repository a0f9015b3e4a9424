// The walker's steps: one batch after another, what is handed over at the end of each, the end of the feed, and how to continue
// after a fault. The grammar is in `walk.c`.

#include <string.h>

#include "emission.h"
#include "walker.h"

// Continues with a token that an earlier batch began.
static sm_outcome resume(sm_walker *w) {
  switch (w->state) {
    case STATE_IN_STRING: return sm_resume_string(w);
    case STATE_IN_NUMBER:
    case STATE_IN_LITERAL: return sm_run_scalar(w, 0, w->state == STATE_IN_NUMBER);
    case STATE_IN_KEY: return sm_resume_key(w);
    default: return GO_ON;
  }
}

// The feed is over.
static sm_outcome at_end(sm_walker *w) {
  bool has_record = w->state == STATE_AFTER_TEXT && w->is_record_whole;
  if (w->state == STATE_TEXT && w->framing == SM_FRAMING_JSON && !w->has_text) {
    return sm_fail_at(w, SM_FAULT_EMPTY, SM_EXPECTED_VALUE, absolute(w, w->batch_length), absolute(w, w->batch_length), 0);
  }
  if (w->state != STATE_TEXT && w->state != STATE_AFTER_TEXT) {
    uint64_t at = absolute(w, w->batch_length);
    return sm_fail_at(w, SM_FAULT_TRUNCATED, sm_expected_here(w), at, at, 0);
  }
  w->in_record = false;
  w->has_last = false;
  w->last_state = w->state;
  w->state = STATE_OVER;
  if (!has_record) return GO_ON;
  w->is_record_whole = false;
  return STEP_RECORD;
}

// The part of the feed is over. Where a part may end, all tokens are whole, and no record is open.
static sm_outcome at_part_end(sm_walker *w) {
  if (w->state == STATE_AFTER_TEXT && w->framing == SM_FRAMING_SEQ && w->byte_after == 0x1E) {
    // The separator after the part ends its last entry.
    w->state = STATE_TEXT;
    if (w->is_record_whole) {
      w->in_record = false;
      w->is_record_whole = false;
      return STEP_RECORD;
    }
  }
  bool is_between = w->state == STATE_TEXT || w->state == STATE_AFTER_MEMBER || w->state == STATE_AFTER_ELEMENT;
  if (!is_between || w->in_record) {
    uint64_t at = absolute(w, 0);
    sm_fail_at(w, SM_FAULT_PART, SM_EXPECTED_NOTHING, at, at, 0);
    w->fault.final = true;
    w->state = STATE_OVER;
    return STEP_FAULT;
  }
  sm_keep_position(w);
  w->is_part_over = true;
  return GO_ON;
}

static void hand_over(sm_walker *w) {
  w->is_chunk_out = true;
  w->chunk = (sm_chunk){
      .text = w->out.bytes, .text_length = w->out_complete, .tokens = w->tokens, .token_count = w->token_count,
      .origin = (uintptr_t)w->batch - (uintptr_t)w->batch_offset};
}

// Whether there are whole tokens to hand over before the batch goes away. The part of a token that is cut off is copied, and
// stays.
static bool close_batch(sm_walker *w) {
  bool in_token = w->state == STATE_IN_STRING || w->state == STATE_IN_NUMBER || w->state == STATE_IN_LITERAL;
  if (in_token && w->is_token_kept) {
    w->out_complete = w->token_count > 0 ? w->out.count : 0;
    size_t start = w->token_start > w->batch_offset ? (size_t)(w->token_start - w->batch_offset) : 0;
    sm_append(w, &w->out, w->batch + start, w->batch_length - start);
  } else {
    w->out_complete = w->out.count;
  }
  if (w->token_count == 0 || !w->in_record) return false;
  hand_over(w);
  return true;
}

static void forget_chunk(sm_walker *w) {
  w->row.is_out = w->row.is_unscanned = false;
  if (!w->is_chunk_out) return;
  w->is_chunk_out = false;
  size_t rest = w->out.count - w->out_complete;
  if (rest > 0) memmove(w->out.bytes, w->out.bytes + w->out_complete, rest);
  w->out.count = rest;
  if (rest == 0 && w->out.capacity > SM_KEPT) sm_empty(&w->out);
  w->out_complete = 0;
  w->token_count = 0;
}

static void forget_text(sm_walker *w) {
  w->depth = 0;
  w->in_record = false;
  w->is_record_whole = false;
  sm_empty(&w->out);
  w->token_count = 0;
}

// After a fault, goes to the mark before the next text; false if there is no more input. The bytes passed over are not
// checked: they are part of a malformed text.
static bool go_to_mark(sm_walker *w) {
  uint8_t mark = w->framing == SM_FRAMING_SEQ ? 0x1E : '\n';
  if (w->has_batch) {
    // A mark inside a string is always a fault of the scanner, so the index is right about marks up to its end.
    for (; w->i < w->count; w->i++) {
      size_t position = w->index[w->i];
      if (w->batch[position] == mark) return true;
      if (w->batch[position] == '\n') {
        w->line++;
        w->line_start = absolute(w, position + 1);
      }
    }
    sm_leave_batch(w);
  }
  // A carried sequence has no mark in it.
  w->carry_length = 0;
  w->scan = (sm_scan_state){0};
  while (w->input_position < w->input_length) {
    uint8_t byte = w->input[w->input_position];
    if (byte == mark) return true;
    w->input_position++;
    if (byte == '\n') {
      w->line++;
      w->line_start = w->input_offset + w->input_position;
    } else if (mark == '\n') {
      const uint8_t *here = w->input + w->input_position;
      const uint8_t *next = memchr(here, mark, w->input_length - w->input_position);
      w->input_position = next == NULL ? w->input_length : (size_t)(next - w->input);
    }
  }
  return false;
}

// Sets the end of a malformed text; false if more input is needed to know it. The path to the fault stays, to be reported.
static bool end_malformed_text(sm_walker *w) {
  bool is_at_mark = go_to_mark(w);
  uint64_t here = w->has_batch ? absolute(w, w->index[w->i]) : w->input_offset + w->input_position;
  uint64_t most = w->text.start + SM_LARGEST_TEXT;
  if (most < w->text.end) most = w->text.end;
  if (!is_at_mark && here < most && !w->is_final) return false;
  w->text.end = here < most ? here : most;
  w->is_fault_pending = false;
  return true;
}

static void fail_memory(sm_walker *w) {
  sm_fail_at(w, SM_FAULT_MEMORY, SM_EXPECTED_NOTHING, absolute(w, 0), absolute(w, 0), 0);
}

// Continues to where a fault can be reported.
static sm_step tell_fault(sm_walker *w) {
  bool is_known = end_malformed_text(w);
  if (w->failed_allocation) {
    // Half of its path must not get out.
    fail_memory(w);
    w->is_fault_pending = false;
    return SM_STEP_FAULT;
  }
  return is_known ? SM_STEP_FAULT : SM_STEP_INPUT;
}

sm_step sm_walker_next(sm_walker *w) {
  forget_chunk(w);
  for (;;) {
    if (w->state == STATE_OVER || w->is_part_over) return SM_STEP_END;
    if (w->is_fault_pending) return tell_fault(w);
    if (w->state == STATE_RESYNC) {
      forget_text(w);
      if (!go_to_mark(w)) {
        if (!w->is_final) return SM_STEP_INPUT;
        w->state = STATE_OVER;
        continue;
      }
      w->state = STATE_TEXT;
    }
    sm_outcome result = GO_ON;
    if (!w->has_batch) {
      if (sm_take_known_line(w)) return SM_STEP_ROW;
      if (!sm_next_batch(w)) return SM_STEP_INPUT;
      result = resume(w);
    }
    if (result == GO_ON && sm_take_line(w)) return SM_STEP_ROW;
    if (result == GO_ON) result = sm_walk_batch(w);
    bool is_used_up = result == GO_ON;
    if (is_used_up && w->is_closing) result = at_part_end(w);
    else if (is_used_up && w->scan_fault != SM_SCAN_OK) result = sm_fail_scan(w);
    else if (is_used_up && w->is_batch_final) result = at_end(w);
    bool has_chunk = false, goes_on = result == GO_ON && w->state != STATE_OVER && !w->is_part_over;
    if ((result == STEP_RECORD && !w->row.is_out) || result == STEP_INNER_ROWS) {
      w->out_complete = w->out.count;
      hand_over(w);
    }
    if (goes_on) {
      has_chunk = close_batch(w);
      sm_leave_batch(w);
    }
    // This comes last, because what is handed over is copied just before: half of it must not get out.
    if (w->failed_allocation) {
      fail_memory(w);
      result = STEP_FAULT;
    }
    if (result == STEP_FAULT) {
      if (w->fault.final) return SM_STEP_FAULT;
      w->is_fault_pending = true;
      continue;
    }
    if (result == STEP_INNER_ROWS) return SM_STEP_INNER_ROWS;
    if (result == STEP_RECORD) return w->row.is_out ? SM_STEP_ROW : SM_STEP_RECORD;
    if (!goes_on) return SM_STEP_END;
    if (has_chunk) return SM_STEP_CHUNK;
  }
}

// PERF: one call for a whole message. On small ones, the steps of the walk cost as much as the reading of their values.
bool sm_walker_take_document(sm_walker *w, const uint8_t *bytes, size_t length) {
  sm_walker_input(w, bytes, length, true);
  if (length > SM_BATCH || w->framing != SM_FRAMING_JSON || w->state != STATE_TEXT || !w->row.is_wanted) return false;
  if (sm_take_known_document(w, bytes, length)) {
    at_end(w);
    return true;
  }
  if (!sm_next_batch(w) || !sm_take_document(w)) return false;
  // A row of a document is only taken with its end; only line feeds can come before that.
  if (w->i < w->count) sm_walk_batch(w);
  at_end(w);
  return true;
}

const sm_chunk *sm_walker_chunk(const sm_walker *w) { return &w->chunk; }

sm_token sm_walker_record(const sm_walker *w) { return w->record; }
sm_fault sm_walker_fault(const sm_walker *w) { return w->fault; }
sm_token sm_walker_text(const sm_walker *w) { return w->text; }
bool sm_walker_in_record(const sm_walker *w) { return w->in_record; }
uint64_t sm_walker_paths_seen(const sm_walker *w) { return w->paths_seen; }
uint64_t sm_walker_record_paths(const sm_walker *w) { return w->record_entry != NULL ? w->record_entry->marks : 0; }
sm_node sm_walker_record_node(const sm_walker *w) {
  return w->record_entry != NULL ? (sm_node)(w->record_entry - w->selection->entries) : SM_SKIP;
}
uint64_t sm_walker_line(const sm_walker *w) { return w->line + sm_waiting_lines(w, NULL); }
uint64_t sm_walker_line_start(const sm_walker *w) {
  uint64_t start = w->line_start;
  sm_waiting_lines(w, &start);
  return start;
}
sm_framing sm_walker_framing(const sm_walker *w) { return w->framing; }
