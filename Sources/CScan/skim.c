// The fast path of the walk: what is plain. Most bytes of most feeds come by here.
//
// It goes on over members and elements, skipped ones and kept ones, as long as all of a member (`"key":` and its value's
// first entries) lies in the batch and is as expected; at the first thing that is not, it stops in front of it, in the same
// state that `walk.c` would be in there, and leaves it to that. So it finds no faults and makes no decisions of its own: with
// it left out, everything comes out the same. Not its business are texts, records' beginnings and ends, the way to records,
// and elements that are chosen by their index.
//
// PERF: all that changes is in locals; the index is read ahead by up to six entries without a branch on each. The key of
// the innermost level is known by its entry only, and written to the level when another is opened, or at the end.

#include <string.h>

#include "emission.h"
#include "walker.h"

// Bytes of a word that belong to a key or scalar of that length.
static const uint8_t masks[9][8] = {
    {0, 0, 0, 0, 0, 0, 0, 0},
    {255, 0, 0, 0, 0, 0, 0, 0},
    {255, 255, 0, 0, 0, 0, 0, 0},
    {255, 255, 255, 0, 0, 0, 0, 0},
    {255, 255, 255, 255, 0, 0, 0, 0},
    {255, 255, 255, 255, 255, 0, 0, 0},
    {255, 255, 255, 255, 255, 255, 0, 0},
    {255, 255, 255, 255, 255, 255, 255, 0},
    {255, 255, 255, 255, 255, 255, 255, 255},
};

static inline uint64_t load(const void *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

// Of a word, the high bits of bytes that are no digits (and maybe of such as stand behind one).
static inline uint64_t no_digits(uint64_t word) {
  const uint64_t ones = 0x0101010101010101u;
  uint64_t value = word ^ (ones * '0');
  return ((value + ones * (0x80 - 10)) | value) & (ones * 0x80);
}

// Behind the digits that start at `p`; eight bytes behind them are there.
static inline const uint8_t *behind_digits(const uint8_t *p) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (;; p += 8) {
    uint64_t odd = no_digits(load(p));
    if (odd != 0) return p + (__builtin_ctzll(odd) >> 3);
  }
#else
  while ((uint8_t)(*p - '0') < 10) p++;
  return p;
#endif
}

// Whether [p, p + length) is one number. Behind it is a byte that belongs to none, and eight more are there.
// PERF: apart, so that the loop over members stays small.
__attribute__((noinline)) static bool is_number(const uint8_t *p, size_t length) {
  const uint8_t *first = p + (*p == '-'), *q = behind_digits(first), *digits;
  if (q == first || (*first == '0' && q - first > 1)) return false;
  if (*q == '.') {
    digits = q + 1;
    q = behind_digits(digits);
    if (q == digits) return false;
  }
  if ((*q | 0x20) == 'e') {
    digits = q + 1;
    if (*digits == '+' || *digits == '-') digits++;
    q = behind_digits(digits);
    if (q == digits) return false;
  }
  return q == p + length;
}

// Whether [p, p + length) is a whole scalar, with no other behind it; `room` bytes from `p` are there. False also for some that
// are: those with white space behind them, and those near the end of a batch.
static inline bool is_plain_scalar(const uint8_t *p, size_t length, size_t room, uint64_t number_limit) {
  if (room < length + 9) return false;
  if (length <= 8) {
    // PERF: the short ones, literals above all, are told without a branch on what they are.
    uint64_t word = load(p), mask = load(masks[length]), all = word & mask;
    // What is behind a literal is 0 by the mask; a NUL that belongs to the scalar is not.
    if (all == load("true\0\0\0") || all == load("null\0\0\0") || all == load("false\0\0")) return p[length - 1] != 0;
    if ((no_digits(word) & mask) == 0 && (length == 1 || *p != '0')) return length <= number_limit;
  }
  // PERF: so are identifiers, as a rule.
  if (length > 8 && length <= 16 && *p != '0' && (no_digits(load(p)) | no_digits(load(p + length - 8))) == 0) {
    return length <= number_limit;
  }
  return length <= number_limit && is_number(p, length);
}

// Whether no other level can be opened here.
static inline bool is_full(const sm_walker *w) {
  return w->depth >= w->limits.depth || w->depth == w->level_capacity;
}

