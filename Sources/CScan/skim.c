// The fast path of the walk: what is plain. Most bytes of most feeds come by here.
//
// It goes on over members and elements that are skipped, over the keys between them, and over kept scalars that a run
// goes on over, as long as all of a member (`"key":` and its value's entries) lies in the batch and is as expected; at
// the first thing that is not, it stops in front of it, in the same state that `walk.c` would be in there, and leaves it
// to that. So it finds no faults and makes no decisions of its own: with it left out, everything comes out the same.
//
// PERF: all that changes is in locals; the index is read ahead by up to five entries without a branch on each.

#include <string.h>

#include "classes.h"
#include "emission.h"
#include "walker.h"

static inline bool ends_scalar(uint8_t byte) {
  return byte == ',' || byte == '}' || byte == ']' || sm_classes[byte] == SM_CLASS_SPACE || byte == '\n';
}

static inline bool is_word(const uint8_t *bytes, const char *word) {
  return memcmp(bytes, word, 4) == 0;
}

// The length of the plain scalar that starts at `p`; 0 where none does. A later entry of the index is known to exist, so
// some byte behind the scalar ends it inside the batch; `room` bytes from `p` are there.
static inline size_t plain_scalar(const uint8_t *p, size_t room, uint64_t limit) {
  const uint8_t *q = p;
  if (*q == '-') q++;
  if ((uint8_t)(*q - '0') < 10) {
    if (*q == '0') {
      q++;
    } else {
      while ((uint8_t)(*q - '0') < 10) q++;
    }
    if (*q == '.' || (*q | 0x20) == 'e') {
      uint8_t state = SM_NUMBER_START;
      size_t end = sm_number_run(p, 0, room, &state);
      q = p + end;
      if (end == room || !sm_number_is_whole(state)) return 0;
    }
    return ends_scalar(*q) && (uint64_t)(q - p) <= limit ? (size_t)(q - p) : 0;
  }
  if (room < 6) return 0;
  if (is_word(p, "true") || is_word(p, "null")) return ends_scalar(p[4]) ? 4 : 0;
  return is_word(p, "fals") && p[4] == 'e' && ends_scalar(p[5]) ? 5 : 0;
}

