// The position of a walker between two tokens outside any record, in plain numbers, and a walker that continues from there. A walker in
// a record or a token has the position before that. What is known of the batch, and the scanner's state, are not part of it: the
// next token is read again from its first byte.

#include "walker.h"

// Where the next token is that was not walked yet.
static uint64_t next_token(const sm_walker *w) {
  if (!w->has_batch) return sm_walker_offset(w);
  // The byte after a part is not the part's.
  if (w->is_closing) return absolute(w, 0);
  return absolute(w, w->i == w->count ? w->batch_length : w->index[w->i]);
}

// What comes next in a state between two tokens.
static sm_at place_of(sm_state state) {
  switch (state) {
    case STATE_TEXT: return SM_AT_TEXT;
    case STATE_AFTER_TEXT: return SM_AT_TEXT_END;
    case STATE_RESYNC: return SM_AT_FAULT;
    case STATE_AFTER_MEMBER:
    case STATE_AFTER_ELEMENT: return SM_AT_NEXT;
    case STATE_FIRST_KEY: return SM_AT_FIRST_KEY;
    case STATE_KEY: return SM_AT_KEY;
    case STATE_COLON: return SM_AT_COLON;
    case STATE_FIRST_ELEMENT: return SM_AT_FIRST_ELEMENT;
    case STATE_ELEMENT: return SM_AT_ELEMENT;
    default: return SM_AT_VALUE;
  }
}

// The place before the next token, or before the record or the token that the walker is in.
static sm_position position_before(const sm_walker *w) {
  sm_position position = {
      .offset = next_token(w), .line = w->line, .line_start = w->line_start, .text = w->text,
      .paths_seen = w->paths_seen, .framing = w->framing, .is_framing_settled = w->is_framing_settled,
      .has_separator = w->has_separator, .is_first_text = w->is_first_text, .has_text = w->has_text,
      .place = place_of(w->state == STATE_OVER ? w->last_state : w->state), .depth = w->depth,
  };
  bool is_in_token = w->state == STATE_IN_STRING || w->state == STATE_IN_NUMBER || w->state == STATE_IN_LITERAL;
  if (w->state == STATE_RESYNC) {
    // The rest that is known of the malformed text is for its report.
    position.depth = 0;
    return position;
  }
  // A text may be begun, and its value is still to come.
  bool is_begun_text = w->depth == 0 && (is_in_token || w->state == STATE_VALUE);
  bool is_whole_text = w->in_record ? w->record_depth == 0 : is_begun_text;
  if (is_whole_text) {
    position.offset = w->text.start;
    position.line = w->text.line;
    position.line_start = w->text.line_start;
    position.place = SM_AT_TEXT;
    position.depth = 0;
    // Its end may have been seen: then it is not a text that came before any more.
    if (w->framing == SM_FRAMING_JSON) position.has_text = false;
  } else if (w->in_record) {
    position.offset = w->record.start;
    position.line = w->record.line;
    position.line_start = w->record.line_start;
    // At a fault in its first byte, the array may end as well.
    bool is_first = w->state == STATE_FIRST_ELEMENT && w->depth == w->record_depth;
    position.place = is_first ? SM_AT_FIRST_ELEMENT : SM_AT_VALUE;
    position.depth = w->record_depth;
  } else if (is_in_token) {
    position.offset = w->token_start;
  } else if (w->state == STATE_IN_KEY) {
    position.offset = w->token_start;
    position.place = SM_AT_KEY;
  }
  return position;
}

bool sm_walker_position(const sm_walker *w, sm_position *position) {
  if (w->state == STATE_OVER) return false;
  if (w->is_fault_pending) {
    // It is read again.
    *position = w->last;
    return true;
  }
  // A number at the very end may have been cut off there. If the feed has grown since then, the number continues.
  if (w->has_batch && w->i == w->count && w->is_batch_final && w->state != STATE_RESYNC) return false;
  *position = position_before(w);
  return true;
}

void sm_keep_position(sm_walker *w) {
  w->last = position_before(w);
  w->has_last = true;
}

bool sm_walker_is_over(const sm_walker *w) { return w->state == STATE_OVER; }

