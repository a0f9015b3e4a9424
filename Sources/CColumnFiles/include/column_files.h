// Files of columns: Apache Parquet, and Apache Arrow's IPC formats. Batches come as the structs of the Arrow C Data Interface, with the
// types that columns.h has; nothing here knows where they come from, and nothing here writes to a file.
//
// What is to be written comes out as pieces, in their order. Memory is bounded by a batch and a row group, whatever the number of rows; a
// file's end also lists its row groups or batches, some hundred bytes for each.

#ifndef STREAMMAP_COLUMN_FILES_H
#define STREAMMAP_COLUMN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streammap_arrow.h"

typedef enum {
  SM_FILE_PARQUET,
  SM_FILE_ARROW_STREAM,
  SM_FILE_ARROW,
} sm_file_form;

typedef struct {
  sm_file_form form;
  // Of Zstandard, for Parquet; 0 leaves pages as they are.
  int level;
  // What the file says about its writer, as in "stream-map version 1.2.3".
  const char *creator;
  // A row group ends with the first batch after which it has so many rows, so many bytes as they will be written, or so many before
  // compression.
  size_t group_rows, group_bytes, group_raw_bytes;
} sm_file_options;

// What this build of the command writes.
sm_file_options sm_file_defaults(sm_file_form form, const char *creator);

typedef enum {
  SM_FILE_OK,
  SM_FILE_MEMORY,       // there is no memory
  SM_FILE_TOO_LARGE,    // a batch's column has more than 2 GiB as it is written
  SM_FILE_UNSUPPORTED,  // the schema or the batch has something that columns.h does not make
} sm_file_result;

typedef struct sm_column_file sm_column_file;

// Begins a file. The schema is a struct; it and the creator stay the caller's. NULL with a result.
sm_column_file *sm_column_file_create(const struct ArrowSchema *schema, sm_file_options options, sm_file_result *result);
void sm_column_file_destroy(sm_column_file *file);

// Adds a batch, which stays the caller's. After anything but SM_FILE_OK nothing more can be added.
sm_file_result sm_column_file_add(sm_column_file *file, const struct ArrowArray *batch);
// Ends the file.
sm_file_result sm_column_file_end(sm_column_file *file);

typedef struct {
  const uint8_t *bytes;
  size_t count;
} sm_file_piece;

// What has to be written now: after the beginning, each batch, and the end. Valid until the next call with the file, and as long as
// the batch.
size_t sm_column_file_pieces(const sm_column_file *file, const sm_file_piece **pieces);

#endif
