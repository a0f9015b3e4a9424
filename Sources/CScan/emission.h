// What is handed over of a record: bytes that follow each other in the feed are one run; what is left out ends it. A
// chunk that is one run is handed over in place.

#ifndef STREAMMAP_EMISSION_H
#define STREAMMAP_EMISSION_H

#include "walker.h"

// Ends the run behind its last kept token, and copies it.
static inline void sm_close_run(sm_walker *walker) {
  if (!walker->is_run_open) return;
  walker->is_run_open = false;
  sm_append(walker, &walker->out, walker->batch + walker->run_start, walker->run_end - walker->run_start);
}

// A part (a value, or a member's key) that is kept starts at `position`. `level` is its container; NULL for a record.
static inline void sm_keep_from(sm_walker *walker, sm_open *level, size_t position) {
  if (walker->is_run_open) {
    if (level != NULL) level->has_kept_part = true;
    return;
  }
  if (level != NULL) {
    if (level->has_kept_part) sm_append(walker, &walker->out, (const uint8_t *)",", 1);
    level->has_kept_part = true;
  }
  walker->is_run_open = true;
  walker->run_start = position;
  walker->run_end = position;
}

bool sm_grow_tokens(sm_walker *walker);

// A token is kept: it stands at [start, end) of the feed.
static inline void sm_add_tagged(sm_walker *walker, uint64_t start, uint64_t end, uint32_t tag) {
  if (walker->token_count == walker->token_capacity && !sm_grow_tokens(walker)) return;
  walker->tokens[walker->token_count++] =
      (sm_token){.start = start, .end = end, .line = walker->line, .tag = tag, .line_start = walker->line_start};
}
static inline void sm_add_token(sm_walker *walker, uint64_t start, uint64_t end) { sm_add_tagged(walker, start, end, 0); }

// A token of the batch is kept.
static inline void sm_keep_token(sm_walker *walker, size_t start, size_t end) {
  sm_add_token(walker, walker->batch_offset + start, walker->batch_offset + end);
  walker->run_end = end;
}

// An element that is skipped leaves a null where one behind it is kept.
static inline void sm_keep_null(sm_walker *walker, sm_open *level, size_t position) {
  sm_close_run(walker);
  sm_append(walker, &walker->out, (const uint8_t *)",null" + (level->has_kept_part ? 0 : 1), level->has_kept_part ? 5 : 4);
  level->has_kept_part = true;
  sm_add_token(walker, walker->batch_offset + position, walker->batch_offset + position);
}

#endif
