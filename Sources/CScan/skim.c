// The fast path of the walk, for what is plain. Most bytes of most feeds pass through here.
//
// It goes over members and elements, skipped ones and kept ones, as long as all of a member (`"key":` and the first entries of
// its value) lies in the batch and is as expected. It stops before the first thing that is not, in the same state that `walk.c`
// would be in there, and leaves the rest to it. So it finds no faults and makes no decisions of its own: without it, everything
// comes out the same. It does not handle texts, the beginnings and ends of records, the way to records, or elements that are
// chosen by their index.
//
// PERF: everything that changes is in locals. The index is read ahead by up to six entries without a branch on each. The key of
// the innermost level is known by its entry only. It is written to the level when another level is opened, or at the end.

#include <string.h>

#include "emission.h"
#include "scalars.h"
#include "walker.h"
#include "words.h"

#ifdef SM_NO_SKIM

// The tests compare the walk without its fast path with the walk that has it.
void sm_skim(sm_walker *w) { (void)w; }

#else

#include "runs.h"

// The text, where it is handed over, as described in `emission.h`.
typedef struct {
  uint8_t *at;          // where the next byte goes
  const uint8_t *full;  // below it there is room for some bytes
} output;

// Writes a text; false if there is no room.
static inline bool put_text(output *out, const uint8_t *bytes, size_t length) {
  if ((ptrdiff_t)length > out->full - out->at) return false;
  memcpy(out->at, bytes, length);
  out->at += length;
  return true;
}

// Writes the comma before an element of an array or a key, where one is needed.
static inline void put_comma(output *out, bool *has_kept_part) {
  *out->at = ',';
  out->at += *has_kept_part;
  *has_kept_part = true;
}

// Whether no further level can be opened here.
static inline bool is_full(const sm_walker *w) {
  return w->depth >= w->limits.depth || w->depth == w->level_capacity;
}

// How many entries there are after the one that the fast path is at.
enum { AHEAD = 6 };
static const size_t no_key = SIZE_MAX;

typedef struct {
  size_t i;    // the entry that comes next
  size_t key;  // the entry of the key of the member before `i`; `no_key` where `i` is a member itself
} passed_part;

// Goes over members, from the key at entry `i` on. Stops before the first member that is not plain, that has a container as its
// value, or that `entry` may name. Stops after the first member that no comma follows. Without an entry, no member is named.
__attribute__((always_inline)) static inline passed_part pass_members(
    const uint32_t *index, const uint8_t *batch, size_t i, size_t last, size_t length, const sm_limits *limits,
    const sm_entry *entry) {
  const uint64_t key_limit = limits->key, number_limit = limits->number;
  while (i < last) {
    size_t start = index[i], end = index[i + 1], value = index[i + 3], next = i + 4;
    if ((batch[start] != '"') | (batch[index[i + 2]] != ':') | (end - start - 1 > key_limit)) break;
    if (entry != NULL) {
      if (start + 9 > length) break;
      uint64_t prefix = key_prefix(batch + start + 1, end - start - 1);
      if (sm_has_backslash(prefix) || sm_may_be_member(entry, prefix)) break;
    }
    uint8_t byte = batch[value];
    if (byte == '"') next++;
    else if (!is_plain_scalar(batch + value, index[next] - value, length - value, number_limit)) break;
    if (batch[index[next]] != ',') return (passed_part){next, i};
    i = next + 1;
  }
  return (passed_part){i, no_key};
}

// PERF: outlined, so that everything they need is in registers. The first is for an object that is skipped, the second for an
// object with some members that are wanted.
__attribute__((noinline)) static passed_part skip_members(
    const uint32_t *index, const uint8_t *batch, size_t i, size_t last, size_t length, const sm_limits *limits) {
  return pass_members(index, batch, i, last, length, limits, NULL);
}
__attribute__((noinline)) static passed_part skip_others(
    const uint32_t *index, const uint8_t *batch, size_t i, size_t last, size_t length, const sm_limits *limits,
    const sm_entry *entry) {
  return pass_members(index, batch, i, last, length, limits, entry);
}

