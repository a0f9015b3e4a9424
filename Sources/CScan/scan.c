// Chooses the implementation for this machine, once.

#include <stdatomic.h>
#include <string.h>

#include "layout.h"
#include "scan_private.h"

typedef struct {
  const char *name;
  sm_scan_function *scan;
  sm_lines_function *count_lines;
  sm_elements_function *split_elements;
  sm_match_function *match_layout;  // NULL if there is none
} implementation;

static const implementation portable = {"portable", sm_scan_portable, sm_count_lines_portable, sm_split_elements_portable, NULL};
#if defined(__x86_64__)
static const implementation avx2 = {"avx2", sm_scan_avx2, sm_count_lines_avx2, sm_split_elements_avx2, sm_match_layout_avx2};
static const implementation avx512 = {"avx512", sm_scan_avx512, sm_count_lines_avx512, sm_split_elements_avx512, sm_match_layout_avx512};
#endif
#if SM_HAS_NEON
static const implementation neon = {"neon", sm_scan_neon, sm_count_lines_neon, sm_split_elements_neon, sm_match_layout_neon};
#endif

// The implementations that this machine can run, from the slowest up. NULL at the end.
static void available(const implementation *all[4]) {
  size_t count = 0;
  all[count++] = &portable;
#if defined(__x86_64__)
  bool has_bits = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (has_bits && __builtin_cpu_supports("avx2")) {
    all[count++] = &avx2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi2")) {
      all[count++] = &avx512;
    }
  }
#endif
#if SM_HAS_NEON
  all[count++] = &neon;
#endif
  all[count] = NULL;
}

static _Atomic(const implementation *) chosen;

static const implementation *best(void) {
  const implementation *all[4];
  available(all);
  size_t last = 0;
  while (all[last + 1] != NULL) last++;
  return all[last];
}

static const implementation *current(void) {
  const implementation *now = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (now != NULL) return now;
  // Threads that come here together all choose the same.
  now = best();
  atomic_store_explicit(&chosen, now, memory_order_relaxed);
  return now;
}

sm_scan_result sm_scan(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index) {
  return current()->scan(state, bytes, length, final, index);
}

sm_lines sm_count_lines(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts) {
  return current()->count_lines(in_text, bytes, length, most_texts);
}

size_t sm_split_elements(sm_elements *elements, const uint8_t *bytes, size_t length, uint64_t most) {
  return current()->split_elements(elements, bytes, length, most);
}

sm_match_function *sm_layout_matcher(void) { return current()->match_layout; }

const char *sm_scan_implementation(void) { return current()->name; }

bool sm_scan_select(const char *name) {
  const implementation *all[4];
  available(all);
  for (size_t i = 0; all[i] != NULL; i++) {
    if (strcmp(all[i]->name, name) == 0) {
      atomic_store_explicit(&chosen, all[i], memory_order_relaxed);
      return true;
    }
  }
  return false;
}
