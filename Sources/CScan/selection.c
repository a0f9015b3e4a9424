#include "selection.h"

#include <stdlib.h>
#include <string.h>

// The hash uses the length and the first and last eight bytes. Keys that a feed makes up differ there; keys that do not are told
// apart by comparing. The keys of the table are the mapping's, so a feed cannot make its chains long.
typedef struct {
  uint64_t first, last;
} ends;

static inline ends ends_of(const uint8_t *key, size_t length) {
  ends e = {0, 0};
  if (length >= 8) {
    memcpy(&e.first, key, 8);
    memcpy(&e.last, key + length - 8, 8);
  } else if (length >= 4) {
    uint32_t a, b;
    memcpy(&a, key, 4);
    memcpy(&b, key + length - 4, 4);
    e.first = (uint64_t)a << 32 | b;
  } else {
    for (size_t i = 0; i < length; i++) e.first = e.first << 8 | key[i];
  }
  return e;
}

static inline size_t hash_of(ends e, size_t length) {
  uint64_t mixed = (e.first ^ (e.last * 0x9E3779B97F4A7C15u) ^ length) * 0xD6E8FEB86659FD93u;
  return (size_t)(mixed >> 32);
}

static inline size_t hash(const uint8_t *key, size_t length) { return hash_of(ends_of(key, length), length); }

static inline bool equal(const uint8_t *a, const uint8_t *b, size_t length) {
  if (length < 8) {
    for (size_t i = 0; i < length; i++) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }
  uint64_t x, y;
  for (size_t i = 0; i + 8 <= length; i += 8) {
    memcpy(&x, a + i, 8);
    memcpy(&y, b + i, 8);
    if (x != y) return false;
  }
  memcpy(&x, a + length - 8, 8);
  memcpy(&y, b + length - 8, 8);
  return x == y;
}

static inline const sm_member *find(const sm_entry *entry, const uint8_t *key, size_t length, size_t hash) {
  size_t slot = hash & entry->mask;
  while (entry->slots[slot] != 0) {
    const sm_member *member = &entry->members[entry->slots[slot] - 1];
    if (member->length == length && equal(member->key, key, length)) return member;
    slot = (slot + 1) & entry->mask;
  }
  return NULL;
}

const sm_member *sm_find_member(const sm_entry *entry, const uint8_t *key, size_t length) {
  if (entry->slots == NULL) return NULL;
  return find(entry, key, length, hash(key, length));
}

// PERF: for most keys, the words that are hashed already show that there are no escapes, without another pass over the key.
const sm_member *sm_find_written_member(const sm_entry *entry, const uint8_t *key, size_t length, bool *is_escaped) {
  *is_escaped = false;
  if (entry->slots == NULL) return NULL;
  ends e = ends_of(key, length);
  if (sm_has_backslash(e.first) || sm_has_backslash(e.last) || (length > 16 && memchr(key, '\\', length) != NULL)) {
    *is_escaped = true;
    return NULL;
  }
  return find(entry, key, length, hash_of(e, length));
}

const sm_named_elements *sm_named_element(const sm_entry *entry, uint64_t index) {
  for (size_t i = 0; i < entry->element_count; i++) {
    if (index - entry->elements[i].first < entry->elements[i].count) return &entry->elements[i];
  }
  return NULL;
}

sm_node sm_find_element(const sm_entry *entry, uint64_t index) {
  const sm_named_elements *named = sm_named_element(entry, index);
  return named == NULL ? entry->other_elements : named->child;
}

static sm_node add(sm_selection *selection, uint8_t kind) {
  if (selection->count == selection->capacity) {
    size_t capacity = selection->capacity * 2 + 16;
    sm_entry *entries = realloc(selection->entries, capacity * sizeof *entries);
    if (entries == NULL) {
      selection->failed = true;
      return SM_SKIP;
    }
    selection->entries = entries;
    selection->capacity = capacity;
  }
  selection->entries[selection->count] = (sm_entry){.kind = kind};
  return (sm_node)selection->count++;
}

sm_selection *sm_selection_create(void) {
  sm_selection *selection = calloc(1, sizeof *selection);
  if (selection == NULL) return NULL;
  // The fixed nodes, in the order of their names.
  add(selection, SM_KIND_SKIP);
  add(selection, SM_KIND_KEEP);
  add(selection, SM_KIND_SHELL);
  if (selection->failed) {
    sm_selection_destroy(selection);
    return NULL;
  }
  selection->entries[SM_KEEP].other_members = SM_KEEP;
  selection->entries[SM_KEEP].other_elements = SM_KEEP;
  return selection;
}

void sm_selection_destroy(sm_selection *selection) {
  if (selection == NULL) return;
  for (size_t i = 0; i < selection->count; i++) {
    sm_entry *entry = &selection->entries[i];
    for (size_t k = 0; k < entry->member_count; k++) free((void *)entry->members[k].key);
    free(entry->members);
    free(entry->slots);
    free(entry->elements);
  }
  free(selection->entries);
  free(selection);
}

sm_node sm_selection_node(sm_selection *selection) { return add(selection, SM_KIND_PARTS); }

sm_node sm_selection_navigation(sm_selection *selection) { return add(selection, SM_KIND_NAVIGATION); }

sm_node sm_selection_record(sm_selection *selection, sm_node inside) {
  sm_node node = add(selection, SM_KIND_RECORD);
  if (node != SM_SKIP) selection->entries[node].inside = inside;
  return node;
}