bool sm_walker_last_position(const sm_walker *w, sm_position *position) {
  if (!w->has_last && w->state == STATE_OVER) {
    *position = position_before(w);
    return true;
  }
  *position = w->last;
  return w->has_last;
}

// The node of what is inside a level.
static sm_node node_inside(sm_walker *w, sm_open *level, const sm_level *at) {
  const sm_entry *entry = &w->selection->entries[level->node];
  if (level->node == SM_SKIP) return SM_SKIP;
  if (!at->is_object) return sm_find_element(entry, at->index);
  const sm_member *member = sm_member_at(w, level, at->key, at->key_length);
  return member != NULL ? member->child : entry->other_members;
}

// Whether a member or element of the innermost container is begun.
static bool is_begun(sm_at place) {
  return place != SM_AT_FIRST_KEY && place != SM_AT_KEY && place != SM_AT_FIRST_ELEMENT;
}

// Opens the containers again; false if they cannot have been open outside a record. The walker's node is then that of what is
// inside the innermost one.
static bool open_levels(sm_walker *w, const sm_level *levels, size_t count, sm_at place) {
  sm_node node = w->selection->root;
  for (size_t i = 0; i < count; i++) {
    const sm_level *at = &levels[i];
    bool has_position = i + 1 < count || is_begun(place);
    uint8_t kind = w->selection->entries[node].kind;
    if ((has_position && !at->has_position) || (kind != SM_KIND_NAVIGATION && kind != SM_KIND_SKIP)) return false;
    if (!sm_push(w, at->is_object, node, false)) return false;
    sm_open *level = innermost(w);
    level->has_position = has_position;
    level->start = at->start;
    level->index = at->index;
    level->is_stored = true;
    level->key_start = w->arena.count;
    if (!has_position) continue;
    if (at->is_object) {
      level->key_length = at->key_length;
      if (!sm_append(w, &w->arena, at->key, at->key_length)) return false;
    }
    node = node_inside(w, level, at);
  }
  w->node = node;
  return true;
}

// The state at a place; STATE_OVER where a walker with these levels cannot be there.
static sm_state state_at(sm_at place, const sm_walker *w) {
  bool is_inside = w->depth > 0, is_object = is_inside && w->levels[w->depth - 1].is_object, is_array = is_inside && !is_object;
  switch (place) {
    case SM_AT_TEXT: return is_inside ? STATE_OVER : STATE_TEXT;
    case SM_AT_TEXT_END: return is_inside ? STATE_OVER : STATE_AFTER_TEXT;
    case SM_AT_FAULT: return is_inside ? STATE_OVER : STATE_RESYNC;
    case SM_AT_VALUE: return is_inside ? STATE_VALUE : STATE_OVER;
    case SM_AT_NEXT: return is_object ? STATE_AFTER_MEMBER : is_array ? STATE_AFTER_ELEMENT : STATE_OVER;
    case SM_AT_FIRST_KEY: return is_object ? STATE_FIRST_KEY : STATE_OVER;
    case SM_AT_KEY: return is_object ? STATE_KEY : STATE_OVER;
    case SM_AT_COLON: return is_object ? STATE_COLON : STATE_OVER;
    case SM_AT_FIRST_ELEMENT: return is_array ? STATE_FIRST_ELEMENT : STATE_OVER;
    case SM_AT_ELEMENT: return is_array ? STATE_ELEMENT : STATE_OVER;
    default: return STATE_OVER;
  }
}

bool sm_walker_restore(sm_walker *w, const sm_position *position, const sm_level *levels, size_t count) {
  sm_walker_reset(w, position->framing);
  bool is_open = count <= w->limits.depth && open_levels(w, levels, count, position->place) && !w->failed_allocation;
  w->state = is_open ? state_at(position->place, w) : STATE_OVER;
  if (w->state == STATE_OVER) {
    sm_walker_reset(w, position->framing);
    return false;
  }
  w->input_offset = position->offset;
  w->line = position->line;
  w->line_start = position->line_start;
  w->text = position->text;
  w->paths_seen = position->paths_seen;
  w->is_framing_settled = position->is_framing_settled;
  w->has_separator = position->has_separator;
  w->is_first_text = position->is_first_text;
  w->has_text = position->has_text;
  return true;
}
