#include "column_files.h"

#include <stdlib.h>
#include <string.h>

#include "arrow.h"
#include "parquet.h"

struct sm_column_file {
  sm_field record;
  char *creator;
  sm_parquet *parquet;  // one of both
  sm_arrow *arrow;
};

sm_file_options sm_file_defaults(sm_file_form form, const char *creator) {
  return (sm_file_options){.form = form, .level = 1, .creator = creator, .group_rows = 1 << 20, .group_bytes = 32 << 20, .group_raw_bytes = 256 << 20};
}

sm_column_file *sm_column_file_create(const struct ArrowSchema *schema, sm_file_options options, sm_file_result *result) {
  sm_column_file *file = calloc(1, sizeof *file);
  *result = SM_FILE_MEMORY;
  if (file == NULL) return NULL;
  *result = sm_field_read(&file->record, schema);
  if (*result == SM_FILE_OK && file->record.kind != SM_FIELD_STRUCT) *result = SM_FILE_UNSUPPORTED;
  file->creator = strdup(options.creator);
  if (*result == SM_FILE_OK && file->creator == NULL) *result = SM_FILE_MEMORY;
  options.creator = file->creator;
  if (*result == SM_FILE_OK) {
    if (options.form == SM_FILE_PARQUET) file->parquet = sm_parquet_create(&file->record, &options, result);
    else file->arrow = sm_arrow_create(&file->record, options.form == SM_FILE_ARROW, result);
  }
  if (*result == SM_FILE_OK) return file;
  sm_column_file_destroy(file);
  return NULL;
}

void sm_column_file_destroy(sm_column_file *file) {
  if (file == NULL) return;
  sm_parquet_destroy(file->parquet);
  sm_arrow_destroy(file->arrow);
  sm_field_free(&file->record);
  free(file->creator);
  free(file);
}

sm_file_result sm_column_file_add(sm_column_file *file, const struct ArrowArray *batch) {
  if (!sm_field_fits(&file->record, batch)) return SM_FILE_UNSUPPORTED;
  return file->parquet != NULL ? sm_parquet_add(file->parquet, batch) : sm_arrow_add(file->arrow, batch);
}

sm_file_result sm_column_file_end(sm_column_file *file) {
  return file->parquet != NULL ? sm_parquet_end(file->parquet) : sm_arrow_end(file->arrow);
}

size_t sm_column_file_pieces(const sm_column_file *file, const sm_file_piece **pieces) {
  return file->parquet != NULL ? sm_parquet_pieces(file->parquet, pieces) : sm_arrow_pieces(file->arrow, pieces);
}
