// Whether Swift's short Strings have the layout that `SmallString.swift` makes.

#ifndef STREAMMAP_SMALL_STRINGS_H
#define STREAMMAP_SMALL_STRINGS_H

typedef enum { SM_SMALL_STRINGS_UNSEEN, SM_SMALL_STRINGS_KNOWN, SM_SMALL_STRINGS_OTHER } sm_small_strings;

// PERF: a load for each string. A lazy value of Swift is a call.
extern sm_small_strings sm_small_strings_seen;

static inline sm_small_strings sm_get_small_strings(void) { return __atomic_load_n(&sm_small_strings_seen, __ATOMIC_RELAXED); }

// Every thread that looks at the layout sees the same, so it does not matter which is first.
static inline void sm_set_small_strings(sm_small_strings seen) {
  __atomic_store_n(&sm_small_strings_seen, seen, __ATOMIC_RELAXED);
}

#endif
