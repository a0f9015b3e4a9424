// What is handed over of a record: a chunk of valid, compact JSON for the parser, and a table of its tokens.
//
// What the scanner and the walk have checked the parser need not go over again. A key or a scalar that stands whole in the batch and
// has no escapes in it is not in the chunk: its token says that its text is apart, where it stands in the feed. Nor is a container
// inside the record in which nothing else is. So an object is an array in the chunk. Texts with escapes, which the parser decodes, and
// those that the end of a batch cut off stand in it; such keys are elements of their own.
//
// Of {"id":7,"x":[1,2],"t\u006F":["a","b\n"],"at":[3,4]} without x the chunk is ["t\u006F",["b\n"]], and the tokens are those of
// { "id" 7 "t\u006F" [ "a" "b\n" ] "at" [ 3 4 ] }, of which "id", 7, "a" and "at" to ] are apart.
//
// A walker that hands over whole chunks hands over {"id":7,"t\u006F":["a","b\n"],"at":[3,4]}.

#ifndef STREAMMAP_EMISSION_H
#define STREAMMAP_EMISSION_H

#include "walker.h"
#include "words.h"

bool sm_grow_tokens(sm_walker *walker);

enum { SM_PLAIN = 0, SM_APART = 1, SM_KEY = 2, SM_OBJECT = 4 };

static inline sm_token sm_token_at(
    uint64_t start, uint64_t end, uint64_t line, uint64_t line_start, unsigned flags, uint32_t tag) {
  return (sm_token){
      .start = start, .end = end, .line = line, .is_apart = flags & SM_APART, .is_key = flags >> 1 & 1,
      .is_object = flags >> 2 & 1, .tag = tag, .line_start = line_start};
}

// A token is kept: it stands at [start, end) of the feed.
static inline void sm_add_token(sm_walker *walker, uint64_t start, uint64_t end, unsigned flags, uint32_t tag) {
  if (walker->token_count == walker->token_capacity && !sm_grow_tokens(walker)) return;
  walker->tokens[walker->token_count++] = sm_token_at(start, end, walker->line, walker->line_start, flags, tag);
}

// One of the batch.
static inline void sm_add_here(sm_walker *walker, size_t start, size_t end, unsigned flags, uint32_t tag) {
  sm_add_token(walker, walker->batch_offset + start, walker->batch_offset + end, flags, tag);
}

static inline void sm_put(sm_walker *walker, const char *bytes, size_t length) {
  sm_append(walker, &walker->out, (const uint8_t *)bytes, length);
}

static inline void sm_put_byte(sm_walker *walker, uint8_t byte) {
  if (walker->out.count < walker->out.capacity) {
    walker->out.bytes[walker->out.count++] = byte;
  } else {
    sm_append(walker, &walker->out, &byte, 1);
  }
}

// Before an element of the chunk's array or object.
static inline void sm_put_comma(sm_walker *walker, sm_open *level) {
  if (level->has_kept_part) sm_put_byte(walker, ',');
  level->has_kept_part = true;
}

// Before a value that stands in the chunk: what is between it and what comes before it in its container, if it has one.
static inline void sm_put_separator(sm_walker *walker) {
  if (walker->depth == walker->record_depth) return;
  sm_open *level = &walker->levels[walker->depth - 1];
  // In an object the comma is before the key, where the colon is, too.
  if (!level->is_object || walker->has_apart) sm_put_comma(walker, level);
}

static inline bool sm_is_apart(const sm_walker *walker, size_t start, size_t end) {
  return walker->has_apart && !sm_has_escape(walker->batch + start + 1, end - start - 2, walker->batch_length - start - 1);
}

// A value of the batch that is whole.
static inline void sm_put_text(sm_walker *walker, size_t start, size_t end, bool is_apart) {
  if (!is_apart) {
    sm_put_separator(walker);
    sm_append(walker, &walker->out, walker->batch + start, end - start);
  }
  sm_add_here(walker, start, end, is_apart ? SM_APART : SM_PLAIN, 0);
}

// A string, with its quotes at [start, end).
static inline void sm_put_string(sm_walker *walker, size_t start, size_t end) {
  sm_put_text(walker, start, end, sm_is_apart(walker, start, end));
}

// A number or literal.
static inline void sm_put_scalar(sm_walker *walker, size_t start, size_t end) {
  sm_put_text(walker, start, end, walker->has_apart);
}

// A key that is not apart: its text without the quotes.
static inline void sm_put_key_inside(sm_walker *walker, sm_open *level, const uint8_t *key, size_t length) {
  sm_put_comma(walker, level);
  sm_put_byte(walker, '"');
  sm_append(walker, &walker->out, key, length);
  sm_put_byte(walker, '"');
  // Whether there is a colon is seen next; where not, the record is void.
  if (!walker->has_apart) sm_put_byte(walker, ':');
}

// The bit in which braces differ from brackets.
#define SM_BRACE ((uint8_t)('{' ^ '['))

// The bracket of a container that begins.
static inline void sm_put_opening(sm_walker *walker, size_t position) {
  uint8_t byte = walker->batch[position];
  sm_put_separator(walker);
  sm_put_byte(walker, walker->has_apart ? byte & (uint8_t)~SM_BRACE : byte);
  sm_add_here(walker, position, position + 1, byte & SM_BRACE ? SM_OBJECT : SM_PLAIN, 0);
}

// Whether of a container nothing stands in the chunk but its first bracket, which was not handed over.
static inline bool sm_is_left_out(const sm_walker *walker, const sm_open *level) {
  return level->opening > walker->tokens_gone && !level->has_kept_part;
}

// Takes that bracket back, of which `end` is the address behind it; how many bytes that are.
static inline size_t sm_take_back(sm_walker *walker, sm_open *level, const uint8_t *end) {
  walker->tokens[level->opening - walker->tokens_gone - 1].is_apart = 1;
  if (end - walker->out.bytes > 1 && end[-2] == ',') return 2;
  // It was the first part of what is around it.
  level[-1].has_kept_part = false;
  return 1;
}

// The bracket of a container that ends.
static inline void sm_put_closing(sm_walker *walker, size_t position) {
  sm_open *level = &walker->levels[walker->depth - 1];
  unsigned flags = level->is_object ? SM_OBJECT : SM_PLAIN;
  if (walker->has_apart && walker->depth - 1 > walker->record_depth && sm_is_left_out(walker, level)) {
    flags |= SM_APART;
    walker->out.count -= sm_take_back(walker, level, walker->out.bytes + walker->out.count);
  } else {
    sm_put_byte(walker, walker->has_apart || !level->is_object ? ']' : '}');
  }
  sm_add_here(walker, position, position + 1, flags, 0);
}

// An element that is skipped leaves a null where one behind it is kept.
static inline void sm_put_null(sm_walker *walker, sm_open *level, size_t position) {
  sm_put_comma(walker, level);
  sm_put(walker, "null", 4);
  sm_add_here(walker, position, position, SM_PLAIN, 0);
}

#endif