void sm_skim(sm_walker *w) {
#ifdef SM_NO_SKIM
  // The tests hold the walk without its fast path against the walk with it.
  (void)w;
  return;
#endif
  enum { AHEAD = 6 };
  if (w->depth == 0 || w->i + AHEAD >= w->count) return;
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t last = w->count - AHEAD;  // entries below have AHEAD others behind them
  const size_t length = w->batch_length;
  const uint64_t offset = w->batch_offset;
  const sm_entry *const entries = w->selection->entries;
  const sm_member **const successors = w->successors;
  const bool is_lines = w->framing == SM_FRAMING_NDJSON || !w->is_framing_settled;
  const uint64_t key_limit = w->limits.key, number_limit = w->limits.number, string_limit = w->limits.string;
  const size_t no_key = SIZE_MAX;
  size_t i = w->i, key = no_key;
  sm_state state = w->state;
  sm_open *level = &w->levels[w->depth - 1], opened;
  // Where the next token is written; there is room for two below `full`.
  sm_token *token = w->tokens + w->token_count;
  const sm_token *const full = w->tokens + w->token_capacity - 1;
  sm_token place = {.line = w->line, .line_start = w->line_start};

next:
  // Behind a value, or behind what opens a container.
  if (i >= last) goto leave;
  switch (state) {
    case STATE_FIRST_KEY:
      if (batch[index[i]] == '}') goto close;
      goto member;
    case STATE_KEY: goto member;
    case STATE_AFTER_MEMBER: goto after_member;
    case STATE_FIRST_ELEMENT:
      if (batch[index[i]] == ']') goto close;
      goto element;
    case STATE_ELEMENT: goto element;
    case STATE_AFTER_ELEMENT: goto after_element;
    default: goto leave;
  }

member: {
  size_t start = index[i], end = index[i + 1], key_length = end - start - 1;
  if ((batch[start] != '"') | (batch[index[i + 2]] != ':') | (key_length > key_limit)) goto odd;
  if (level->node != SM_SKIP) {
    const sm_entry *entry = &entries[level->node];
    const uint8_t *text = batch + start + 1;
    const sm_member *member = NULL;
    if (start + 9 <= length) {
      uint64_t prefix = load(text) & load(masks[key_length < 8 ? key_length : 8]);
      member = successors[level->last];
      if (sm_is_member(member, text, key_length, prefix)) {
        level->last = member->id;
      } else {
        bool may_be = sm_has_backslash(prefix) || sm_may_be_member(entry, prefix);
        member = may_be ? sm_member_at(w, level, text, key_length) : NULL;
      }
    } else {
      member = sm_member_at(w, level, text, key_length);
    }
    sm_node node = member != NULL ? member->child : entry->other_members;
    if (node != SM_SKIP) {
      // Should the walk have to take the key after all, it need not look it up again.
      w->found_key = text;
      w->found_member = member;
      if (!level->is_kept || token >= full) goto leave;
      size_t value = index[i + 3], behind = index[i + 4];
      uint8_t byte = batch[value];
      bool is_container = byte == '{' || byte == '[';
      if (byte == '"') {
        behind++;
        if (behind - value - 2 > string_limit) goto leave;
      } else if (is_container) {
        behind = value + 1;
        if (is_full(w)) goto leave;
      } else if (!is_plain_scalar(batch + value, behind - value, length - value, number_limit)) {
        goto leave;
      }
      key = i;
      i += byte == '"' ? 5 : 4;
      sm_keep_from(w, level, start);
      w->run_end = behind;
      place.start = offset + start;
      place.end = offset + end + 1;
      *token = place;
      token->tag = member != NULL ? member->tag : 0;
      place.start = offset + value;
      place.end = offset + behind;
      token[1] = place;
      token += 2;
      if (is_container) {
        opened = (sm_open){.node = node, .is_object = byte == '{', .is_kept = true, .last = entries[node].start};
        goto open;
      }
      state = STATE_AFTER_MEMBER;
      if (i >= last) goto leave;
      goto after_member;
    }
    if (level->is_kept && w->is_run_open) sm_close_run(w);
  }
  key = i;
  i += 3;
  uint32_t value = index[i];
  uint8_t byte = batch[value];
  state = STATE_AFTER_MEMBER;
  if (byte == '"') {
    i += 2;
  } else if ((byte == '{' || byte == '[') && !is_full(w)) {
    i++;
    opened = (sm_open){.node = SM_SKIP, .is_object = byte == '{'};
    goto open;
  } else if (is_plain_scalar(batch + value, index[i + 1] - value, length - value, number_limit)) {
    i++;
  } else {
    w->node = SM_SKIP;
    state = STATE_VALUE;
    goto leave;
  }
  if (i >= last) goto leave;
}

after_member: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    state = STATE_KEY;
    goto member;  // what is ahead of the comma is enough for what follows it
  }
  if (byte == '}') goto close;
  goto odd;
}

