// What is handed over of a record: a table of its tokens and, where the walker is asked for text, their JSON text.
//
// Example: the record {"id":7,"x":[1,2],"t\u006F":["a","b\n"],"at":[3,4]} without x. Its tokens are
// { "id" 7 "t\u006F" [ "a" "b\n" ] "at" [ 3 4 ] }; of these, "t\u006F" and "b\n" have escapes.
// The texts of tokens stay where they are in the feed. Only a token that the end of a batch cuts off is joined in the walker's
// memory; it is always the first token of its chunk.
//
// The text is {"id":7,"t\u006F":["a","b\n"],"at":[3,4]}.

#ifndef STREAMMAP_EMISSION_H
#define STREAMMAP_EMISSION_H

#include "walker.h"
#include "words.h"

bool sm_grow_tokens(sm_walker *walker);

enum { SM_PLAIN = 0, SM_ESCAPES = 1, SM_KEY = 2, SM_ABSENT = 4 };

static inline sm_token sm_token_at(
    uint64_t start, uint64_t end, uint64_t line, uint64_t line_start, unsigned flags, uint32_t tag) {
  return (sm_token){
      .start = start, .end = end, .line = line, .has_escapes = flags & SM_ESCAPES, .is_key = flags >> 1 & 1,
      .is_absent = flags >> 2 & 1, .tag = tag, .line_start = line_start};
}

// Adds a token that is kept: it is at [start, end) of the feed.
static inline void sm_add_token(sm_walker *walker, uint64_t start, uint64_t end, unsigned flags, uint32_t tag) {
  if (walker->token_count == walker->token_capacity && !sm_grow_tokens(walker)) return;
  walker->tokens[walker->token_count++] = sm_token_at(start, end, walker->line, walker->line_start, flags, tag);
}

// Adds a token by its place in the batch.
static inline void sm_add_here(sm_walker *walker, size_t start, size_t end, unsigned flags, uint32_t tag) {
  sm_add_token(walker, walker->batch_offset + start, walker->batch_offset + end, flags, tag);
}

// Adds a token that an earlier batch began: its text is joined after the text that was handed over.
static inline void sm_add_joined(sm_walker *walker, uint64_t start, uint64_t end, unsigned flags, uint32_t tag) {
  bool has_escapes = !walker->hands_text && sm_has_escape(walker->out.bytes, walker->out.count, walker->out.count);
  sm_add_token(walker, start, end, has_escapes ? flags | SM_ESCAPES : flags, tag);
}

static inline void sm_put_byte(sm_walker *walker, uint8_t byte) {
  if (walker->out.count < walker->out.capacity) {
    walker->out.bytes[walker->out.count++] = byte;
  } else {
    sm_append(walker, &walker->out, &byte, 1);
  }
}

// In the text: writes the comma before an element of an array or a key, where one is needed.
static inline void sm_put_comma(sm_walker *walker, sm_open *level) {
  if (level->has_kept_part) sm_put_byte(walker, ',');
  level->has_kept_part = true;
}

// In the text, before a value: writes what separates it from the part before it in its container, if there is one.
static inline void sm_put_separator(sm_walker *walker) {
  if (!walker->hands_text || walker->depth == walker->record_depth) return;
  sm_open *level = &walker->levels[walker->depth - 1];
  // In an object the comma is before the key.
  if (!level->is_object) sm_put_comma(walker, level);
}

// SM_ESCAPES where a string of the batch, given with its quotes, has escapes. The text form does not ask for it.
static inline unsigned sm_escapes(const sm_walker *walker, size_t start, size_t end) {
  bool has = !walker->hands_text && sm_has_escape(walker->batch + start + 1, end - start - 2, walker->batch_length - start - 1);
  return has ? SM_ESCAPES : SM_PLAIN;
}

// A whole scalar of the batch, at [start, end).
static inline void sm_put_value(sm_walker *walker, size_t start, size_t end, unsigned flags) {
  if (walker->hands_text) {
    sm_put_separator(walker);
    sm_append(walker, &walker->out, walker->batch + start, end - start);
  }
  sm_add_here(walker, start, end, flags, 0);
}

// A key as written, without the quotes: for the text, or for a token that is joined.
static inline void sm_put_key(sm_walker *walker, sm_open *level, const uint8_t *key, size_t length) {
  if (walker->hands_text) sm_put_comma(walker, level);
  sm_put_byte(walker, '"');
  sm_append(walker, &walker->out, key, length);
  sm_put_byte(walker, '"');
  // The next step checks whether there is a colon; if there is none, the record is void.
  if (walker->hands_text) sm_put_byte(walker, ':');
}

// The bracket that opens a container.
static inline void sm_put_opening(sm_walker *walker, size_t position) {
  if (walker->hands_text) {
    sm_put_separator(walker);
    sm_put_byte(walker, walker->batch[position]);
  }
  sm_add_here(walker, position, position + 1, SM_PLAIN, 0);
}

// The bracket that closes a container.
static inline void sm_put_closing(sm_walker *walker, size_t position) {
  if (walker->hands_text) sm_put_byte(walker, walker->batch[position]);
  sm_add_here(walker, position, position + 1, SM_PLAIN, 0);
}

// A skipped element becomes a null if an element after it is kept.
static inline void sm_put_null(sm_walker *walker, sm_open *level, size_t position) {
  if (walker->hands_text) {
    sm_put_comma(walker, level);
    sm_append(walker, &walker->out, (const uint8_t *)"null", 4);
  }
  sm_add_here(walker, position, position, SM_ABSENT, 0);
}

#endif