// Goes over members as `pass_members` does, and hands over their tokens: members that followed each other before, with scalars as
// values. PERF: a member costs two thirds of the instructions that it costs in `one_member`, which must be ready for all that a
// member can be.
__attribute__((noinline)) static passed_part keep_members(const sm_walker *w, sm_open *level, size_t i, sm_token **tokens) {
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t last = w->count - AHEAD, length = w->batch_length;
  const uint64_t offset = w->batch_offset, line = w->line, line_start = w->line_start;
  const uint64_t number_limit = w->limits.number, string_limit = w->limits.string;
  const sm_member *const *const successors = w->successors;
  const sm_token *const full = w->tokens + w->token_capacity - 1;
  sm_token *token = *tokens;
  uint32_t id = level->last;
  size_t key = no_key;
  while (i < last && token < full) {
    size_t start = index[i], end = index[i + 1], value = index[i + 3], next = i + 4, key_length = end - start - 1;
    if ((batch[start] != '"') | (batch[index[i + 2]] != ':') | (start + 9 > length)) break;
    // A key that came before is within the limit of keys.
    const sm_member *member = successors[id];
    if (!sm_is_member(member, batch + start + 1, key_length, key_prefix(batch + start + 1, key_length))) break;
    if (member->child == SM_SKIP) break;
    size_t behind = index[next];
    unsigned flags = SM_PLAIN;
    if (batch[value] == '"') {
      behind++;
      next++;
      size_t text_length = behind - value - 2;
      if (text_length > string_limit) break;
      flags = sm_has_escape(batch + value + 1, text_length, length - value - 1) ? SM_ESCAPES : SM_PLAIN;
    } else if (!is_plain_scalar(batch + value, behind - value, length - value, number_limit)) {
      break;
    }
    token[0] = sm_token_at(offset + start, offset + end + 1, line, line_start, SM_KEY, member->tag);
    token[1] = sm_token_at(offset + value, offset + behind, line, line_start, flags, 0);
    token += 2;
    id = member->id;
    key = i;
    i = next;
    if (batch[index[i]] != ',') break;
    i++;
    key = no_key;
  }
  level->last = id;
  *tokens = token;
  return (passed_part){i, key};
}

// Whether the key at an entry may be that of the member.
static inline bool may_go_on(const sm_member *member, const uint32_t *key) {
  return member != NULL && member->length == key[1] - key[0] - 1;
}

// Whether an element that starts with this byte may be plain.
static inline bool may_be_plain(const sm_walker *w, sm_node node, uint8_t byte) {
  return (byte != '{' && byte != '[') || (w->odd_elements & sm_odd_bit(node)) == 0;
}

