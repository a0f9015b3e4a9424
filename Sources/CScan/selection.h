// The tables behind `sm_selection`, as the walker reads them.

#ifndef STREAMMAP_SELECTION_H
#define STREAMMAP_SELECTION_H

#include "walk.h"

enum { SM_KIND_SKIP, SM_KIND_KEEP, SM_KIND_SHELL, SM_KIND_PARTS, SM_KIND_NAVIGATION, SM_KIND_RECORD };

typedef struct {
  const uint8_t *key;
  size_t length;
  sm_node child;
} sm_member;

typedef struct {
  uint64_t index;
  sm_node child;
} sm_element;

typedef struct {
  uint8_t kind;
  sm_node other_members;
  sm_node other_elements;
  sm_node inside;      // of a record
  uint64_t marks;      // paths that end here
  sm_member *members;  // in the order given, then, sealed, an open-addressed table of `slots`
  size_t member_count;
  sm_member *slots;    // a power of two, at most a quarter full; NULL where there are no members
  size_t mask;
  sm_element *elements;
  size_t element_count;
  uint64_t last_element;  // the highest index that is named
} sm_entry;

struct sm_selection {
  sm_entry *entries;
  size_t count;
  size_t capacity;
  sm_node root;
  bool failed;
};

// The child for a key after unescaping.
sm_node sm_find_member(const sm_entry *entry, const uint8_t *key, size_t length);
// The child for a key as written; `*is_escaped` where it has a backslash in it and has to be unescaped first.
sm_node sm_find_written_member(const sm_entry *entry, const uint8_t *key, size_t length, bool *is_escaped);
// The child for an index.
sm_node sm_find_element(const sm_entry *entry, uint64_t index);

#endif
