// Columns as the structs of the Arrow C Data Interface. Buffers go over to them as they are; each array releases what is its own, so
// a child may be moved out and live on, and a schema does not need its columns.
// The next batch begins with as much memory as the last one used.

#include <stdlib.h>
#include <string.h>

#include "column_memory.h"
#include "streammap_arrow.h"

// --- Arrays.

typedef struct {
  const void *buffers[3];
  struct ArrowArray *children[];
} array_memory;

static void release_array(struct ArrowArray *array) {
  if (array == NULL || array->release == NULL) return;
  array_memory *memory = array->private_data;
  for (int64_t i = 0; i < array->n_children; i++) {
    struct ArrowArray *child = memory->children[i];
    // It may have been moved.
    if (child != NULL && child->release != NULL) child->release(child);
    free(child);
  }
  for (int64_t i = 0; i < array->n_buffers; i++) sm_aligned_free((void *)(uintptr_t)memory->buffers[i]);
  free(memory);
  array->release = NULL;
  array->private_data = NULL;
}

// An array without buffers and children in it; false without memory.
static bool begin_array(struct ArrowArray *array, int64_t buffers, int64_t children) {
  memset(array, 0, sizeof *array);
  array_memory *memory = calloc(1, sizeof *memory + (size_t)children * sizeof(struct ArrowArray *));
  if (memory == NULL) return false;
  *array = (struct ArrowArray){
      .n_buffers = buffers, .n_children = children, .buffers = memory->buffers, .children = children > 0 ? memory->children : NULL,
      .release = release_array, .private_data = memory};
  for (int64_t i = 0; i < children; i++) {
    memory->children[i] = calloc(1, sizeof(struct ArrowArray));
    if (memory->children[i] == NULL) {
      release_array(array);
      return false;
    }
  }
  return true;
}

// Makes the arrays of a column and of those inside, without values; false without memory.
static bool prepare(sm_columns *t, sm_column *c, struct ArrowArray *array) {
  bool is_map = c->spec.kind == SM_COLUMN_MAP, is_struct = c->spec.kind == SM_COLUMN_STRUCT;
  bool has_bytes = c->spec.kind >= SM_COLUMN_STRING && c->spec.kind <= SM_COLUMN_JSON;
  uint32_t count = c->spec.child_count;
  // An empty array has buffers, too: some programs expect them.
  if (c->capacity == 0 && !sm_column_grow(c)) return false;
  if (has_bytes && c->byte_capacity == 0 && !sm_column_grow_bytes(c, 0, 0)) return false;
  if (!begin_array(array, is_struct ? 1 : has_bytes ? 3 : 2, is_map ? 1 : count)) return false;
  struct ArrowArray *entries = is_map ? array->children[0] : array;
  bool is_made = !is_map || begin_array(entries, 1, 2);
  for (uint32_t i = 0; is_made && i < count; i++) {
    is_made = prepare(t, &t->columns[c->spec.first_child + i], entries->children[i]);
  }
  if (!is_made) release_array(array);
  return is_made;
}

// Zeros up to the end of the last line.
static void pad(uint8_t *buffer, size_t used) {
  if (buffer != NULL) memset(buffer + used, 0, (64 - used % 64) % 64);
}

static void set_buffer(struct ArrowArray *array, int i, uint8_t *buffer) {
  ((array_memory *)array->private_data)->buffers[i] = buffer;
}

// Hands the buffers over; the column is empty then.
static void move(sm_columns *t, sm_column *c, struct ArrowArray *array) {
  bool has_bytes = array->n_buffers == 3, is_map = c->spec.kind == SM_COLUMN_MAP;
  size_t inside = sm_offset(c, c->spec.kind == SM_COLUMN_LIST || is_map || has_bytes ? c->length : 0);
  array->length = (int64_t)c->length;
  array->null_count = (int64_t)c->nulls;
  pad(c->validity, (c->length + 7) / 8);
  set_buffer(array, 0, c->validity);
  if (array->n_buffers > 1) {
    bool is_list = c->spec.kind == SM_COLUMN_LIST || is_map;
    pad(c->values, c->spec.kind == SM_COLUMN_BOOL ? (c->length + 7) / 8 : (c->length + (has_bytes || is_list)) * c->width);
    set_buffer(array, 1, c->values);
  }
  if (has_bytes) {
    pad(c->bytes, inside);
    set_buffer(array, 2, c->bytes);
    c->byte_hint = (inside + 63) / 64 * 64;
  }
  struct ArrowArray *entries = is_map ? array->children[0] : array;
  if (is_map) entries->length = (int64_t)inside;
  for (uint32_t i = 0; i < c->spec.child_count; i++) move(t, &t->columns[c->spec.first_child + i], entries->children[i]);
  c->hint = (c->length + 63) / 64 * 64;
  c->validity = c->values = c->bytes = NULL;
  c->length = c->nulls = c->capacity = c->byte_capacity = 0;
}

