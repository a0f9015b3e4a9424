// A Parquet file's schema, and the paths to its leaves (parquet.thrift; LogicalTypes.md).

#include <stdlib.h>

#include "parquet.h"
#include "thrift.h"

enum { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };

// The older names of types, for older readers.
enum {
  CONVERTED_UTF8 = 0,
  CONVERTED_MAP = 1,
  CONVERTED_LIST = 3,
  CONVERTED_DECIMAL = 5,
  CONVERTED_DATE = 6,
  CONVERTED_MICROS = 10,
  CONVERTED_UINT_8 = 11,
  CONVERTED_INT_8 = 15,
  CONVERTED_JSON = 19,
};

enum { LOGICAL_STRING = 1, LOGICAL_MAP = 2, LOGICAL_LIST = 3, LOGICAL_DECIMAL = 5, LOGICAL_DATE = 6, LOGICAL_TIMESTAMP = 8,
       LOGICAL_INTEGER = 10, LOGICAL_JSON = 12 };

int sm_parquet_type(const sm_field *field) {
  switch (field->kind) {
    case SM_FIELD_BOOL: return PARQUET_BOOLEAN;
    case SM_FIELD_INTEGER: return field->width == 8 ? PARQUET_INT64 : PARQUET_INT32;
    case SM_FIELD_FLOAT: return field->width == 8 ? PARQUET_DOUBLE : PARQUET_FLOAT;
    case SM_FIELD_DECIMAL: return PARQUET_FIXED;
    case SM_FIELD_TIMESTAMP: return PARQUET_INT64;
    case SM_FIELD_DATE: return PARQUET_INT32;
    case SM_FIELD_STRING:
    case SM_FIELD_BINARY: return PARQUET_BYTE_ARRAY;
    case SM_FIELD_LIST:
    case SM_FIELD_MAP:
    case SM_FIELD_STRUCT: break;
  }
  return -1;
}

static int bits_of(const sm_field *field) { return field->width * 8; }

// What the type means, by its older name; -1 if it means itself.
static int converted_type(const sm_field *field) {
  switch (field->kind) {
    case SM_FIELD_INTEGER: {
      // From 8 to 64 bits they have numbers that follow each other.
      int size = field->width == 1 ? 0 : field->width == 2 ? 1 : field->width == 4 ? 2 : 3;
      if (field->is_signed && size >= 2) return -1;
      return (field->is_signed ? CONVERTED_INT_8 : CONVERTED_UINT_8) + size;
    }
    case SM_FIELD_DECIMAL: return CONVERTED_DECIMAL;
    case SM_FIELD_TIMESTAMP: return CONVERTED_MICROS;
    case SM_FIELD_DATE: return CONVERTED_DATE;
    case SM_FIELD_STRING: return field->is_json ? CONVERTED_JSON : CONVERTED_UTF8;
    case SM_FIELD_LIST: return CONVERTED_LIST;
    case SM_FIELD_MAP: return CONVERTED_MAP;
    case SM_FIELD_BOOL:
    case SM_FIELD_FLOAT:
    case SM_FIELD_BINARY:
    case SM_FIELD_STRUCT: break;
  }
  return -1;
}

