// The position of a walker between two tokens outside any record, in plain numbers, and a walker that goes on from there. What is
// known of the batch, and the scanner's state, are not part of it: the next token is read again from its first byte.

#include "walker.h"

bool sm_walker_position(const sm_walker *w, sm_position *position) {
  bool is_after_fault = w->state == STATE_RESYNC;
  switch (w->state) {
    case STATE_TEXT:
    case STATE_AFTER_MEMBER:
    case STATE_AFTER_ELEMENT:
      if (w->in_record) return false;
      break;
    case STATE_RESYNC:
      if (w->is_fault_pending) return false;
      break;
    default: return false;
  }
  uint64_t offset = sm_walker_offset(w);
  if (w->has_batch) {
    bool is_used_up = w->i == w->count;
    // A number at the very end may have been cut off there. If the feed has grown since then, the number goes on.
    if (is_used_up && w->is_batch_final && !is_after_fault) return false;
    offset = absolute(w, is_used_up ? w->batch_length : w->index[w->i]);
  }
  *position = (sm_position){
      .offset = offset, .line = w->line, .line_start = w->line_start, .text = w->text,
      .paths_seen = w->paths_seen, .framing = w->framing, .is_framing_settled = w->is_framing_settled,
      .has_separator = w->has_separator, .is_first_text = w->is_first_text, .has_text = w->has_text,
      .is_after_fault = is_after_fault,
  };
  return true;
}

// The node of what is inside a level.
static sm_node node_inside(sm_walker *w, sm_open *level, const sm_level *at) {
  const sm_entry *entry = &w->selection->entries[level->node];
  if (level->node == SM_SKIP) return SM_SKIP;
  if (!at->is_object) return sm_find_element(entry, at->index);
  const sm_member *member = sm_member_at(w, level, at->key, at->key_length);
  return member != NULL ? member->child : entry->other_members;
}

// Opens the containers again; false where they cannot have been open outside a record.
static bool open_levels(sm_walker *w, const sm_level *levels, size_t count) {
  sm_node node = w->selection->root;
  for (size_t i = 0; i < count; i++) {
    const sm_level *at = &levels[i];
    uint8_t kind = w->selection->entries[node].kind;
    if (!at->has_position || (kind != SM_KIND_NAVIGATION && kind != SM_KIND_SKIP)) return false;
    if (!sm_push(w, at->is_object, node, false)) return false;
    sm_open *level = innermost(w);
    level->has_position = true;
    level->start = at->start;
    level->index = at->index;
    level->is_stored = true;
    level->key_start = w->arena.count;
    if (at->is_object) {
      level->key_length = at->key_length;
      if (!sm_append(w, &w->arena, at->key, at->key_length)) return false;
    }
    node = node_inside(w, level, at);
  }
  return true;
}

bool sm_walker_restore(sm_walker *w, const sm_position *position, const sm_level *levels, size_t count) {
  sm_walker_reset(w, position->framing);
  bool is_outside_text = position->is_after_fault || count == 0;
  if (count > w->limits.depth || (position->is_after_fault && count > 0)) return false;
  if (!open_levels(w, levels, count) || w->failed_allocation) {
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
  if (is_outside_text) {
    w->state = position->is_after_fault ? STATE_RESYNC : STATE_TEXT;
  } else {
    w->state = innermost(w)->is_object ? STATE_AFTER_MEMBER : STATE_AFTER_ELEMENT;
  }
  return true;
}