bool sm_columns_take(sm_columns *t, void *array) {
  if (!prepare(t, &t->columns[0], array)) return false;
  move(t, &t->columns[0], array);
  t->used = 0;
  return true;
}

// --- Schemas.

static void release_schema(struct ArrowSchema *schema) {
  if (schema == NULL || schema->release == NULL) return;
  for (int64_t i = 0; i < schema->n_children; i++) {
    struct ArrowSchema *child = schema->children[i];
    if (child != NULL && child->release != NULL) child->release(child);
    free(child);
  }
  free(schema->children);
  free((void *)(uintptr_t)schema->format);
  free((void *)(uintptr_t)schema->name);
  free((void *)(uintptr_t)schema->metadata);
  schema->release = NULL;
}

static char *copy(const char *text, size_t length) {
  char *made = malloc(length + 1);
  if (made == NULL) return NULL;
  memcpy(made, text, length);
  made[length] = 0;
  return made;
}

static const char *format_of(const sm_column_spec *spec) {
  static const char *const formats[] = {"b", "c", "s", "i", "l", "C", "S", "I", "L", "f", "g", "", "tsu:UTC", "tdD", "u", "z",
                                        "u", "+l", "+m", "+s"};
  return spec->kind == SM_COLUMN_TIMESTAMP && spec->scale == 9 ? "tsn:UTC" : formats[spec->kind];
}

// The metadata of a column of JSON: a number of pairs, each text with its length before it.
static char *json_metadata(void) {
  static const char name[] = "ARROW:extension:name", value[] = "arrow.json", other[] = "ARROW:extension:metadata";
  char *made = malloc(128), *to = made;
  if (made == NULL) return NULL;
  int32_t count = 2;
  memcpy(to, &count, sizeof count);
  to += sizeof count;
  const char *const texts[] = {name, value, other, ""};
  for (size_t i = 0; i < 4; i++) {
    int32_t length = (int32_t)strlen(texts[i]);
    memcpy(to, &length, sizeof length);
    memcpy(to + sizeof length, texts[i], (size_t)length);
    to += sizeof length + (size_t)length;
  }
  return made;
}

// A schema without children in it; false without memory.
static bool begin_schema(struct ArrowSchema *schema, const char *format, const char *name, bool is_nullable, int64_t children) {
  *schema = (struct ArrowSchema){
      .format = copy(format, strlen(format)), .name = copy(name, strlen(name)), .flags = is_nullable ? ARROW_FLAG_NULLABLE : 0,
      .children = children > 0 ? calloc((size_t)children, sizeof(struct ArrowSchema *)) : NULL, .release = release_schema};
  bool is_made = schema->format != NULL && schema->name != NULL && (children == 0 || schema->children != NULL);
  schema->n_children = is_made ? children : 0;
  for (int64_t i = 0; is_made && i < children; i++) {
    schema->children[i] = calloc(1, sizeof(struct ArrowSchema));
    is_made = schema->children[i] != NULL;
  }
  if (!is_made) release_schema(schema);
  return is_made;
}

static bool make_schema(const sm_columns *t, const sm_column_spec *spec, const char *name, struct ArrowSchema *schema) {
  bool is_map = spec->kind == SM_COLUMN_MAP;
  char decimal[8] = {'d', ':', '3', '8', ','};
  size_t at = 5;
  if (spec->scale >= 10) decimal[at++] = (char)('0' + spec->scale / 10 % 10);
  decimal[at] = (char)('0' + spec->scale % 10);
  const char *format = spec->kind == SM_COLUMN_DECIMAL ? decimal : format_of(spec);
  if (!begin_schema(schema, format, name, spec->is_nullable, is_map ? 1 : spec->child_count)) return false;
  bool is_made = true;
  if (spec->kind == SM_COLUMN_JSON) is_made = (schema->metadata = json_metadata()) != NULL;
  struct ArrowSchema *entries = is_map ? schema->children[0] : schema;
  if (is_map) is_made = begin_schema(entries, "+s", "entries", false, 2);
  for (uint32_t i = 0; is_made && i < spec->child_count; i++) {
    const sm_column_spec *child = &t->columns[spec->first_child + i].spec;
    is_made = make_schema(t, child, (const char *)t->texts + child->name, entries->children[i]);
  }
  if (!is_made) release_schema(schema);
  return is_made;
}

bool sm_columns_schema(const sm_columns *t, void *schema) { return make_schema(t, &t->columns[0].spec, "", schema); }
