// What is handed over of a record: a chunk of valid, compact JSON for the parser, and a table of its tokens.
//
// A text that stands whole in the batch and has no escapes in it is not copied into the chunk: of a string or a key only the
// quotes are there, of a number a 0, and its token says that its text is apart, where it stands in the feed. So the parser does
// not go over the bytes again that the scanner and the walk have checked. Texts with escapes, which the parser decodes, and those
// that the end of a batch cut off stand in the chunk; for a walker that hands over whole chunks all do.
//
// Of {"id":7,"x":[1,2],"to":["a","b\n"]} without x the chunk is {"":0,"":["","b\n"]}, and the tokens are those of
// { "id" 7 "to" [ "a" "b\n" ] }, of which "id", 7, "to" and "a" are apart.

#ifndef STREAMMAP_EMISSION_H
#define STREAMMAP_EMISSION_H

#include "walker.h"
#include "words.h"

bool sm_grow_tokens(sm_walker *walker);

// A token is kept: it stands at [start, end) of the feed. `is_apart`: its text is not in the chunk.
static inline void sm_add_token(sm_walker *walker, uint64_t start, uint64_t end, bool is_apart, uint32_t tag) {
  if (walker->token_count == walker->token_capacity && !sm_grow_tokens(walker)) return;
  walker->tokens[walker->token_count++] = (sm_token){
      .start = start, .end = end, .line = walker->line, .is_apart = is_apart, .tag = tag, .line_start = walker->line_start};
}

// One of the batch.
static inline void sm_add_here(sm_walker *walker, size_t start, size_t end, bool is_apart, uint32_t tag) {
  sm_add_token(walker, walker->batch_offset + start, walker->batch_offset + end, is_apart, tag);
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

// Before a part (a key, or a value that is no member's) of a container; NULL for a record.
static inline void sm_put_comma(sm_walker *walker, sm_open *level) {
  if (level == NULL) return;
  if (level->has_kept_part) sm_put_byte(walker, ',');
  level->has_kept_part = true;
}

// Before a value: what is between it and the one before it.
static inline void sm_put_separator(sm_walker *walker) {
  if (walker->depth == walker->record_depth) return;
  sm_open *level = &walker->levels[walker->depth - 1];
  // A member's comma is before its key, where its colon is, too.
  if (!level->is_object) sm_put_comma(walker, level);
}

// A key or a string of the batch, with its quotes at [start, end).
static inline void sm_put_string(sm_walker *walker, size_t start, size_t end, uint32_t tag) {
  bool is_apart =
      walker->has_apart && !sm_has_escape(walker->batch + start + 1, end - start - 2, walker->batch_length - start - 1);
  if (is_apart) {
    sm_put(walker, "\"\"", 2);
  } else {
    sm_append(walker, &walker->out, walker->batch + start, end - start);
  }
  sm_add_here(walker, start, end, is_apart, tag);
}

// A scalar of the batch.
static inline void sm_put_scalar(sm_walker *walker, size_t start, size_t end, bool is_number) {
  bool is_apart = walker->has_apart && is_number;
  if (is_apart) {
    sm_put_byte(walker, '0');
  } else {
    sm_append(walker, &walker->out, walker->batch + start, end - start);
  }
  sm_add_here(walker, start, end, is_apart, 0);
}

static inline void sm_put_bracket(sm_walker *walker, size_t position) {
  sm_put_byte(walker, walker->batch[position]);
  sm_add_here(walker, position, position + 1, false, 0);
}

// An element that is skipped leaves a null where one behind it is kept.
static inline void sm_put_null(sm_walker *walker, sm_open *level, size_t position) {
  sm_put_comma(walker, level);
  sm_put(walker, "null", 4);
  sm_add_here(walker, position, position, false, 0);
}

#endif
