// Messages as Arrow's format has them (Schema.fbs, Message.fbs, File.fbs), of metadata version 5.

#include "arrow.h"

#include <stdlib.h>

#include "flatbuffer.h"

enum { METADATA_V5 = 4, LINE = 64, MESSAGE_START = 8 };
enum { HEADER_SCHEMA = 1, HEADER_BATCH = 3 };
enum { TYPE_INT = 2, TYPE_FLOAT = 3, TYPE_BINARY = 4, TYPE_UTF8 = 5, TYPE_BOOL = 6, TYPE_DECIMAL = 7, TYPE_DATE = 8, TYPE_TIMESTAMP = 10,
       TYPE_LIST = 12, TYPE_STRUCT = 13, TYPE_MAP = 17 };
static const char magic[8] = "ARROW1";
static const uint8_t zeros[LINE], end_of_stream[8] = {0xFF, 0xFF, 0xFF, 0xFF};

struct sm_arrow {
  const sm_field *record;
  bool is_file;
  sm_buffer message;       // the metadata of what is in the pieces
  sm_buffer nodes, spans;  // of the batch: its arrays, and its buffers
  sm_buffer pieces;        // sm_file_piece
  sm_buffer blocks;        // of the file: where each batch is
  size_t block_count;
  uint64_t written;        // bytes of all pieces so far
};

// --- The schema.

static size_t add_fields(sm_buffer *to, const sm_field *parent);

// The type's table, by its number.
static uint8_t type_number(const sm_field *field) {
  switch (field->kind) {
    case SM_FIELD_BOOL: return TYPE_BOOL;
    case SM_FIELD_INTEGER: return TYPE_INT;
    case SM_FIELD_FLOAT: return TYPE_FLOAT;
    case SM_FIELD_DECIMAL: return TYPE_DECIMAL;
    case SM_FIELD_TIMESTAMP: return TYPE_TIMESTAMP;
    case SM_FIELD_DATE: return TYPE_DATE;
    case SM_FIELD_STRING: return TYPE_UTF8;
    case SM_FIELD_BINARY: return TYPE_BINARY;
    case SM_FIELD_LIST: return TYPE_LIST;
    case SM_FIELD_MAP: return TYPE_MAP;
    case SM_FIELD_STRUCT: return TYPE_STRUCT;
  }
  return 0;
}

static size_t add_type(sm_buffer *to, const sm_field *field) {
  switch (field->kind) {
    case SM_FIELD_INTEGER: {
      sm_table type = sm_flat_table(to, (const uint8_t[]){4, 1}, 2);
      sm_flat_set_i32(&type, 0, field->width * 8);
      sm_flat_set_byte(&type, 1, field->is_signed);
      return type.at;
    }
    case SM_FIELD_FLOAT: {
      sm_table type = sm_flat_table(to, (const uint8_t[]){2}, 1);
      sm_flat_set_i16(&type, 0, field->width == 4 ? 1 : 2);
      return type.at;
    }
    case SM_FIELD_DECIMAL: {
      sm_table type = sm_flat_table(to, (const uint8_t[]){4, 4, 4}, 3);
      sm_flat_set_i32(&type, 0, field->precision);
      sm_flat_set_i32(&type, 1, field->scale);
      sm_flat_set_i32(&type, 2, field->width * 8);
      return type.at;
    }
    case SM_FIELD_TIMESTAMP: {
      sm_table type = sm_flat_table(to, (const uint8_t[]){2, 4}, 2);
      sm_flat_set_i16(&type, 0, 2);
      sm_flat_refer(to, type.members[1], sm_flat_text(to, "UTC"));
      return type.at;
    }
    // Days are 0, which is not what a reader takes where nothing is.
    case SM_FIELD_DATE: return sm_flat_table(to, (const uint8_t[]){2}, 1).at;
    case SM_FIELD_BOOL:
    case SM_FIELD_STRING:
    case SM_FIELD_BINARY:
    case SM_FIELD_LIST:
    case SM_FIELD_MAP:
    case SM_FIELD_STRUCT: break;
  }
  return sm_flat_table(to, NULL, 0).at;
}

// The metadata of a column of JSON.
static size_t add_json_metadata(sm_buffer *to) {
  static const char *const pairs[2][2] = {{"ARROW:extension:name", "arrow.json"}, {"ARROW:extension:metadata", ""}};
  size_t vector = sm_flat_references(to, 2);
  for (size_t i = 0; i < 2; i++) {
    sm_table pair = sm_flat_table(to, (const uint8_t[]){4, 4}, 2);
    sm_flat_refer(to, vector + 4 + 4 * i, pair.at);
    sm_flat_refer(to, pair.members[0], sm_flat_text(to, pairs[i][0]));
    sm_flat_refer(to, pair.members[1], sm_flat_text(to, pairs[i][1]));
  }
  return vector;
}

