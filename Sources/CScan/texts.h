// Where texts and records begin and end.

#ifndef STREAMMAP_TEXTS_H
#define STREAMMAP_TEXTS_H

#include "walker.h"

static inline sm_token empty_token(const sm_walker *w, size_t position) {
  uint64_t at = absolute(w, position);
  return (sm_token){.start = at, .end = at, .line = w->line, .line_start = w->line_start};
}

static inline void begin_record(sm_walker *w, const sm_entry *entry, size_t position) {
  w->paths_seen |= entry->marks;
  w->record_entry = entry;
  w->in_record = true;
  w->is_record_whole = false;
  w->record_depth = w->depth;
  w->record = empty_token(w, position);
  w->row.work = 0;
}

// A value is over; `end` is the offset in the feed after it.
static inline sm_outcome end_value(sm_walker *w, uint64_t end) {
  if (w->depth > 0) {
    w->state = w->levels[w->depth - 1].is_object ? STATE_AFTER_MEMBER : STATE_AFTER_ELEMENT;
    if (!w->in_record || w->depth != w->record_depth) return GO_ON;
    w->record.end = end;
    w->in_record = false;
    return STEP_RECORD;
  }
  // The text is over.
  w->text.end = end;
  w->has_text = true;
  w->is_first_text = false;
  bool is_record = w->in_record;
  if (is_record) w->record.end = end;
  if (w->framing == SM_FRAMING_CONCAT || w->framing == SM_FRAMING_AUTO) {
    w->state = STATE_TEXT;
    w->in_record = false;
    return is_record ? STEP_RECORD : GO_ON;
  }
  // A line, an entry or a document is not good before its end is seen. Its record is held back until then.
  w->is_record_whole = is_record;
  w->state = STATE_AFTER_TEXT;
  return GO_ON;
}

#endif
