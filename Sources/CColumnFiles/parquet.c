// A Parquet file: row groups of column chunks, and the footer that says where they are (parquet.thrift).

#include "parquet.h"

#include <stdlib.h>
#include <zstd.h>

#include "thrift.h"

enum { FORMAT_VERSION = 2, CODEC_NONE = 0, CODEC_ZSTD = 6 };
static const char magic[4] = {'P', 'A', 'R', '1'};

struct sm_parquet {
  const sm_field *record;
  sm_file_options options;
  sm_parquet_leaf *leaves;
  size_t leaf_count;
  sm_parquet_memory memory;
  sm_file_piece *pieces;    // two for each leaf
  size_t piece_count;
  uint64_t written;         // bytes of all pieces so far
  int64_t rows, group_rows;
  bool is_group_out;        // the row group is in the pieces, and another one has to begin
  sm_buffer groups;         // the footer's, for each row group so far
  size_t group_count;
  sm_buffer footer;
};

static void add_piece(sm_parquet *p, const void *bytes, size_t count) {
  if (count == 0) return;
  p->pieces[p->piece_count++] = (sm_file_piece){.bytes = bytes, .count = count};
  p->written += count;
}

sm_parquet *sm_parquet_create(const sm_field *record, const sm_file_options *options, sm_file_result *result) {
  sm_parquet *p = calloc(1, sizeof *p);
  *result = SM_FILE_MEMORY;
  if (p == NULL) return NULL;
  p->record = record;
  p->options = *options;
  p->leaves = sm_parquet_leaves(record, &p->leaf_count);
  p->pieces = malloc((2 * p->leaf_count + 1) * sizeof *p->pieces);
  p->memory.level = options->level;
  if (options->level > 0) p->memory.compressor = ZSTD_createCCtx();
  if (p->leaves == NULL || p->pieces == NULL || (options->level > 0 && p->memory.compressor == NULL)) {
    sm_parquet_destroy(p);
    return NULL;
  }
  add_piece(p, magic, sizeof magic);
  *result = SM_FILE_OK;
  return p;
}

void sm_parquet_destroy(sm_parquet *p) {
  if (p == NULL) return;
  sm_parquet_leaves_free(p->leaves, p->leaf_count);
  sm_level_memory_free(&p->memory.levels);
  sm_buffer_free(&p->memory.page);
  sm_buffer_free(&p->memory.compressed);
  free(p->memory.numbers);
  ZSTD_freeCCtx(p->memory.compressor);
  sm_buffer_free(&p->groups);
  sm_buffer_free(&p->footer);
  free(p->pieces);
  free(p);
}

size_t sm_parquet_pieces(const sm_parquet *p, const sm_file_piece **pieces) {
  *pieces = p->pieces;
  return p->piece_count;
}

// --- Row groups.

static void add_statistics(sm_thrift *chunk, const sm_parquet_leaf *leaf) {
  const sm_bounds *b = &leaf->bounds;
  sm_thrift statistics = sm_thrift_struct(chunk, 12);
  sm_thrift_i64(&statistics, 3, leaf->nulls);
  if (b->is_known && !b->is_too_long) {
    sm_thrift_binary(&statistics, 5, b->most, b->most_count);
    sm_thrift_binary(&statistics, 6, b->least, b->least_count);
  }
  sm_thrift_end(&statistics);
}

static void add_chunk(sm_parquet *p, const sm_parquet_leaf *leaf, uint64_t start) {
  uint64_t pages = start + leaf->dictionary_page.count;
  sm_thrift chunk = sm_thrift_begin(&p->groups);
  // Deprecated, and asked for: where metadata of its own would be.
  sm_thrift_i64(&chunk, 2, 0);
  sm_thrift data = sm_thrift_struct(&chunk, 3);
  sm_thrift_i32(&data, 1, sm_parquet_type(leaf->field));
  sm_thrift_list(&data, 2, THRIFT_I32, 1 + (size_t)leaf->has_dictionary + (size_t)(leaf->has_plain || leaf->has_dictionary));
  sm_thrift_number(&p->groups, PARQUET_RLE);
  // The dictionary's own page is plain.
  if (leaf->has_plain || leaf->has_dictionary) sm_thrift_number(&p->groups, PARQUET_PLAIN);
  if (leaf->has_dictionary) sm_thrift_number(&p->groups, PARQUET_DICTIONARY);
  sm_thrift_list(&data, 3, THRIFT_BINARY, leaf->path_count);
  for (size_t i = 0; i < leaf->path_count; i++) sm_thrift_bytes(&p->groups, leaf->path[i], strlen(leaf->path[i]));
  sm_thrift_i32(&data, 4, p->options.level > 0 ? CODEC_ZSTD : CODEC_NONE);
  sm_thrift_i64(&data, 5, leaf->entries);
  sm_thrift_i64(&data, 6, (int64_t)leaf->raw_bytes);
  sm_thrift_i64(&data, 7, (int64_t)(leaf->dictionary_page.count + leaf->pages.count));
  sm_thrift_i64(&data, 9, (int64_t)pages);
  if (leaf->has_dictionary) sm_thrift_i64(&data, 11, (int64_t)start);
  add_statistics(&data, leaf);
  sm_thrift_end(&data);
  sm_thrift_end(&chunk);
}