void sm_skim(sm_walker *w) {
#ifdef SM_NO_SKIM
  // The tests hold the walk without its fast path against the walk with it.
  (void)w;
  return;
#endif
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t count = w->count;
  const size_t length = w->batch_length;
  const sm_entry *const entries = w->selection->entries;
  const bool is_lines = w->framing == SM_FRAMING_NDJSON || !w->is_framing_settled;
  const uint64_t key_limit = w->limits.key, number_limit = w->limits.number;
  size_t i = w->i;
  sm_state state = w->state;
  sm_open *level;
  sm_node node;

  if (w->depth == 0) return;
  level = &w->levels[w->depth - 1];

next:
  // Behind a value, or behind what opens a container.
  if (i + 5 >= count) goto leave;
  switch (state) {
    case STATE_FIRST_KEY: goto first_key;
    case STATE_KEY: goto key;
    case STATE_AFTER_MEMBER: goto after_member;
    case STATE_FIRST_ELEMENT: goto first_element;
    case STATE_ELEMENT: goto element;
    case STATE_AFTER_ELEMENT: goto after_element;
    default: goto leave;
  }

first_key:
  if (batch[index[i]] == '}') goto close;
key: {
  size_t start = index[i];
  uint8_t byte = batch[start];
  if (byte != '"') {
    if (byte != '\n' || is_lines) goto leave;
    w->line++;
    w->line_start = w->batch_offset + start + 1;
    i++;
    goto next;
  }
  size_t end = index[i + 1];
  if (batch[index[i + 2]] != ':' || end - start - 1 > key_limit) goto leave;
  if (level->node == SM_SKIP) {
    node = SM_SKIP;
  } else {
    const sm_entry *entry = &entries[level->node];
    node = sm_member_node(w, entry, batch + start + 1, end - start - 1);
    if (node != SM_SKIP) {
      // Should the walk have to take the key after all, it need not look it up again.
      w->found_key = batch + start + 1;
      w->found_node = node;
      if (!level->is_kept || !w->is_run_open || w->token_count + 2 > w->token_capacity) goto leave;
      size_t value = index[i + 3], behind;
      if (batch[value] == '"') {
        behind = index[i + 4] + 1;
        if (behind - value - 2 > w->limits.string) goto leave;
        i += 5;
      } else {
        size_t scalar = plain_scalar(batch + value, length - value, number_limit);
        if (scalar == 0) goto leave;
        behind = value + scalar;
        i += 4;
      }
      level->key = batch + start + 1;
      level->key_length = end - start - 1;
      level->has_position = true;
      level->is_stored = false;
      level->has_kept_part = true;
      sm_add_token(w, w->batch_offset + start, w->batch_offset + end + 1);
      sm_keep_token(w, value, behind);
      state = STATE_AFTER_MEMBER;
      if (i + 5 >= count) goto leave;
      goto after_member;
    }
    if (level->is_kept && w->is_run_open) sm_close_run(w);
  }
  level->key = batch + start + 1;
  level->key_length = end - start - 1;
  level->has_position = true;
  level->is_stored = false;
  i += 3;
}

value: {
  size_t start = index[i];
  uint8_t byte = batch[start];
  if (byte == '"') {
    i += 2;
  } else if (byte == '{' || byte == '[') {
    if (w->depth >= w->limits.depth || w->depth == w->level_capacity) {
      w->node = SM_SKIP;
      if (level->is_object) state = STATE_VALUE;
      goto leave;
    }
    level = &w->levels[w->depth++];
    *level = (sm_open){.node = SM_SKIP, .is_object = byte == '{'};
    i++;
    state = byte == '{' ? STATE_FIRST_KEY : STATE_FIRST_ELEMENT;
    goto next;
  } else if (plain_scalar(batch + start, length - start, number_limit) > 0) {
    i++;
  } else {
    // In an array the state stays: what was expected, `]` included, is said by it.
    w->node = SM_SKIP;
    if (level->is_object) state = STATE_VALUE;
    goto leave;
  }
  if (!level->is_object) {
    state = STATE_AFTER_ELEMENT;
    if (i + 5 >= count) goto leave;
    goto after_element;
  }
  state = STATE_AFTER_MEMBER;
  if (i + 5 >= count) goto leave;
}

after_member: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    level->has_position = false;
    state = STATE_KEY;
    if (i + 5 >= count) goto leave;
    goto key;
  }
  if (byte == '}') goto close;
  if (byte != '\n' || is_lines) goto leave;
  w->line++;
  w->line_start = w->batch_offset + index[i] + 1;
  i++;
  goto next;
}

first_element:
  if (batch[index[i]] == ']') goto close;
element:
  if (level->node != SM_SKIP) {
    const sm_entry *entry = &entries[level->node];
    if (!level->is_kept || !w->is_run_open || entry->element_count > 0 || entry->other_elements == SM_SKIP ||
        w->token_count + 2 > w->token_capacity) {
      goto leave;
    }
    size_t value = index[i];
    size_t scalar = plain_scalar(batch + value, length - value, number_limit);
    if (scalar == 0) goto leave;
    level->has_position = true;
    level->has_kept_part = true;
    sm_keep_token(w, value, value + scalar);
    i++;
    state = STATE_AFTER_ELEMENT;
    goto next;
  }
  if (batch[index[i]] == '\n') {
    if (is_lines) goto leave;
    w->line++;
    w->line_start = w->batch_offset + index[i] + 1;
    i++;
    goto next;
  }
  level->has_position = true;
  goto value;

after_element: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    level->index++;
    state = STATE_ELEMENT;
    goto next;
  }
  if (byte == ']') goto close;
  if (byte != '\n' || is_lines) goto leave;
  w->line++;
  w->line_start = w->batch_offset + index[i] + 1;
  i++;
  goto next;
}

close:
  // Only what is skipped is closed here; its container is one that is open, so there is one.
  if (level->node != SM_SKIP || w->depth < 2) goto leave;
  i++;
  w->depth--;
  level--;
  state = level->is_object ? STATE_AFTER_MEMBER : STATE_AFTER_ELEMENT;
  goto next;

leave:
  w->i = i;
  w->state = state;
}
