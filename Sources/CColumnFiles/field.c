#include "field.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *format;
  sm_field_kind kind;
  uint8_t width;
  bool is_signed;
} known_format;

static const known_format known[] = {
    {"b", SM_FIELD_BOOL, 0, false},      {"c", SM_FIELD_INTEGER, 1, true},      {"C", SM_FIELD_INTEGER, 1, false},
    {"s", SM_FIELD_INTEGER, 2, true},    {"S", SM_FIELD_INTEGER, 2, false},     {"i", SM_FIELD_INTEGER, 4, true},
    {"I", SM_FIELD_INTEGER, 4, false},   {"l", SM_FIELD_INTEGER, 8, true},      {"L", SM_FIELD_INTEGER, 8, false},
    {"f", SM_FIELD_FLOAT, 4, true},      {"g", SM_FIELD_FLOAT, 8, true},        {"tsu:UTC", SM_FIELD_TIMESTAMP, 8, true},
    {"tdD", SM_FIELD_DATE, 4, true},     {"u", SM_FIELD_STRING, 0, false},      {"z", SM_FIELD_BINARY, 0, false},
    {"+l", SM_FIELD_LIST, 0, false},     {"+m", SM_FIELD_MAP, 0, false},        {"+s", SM_FIELD_STRUCT, 0, false},
};

// The number at a place, which moves behind it; at most 99.
static int read_number(const char **at) {
  int value = -1;
  for (; **at >= '0' && **at <= '9' && value < 10; (*at)++) value = (value < 0 ? 0 : value * 10) + (**at - '0');
  return value;
}

static bool read_format(sm_field *field, const char *format) {
  if (strncmp(format, "d:", 2) == 0) {
    const char *at = format + 2;
    int precision = read_number(&at);
    if (*at++ != ',') return false;
    int scale = read_number(&at);
    if (*at != 0 || precision < 1 || precision > 38 || scale < 0 || scale > precision) return false;
    field->kind = SM_FIELD_DECIMAL;
    field->width = 16;
    field->is_signed = true;
    field->precision = (uint8_t)precision;
    field->scale = (uint8_t)scale;
    return true;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(format, known[i].format) != 0) continue;
    field->kind = known[i].kind;
    field->width = known[i].width;
    field->is_signed = known[i].is_signed;
    return true;
  }
  return false;
}

// Whether the metadata, pairs of texts with their lengths before them, name the extension type of JSON.
static bool names_json(const char *metadata) {
  static const char key[] = "ARROW:extension:name", value[] = "arrow.json";
  if (metadata == NULL) return false;
  int32_t pairs, length;
  memcpy(&pairs, metadata, sizeof pairs);
  metadata += sizeof pairs;
  for (; pairs > 0; pairs--) {
    memcpy(&length, metadata, sizeof length);
    bool is_name = length == (int32_t)sizeof key - 1 && memcmp(metadata + sizeof length, key, sizeof key - 1) == 0;
    metadata += sizeof length + (size_t)length;
    memcpy(&length, metadata, sizeof length);
    if (is_name) return length == (int32_t)sizeof value - 1 && memcmp(metadata + sizeof length, value, sizeof value - 1) == 0;
    metadata += sizeof length + (size_t)length;
  }
  return false;
}

sm_file_result sm_field_read(sm_field *field, const struct ArrowSchema *schema) {
  *field = (sm_field){0};
  if (schema->dictionary != NULL || !read_format(field, schema->format)) return SM_FILE_UNSUPPORTED;
  field->is_nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
  field->is_json = field->kind == SM_FIELD_STRING && names_json(schema->metadata);
  size_t count = (size_t)schema->n_children;
  bool is_one = field->kind == SM_FIELD_LIST || field->kind == SM_FIELD_MAP;
  if (is_one ? count != 1 : (field->kind == SM_FIELD_STRUCT) != (count > 0)) return SM_FILE_UNSUPPORTED;
  field->name = strdup(schema->name == NULL ? "" : schema->name);
  if (field->name == NULL) return SM_FILE_MEMORY;
  if (count == 0) return SM_FILE_OK;
  field->children = calloc(count, sizeof *field->children);
  if (field->children == NULL) {
    sm_field_free(field);
    return SM_FILE_MEMORY;
  }
  field->child_count = count;
  for (size_t i = 0; i < count; i++) {
    sm_file_result result = sm_field_read(&field->children[i], schema->children[i]);
    if (result != SM_FILE_OK) {
      sm_field_free(field);
      return result;
    }
  }
  const sm_field *entries = field->children;
  if (field->kind == SM_FIELD_MAP && (entries->kind != SM_FIELD_STRUCT || entries->child_count != 2 || entries->is_nullable)) {
    sm_field_free(field);
    return SM_FILE_UNSUPPORTED;
  }
  return SM_FILE_OK;
}

void sm_field_free(sm_field *field) {
  for (size_t i = 0; i < field->child_count; i++) sm_field_free(&field->children[i]);
  free(field->children);
  free(field->name);
  *field = (sm_field){0};
}

bool sm_field_fits(const sm_field *field, const struct ArrowArray *array) {
  int64_t buffers = sm_field_buffers(field);
  if (array->offset != 0 || array->length < 0 || array->length > INT32_MAX || array->dictionary != NULL) return false;
  if (array->n_buffers != buffers || array->n_children != (int64_t)field->child_count) return false;
  // Only the validity may be left out.
  for (int64_t i = 1; i < buffers; i++) {
    if (array->buffers[i] == NULL) return false;
  }
  bool may_have_nulls = array->null_count != 0 && array->buffers[0] != NULL;
  if (may_have_nulls && !field->is_nullable) return false;
  for (size_t i = 0; i < field->child_count; i++) {
    const struct ArrowArray *child = array->children[i];
    if (!sm_field_fits(&field->children[i], child)) return false;
    if (field->kind == SM_FIELD_STRUCT && child->length < array->length) return false;
  }
  if (field->kind == SM_FIELD_LIST || field->kind == SM_FIELD_MAP) {
    const int32_t *offsets = array->buffers[1];
    if (array->children[0]->length < offsets[array->length]) return false;
  }
  return true;
}