element: {
  // In an array the state stays where the walk has to go on: what was expected, `]` included, is said by it.
  size_t value = index[i], behind = index[i + 1];
  uint8_t byte = batch[value];
  sm_node node = SM_SKIP;
  if (level->node != SM_SKIP) {
    const sm_entry *entry = &entries[level->node];
    node = entry->other_elements;
    if (!level->is_kept || entry->element_count > 0 || node == SM_SKIP || token >= full) goto leave;
  }
  bool is_container = byte == '{' || byte == '[';
  if (byte == '"') {
    behind++;
    if (node != SM_SKIP && behind - value - 2 > string_limit) goto leave;
    i++;
  } else if (is_container) {
    behind = value + 1;
    if (is_full(w)) goto leave;
  } else if (!is_plain_scalar(batch + value, behind - value, length - value, number_limit)) {
    goto odd;
  }
  i++;
  if (node != SM_SKIP) {
    sm_keep_from(w, level, value);
    w->run_end = behind;
    place.start = offset + value;
    place.end = offset + behind;
    *token++ = place;
  }
  if (is_container) {
    opened = (sm_open){
        .node = node, .is_object = byte == '{', .is_kept = node != SM_SKIP, .last = entries[node].start};
    goto open;
  }
  level->has_position = true;
  state = STATE_AFTER_ELEMENT;
  if (i >= last) goto leave;
}

after_element: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    level->index++;
    state = STATE_ELEMENT;
    goto element;
  }
  if (byte == ']') goto close;
  goto odd;
}

open:
  // A container that is `opened`, its bracket is behind.
  level->has_position = true;
  if (key != no_key) {
    level->key = batch + index[key] + 1;
    level->key_length = index[key + 1] - index[key] - 1;
    level->is_stored = false;
    key = no_key;
  }
  level = &w->levels[w->depth++];
  *level = opened;
  if (entries[opened.node].kind == SM_KIND_SHELL) sm_close_run(w);
  state = opened.is_object ? STATE_FIRST_KEY : STATE_FIRST_ELEMENT;
  goto next;

close:
  // What is not in a record, or ends it, the walk closes.
  if (level->node != SM_SKIP) {
    if (!level->is_kept || w->depth - 1 <= w->record_depth || token >= full) goto leave;
    if (!w->is_run_open) {
      w->is_run_open = true;
      w->run_start = index[i];
    }
    w->run_end = index[i] + 1;
    place.start = offset + index[i];
    place.end = place.start + 1;
    *token++ = place;
  } else if (w->depth < 2) {
    goto leave;
  }
  i++;
  w->depth--;
  level--;
  key = no_key;
  state = level->is_object ? STATE_AFTER_MEMBER : STATE_AFTER_ELEMENT;
  goto next;

odd:
  // White space is passed over; all else is the walk's business.
  if (batch[index[i]] == '\n' && !is_lines) {
    w->line++;
    w->line_start = offset + index[i] + 1;
    place.line = w->line;
    place.line_start = w->line_start;
    i++;
    goto next;
  }

leave:
  if (level->is_object) {
    if (state == STATE_KEY) {
      level->has_position = false;
    } else if (key != no_key) {
      level->key = batch + index[key] + 1;
      level->key_length = index[key + 1] - index[key] - 1;
      level->has_position = true;
      level->is_stored = false;
    }
  }
  w->token_count = (size_t)(token - w->tokens);
  w->i = i;
  w->state = state;
}
