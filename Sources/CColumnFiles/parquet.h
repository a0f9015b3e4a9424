// What the parts of a Parquet file's writer share.

#ifndef STREAMMAP_PARQUET_H
#define STREAMMAP_PARQUET_H

#include "bounds.h"
#include "buffer.h"
#include "dictionary.h"
#include "field.h"
#include "parquet_levels.h"

typedef struct sm_parquet sm_parquet;

sm_parquet *sm_parquet_create(const sm_field *record, const sm_file_options *options, sm_file_result *result);
void sm_parquet_destroy(sm_parquet *parquet);
sm_file_result sm_parquet_add(sm_parquet *parquet, const struct ArrowArray *batch);
sm_file_result sm_parquet_end(sm_parquet *parquet);
size_t sm_parquet_pieces(const sm_parquet *parquet, const sm_file_piece **pieces);

// Parquet's numbers for its types.
enum {
  PARQUET_BOOLEAN = 0,
  PARQUET_INT32 = 1,
  PARQUET_INT64 = 2,
  PARQUET_FLOAT = 4,
  PARQUET_DOUBLE = 5,
  PARQUET_BYTE_ARRAY = 6,
  PARQUET_FIXED = 7,
};

int sm_parquet_type(const sm_field *field);

// Writes the schema's elements: the record, and after each element its children. Returns how many there are.
size_t sm_parquet_schema(sm_buffer *to, const sm_field *record);

// A leaf's values and levels in a row group that is being made.
typedef struct {
  const sm_field *field;
  sm_leaf_step *steps;
  size_t step_count;
  const char **path;       // its names, from the record's member on
  size_t path_count;
  uint32_t most_definition, most_repetition;

  sm_buffer pages;         // with their headers, as they will be written
  size_t raw_bytes;        // the same before compression
  int64_t entries, nulls;
  sm_bounds bounds;
  bool has_plain;          // a page of values as they are
  bool has_dictionary;     // a page of numbers in the dictionary
  bool has_given_up;       // no numbers in the rest of the row group
  sm_dictionary dictionary;
  sm_buffer dictionary_page;  // as it will be written
} sm_parquet_leaf;

typedef struct {
  sm_level_memory levels;
  sm_buffer page, compressed;
  uint32_t *numbers;
  size_t numbers_capacity;
  void *compressor;        // of libzstd
  int level;
} sm_parquet_memory;

// The leaves of a record, in their order; NULL without memory.
sm_parquet_leaf *sm_parquet_leaves(const sm_field *record, size_t *count);
void sm_parquet_leaves_free(sm_parquet_leaf *leaves, size_t count);

// Appends a batch to a leaf as a page.
sm_file_result sm_parquet_add_page(sm_parquet_leaf *leaf, const struct ArrowArray *record, sm_parquet_memory *memory);
// Makes the dictionary's page, if there has to be one.
sm_file_result sm_parquet_end_leaf(sm_parquet_leaf *leaf, sm_parquet_memory *memory);
// Begins another row group.
void sm_parquet_clear_leaf(sm_parquet_leaf *leaf);

enum { PARQUET_PLAIN = 0, PARQUET_RLE = 3, PARQUET_DICTIONARY = 8 };

#endif
