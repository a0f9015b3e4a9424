// SplitMix64. Each round of each test has its own generator, so that one round can be run again alone.

#include "test.h"

uint64_t rng_next(rng *r) {
  uint64_t z = r->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

rng rng_for(const char *test, uint64_t round) {
  rng r = {seed};
  for (const char *c = test; *c != 0; c++) r.state = rng_next(&r) ^ (uint8_t)*c;
  r.state = rng_next(&r) ^ round;
  return r;
}
