// Chooses the implementation for this machine, once.

#include <stdatomic.h>
#include <string.h>

#include "scan_private.h"

typedef struct {
  const char *name;
  sm_scan_function *function;
} implementation;

static const implementation portable = {"portable", sm_scan_portable};
#if defined(__x86_64__)
static const implementation fastest = {"avx2", sm_scan_avx2};
static bool has_fastest(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}
#else
static const implementation fastest = {"portable", sm_scan_portable};
static bool has_fastest(void) { return false; }
#endif

static _Atomic(const implementation *) chosen;

static const implementation *best(void) { return has_fastest() ? &fastest : &portable; }

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
  return current()->function(state, bytes, length, final, index);
}

const char *sm_scan_implementation(void) { return current()->name; }

bool sm_scan_select(const char *name) {
  const implementation *all[] = {&portable, best()};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i]->name, name) == 0) {
      atomic_store_explicit(&chosen, all[i], memory_order_relaxed);
      return true;
    }
  }
  return false;
}