static size_t add_field(sm_buffer *to, const sm_field *field) {
  // Name, nullable, number and table of the type, dictionary, children, metadata.
  const uint8_t sizes[] = {4, 1, 1, 4, 0, 4, field->is_json ? 4 : 0};
  sm_table table = sm_flat_table(to, sizes, sizeof sizes);
  sm_flat_set_byte(&table, 1, field->is_nullable);
  sm_flat_set_byte(&table, 2, type_number(field));
  sm_flat_refer(to, table.members[0], sm_flat_text(to, field->name));
  sm_flat_refer(to, table.members[3], add_type(to, field));
  sm_flat_refer(to, table.members[5], add_fields(to, field));
  if (field->is_json) sm_flat_refer(to, table.members[6], add_json_metadata(to));
  return table.at;
}

static size_t add_fields(sm_buffer *to, const sm_field *parent) {
  size_t vector = sm_flat_references(to, parent->child_count);
  for (size_t i = 0; i < parent->child_count; i++) {
    sm_flat_refer(to, vector + 4 + 4 * i, add_field(to, &parent->children[i]));
  }
  return vector;
}

static size_t add_schema(sm_buffer *to, const sm_field *record) {
  // The order of bytes, 0 for the lowest first; fields.
  sm_table schema = sm_flat_table(to, (const uint8_t[]){2, 4}, 2);
  sm_flat_refer(to, schema.members[1], add_fields(to, record));
  return schema.at;
}

// --- Messages.

static void add_piece(sm_arrow *a, const void *bytes, size_t count) {
  if (count == 0) return;
  sm_file_piece piece = {.bytes = bytes, .count = count};
  sm_buffer_add(&a->pieces, &piece, sizeof piece);
  a->written += count;
}

// Begins a message in `a->message`; returns the place that refers to its header. What its frame says comes before it.
static size_t begin_message(sm_arrow *a, uint8_t header, uint64_t body) {
  sm_table message = sm_flat_root(&a->message, (const uint8_t[]){2, 1, 4, 8}, 4);
  sm_flat_set_i16(&message, 0, METADATA_V5);
  sm_flat_set_byte(&message, 1, header);
  sm_flat_set_i64(&message, 3, (int64_t)body);
  return message.members[2];
}

// Ends it, with its frame before it, and makes a piece of it; returns how many bytes both have.
static size_t end_message(sm_arrow *a) {
  sm_buffer *m = &a->message;
  sm_flat_end(m);
  size_t count = m->count;
  sm_buffer_zeros(m, MESSAGE_START);
  if (m->failed) return 0;
  memmove(m->bytes + MESSAGE_START, m->bytes, count);
  uint32_t frame[2] = {0xFFFFFFFF, (uint32_t)count};
  memcpy(m->bytes, frame, sizeof frame);
  add_piece(a, m->bytes, m->count);
  return m->count;
}

static sm_file_result result_of(const sm_arrow *a) {
  bool failed = a->message.failed || a->nodes.failed || a->spans.failed || a->pieces.failed || a->blocks.failed;
  return failed ? SM_FILE_MEMORY : SM_FILE_OK;
}

sm_arrow *sm_arrow_create(const sm_field *record, bool is_file, sm_file_result *result) {
  sm_arrow *a = calloc(1, sizeof *a);
  *result = SM_FILE_MEMORY;
  if (a == NULL) return NULL;
  a->record = record;
  a->is_file = is_file;
  if (is_file) add_piece(a, magic, sizeof magic);
  size_t place = begin_message(a, HEADER_SCHEMA, 0);
  sm_flat_refer(&a->message, place, add_schema(&a->message, record));
  end_message(a);
  *result = result_of(a);
  if (*result == SM_FILE_OK) return a;
  sm_arrow_destroy(a);
  return NULL;
}

void sm_arrow_destroy(sm_arrow *a) {
  if (a == NULL) return;
  sm_buffer_free(&a->message);
  sm_buffer_free(&a->nodes);
  sm_buffer_free(&a->spans);
  sm_buffer_free(&a->pieces);
  sm_buffer_free(&a->blocks);
  free(a);
}

size_t sm_arrow_pieces(const sm_arrow *a, const sm_file_piece **pieces) {
  *pieces = (const sm_file_piece *)(const void *)a->pieces.bytes;
  return a->pieces.count / sizeof **pieces;
}

