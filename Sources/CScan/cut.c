// Records that the end of a batch cuts off. A row needs its whole record in one batch. So what can be in the next batch as a whole is
// read from there:
//
//   - Where the piece continues after the batch, the next batch begins with the record. What was scanned of it is scanned again.
//   - Where the piece ends, the beginning of the record is copied, with its index. What follows in later pieces is added to it, and the
//     copy is a batch once the record is whole in it.
//
// A record that is longer than a batch, or that is malformed, is walked from batch to batch instead. Each byte that a copy gets is scanned
// once, but for the few of a sequence that a piece cuts off. So the work is O(bytes), however small the pieces are.

#include <stdlib.h>
#include <string.h>

#include "walker.h"

// The fewest bytes that are added to a copy at once, if there are as many.
#define LEAST_ADDED ((size_t)1 << 10)

// The byte that ends each text, wherever it is: strings have none. 0 if there is none.
static uint8_t end_mark(const sm_walker *w) {
  return w->framing == SM_FRAMING_NDJSON ? '\n' : w->framing == SM_FRAMING_SEQ ? 0x1E : 0;
}

// Follows the record that begins at entry `first` to the end of the batch; `so_far` is how far it was followed before. True: it
// ends there, or it is clear that it cannot be a row.
static bool follow(const sm_walker *w, size_t first, sm_followed *so_far) {
  uint8_t mark = end_mark(w);
  if (mark != 0 && w->depth == 0) {
    size_t from = so_far->bytes > w->index[first] ? so_far->bytes : w->index[first];
    so_far->bytes = w->batch_length;
    return memchr(w->batch + from, mark, w->batch_length - from) != NULL;
  }
  // Where other texts follow without a mark between them, and in a document.
  bool ends_with_bracket = w->depth > 0 || w->framing != SM_FRAMING_JSON;
  size_t depth = so_far->depth, i = first + so_far->entries;
  so_far->entries = w->count - first;
  for (; i < w->count; i++) {
    uint8_t byte = w->batch[w->index[i]];
    if (byte == mark || (depth == 0 && i > first && byte != '\n')) return true;
    depth += (byte | 0x20) == '{';
    depth -= (byte | 0x20) == '}';
    if (depth == 0 && ends_with_bracket) return true;
  }
  so_far->depth = depth;
  return false;
}

// Copies the record at the current entry, which begins at `from` in the piece, and its index.
static bool copy_cut(sm_walker *w, size_t from, sm_followed so_far) {
  if (w->cut_bytes == NULL) w->cut_bytes = calloc(1, SM_BATCH + SM_CUT_ROOM);
  if (w->cut_bytes == NULL) return false;
  // The batch may be the copy of the record before, with keys of the path in it.
  sm_store_path(w);
  uint32_t place = w->index[w->i];
  w->cut.start = absolute(w, place);
  w->cut.length = w->input_length - from;
  memcpy(w->cut_bytes, w->input + from, w->cut.length);
  w->cut.scanned = w->batch_length - place;
  w->cut.count = w->count - w->i;
  for (size_t k = 0; k < w->cut.count; k++) w->index[k] = w->index[w->i + k] - place;
  w->cut.followed = so_far;
  w->cut.followed.bytes = w->cut.scanned;
  w->cut.is_waiting = true;
  w->input_position = w->input_length;
  return true;
}

bool sm_put_off(sm_walker *w, bool is_likely) {
  if (w->is_batch_final || w->scan_fault != SM_SCAN_OK) return false;
  uint32_t place = w->index[w->i];
  uint64_t start = absolute(w, place);
  if (start < w->input_offset) return false;
  size_t from = (size_t)(start - w->input_offset), length = w->input_length - from;
  size_t unscanned = length - (w->batch_length - place);
  // A few bytes may be a sequence that the piece cuts off: to scan them again brings nothing.
  bool is_in_piece = unscanned > (w->is_final ? 0 : SM_CARRY);
  if (is_in_piece ? place == 0 : w->is_final || length >= SM_BATCH) return false;
  sm_followed so_far = {0};
  // PERF: if it is whole after all, it is only scanned again.
  if (!(is_in_piece && is_likely) && follow(w, w->i, &so_far)) return false;
  if (!is_in_piece) {
    if (!copy_cut(w, from, so_far)) return false;
  } else {
    w->input_position = from;
    w->scan = (sm_scan_state){0};
  }
  w->i = w->count;
  return true;
}

