// The input: pieces of any size, scanned in batches, in place. Where the end of a piece cuts off a sequence, the bytes so far are
// carried over. The first bytes of the next piece are joined to them in a small stage. Records that it cuts off are in `cut.c`.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emission.h"
#include "walker.h"

// The capacity of a buffer's first memory.
#define LEAST_CAPACITY ((size_t)256)

bool sm_append(sm_walker *walker, sm_buffer *buffer, const uint8_t *bytes, size_t length) {
  if (length == 0) return true;
  if (buffer->capacity - buffer->count < length) {
    size_t capacity = buffer->capacity > 0 ? buffer->capacity * 2 : LEAST_CAPACITY;
    if (capacity < buffer->count + length) capacity = buffer->count + length;
    uint8_t *larger = realloc(buffer->bytes, capacity);
    if (larger == NULL) {
      walker->failed_allocation = true;
      return false;
    }
    buffer->bytes = larger;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, bytes, length);
  buffer->count += length;
  return true;
}

bool sm_grow_tokens(sm_walker *walker) {
  size_t capacity = walker->token_capacity * 2;
  sm_token *tokens = realloc(walker->tokens, capacity * sizeof *tokens);
  if (tokens == NULL) {
    walker->failed_allocation = true;
    return false;
  }
  walker->tokens = tokens;
  walker->token_capacity = capacity;
  return true;
}

void sm_walker_start(sm_walker *walker, uint64_t offset) {
  walker->input_offset = offset;
}

void sm_walker_input(sm_walker *walker, const uint8_t *bytes, size_t length, bool final) {
  walker->input_offset += walker->input_length;
  walker->input = bytes;
  walker->input_length = length;
  walker->input_position = 0;
  walker->is_final = final;
}

void sm_walker_end_before(sm_walker *walker, uint8_t next) {
  walker->is_part = true;
  walker->byte_after = next;
}

void sm_begin_batch(sm_walker *walker, const uint8_t *bytes, size_t length, size_t count, sm_scan_fault fault) {
  walker->batch = bytes;
  walker->batch_length = walker->batch_room = length;
  walker->scan_fault = fault;
  walker->count = count;
  // What is asked for after the last entry is at the end of the batch, where there are no bytes.
  for (size_t k = 0; k < SM_INDEX_END; k++) walker->index[count + k] = (uint32_t)length;
  walker->i = 0;
  walker->has_batch = true;
  walker->odd_elements = 0;
  walker->found_key = NULL;
  walker->row.clean = 0;
  walker->layouts.is_learned = false;
  sm_inner_rows_begin_batch(walker);
}

void sm_scan_batch(sm_walker *walker, const uint8_t *bytes, size_t length, bool final) {
  sm_scan_result result = sm_scan(&walker->scan, bytes, length, final, walker->index);
  sm_begin_batch(walker, bytes, result.scanned, result.count, result.fault);
}

// The last batch of a part is the byte after it: it ends a number that the part ends with. It has no entries.
static void close_part(sm_walker *walker) {
  walker->stage[0] = walker->byte_after;
  sm_scan_batch(walker, walker->stage, 1, false);
  walker->count = 0;
  for (size_t k = 0; k < SM_INDEX_END; k++) walker->index[k] = (uint32_t)walker->batch_length;
  walker->is_closing = true;
}

bool sm_next_batch(sm_walker *walker) {
  if (walker->cut.is_waiting) return sm_join_cut(walker);
  size_t left = walker->input_length - walker->input_position;
  const uint8_t *here = left > 0 ? walker->input + walker->input_position : NULL;
  if (walker->carry_length > 0) {
    if (left == 0 && !walker->is_final) return false;
    size_t joined = left < SM_STAGE - SM_CARRY ? left : SM_STAGE - SM_CARRY;
    memcpy(walker->stage, walker->carry, walker->carry_length);
    if (joined > 0) memcpy(walker->stage + walker->carry_length, here, joined);
    size_t length = walker->carry_length + joined;
    // A part that ends in the middle of a sequence ends where none can.
    walker->is_batch_final = walker->is_final && joined == left && (!walker->is_part || left == 0);
    walker->batch_offset = walker->input_offset + walker->input_position - walker->carry_length;
    sm_scan_batch(walker, walker->stage, length, walker->is_batch_final);
    if (walker->scan_fault == SM_SCAN_OK && walker->batch_length < walker->carry_length) {
      // Still cut off: there were too few new bytes. All of them are carried, too.
      size_t rest = length - walker->batch_length;
      memmove(walker->carry, walker->stage + walker->batch_length, rest);
      walker->carry_length = rest;
      walker->input_position += joined;
    } else {
      walker->input_position += walker->batch_length > walker->carry_length
                                    ? walker->batch_length - walker->carry_length : 0;
      walker->carry_length = 0;
    }
    walker->is_batch_final = walker->is_batch_final && walker->input_position == walker->input_length;
    return true;
  }
  if (left == 0) {
    if (!walker->is_final || walker->is_batch_final) return false;
    walker->batch_offset = walker->input_offset + walker->input_length;
    if (walker->is_part) {
      close_part(walker);
      return true;
    }
    // An empty batch says that the feed is over.
    walker->is_batch_final = true;
    sm_scan_batch(walker, walker->stage, 0, true);
    return true;
  }
  size_t length = left < SM_BATCH ? left : SM_BATCH;
  // PERF: after a line with another layout, the next one is compared again. So only this one, or what is left of it, is scanned.
  const uint8_t *line_feed = NULL;
  if (walker->framing == SM_FRAMING_NDJSON && sm_compares_layouts(walker)) line_feed = memchr(here, '\n', length);
  if (line_feed != NULL) length = (size_t)(line_feed - here) + 1;
  if (walker->layouts.pause > 0) walker->layouts.pause--;
  bool final = walker->is_final && length == left && !walker->is_part;
  walker->batch_offset = walker->input_offset + walker->input_position;
  sm_scan_batch(walker, here, length, final);
  if (walker->batch_length == 0 && walker->scan_fault == SM_SCAN_OK) {
    memcpy(walker->carry, here, left);
    walker->carry_length = left;
    walker->input_position = walker->input_length;
    walker->has_batch = false;
    return sm_next_batch(walker);
  }
  // Whole lines: nothing that is compared goes over the line feed at their end.
  if (line_feed != NULL && walker->scan_fault == SM_SCAN_OK) {
    walker->batch_room = left;
    walker->row.entry_count = 0;
  }
  walker->input_position += walker->batch_length;
  walker->is_batch_final = final && walker->input_position == walker->input_length;
  return true;
}

