#ifndef STREAMMAP_STEP_H
#define STREAMMAP_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One step of a library. The counts are within 32 bits, as most of the libraries want them.
typedef struct {
  const uint8_t *input;
  size_t input_count;
  uint8_t *output;
  size_t room;
  bool is_over;  // the member; when compressing, all that was asked for is written
} step;

#endif