// Scans what is new in the copy.
static void scan_cut(sm_walker *w, bool final) {
  uint32_t *index = w->index + w->cut.count;
  size_t scanned = w->cut.scanned;
  sm_scan_result result = sm_scan(&w->scan, w->cut_bytes + scanned, w->cut.length - scanned, final, index);
  for (size_t k = 0; k < result.count; k++) index[k] += (uint32_t)scanned;
  w->cut.scanned += result.scanned;
  w->cut.count += result.count;
  sm_begin_batch(w, w->cut_bytes, w->cut.scanned, w->cut.count, result.fault);
  w->batch_room = SM_BATCH + SM_CUT_ROOM;
  w->batch_offset = w->cut.start;
}

// How many bytes of the piece are added to the copy next.
static size_t added(const sm_walker *w, const uint8_t *here, size_t left) {
  size_t most = SM_BATCH - w->cut.length;
  if (left < most) most = left;
  uint8_t mark = w->depth == 0 ? end_mark(w) : 0;
  if (mark != 0) {
    // PERF: all that a row needs of a text is before the mark.
    const uint8_t *end = memchr(here, mark, most);
    return end != NULL ? (size_t)(end - here) + 1 : most;
  }
  size_t more = w->cut.length > LEAST_ADDED ? w->cut.length : LEAST_ADDED;
  return more < most ? more : most;
}

bool sm_join_cut(sm_walker *w) {
  for (;;) {
    size_t from = (size_t)(w->cut.start + w->cut.length - w->input_offset), left = w->input_length - from;
    bool is_last = w->is_final && left == 0;
    scan_cut(w, is_last && !w->is_part);
    bool is_over = follow(w, 0, &w->cut.followed);
    if (is_over || is_last || w->scan_fault != SM_SCAN_OK || w->cut.length == SM_BATCH) break;
    w->has_batch = false;
    if (left == 0) return false;
    size_t more = added(w, w->input + from, left);
    memcpy(w->cut_bytes + w->cut.length, w->input + from, more);
    w->cut.length += more;
    w->input_position = from + more;
  }
  w->cut.is_waiting = false;
  // What was not scanned is read from the piece, but for a sequence that begins before it.
  uint64_t end = absolute(w, w->batch_length);
  size_t rest = w->cut.length - w->batch_length;
  if (end >= w->input_offset) {
    w->input_position = (size_t)(end - w->input_offset);
  } else if (w->scan_fault != SM_SCAN_OK) {
    w->input_position = 0;
  } else {
    memcpy(w->carry, w->cut_bytes + w->batch_length, rest);
    w->carry_length = rest;
  }
  w->is_batch_final = w->is_final && !w->is_part && rest == 0 && w->input_position == w->input_length;
  return true;
}

size_t sm_waiting_lines(const sm_walker *w, uint64_t *start) {
  size_t lines = 0;
  // They are all in the index: a string has none.
  for (size_t k = 0; w->cut.is_waiting && k < w->cut.count; k++) {
    if (w->cut_bytes[w->index[k]] != '\n') continue;
    lines++;
    if (start != NULL) *start = w->cut.start + w->index[k] + 1;
  }
  return lines;
}

const uint8_t *sm_walker_copied(const sm_walker *w, uint64_t offset, size_t *length) {
  bool is_copied = w->has_batch && w->batch == w->cut_bytes && offset >= w->cut.start && offset < w->input_offset;
  if (!is_copied) return NULL;
  *length = (size_t)(w->input_offset - offset);
  return w->cut_bytes + (offset - w->cut.start);
}