// PERF: compiled for each form, because there are too few registers.
__attribute__((always_inline)) static inline void skim(sm_walker *w, const bool hands_text) {
  const uint32_t *const index = w->index;
  const uint8_t *const batch = w->batch;
  const size_t last = w->count - AHEAD;  // entries below have AHEAD others after them
  const size_t length = w->batch_length;
  const uint64_t offset = w->batch_offset;
  const sm_entry *const entries = w->selection->entries;
  const sm_member **const successors = w->successors;
  // What may be inner rows is left to the walk.
  const bool has_inner = !hands_text && w->row.inner != NULL;
  const bool is_lines = w->framing == SM_FRAMING_NDJSON || !w->is_framing_settled;
  const uint64_t key_limit = w->limits.key, number_limit = w->limits.number, string_limit = w->limits.string;
  size_t i = w->i, key = no_key;
  sm_state state = w->state;
  sm_open *level = &w->levels[w->depth - 1];
  // The container that is opened.
  sm_node opened = SM_SKIP;
  bool is_object = false;
  passed_part passed;
  // Where the next token is written. Below `full`, there is room for two.
  sm_token *token = w->tokens + w->token_count;
  const sm_token *const full = w->tokens + w->token_capacity - 1;
  uint64_t line = w->line, line_start = w->line_start;
  // More bytes than are written besides the texts of tokens.
  enum { SLACK = 8 };
  output out = {
      .at = w->out.bytes + w->out.count,
      .full = w->out.bytes + (w->out.capacity > SLACK ? w->out.capacity - SLACK : 0)};

next:
  // After a value, or after the bracket that opens a container.
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

member:
  if (level->node == SM_SKIP) {
    passed = skip_members(index, batch, i, last, length, &w->limits);
    if (passed.i > i) goto passed_members;
  } else if (state == STATE_FIRST_KEY) {
    goto kept_members;
  }
  goto one_member;

kept_members:
  if (!hands_text && level->is_kept && may_go_on(successors[level->last], index + i)) {
    passed = keep_members(w, level, i, &token);
    if (passed.i > i) goto passed_members;
  }
  goto one_member;

passed_members:
  // After a member, or after a comma.
  i = passed.i;
  key = passed.key;
  state = key != no_key ? STATE_AFTER_MEMBER : STATE_KEY;
  if (i >= last) goto leave;
  if (key != no_key) goto after_member;

one_member: {
  size_t start = index[i], end = index[i + 1], key_length = end - start - 1;
  if ((batch[start] != '"') | (batch[index[i + 2]] != ':') | (key_length > key_limit)) goto odd;
  if (level->node != SM_SKIP) {
    const sm_entry *entry = &entries[level->node];
    const uint8_t *text = batch + start + 1;
    const sm_member *member = NULL;
    bool is_plain = false;  // known to have no backslash
    if (start + 9 <= length) {
      uint64_t prefix = key_prefix(text, key_length);
      member = successors[level->last];
      if (sm_is_member(member, text, key_length, prefix)) {
        level->last = member->id;
        is_plain = true;
      } else {
        bool may_be = sm_has_backslash(prefix) || sm_may_be_member(entry, prefix);
        member = may_be ? sm_member_at(w, level, text, key_length) : NULL;
      }
    } else {
      member = sm_member_at(w, level, text, key_length);
    }
    sm_node node = member != NULL ? member->child : entry->other_members;
    if (node != SM_SKIP) {
      // If the walk has to take the key after all, it need not look it up again.
      w->found_key = text;
      w->found_member = member;
      if (!level->is_kept || token >= full || (hands_text && out.at >= out.full)) goto leave;
      size_t value = index[i + 3], behind = index[i + 4];
      uint8_t byte = batch[value];
      bool is_container = byte == '{' || byte == '[';
      unsigned value_flags = SM_PLAIN;
      size_t behind_value = i + 4;
      if (byte == '"') {
        behind++;
        behind_value++;
        if (behind - value - 2 > string_limit) goto leave;
        if (!hands_text && sm_has_escape(batch + value + 1, behind - value - 2, length - value - 1)) value_flags = SM_ESCAPES;
      } else if (is_container) {
        behind = value + 1;
        if (is_full(w) || (has_inner && entries[node].rows != SM_SKIP)) goto leave;
      } else {
        if (!is_plain_scalar(batch + value, behind - value, length - value, number_limit)) goto leave;
      }
      if (hands_text) {
        // If the walk has to continue here, nothing is written.
        output next = out;
        bool has_part = level->has_kept_part;
        put_comma(&next, &has_part);
        if (!put_text(&next, batch + start, key_length + 2)) goto leave;
        *next.at++ = ':';
        if (is_container) *next.at++ = byte;
        else if (!put_text(&next, batch + value, behind - value)) goto leave;
        out = next;
        level->has_kept_part = true;
      }
      key = i;
      i = behind_value;
      uint32_t tag = member != NULL ? member->tag : 0;
      bool is_key_escaped = !hands_text && !is_plain && sm_has_escape(text, key_length, length - start - 1);
      unsigned key_flags = is_key_escaped ? SM_KEY | SM_ESCAPES : SM_KEY;
      token[0] = sm_token_at(offset + start, offset + end + 1, line, line_start, key_flags, tag);
      token[1] = sm_token_at(offset + value, offset + behind, line, line_start, value_flags, 0);
      token += 2;
      if (is_container) {
        opened = node;
        is_object = byte == '{';
        goto open;
      }
      state = STATE_AFTER_MEMBER;
      if (i >= last) goto leave;
      if (batch[index[i]] != ',') goto after_member;
      // PERF: where one member is wanted, those after it often are, too.
      i++;
      state = STATE_KEY;
      goto kept_members;
    }
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
    opened = SM_SKIP;
    is_object = byte == '{';
    goto open;
  } else if (is_plain_scalar(batch + value, index[i + 1] - value, length - value, number_limit)) {
    i++;
  } else {
    w->node = SM_SKIP;
    state = STATE_VALUE;
    goto leave;
  }
  if (i >= last) goto leave;
  // PERF: where one member is not wanted, most after it are not. The members of an object that is skipped come here one by one.
  if (batch[index[i]] == ',' && level->node != SM_SKIP && entries[level->node].other_members == SM_SKIP) {
    passed = skip_others(index, batch, i + 1, last, length, &w->limits, &entries[level->node]);
    goto passed_members;
  }
}

after_member: {
  uint8_t byte = batch[index[i]];
  if (byte == ',') {
    i++;
    state = STATE_KEY;
    goto member;  // the entries read ahead of the comma are enough for what follows it
  }
  if (byte == '}') goto close;
  goto odd;
}

element: {
  // In an array, the state stays where the walk has to continue: the walk says what was expected, `]` included.
  sm_node node = SM_SKIP;
  if (level->node != SM_SKIP) {
    const sm_entry *entry = &entries[level->node];
    node = entry->other_elements;
    if (!level->is_kept || entry->element_count > 0 || node == SM_SKIP || token >= full) goto leave;
    if (has_inner && (batch[index[i]] | 0x20) == '{' && entries[node].rows != SM_SKIP) goto leave;
    if (!hands_text && may_be_plain(w, node, batch[index[i]])) {
      // A plain element is at most two levels deep.
      bool opens = w->depth + 2 <= w->limits.depth;
      passed_elements run = keep_elements(w, node, i, last, opens, &token);
      if (run.i > i) {
        i = run.i;
        level->index += run.count;
        level->has_position = true;
        state = run.is_element ? STATE_ELEMENT : STATE_AFTER_ELEMENT;
        if (i >= last) goto leave;
        if (!run.is_element) goto after_element;
        if (token >= full) goto leave;
      }
    }
  }
  size_t value = index[i], behind = index[i + 1];
  uint8_t byte = batch[value];
  bool is_container = byte == '{' || byte == '[';
  unsigned flags = SM_PLAIN;
  size_t behind_value = i + 1;
  if (byte == '"') {
    behind++;
    behind_value++;
    if (node != SM_SKIP) {
      if (behind - value - 2 > string_limit) goto leave;
      if (!hands_text && sm_has_escape(batch + value + 1, behind - value - 2, length - value - 1)) flags = SM_ESCAPES;
    }
  } else if (is_container) {
    behind = value + 1;
    if (is_full(w)) goto leave;
  } else if (!is_plain_scalar(batch + value, behind - value, length - value, number_limit)) {
    goto odd;
  }
  if (node != SM_SKIP) {
    if (hands_text) {
      if (out.at >= out.full) goto leave;
      output next = out;
      bool has_part = level->has_kept_part;
      put_comma(&next, &has_part);
      if (is_container) *next.at++ = byte;
      else if (!put_text(&next, batch + value, behind - value)) goto leave;
      out = next;
      level->has_kept_part = true;
    }
    *token++ = sm_token_at(offset + value, offset + behind, line, line_start, flags, 0);
  }
  i = behind_value;
  if (is_container) {
    opened = node;
    is_object = byte == '{';
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
  // Opens the container that is `opened`; its bracket is already passed.
  level->has_position = true;
  if (key != no_key) {
    level->key = batch + index[key] + 1;
    level->key_length = index[key + 1] - index[key] - 1;
    level->is_stored = false;
    key = no_key;
  }
  level = &w->levels[w->depth++];
  sm_begin_level(level, opened, is_object, opened != SM_SKIP, &entries[opened]);
  state = is_object ? STATE_FIRST_KEY : STATE_FIRST_ELEMENT;
  goto next;

close:
  // The walk closes a container that is not in a record, and one that ends a record.
  if (level->node != SM_SKIP) {
    if (!level->is_kept || w->depth - 1 <= w->record_depth || token >= full || (hands_text && out.at >= out.full)) goto leave;
    size_t end = offset + index[i] + 1;
    if (hands_text) *out.at++ = level->is_object ? '}' : ']';
    *token++ = sm_token_at(end - 1, end, line, line_start, SM_PLAIN, 0);
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
  // White space is passed over. The walk handles everything else.
  if (batch[index[i]] == '\n' && !is_lines) {
    w->line++;
    w->line_start = offset + index[i] + 1;
    line = w->line;
    line_start = w->line_start;
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
  w->out.count = (size_t)(out.at - w->out.bytes);
  w->i = i;
  w->state = state;
}

void sm_skim(sm_walker *w) {
  if (w->i + AHEAD >= w->count) return;
  if (w->hands_text) skim(w, true);
  else skim(w, false);
}

#endif