// The same by its newer name, which is there where the older one is.
static void add_logical_type(sm_thrift *element, const sm_field *field) {
  sm_thrift type = sm_thrift_struct(element, 10);
  switch (field->kind) {
    case SM_FIELD_INTEGER: {
      sm_thrift integer = sm_thrift_struct(&type, LOGICAL_INTEGER);
      sm_thrift_byte(&integer, 1, (int8_t)bits_of(field));
      sm_thrift_bool(&integer, 2, field->is_signed);
      sm_thrift_end(&integer);
      break;
    }
    case SM_FIELD_DECIMAL: {
      sm_thrift decimal = sm_thrift_struct(&type, LOGICAL_DECIMAL);
      sm_thrift_i32(&decimal, 1, field->scale);
      sm_thrift_i32(&decimal, 2, field->precision);
      sm_thrift_end(&decimal);
      break;
    }
    case SM_FIELD_TIMESTAMP: {
      sm_thrift timestamp = sm_thrift_struct(&type, LOGICAL_TIMESTAMP);
      sm_thrift_bool(&timestamp, 1, true);
      sm_thrift unit = sm_thrift_struct(&timestamp, 2);
      sm_thrift_empty(&unit, 2);
      sm_thrift_end(&unit);
      sm_thrift_end(&timestamp);
      break;
    }
    case SM_FIELD_DATE: sm_thrift_empty(&type, LOGICAL_DATE); break;
    case SM_FIELD_STRING: sm_thrift_empty(&type, field->is_json ? LOGICAL_JSON : LOGICAL_STRING); break;
    case SM_FIELD_LIST: sm_thrift_empty(&type, LOGICAL_LIST); break;
    case SM_FIELD_MAP: sm_thrift_empty(&type, LOGICAL_MAP); break;
    case SM_FIELD_BOOL:
    case SM_FIELD_FLOAT:
    case SM_FIELD_BINARY:
    case SM_FIELD_STRUCT: break;
  }
  sm_thrift_end(&type);
}

static size_t add_field(sm_buffer *to, const sm_field *field, const char *name);

static size_t add_children(sm_buffer *to, const sm_field *field) {
  size_t count = 0;
  for (size_t i = 0; i < field->child_count; i++) count += add_field(to, &field->children[i], field->children[i].name);
  return count;
}

// The group in a list or a map that is there for each element.
static size_t add_repeated(sm_buffer *to, const sm_field *field) {
  bool is_map = field->kind == SM_FIELD_MAP;
  sm_thrift group = sm_thrift_begin(to);
  sm_thrift_i32(&group, 3, REPEATED);
  sm_thrift_text(&group, 4, is_map ? "key_value" : "list");
  sm_thrift_i32(&group, 5, is_map ? 2 : 1);
  sm_thrift_end(&group);
  if (!is_map) return 1 + add_field(to, field->children, "element");
  const sm_field *entry = field->children->children;
  return 1 + add_field(to, entry, "key") + add_field(to, entry + 1, "value");
}

static size_t add_field(sm_buffer *to, const sm_field *field, const char *name) {
  sm_thrift element = sm_thrift_begin(to);
  if (!sm_field_has_children(field)) sm_thrift_i32(&element, 1, sm_parquet_type(field));
  if (field->kind == SM_FIELD_DECIMAL) sm_thrift_i32(&element, 2, field->width);
  sm_thrift_i32(&element, 3, field->is_nullable ? OPTIONAL : REQUIRED);
  sm_thrift_text(&element, 4, name);
  bool is_struct = field->kind == SM_FIELD_STRUCT;
  if (sm_field_has_children(field)) sm_thrift_i32(&element, 5, is_struct ? (int32_t)field->child_count : 1);
  int converted = converted_type(field);
  if (converted >= 0) sm_thrift_i32(&element, 6, converted);
  if (field->kind == SM_FIELD_DECIMAL) {
    sm_thrift_i32(&element, 7, field->scale);
    sm_thrift_i32(&element, 8, field->precision);
  }
  if (converted >= 0) add_logical_type(&element, field);
  sm_thrift_end(&element);
  if (is_struct) return 1 + add_children(to, field);
  return 1 + (sm_field_has_children(field) ? add_repeated(to, field) : 0);
}

size_t sm_parquet_schema(sm_buffer *to, const sm_field *record) {
  sm_thrift root = sm_thrift_begin(to);
  sm_thrift_text(&root, 4, "schema");
  sm_thrift_i32(&root, 5, (int32_t)record->child_count);
  sm_thrift_end(&root);
  return 1 + add_children(to, record);
}

// --- Leaves.

static size_t count_leaves(const sm_field *field) {
  if (!sm_field_has_children(field)) return 1;
  size_t count = 0;
  for (size_t i = 0; i < field->child_count; i++) count += count_leaves(&field->children[i]);
  return count;
}

