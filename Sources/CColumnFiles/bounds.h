// The least and the greatest value of a column chunk, as Parquet's statistics have them.

#ifndef STREAMMAP_BOUNDS_H
#define STREAMMAP_BOUNDS_H

#include "buffer.h"
#include "field.h"

// Longer texts are no bounds: they would be in memory for each row group, and readers read all of them.
enum { SM_MOST_BOUND = 256 };

typedef struct {
  bool is_known;    // there was a value
  bool is_too_long; // one of them would be longer than SM_MOST_BOUND
  size_t least_count, most_count;
  uint8_t least[SM_MOST_BOUND], most[SM_MOST_BOUND];  // as PLAIN has them
} sm_bounds;

// Takes in values of a fixed width as they are in Arrow, but 8 and 16 bits as 32.
void sm_bounds_add(sm_bounds *b, const sm_field *field, const uint8_t *values, size_t count);
// Takes in a text.
void sm_bounds_add_text(sm_bounds *b, const uint8_t *text, size_t length);
// Takes in a number of bits, so many of which are 1.
void sm_bounds_add_bits(sm_bounds *b, size_t count, size_t ones);
// Numbers with the highest byte first, as decimals are.
void sm_reverse_bytes(uint8_t *to, const uint8_t *from, size_t width, size_t count);

#endif