// --- Batches.

static size_t padding(size_t count) { return (LINE - count % LINE) % LINE; }

// The bytes that are used of a buffer.
static size_t used(const sm_field *field, const struct ArrowArray *array, int64_t buffer) {
  size_t length = (size_t)array->length;
  if (buffer == 0) return array->null_count == 0 || array->buffers[0] == NULL ? 0 : (length + 7) / 8;
  if (buffer == 2) return (size_t)((const int32_t *)array->buffers[1])[length];
  if (field->kind == SM_FIELD_BOOL) return (length + 7) / 8;
  return field->width > 0 ? length * field->width : (length + 1) * sizeof(int32_t);
}

// Lists the arrays and buffers, each before those inside it; returns where the body ends.
static uint64_t list_buffers(sm_arrow *a, const sm_field *field, const struct ArrowArray *array, uint64_t end) {
  int64_t node[2] = {array->length, array->null_count};
  sm_buffer_add(&a->nodes, node, sizeof node);
  for (int64_t i = 0; i < sm_field_buffers(field); i++) {
    size_t count = used(field, array, i);
    int64_t span[2] = {(int64_t)end, (int64_t)count};
    sm_buffer_add(&a->spans, span, sizeof span);
    end += count + padding(count);
  }
  for (size_t i = 0; i < field->child_count; i++) end = list_buffers(a, &field->children[i], array->children[i], end);
  return end;
}

static void add_buffers(sm_arrow *a, const sm_field *field, const struct ArrowArray *array) {
  for (int64_t i = 0; i < sm_field_buffers(field); i++) {
    size_t count = used(field, array, i);
    add_piece(a, array->buffers[i], count);
    add_piece(a, zeros, padding(count));
  }
  for (size_t i = 0; i < field->child_count; i++) add_buffers(a, &field->children[i], array->children[i]);
}

sm_file_result sm_arrow_add(sm_arrow *a, const struct ArrowArray *batch) {
  sm_buffer_clear(&a->pieces);
  sm_buffer_clear(&a->nodes);
  sm_buffer_clear(&a->spans);
  if (batch->length == 0) return SM_FILE_OK;
  uint64_t start = a->written, body = 0;
  // The record's own array is none of a batch's.
  for (size_t i = 0; i < a->record->child_count; i++) body = list_buffers(a, &a->record->children[i], batch->children[i], body);
  size_t place = begin_message(a, HEADER_BATCH, body);
  sm_buffer *m = &a->message;
  sm_table table = sm_flat_table(m, (const uint8_t[]){8, 4, 4}, 3);
  sm_flat_refer(m, place, table.at);
  sm_flat_set_i64(&table, 0, batch->length);
  sm_flat_refer(m, table.members[1], sm_flat_structs(m, a->nodes.count / 16));
  sm_buffer_add(m, a->nodes.bytes, a->nodes.count);
  sm_flat_refer(m, table.members[2], sm_flat_structs(m, a->spans.count / 16));
  sm_buffer_add(m, a->spans.bytes, a->spans.count);
  int64_t block[3] = {(int64_t)start, (int64_t)end_message(a), (int64_t)body};
  for (size_t i = 0; i < a->record->child_count; i++) add_buffers(a, &a->record->children[i], batch->children[i]);
  if (a->is_file) {
    sm_buffer_add(&a->blocks, block, sizeof block);
    a->block_count++;
  }
  return result_of(a);
}

sm_file_result sm_arrow_end(sm_arrow *a) {
  sm_buffer_clear(&a->pieces);
  add_piece(a, end_of_stream, sizeof end_of_stream);
  if (!a->is_file) return result_of(a);
  sm_buffer *m = &a->message;
  // Version, schema, dictionaries, batches.
  sm_table footer = sm_flat_root(m, (const uint8_t[]){2, 4, 4, 4}, 4);
  sm_flat_set_i16(&footer, 0, METADATA_V5);
  sm_flat_refer(m, footer.members[1], add_schema(m, a->record));
  sm_flat_refer(m, footer.members[2], sm_flat_structs(m, 0));
  sm_flat_refer(m, footer.members[3], sm_flat_structs(m, a->block_count));
  sm_buffer_add(m, a->blocks.bytes, a->blocks.count);
  sm_flat_end(m);
  sm_buffer_u32(m, (uint32_t)m->count);
  sm_buffer_add(m, magic, 6);
  if (m->count > INT32_MAX) return SM_FILE_TOO_LARGE;
  add_piece(a, m->bytes, m->count);
  return result_of(a);
}