// Puts the row group into the pieces.
static sm_file_result end_group(sm_parquet *p) {
  uint64_t start = p->written, raw = 0;
  sm_thrift group = sm_thrift_begin(&p->groups);
  sm_thrift_list(&group, 1, THRIFT_STRUCT, p->leaf_count);
  for (size_t i = 0; i < p->leaf_count; i++) {
    sm_parquet_leaf *leaf = &p->leaves[i];
    sm_file_result result = sm_parquet_end_leaf(leaf, &p->memory);
    if (result != SM_FILE_OK) return result;
    add_chunk(p, leaf, p->written);
    add_piece(p, leaf->dictionary_page.bytes, leaf->dictionary_page.count);
    add_piece(p, leaf->pages.bytes, leaf->pages.count);
    raw += leaf->raw_bytes;
  }
  sm_thrift_i64(&group, 2, (int64_t)raw);
  sm_thrift_i64(&group, 3, p->group_rows);
  sm_thrift_i64(&group, 5, (int64_t)start);
  sm_thrift_i64(&group, 6, (int64_t)(p->written - start));
  sm_thrift_end(&group);
  p->group_count++;
  p->is_group_out = true;
  return p->groups.failed ? SM_FILE_MEMORY : SM_FILE_OK;
}

// What was in the pieces has been written.
static void go_on(sm_parquet *p) {
  p->piece_count = 0;
  if (!p->is_group_out) return;
  for (size_t i = 0; i < p->leaf_count; i++) sm_parquet_clear_leaf(&p->leaves[i]);
  p->group_rows = 0;
  p->is_group_out = false;
}

sm_file_result sm_parquet_add(sm_parquet *p, const struct ArrowArray *batch) {
  go_on(p);
  if (batch->length == 0) return SM_FILE_OK;
  size_t bytes = 0, raw = 0;
  for (size_t i = 0; i < p->leaf_count; i++) {
    sm_file_result result = sm_parquet_add_page(&p->leaves[i], batch, &p->memory);
    if (result != SM_FILE_OK) return result;
    bytes += p->leaves[i].pages.count;
    raw += p->leaves[i].raw_bytes;
  }
  p->rows += batch->length;
  p->group_rows += batch->length;
  bool is_full = (uint64_t)p->group_rows >= p->options.group_rows || bytes >= p->options.group_bytes || raw >= p->options.group_raw_bytes;
  return is_full ? end_group(p) : SM_FILE_OK;
}

// --- The footer.

static void add_footer(sm_parquet *p) {
  sm_buffer *to = &p->footer;
  sm_buffer schema = {0};
  size_t elements = sm_parquet_schema(&schema, p->record);
  sm_thrift footer = sm_thrift_begin(to);
  sm_thrift_i32(&footer, 1, FORMAT_VERSION);
  sm_thrift_list(&footer, 2, THRIFT_STRUCT, elements);
  sm_buffer_add(to, schema.bytes, schema.count);
  sm_thrift_i64(&footer, 3, p->rows);
  sm_thrift_list(&footer, 4, THRIFT_STRUCT, p->group_count);
  sm_buffer_add(to, p->groups.bytes, p->groups.count);
  sm_thrift_text(&footer, 6, p->options.creator);
  // The bounds of each leaf are in the order of its type.
  sm_thrift_list(&footer, 7, THRIFT_STRUCT, p->leaf_count);
  for (size_t i = 0; i < p->leaf_count; i++) {
    sm_thrift order = sm_thrift_begin(to);
    sm_thrift_empty(&order, 1);
    sm_thrift_end(&order);
  }
  sm_thrift_end(&footer);
  to->failed |= schema.failed;
  sm_buffer_free(&schema);
}

sm_file_result sm_parquet_end(sm_parquet *p) {
  go_on(p);
  if (p->group_rows > 0) {
    sm_file_result result = end_group(p);
    if (result != SM_FILE_OK) return result;
  }
  add_footer(p);
  if (p->footer.count > INT32_MAX) return SM_FILE_TOO_LARGE;
  sm_buffer_u32(&p->footer, (uint32_t)p->footer.count);
  sm_buffer_add(&p->footer, magic, sizeof magic);
  if (p->footer.failed) return SM_FILE_MEMORY;
  add_piece(p, p->footer.bytes, p->footer.count);
  return SM_FILE_OK;
}
