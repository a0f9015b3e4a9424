// Runs of plain elements: the part of the fast path (`skim.c`) that hands over elements of an array that are wanted as they are.
//
// An element is plain if it is a scalar, an array of scalars, or an object whose members are scalars and such arrays, under keys
// that followed each other before. All of it is there. No level is opened for it: its tokens are written in one go, and taken
// back where it turns out not to be plain. Where a container was not plain, none at the same node is tried again in the batch.

#ifndef STREAMMAP_RUNS_H
#define STREAMMAP_RUNS_H

#include "emission.h"
#include "scalars.h"
#include "walker.h"

// What the loops need of the walker.
typedef struct {
  const uint32_t *index;
  const uint8_t *batch;
  size_t last;    // entries below have others after them, enough for a member
  size_t length;
  uint64_t offset, line, line_start, number_limit, string_limit;
  const sm_token *full;  // below it there is room for two tokens
  const sm_entry *entries;
  const sm_member *const *successors;
} sm_run;

// How far a run has come: the entry and the token that come next.
typedef struct {
  size_t i;
  sm_token *token;
} sm_run_place;

// The first eight bytes of a key, as `sm_prefix` gives them; eight bytes from its start are readable.
static inline uint64_t key_prefix(const uint8_t *text, size_t length) {
  return sm_load(text) & sm_load(sm_masks[length < 8 ? length : 8]);
}

// Hands over a scalar; false if it is not plain.
__attribute__((always_inline)) static inline bool put_scalar(const sm_run *run, sm_run_place *at) {
  size_t value = run->index[at->i], behind = run->index[at->i + 1];
  unsigned flags = SM_PLAIN;
  if (run->batch[value] == '"') {
    behind++;
    at->i++;
    size_t length = behind - value - 2;
    if (length > run->string_limit) return false;
    flags = sm_has_escape(run->batch + value + 1, length, run->length - value - 1) ? SM_ESCAPES : SM_PLAIN;
  } else if (!is_plain_scalar(run->batch + value, behind - value, run->length - value, run->number_limit)) {
    return false;
  }
  at->i++;
  *at->token++ = sm_token_at(run->offset + value, run->offset + behind, run->line, run->line_start, flags, 0);
  return true;
}

// Hands over a bracket.
static inline void put_bracket(const sm_run *run, sm_run_place *at) {
  uint64_t start = run->offset + run->index[at->i++];
  *at->token++ = sm_token_at(start, start + 1, run->line, run->line_start, SM_PLAIN, 0);
}

static inline bool has_room(const sm_run *run, const sm_run_place *at) { return at->i < run->last && at->token < run->full; }
static inline uint8_t byte_at(const sm_run *run, const sm_run_place *at) { return run->batch[run->index[at->i]]; }

// Whether all elements at a node are wanted, and a scalar among them is handed over.
static inline bool takes_scalars(const sm_entry *entry) {
  return entry->element_count == 0 && entry->other_elements != SM_SKIP;
}

// Hands over an array of scalars, from its bracket on; false if it is anything else.
__attribute__((always_inline)) static inline bool put_array(const sm_run *run, sm_node node, sm_run_place *at) {
  if (!takes_scalars(&run->entries[node])) return false;
  put_bracket(run, at);
  if (!has_room(run, at)) return false;
  if (byte_at(run, at) != ']') {
    for (;;) {
      if (!has_room(run, at) || !put_scalar(run, at)) return false;
      if (byte_at(run, at) != ',') break;
      at->i++;
    }
    if (!has_room(run, at) || byte_at(run, at) != ']') return false;
  }
  put_bracket(run, at);
  return true;
}

// Hands over an object, from its brace on; false if a member is not plain.
__attribute__((always_inline)) static inline bool put_object(const sm_run *run, sm_node node, sm_run_place *at) {
  uint32_t id = run->entries[node].start;
  put_bracket(run, at);
  if (!has_room(run, at)) return false;
  if (byte_at(run, at) == '}') {
    put_bracket(run, at);
    return true;
  }
  for (;;) {
    if (!has_room(run, at)) return false;
    size_t start = run->index[at->i], end = run->index[at->i + 1], length = end - start - 1;
    if ((run->batch[start] != '"') | (run->batch[run->index[at->i + 2]] != ':') | (start + 9 > run->length)) return false;
    // A key that came before is within the limit of keys.
    const sm_member *member = run->successors[id];
    const uint8_t *key = run->batch + start + 1;
    if (!sm_is_member(member, key, length, key_prefix(key, length)) || member->child == SM_SKIP) return false;
    *at->token++ = sm_token_at(run->offset + start, run->offset + end + 1, run->line, run->line_start, SM_KEY, member->tag);
    id = member->id;
    at->i += 3;
    bool is_array = byte_at(run, at) == '[';
    if (is_array ? !put_array(run, member->child, at) : !put_scalar(run, at)) return false;
    if (!has_room(run, at)) return false;
    if (byte_at(run, at) != ',') break;
    at->i++;
  }
  if (byte_at(run, at) != '}') return false;
  put_bracket(run, at);
  return true;
}

typedef struct {
  size_t i;        // the entry that comes next
  uint64_t count;  // how many commas were passed
  bool is_element; // an element comes next, not what follows one
} passed_elements;

// Hands over elements that are at `node`, from the one at entry `i` on. Stops before the first that is not plain, and after the
// first that no comma follows. Containers are left alone where none may be opened.
__attribute__((noinline)) static passed_elements keep_elements(
    sm_walker *w, sm_node node, size_t i, size_t last, bool opens, sm_token **tokens) {
  const sm_run run = {
      .index = w->index, .batch = w->batch, .last = last, .length = w->batch_length, .offset = w->batch_offset,
      .line = w->line, .line_start = w->line_start, .number_limit = w->limits.number, .string_limit = w->limits.string,
      .full = w->tokens + w->token_capacity - 1, .entries = w->selection->entries, .successors = w->successors};
  passed_elements passed = {.i = i, .is_element = true};
  sm_run_place at = {.i = i, .token = *tokens};
  while (has_room(&run, &at)) {
    uint8_t byte = byte_at(&run, &at);
    bool is_plain;
    if (byte == '[') is_plain = opens && put_array(&run, node, &at);
    else if (byte == '{') is_plain = opens && put_object(&run, node, &at);
    else is_plain = put_scalar(&run, &at);
    if (!is_plain) {
      // What the end of the batch or of the table cut off may be plain.
      if ((byte == '{' || byte == '[') && has_room(&run, &at)) w->odd_elements |= sm_odd_bit(node);
      break;
    }
    *tokens = at.token;
    passed.i = at.i;
    passed.is_element = false;
    if (at.i >= last || byte_at(&run, &at) != ',') break;
    passed.i = ++at.i;
    passed.count++;
    passed.is_element = true;
  }
  return passed;
}

#endif
