// The tables behind `sm_selection`, as the walker reads them.

#ifndef STREAMMAP_SELECTION_H
#define STREAMMAP_SELECTION_H

#include <string.h>

#include "walk.h"
#include "words.h"

enum { SM_KIND_SKIP, SM_KIND_KEEP, SM_KIND_SHELL, SM_KIND_PARTS, SM_KIND_NAVIGATION, SM_KIND_RECORD, SM_KIND_HELD };

typedef struct {
  const uint8_t *key;
  size_t length;
  uint64_t prefix;  // `sm_prefix` of the key
  uint64_t mask;    // those bytes of eight that belong to the key
  sm_node child;
  uint32_t tag;
  uint32_t id;      // its number among the members of all entries, for `sm_walker.successors`
  bool is_plain;    // it has no backslash: a feed writes it as it is, or with escapes
} sm_member;

typedef struct {
  uint64_t first, count;  // `count` indices from `first` on
  sm_node child;
  uint32_t tag;
} sm_named_elements;

typedef struct {
  uint8_t kind;
  sm_node other_members;
  sm_node other_elements;
  sm_node inside;      // of a record: the node of its value
  uint64_t marks;      // paths that end here
  uint64_t object_marks;  // those that are seen where the value is an object
  sm_member *members;  // in the order given
  size_t member_count;
  uint32_t *slots;     // an open-addressed table of the members' numbers from 1 up; its size is a power of two,
                       // at most a quarter is full; NULL if there are no members
  size_t mask;
  uint32_t start;      // the id that means "no member"; it comes before those of the members
  uint64_t prefixes[4];  // a filter of 256 bits: set are those that `sm_prefix_bit` gives for the members' keys
  sm_named_elements *elements;
  size_t element_count;
  uint64_t last_element;  // the highest index that an element is named by
  uint32_t first_tag;     // of an object that has a block in rows: the tag that its first cell is for
  uint32_t cell_count;    // 0 if it has none
  bool reopens;           // in rows: its place is kept where it is open
  sm_node rows;           // the node by which rows of its values are read; 0 if that is the same
} sm_entry;

struct sm_selection {
  sm_entry *entries;
  size_t count;
  size_t capacity;
  size_t id_count;
  sm_node root;
  bool failed;
};

// The member with this key after unescaping; NULL if the entry names none.
const sm_member *sm_find_member(const sm_entry *entry, const uint8_t *key, size_t length);
// The member with this key as written. `*is_escaped` is set where the key has a backslash and has to be unescaped first.
const sm_member *sm_find_written_member(const sm_entry *entry, const uint8_t *key, size_t length, bool *is_escaped);
// What names an element; NULL if nothing does.
const sm_named_elements *sm_named_element(const sm_entry *entry, uint64_t index);
// The child for an index.
sm_node sm_find_element(const sm_entry *entry, uint64_t index);

// The first eight bytes of a key as one word. A shorter key is filled up with zeros.
static inline uint64_t sm_prefix(const uint8_t *key, size_t length) {
  uint64_t word = 0;
  if (length > 0) memcpy(&word, key, length < 8 ? length : 8);
  return word;
}
// Whether a key, as written, is that of a plain member.
static inline bool sm_is_member(const sm_member *member, const uint8_t *key, size_t length, uint64_t prefix) {
  if (member == NULL || member->length != length || member->prefix != prefix) return false;
  if (length <= 8) return true;
  if (length > 16) return memcmp(member->key + 8, key + 8, length - 8) == 0;
  return sm_prefix(member->key + length - 8, 8) == sm_prefix(key + length - 8, 8);
}
static inline unsigned sm_prefix_bit(uint64_t prefix) { return (unsigned)((prefix * 0x9E3779B97F4A7C15u) >> 56); }
// Whether a key that starts with these eight bytes (after unescaping) can be in the table. PERF: of the keys that are not in it,
// nine of ten and more are recognized without hashing or comparing them.
static inline bool sm_may_be_member(const sm_entry *entry, uint64_t prefix) {
  unsigned bit = sm_prefix_bit(prefix);
  return entry->prefixes[bit >> 6] >> (bit & 63) & 1;
}
#endif
