// The open containers, and the keys that lead to them.

#include <stdlib.h>
#include <string.h>

#include "unescape.h"
#include "walker.h"

bool sm_push(sm_walker *walker, bool is_object, sm_node node, bool is_kept) {
  if (walker->depth == walker->level_capacity) {
    size_t capacity = walker->level_capacity * 2;
    sm_open *levels = realloc(walker->levels, capacity * sizeof *levels);
    if (levels == NULL) {
      walker->failed_allocation = true;
      return false;
    }
    walker->levels = levels;
    walker->level_capacity = capacity;
  }
  sm_begin_level(&walker->levels[walker->depth++], node, is_object, is_kept, &walker->selection->entries[node]);
  return true;
}

// Where a level's part of the arena ends; the level has gone through `sm_store_path`.
static size_t end_in_arena(const sm_open *level) {
  return level->key_start + (level->is_object && level->has_position ? level->key_length : 0);
}

// Copies the keys of the path out of a batch before the walk leaves it. The arena holds the keys in the order of their levels.
// Below a level that is new or has a new key, all levels are new. So the search goes outwards to the first level that was stored
// before, and the arena is cut back to its end. No level is looked at twice, however small the batches are.
void sm_store_path(sm_walker *walker) {
  size_t i = walker->depth;
  while (i > 0 && !walker->levels[i - 1].is_stored) i--;
  size_t end = i > 0 ? end_in_arena(&walker->levels[i - 1]) : 0;
  for (; i < walker->depth; i++) {
    sm_open *level = &walker->levels[i];
    walker->arena.count = end;
    level->key_start = end;
    level->is_stored = true;
    if (!level->is_object || !level->has_position) continue;
    if (!sm_append(walker, &walker->arena, level->key, level->key_length)) level->key_length = 0;
    end = end_in_arena(level);
  }
}

size_t sm_walker_levels(const sm_walker *walker, bool of_record) {
  return of_record ? walker->record_depth : walker->depth;
}

sm_level sm_walker_level(const sm_walker *walker, size_t i) {
  if (i >= walker->depth) return (sm_level){0};
  const sm_open *level = &walker->levels[i];
  const uint8_t *key = level->is_stored ? walker->arena.bytes + level->key_start : level->key;
  bool is_around = walker->selection->entries[level->node].kind == SM_KIND_NAVIGATION;
  // Without a member, a level has the length of none that it had before.
  size_t key_length = level->has_position ? level->key_length : 0;
  return (sm_level){is_around ? level->start : 0, key, key_length, level->index, level->is_object, level->has_position};
}

const sm_member *sm_member_at(sm_walker *walker, sm_open *level, const uint8_t *key, size_t length) {
  const sm_entry *entry = &walker->selection->entries[level->node];
  const sm_member *member = walker->successors[level->last];
  if (!sm_is_member(member, key, length, sm_prefix(key, length))) {
    bool is_escaped;
    member = sm_find_written_member(entry, key, length, &is_escaped);
    if (is_escaped) {
      // A decoded key is never longer.
      walker->decoded.count = 0;
      if (!sm_append(walker, &walker->decoded, key, length)) return NULL;
      const uint8_t *end = sm_unescape(key, length, walker->decoded.bytes);
      if (end == NULL) return NULL;
      member = sm_find_member(entry, walker->decoded.bytes, (size_t)(end - walker->decoded.bytes));
    }
    if (member == NULL) return NULL;
    if (member->is_plain) walker->successors[level->last] = member;
  }
  level->last = member->id;
  return member;
}