// The way to the field that is looked at.
typedef struct {
  sm_leaf_step *steps;
  const char **path;
  size_t step_count, path_count;
} trail;

static size_t depth_of(const sm_field *field) {
  size_t most = 0;
  for (size_t i = 0; i < field->child_count; i++) {
    size_t depth = depth_of(&field->children[i]);
    most = depth > most ? depth : most;
  }
  return most + 1;
}

static bool set_leaf(sm_parquet_leaf *leaf, const sm_field *field, const trail *t) {
  leaf->field = field;
  leaf->steps = malloc(t->step_count * sizeof *leaf->steps);
  leaf->path = malloc(t->path_count * sizeof *leaf->path);
  if (leaf->steps == NULL || leaf->path == NULL) return false;
  memcpy(leaf->steps, t->steps, t->step_count * sizeof *leaf->steps);
  memcpy(leaf->path, t->path, t->path_count * sizeof *leaf->path);
  leaf->step_count = t->step_count;
  leaf->path_count = t->path_count;
  for (size_t i = 0; i < t->step_count; i++) {
    leaf->most_definition += (uint32_t)t->steps[i].is_list + (uint32_t)t->steps[i].is_nullable;
    leaf->most_repetition += t->steps[i].is_list;
  }
  return true;
}

// Goes to a child, and to the leaves below it; `names` are those that its path has more.
static bool set_leaves(
    sm_parquet_leaf **next, const sm_field *field, uint32_t child, const char *const *names, size_t name_count, trail t) {
  bool is_list = field->kind == SM_FIELD_LIST || field->kind == SM_FIELD_MAP;
  t.steps[t.step_count++] = (sm_leaf_step){.is_list = is_list, .is_nullable = field->is_nullable, .child = child};
  for (size_t i = 0; i < name_count; i++) t.path[t.path_count++] = names[i];
  if (!sm_field_has_children(field)) return set_leaf((*next)++, field, &t);
  if (field->kind == SM_FIELD_LIST) return set_leaves(next, field->children, 0, (const char *[]){"list", "element"}, 2, t);
  if (field->kind == SM_FIELD_MAP) {
    t.path[t.path_count++] = "key_value";
    t.steps[t.step_count++] = (sm_leaf_step){.child = 0};
    const sm_field *entry = field->children->children;
    return set_leaves(next, entry, 0, (const char *[]){"key"}, 1, t) && set_leaves(next, entry + 1, 1, (const char *[]){"value"}, 1, t);
  }
  for (size_t i = 0; i < field->child_count; i++) {
    const char *name = field->children[i].name;
    if (!set_leaves(next, &field->children[i], (uint32_t)i, &name, 1, t)) return false;
  }
  return true;
}

sm_parquet_leaf *sm_parquet_leaves(const sm_field *record, size_t *count) {
  *count = count_leaves(record);
  size_t depth = depth_of(record);
  sm_parquet_leaf *leaves = calloc(*count, sizeof *leaves), *next = leaves;
  // A list has two names.
  trail t = {.steps = malloc(depth * sizeof *t.steps), .path = malloc(2 * depth * sizeof *t.path)};
  bool is_made = leaves != NULL && t.steps != NULL && t.path != NULL;
  for (size_t i = 0; is_made && i < record->child_count; i++) {
    const char *name = record->children[i].name;
    is_made = set_leaves(&next, &record->children[i], (uint32_t)i, &name, 1, t);
  }
  free(t.steps);
  free(t.path);
  if (is_made) return leaves;
  sm_parquet_leaves_free(leaves, *count);
  return NULL;
}

void sm_parquet_leaves_free(sm_parquet_leaf *leaves, size_t count) {
  for (size_t i = 0; leaves != NULL && i < count; i++) {
    free(leaves[i].steps);
    free(leaves[i].path);
    sm_buffer_free(&leaves[i].pages);
    sm_buffer_free(&leaves[i].dictionary_page);
    sm_dictionary_free(&leaves[i].dictionary);
  }
  free(leaves);
}
