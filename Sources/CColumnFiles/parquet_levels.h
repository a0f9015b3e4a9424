// Parquet's levels: for each value of a leaf, or each place where there is none, how far its path is there (the definition level), and
// which list it continues (the repetition level). As the paper on Dremel has them (Melnik et al. 2010).

#ifndef STREAMMAP_PARQUET_LEVELS_H
#define STREAMMAP_PARQUET_LEVELS_H

#include "buffer.h"
#include "field.h"

// One step from a record towards a leaf; the last one is the leaf.
typedef struct {
  bool is_list;      // a list or a map: the next step is its element
  bool is_nullable;
  uint32_t child;    // which child of the step before it is; of the record for the first one
} sm_leaf_step;

// Entry by entry; `index` is where the value is in the leaf's array, or NO_VALUE.
typedef struct {
  uint32_t *definition, *repetition, *index;
  size_t count, capacity;
} sm_level_table;

#define NO_VALUE UINT32_MAX

// What a batch has of a leaf.
typedef struct {
  const struct ArrowArray *array;  // the leaf's
  size_t entries;
  size_t values;             // those that are not null
  const uint32_t *definition;  // NULL: `constant` for each entry
  uint32_t constant;
  const uint32_t *repetition;  // NULL if there is no list
  const uint32_t *chosen;    // where the values are in the array; NULL: the first `values` of it
} sm_leaf_levels;

// Memory that is used again for each leaf and batch.
typedef struct {
  sm_level_table tables[2];
  uint32_t *chosen;
  size_t chosen_capacity;
} sm_level_memory;

void sm_level_memory_free(sm_level_memory *memory);

// Works out the levels of a leaf; they stay until the next call. False without memory.
bool sm_levels(const struct ArrowArray *record, const sm_leaf_step *steps, size_t count, sm_level_memory *memory, sm_leaf_levels *levels);

// Appends numbers below 2^width in Parquet's hybrid of runs and packed bits.
void sm_hybrid(sm_buffer *to, const uint32_t *values, size_t count, int width);
// The same of one number, `count` times.
void sm_hybrid_run(sm_buffer *to, uint32_t value, size_t count, int width);
// How many bits numbers up to `most` take.
int sm_bit_width(uint32_t most);

#endif
