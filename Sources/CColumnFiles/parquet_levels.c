#include "parquet_levels.h"

#include <stdlib.h>

void sm_level_memory_free(sm_level_memory *memory) {
  for (size_t i = 0; i < 2; i++) {
    free(memory->tables[i].definition);
    free(memory->tables[i].repetition);
    free(memory->tables[i].index);
  }
  free(memory->chosen);
  *memory = (sm_level_memory){0};
}

static bool reserve_numbers(uint32_t **numbers, size_t capacity) {
  uint32_t *larger = realloc(*numbers, capacity * sizeof *larger);
  if (larger != NULL) *numbers = larger;
  return larger != NULL;
}

static bool reserve(sm_level_table *table, size_t count) {
  if (count <= table->capacity) return true;
  size_t capacity = count + count / 2;
  if (!reserve_numbers(&table->definition, capacity) || !reserve_numbers(&table->repetition, capacity)) return false;
  if (!reserve_numbers(&table->index, capacity)) return false;
  table->capacity = capacity;
  return true;
}

static inline bool is_valid(const uint8_t *validity, uint32_t i) { return validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0; }

// Nulls end their entries; all others are one level further.
static void pass_nullable(sm_level_table *table, const uint8_t *validity) {
  for (size_t i = 0; i < table->count; i++) {
    if (table->index[i] == NO_VALUE) continue;
    if (is_valid(validity, table->index[i])) table->definition[i]++;
    else table->index[i] = NO_VALUE;
  }
}

// Puts the elements in the places of their lists; an empty list keeps its entry, and ends it.
static bool pass_list(const sm_level_table *from, sm_level_table *to, const int32_t *offsets, uint32_t level) {
  size_t count = 0;
  for (size_t i = 0; i < from->count; i++) {
    uint32_t list = from->index[i];
    size_t length = list == NO_VALUE ? 0 : (size_t)(offsets[list + 1] - offsets[list]);
    count += length > 0 ? length : 1;
  }
  if (!reserve(to, count)) return false;
  size_t n = 0;
  for (size_t i = 0; i < from->count; i++) {
    uint32_t list = from->index[i];
    int32_t start = list == NO_VALUE ? 0 : offsets[list], end = list == NO_VALUE ? 0 : offsets[list + 1];
    if (start == end) {
      to->definition[n] = from->definition[i];
      to->repetition[n] = from->repetition[i];
      to->index[n++] = NO_VALUE;
    }
    for (int32_t element = start; element < end; element++) {
      to->definition[n] = from->definition[i] + 1;
      to->repetition[n] = element == start ? from->repetition[i] : level;
      to->index[n++] = (uint32_t)element;
    }
  }
  to->count = n;
  return true;
}

static bool begin(sm_level_table *table, size_t rows) {
  if (!reserve(table, rows)) return false;
  table->count = rows;
  for (size_t i = 0; i < rows; i++) {
    table->definition[i] = table->repetition[i] = 0;
    table->index[i] = (uint32_t)i;
  }
  return true;
}

// Which values are there, once all steps are gone.
static bool choose(sm_level_memory *memory, const sm_level_table *table, sm_leaf_levels *levels) {
  if (table->count > memory->chosen_capacity) {
    if (!reserve_numbers(&memory->chosen, table->count + table->count / 2)) return false;
    memory->chosen_capacity = table->count + table->count / 2;
  }
  size_t n = 0;
  for (size_t i = 0; i < table->count; i++) {
    memory->chosen[n] = table->index[i];
    n += table->index[i] != NO_VALUE;
  }
  levels->values = n;
  levels->chosen = memory->chosen;
  return true;
}

bool sm_levels(const struct ArrowArray *record, const sm_leaf_step *steps, size_t count, sm_level_memory *memory, sm_leaf_levels *levels) {
  size_t rows = (size_t)record->length;
  *levels = (sm_leaf_levels){.entries = rows, .values = rows};
  const struct ArrowArray *array = record;
  // PERF: as long as each entry is there and none is a list, all have one level, and no table is made.
  sm_level_table *table = NULL, *other = memory->tables + 1;
  uint32_t lists = 0;
  for (size_t i = 0; i < count; i++) {
    array = array->children[steps[i].child];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    bool is_plain = !steps[i].is_list && validity == NULL;
    if (table == NULL && !is_plain) {
      table = memory->tables;
      if (!begin(table, rows)) return false;
      for (size_t row = 0; row < rows; row++) table->definition[row] = levels->constant;
    }
    if (table == NULL) {
      levels->constant += steps[i].is_nullable;
      continue;
    }
    if (steps[i].is_nullable) pass_nullable(table, validity);
    if (!steps[i].is_list) continue;
    if (!pass_list(table, other, array->buffers[1], ++lists)) return false;
    sm_level_table *swapped = table;
    table = other;
    other = swapped;
  }
  levels->array = array;
  if (table == NULL) return true;
  levels->entries = table->count;
  levels->definition = table->definition;
  if (lists > 0) levels->repetition = table->repetition;
  return choose(memory, table, levels);
}

// --- The hybrid of runs and packed bits.

int sm_bit_width(uint32_t most) { return most == 0 ? 0 : 32 - __builtin_clz(most); }

void sm_hybrid_run(sm_buffer *to, uint32_t value, size_t count, int width) {
  if (count == 0) return;
  sm_buffer_varint(to, (uint64_t)count << 1);
  sm_buffer_add(to, &value, (size_t)(width + 7) / 8);
}

// Packs numbers, zeros after them up to a multiple of eight.
static void pack(sm_buffer *to, const uint32_t *values, size_t count, int width) {
  size_t groups = (count + 7) / 8;
  sm_buffer_varint(to, (uint64_t)groups << 1 | 1);
  uint8_t *out = sm_buffer_room(to, groups * (size_t)width + sizeof(uint64_t));
  if (out == NULL) return;
  to->count += groups * (size_t)width;
  uint64_t word = 0;
  int bits = 0;
  for (size_t i = 0; i < groups * 8; i++) {
    word |= (uint64_t)(i < count ? values[i] : 0) << bits;
    bits += width;
    while (bits >= 8) {
      *out++ = (uint8_t)word;
      word >>= 8;
      bits -= 8;
    }
  }
}

// How often the number at a place follows itself.
static size_t run_at(const uint32_t *values, size_t i, size_t count) {
  size_t end = i + 1;
  while (end < count && values[end] == values[i]) end++;
  return end - i;
}

void sm_hybrid(sm_buffer *to, const uint32_t *values, size_t count, int width) {
  size_t i = 0;
  while (i < count) {
    // Groups of eight are packed up to a run that is worth its own header.
    size_t start = i, run = 0;
    while (i < count && (run = run_at(values, i, count)) < 8) i += 8;
    if (i > count) i = count;
    if (i > start) pack(to, values + start, i - start, width);
    if (i < count) {
      sm_hybrid_run(to, values[i], run, width);
      i += run;
    }
  }
}