void sm_leave_batch(sm_walker *walker) {
  walker->has_batch = false;
  sm_store_path(walker);
}

uint64_t sm_walker_offset(const sm_walker *walker) {
  if (walker->cut.is_waiting) return walker->cut.start;
  return walker->input_offset + walker->input_position - walker->carry_length;
}

sm_walker *sm_walker_create(const sm_selection *selection, sm_framing framing, sm_limits limits, sm_form form) {
  sm_walker *walker = calloc(1, sizeof *walker);
  if (walker == NULL) return NULL;
  walker->selection = selection;
  walker->limits = limits;
  walker->hands_text = form == SM_FORM_TEXT;
  walker->level_capacity = 32;
  walker->token_capacity = 256;
  walker->levels = malloc(walker->level_capacity * sizeof *walker->levels);
  walker->tokens = malloc(walker->token_capacity * sizeof *walker->tokens);
  walker->index = malloc(SM_INDEX_ROOM * sizeof *walker->index);
  walker->out = (sm_buffer){.bytes = malloc(LEAST_CAPACITY), .capacity = LEAST_CAPACITY};
  walker->successors = calloc(selection->id_count, sizeof *walker->successors);
  if (walker->levels == NULL || walker->tokens == NULL || walker->index == NULL || walker->out.bytes == NULL ||
      walker->successors == NULL) {
    sm_walker_destroy(walker);
    return NULL;
  }
  sm_layouts_begin(&walker->layouts);
  sm_walker_reset(walker, framing);
  return walker;
}

void sm_empty(sm_buffer *buffer) {
  buffer->count = 0;
  if (buffer->capacity <= SM_KEPT) return;
  uint8_t *smaller = realloc(buffer->bytes, LEAST_CAPACITY);
  if (smaller != NULL) *buffer = (sm_buffer){.bytes = smaller, .capacity = LEAST_CAPACITY};
}

size_t sm_walker_memory(const sm_walker *walker) {
  return walker->key.capacity + walker->decoded.capacity + walker->arena.capacity + walker->out.capacity +
         walker->token_capacity * sizeof *walker->tokens + walker->level_capacity * sizeof *walker->levels +
         sm_layouts_memory(&walker->layouts) + (walker->row.cells == NULL ? 0 : SM_MOST_CELLS * sizeof *walker->row.cells) +
         (walker->row.flat == NULL ? 0 : SM_INDEX_ROOM * sizeof *walker->row.flat) +
         (walker->cut_bytes == NULL ? 0 : SM_BATCH + SM_CUT_ROOM);
}

void sm_walker_reset(sm_walker *walker, sm_framing framing) {
  // PERF: a message costs little more than this; one copy of the whole walker took longer than all of it.
  sm_empty(&walker->key);
  sm_empty(&walker->decoded);
  sm_empty(&walker->arena);
  sm_empty(&walker->out);
  size_t kept = offsetof(sm_walker, row.is_out);
  memset((uint8_t *)walker + kept, 0, sizeof *walker - kept);
  walker->framing = framing;
  walker->is_framing_settled = framing != SM_FRAMING_AUTO;
  walker->line = 1;
  walker->is_first_text = true;
  sm_inner_rows_begin(walker);
}

void sm_walker_destroy(sm_walker *walker) {
  if (walker == NULL) return;
  sm_walker_destroy(walker->row.beside);
  free(walker->levels);
  free(walker->tokens);
  free(walker->index);
  free(walker->successors);
  sm_links_destroy(&walker->links);
  sm_layouts_destroy(&walker->layouts);
  free(walker->row.cells);
  free(walker->row.flat);
  sm_inner_rows_destroy(walker);
  free(walker->cut_bytes);
  free(walker->key.bytes);
  free(walker->decoded.bytes);
  free(walker->arena.bytes);
  free(walker->out.bytes);
  free(walker);
}