sm_node sm_selection_held(sm_selection *selection, sm_node inside) {
  sm_node node = add(selection, SM_KIND_HELD);
  if (node == SM_SKIP) return node;
  selection->entries[node].inside = SM_KEEP;
  selection->entries[node].rows = selection->entries[inside].rows;
  return node;
}

// The fixed nodes are never changed.
static sm_entry *changeable(sm_selection *selection, sm_node node) {
  return node > SM_SHELL && node < selection->count ? &selection->entries[node] : NULL;
}

void sm_selection_other_members(sm_selection *selection, sm_node node, sm_node child) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL) entry->other_members = child;
}

void sm_selection_other_elements(sm_selection *selection, sm_node node, sm_node child) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL) entry->other_elements = child;
}

static void place(sm_entry *entry, size_t number) {
  const sm_member *member = &entry->members[number];
  size_t slot = hash(member->key, member->length) & entry->mask;
  while (entry->slots[slot] != 0) slot = (slot + 1) & entry->mask;
  entry->slots[slot] = (uint32_t)(number + 1);
}

// Makes room for one more member, and for its slot in the table.
static bool make_room(sm_entry *entry) {
  size_t size = entry->slots == NULL ? 0 : entry->mask + 1;
  if (entry->member_count < size / 4) return true;
  size = size == 0 ? 4 : size * 2;
  sm_member *members = realloc(entry->members, size / 4 * sizeof *members);
  if (members == NULL) return false;
  entry->members = members;
  uint32_t *slots = calloc(size, sizeof *slots);
  if (slots == NULL) return false;
  free(entry->slots);
  entry->slots = slots;
  entry->mask = size - 1;
  for (size_t i = 0; i < entry->member_count; i++) place(entry, i);
  return true;
}

void sm_selection_member(
    sm_selection *selection, sm_node node, const uint8_t *key, size_t length, sm_node child, uint32_t tag) {
  sm_entry *entry = changeable(selection, node);
  if (entry == NULL) return;
  if (tag >= SM_TAG_END) tag = 0;
  const sm_member *known = sm_find_member(entry, key, length);
  if (known != NULL) {
    sm_member *member = &entry->members[known - entry->members];
    member->child = child;
    member->tag = tag;
    return;
  }
  // At least one byte, so that NULL always means that memory ran out.
  uint8_t *copy = malloc(length + 1);
  if (copy == NULL || !make_room(entry)) {
    free(copy);
    selection->failed = true;
    return;
  }
  if (length > 0) memcpy(copy, key, length);
  entry->members[entry->member_count] = (sm_member){
      .key = copy, .length = length, .prefix = sm_prefix(copy, length),
      .mask = sm_load(sm_masks[length < 8 ? length : 8]), .child = child, .tag = tag,
      .is_plain = length == 0 || memchr(copy, '\\', length) == NULL};
  place(entry, entry->member_count++);
}

static void add_elements(sm_selection *selection, sm_node node, uint64_t first, uint64_t end, sm_node child, uint32_t tag) {
  sm_entry *entry = changeable(selection, node);
  if (entry == NULL || first >= end) return;
  sm_named_elements *elements = realloc(entry->elements, (entry->element_count + 1) * sizeof *elements);
  if (elements == NULL) {
    selection->failed = true;
    return;
  }
  entry->elements = elements;
  entry->elements[entry->element_count++] = (sm_named_elements){first, end - first, child, tag};
  if (end - 1 > entry->last_element) entry->last_element = end - 1;
}

void sm_selection_elements(sm_selection *selection, sm_node node, uint64_t first, uint64_t end, sm_node child) {
  add_elements(selection, node, first, end, child, 0);
}

void sm_selection_element(sm_selection *selection, sm_node node, uint64_t index, sm_node child, uint32_t tag) {
  add_elements(selection, node, index, index + 1, child, tag < SM_TAG_END ? tag : 0);
}

void sm_selection_mark(sm_selection *selection, sm_node node, unsigned path) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL && path < 64) entry->marks |= (uint64_t)1 << path;
}

void sm_selection_mark_object(sm_selection *selection, sm_node node, unsigned path) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL && path < 64) entry->object_marks |= (uint64_t)1 << path;
}

void sm_selection_block(sm_selection *selection, sm_node node, uint32_t first_tag, uint32_t cell_count) {
  sm_entry *entry = changeable(selection, node);
  if (entry == NULL) return;
  entry->first_tag = first_tag;
  entry->cell_count = cell_count;
}

void sm_selection_reopen(sm_selection *selection, sm_node node) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL) entry->reopens = true;
}

void sm_selection_rows(sm_selection *selection, sm_node node, sm_node rows) {
  sm_entry *entry = changeable(selection, node);
  if (entry != NULL) entry->rows = rows;
}

bool sm_selection_seal(sm_selection *selection, sm_node root) {
  selection->root = root;
  for (size_t i = 0; i < selection->count && !selection->failed; i++) {
    sm_entry *entry = &selection->entries[i];
    entry->start = (uint32_t)selection->id_count++;
    for (size_t k = 0; k < entry->member_count; k++) {
      sm_member *member = &entry->members[k];
      member->id = (uint32_t)selection->id_count++;
      unsigned bit = sm_prefix_bit(member->prefix);
      entry->prefixes[bit >> 6] |= (uint64_t)1 << (bit & 63);
    }
  }
  return !selection->failed;
}
