// Rows as columns, for the tests of rows: held against the columns that the row's text gives.

#ifndef COLUMN_FILLING_H
#define COLUMN_FILLING_H

#include "streammap_arrow.h"
#include "columns.h"
#include "row_expected.h"

// Columns for what a program writes.
typedef struct {
  sm_column_spec specs[200];
  uint32_t values[200];  // by column: the program's value
  size_t count;
  uint8_t texts[8192];
  size_t length;
  bool has_rest;  // whether some object has members after its fields
} layout;

static void add_column(layout *l, const writing *w, uint32_t value, const uint8_t *key, size_t length, rng *r) {
  static const uint8_t kinds[] = {SM_COLUMN_JSON,  SM_COLUMN_STRING, SM_COLUMN_BOOL, SM_COLUMN_JSON,  SM_COLUMN_DOUBLE,
                                  SM_COLUMN_INT64, SM_COLUMN_STRUCT, SM_COLUMN_LIST, SM_COLUMN_STRING, SM_COLUMN_JSON, SM_COLUMN_STRING,
                                  SM_COLUMN_JSON, SM_COLUMN_JSON, SM_COLUMN_JSON, SM_COLUMN_JSON, SM_COLUMN_JSON, SM_COLUMN_INT64,
                                  SM_COLUMN_JSON, SM_COLUMN_JSON, SM_COLUMN_JSON};
  sm_column_spec *spec = &l->specs[l->count];
  *spec = (sm_column_spec){.kind = kinds[w->values[value].kind], .is_nullable = chance(r, 80)};
  if (spec->kind == SM_COLUMN_DOUBLE && chance(r, 50)) spec->kind = SM_COLUMN_DECIMAL, spec->scale = (uint8_t)below(r, 12);
  if (spec->kind == SM_COLUMN_INT64 && chance(r, 50)) spec->kind = chance(r, 50) ? SM_COLUMN_UINT8 : SM_COLUMN_INT16;
  spec->key = spec->name = (uint32_t)l->length;
  spec->key_length = (uint32_t)length;
  if (length > 0) memcpy(l->texts + l->length, key, length);
  l->length += length;
  l->texts[l->length++] = 0;
  l->values[l->count++] = value;
}

static void make_layout(layout *l, const writing *w, rng *r) {
  *l = (layout){0};
  add_column(l, w, 0, NULL, 0, r);
  for (size_t i = 0; i < l->count; i++) {
    const sm_written_value *value = &w->values[l->values[i]];
    l->specs[i].first_child = (uint32_t)l->count;
    if (value->kind == SM_WRITE_ARRAY) add_column(l, w, value->child, NULL, 0, r);
    if (value->kind == SM_WRITE_OBJECT) {
      const sm_written_object *object = &w->objects[value->child];
      l->has_rest = l->has_rest || object->has_rest;
      for (uint32_t k = 0; k < object->field_count; k++) {
        const sm_written_field *field = &w->fields[object->first_field + k];
        add_column(l, w, field->value, w->texts + field->name.start + 1, field->name.length - 1, r);
      }
    }
    l->specs[i].child_count = (uint32_t)l->count - l->specs[i].first_child;
  }
}

static bool same_bytes(const void *a, const void *b, size_t length) {
  if (a == NULL || b == NULL) return length == 0 || a == b;
  if ((uintptr_t)a % 64 != 0 || (uintptr_t)b % 64 != 0) return false;
  return memcmp(a, b, length) == 0;
}

static bool same_arrays(const layout *l, uint32_t column, const struct ArrowArray *a, const struct ArrowArray *b) {
  if (a->length != b->length || a->null_count != b->null_count || a->n_buffers != b->n_buffers) return false;
  const sm_column_spec *spec = &l->specs[column];
  size_t length = (size_t)a->length;
  // A bitmap may have been made by what was cut off again.
  if (a->null_count > 0 && !same_bytes(a->buffers[0], b->buffers[0], (length + 7) / 8)) return false;
  static const uint8_t widths[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 16, 8, 4, 4, 4, 4, 4, 4, 0};
  size_t offsets = spec->kind >= SM_COLUMN_STRING && spec->kind <= SM_COLUMN_MAP;
  size_t used = spec->kind == SM_COLUMN_BOOL ? (length + 7) / 8 : (length + offsets) * widths[spec->kind];
  if (a->n_buffers > 1 && !same_bytes(a->buffers[1], b->buffers[1], used)) return false;
  if (a->n_buffers > 2 && !same_bytes(a->buffers[2], b->buffers[2], (size_t)((const int32_t *)a->buffers[1])[length])) return false;
  for (uint32_t i = 0; i < spec->child_count; i++) {
    if (!same_arrays(l, spec->first_child + i, a->children[i], b->children[i])) return false;
  }
  return true;
}

static size_t rows_filled, rows_refused;

// Whether a row's columns are those of its text. What the fast way refuses is added by the text.
static bool fills_row(const writing *w, sm_row row, rng *r) {
  // Columns have a place for each null.
  if (!w->is_whole || w->program.omits_nulls || w->values[0].kind != SM_WRITE_OBJECT) return true;
  layout *l = need(sizeof *l);
  make_layout(l, w, r);
  sm_columns *filled = sm_columns_create(l->specs, l->count, l->texts, l->length, false, SIZE_MAX);
  sm_columns *added = sm_columns_create(l->specs, l->count, l->texts, l->length, false, SIZE_MAX);
  sm_columns *appended = sm_columns_create(l->specs, l->count, l->texts, l->length, false, SIZE_MAX);
  bool is_other = false;
  sm_column_fields *fields = filled == NULL ? NULL : sm_column_fields_create(&w->program, filled);
  // Members that come after the fields have no columns.
  bool is_good = added != NULL && appended != NULL && (fields != NULL) == !l->has_rest;
  if (l->has_rest) goto end;
  for (int turn = 0; is_good && turn < 3; turn++) {
    buf text = {0};
    const uint64_t told_before = told;
    sm_write_result right = put_expected_row(&text, w, row), result;
    result = sm_columns_fill_row(row, &w->program, fields, filled);
    uint8_t *copy = need(text.count);
    if (text.count > 0) memcpy(copy, text.bytes, text.count);
    uint32_t failed;
    sm_add_result other = right == SM_WRITTEN ? sm_columns_add(added, copy, text.count, &failed) : SM_ADD_WRONG;
    if (result == SM_WRITTEN) rows_filled++;
    if (result == SM_REFUSED && right == SM_WRITTEN && sm_columns_add(filled, copy, text.count, &failed) == SM_ADDED) {
      result = SM_WRITTEN;
      rows_refused++;
    }
    free(copy);
    drop(&text);
    // A string without its escapes is the same, however they are written; the text has to be made by somebody else then.
    is_other = result == SM_WRITTEN && (right == SM_REFUSED || told > told_before);
    if (is_other) break;
    is_good = (result == SM_WRITTEN) == (other == SM_ADDED);
    // A text may be refused for its escapes before the condition is asked, which the columns do not mind.
    is_good = is_good && (result != SM_LEFT_OUT || right == SM_LEFT_OUT || right == SM_REFUSED);
    is_good = is_good && sm_columns_rows(filled) == sm_columns_rows(added);
  }
  // What is appended in two parts is the same as what was added.
  for (size_t first = 0, rows = sm_columns_rows(filled), count; is_good && first < rows; first += count) {
    count = first == 0 ? below(r, rows) + 1 : rows - first;
    is_good = sm_columns_append(appended, filled, first, &count, (sm_columns_mark){.rows = SIZE_MAX, .bytes = SIZE_MAX}) && count > 0;
  }
  is_good = is_good && sm_columns_bytes(filled) == sm_columns_bytes(appended);
  struct ArrowArray a, b, c;
  bool is_same = is_good && !is_other && sm_columns_rows(filled) == sm_columns_rows(added);
  if (is_same) is_good = sm_columns_bytes(filled) == sm_columns_bytes(added);
  if (is_same && sm_columns_take(filled, &a)) {
    if (sm_columns_take(added, &b)) {
      is_good = same_arrays(l, 0, &a, &b);
      if (sm_columns_take(appended, &c)) {
        is_good = is_good && same_arrays(l, 0, &a, &c);
        c.release(&c);
      }
      b.release(&b);
    }
    a.release(&a);
  }
end:
  sm_column_fields_destroy(fields);
  sm_columns_destroy(filled);
  sm_columns_destroy(added);
  sm_columns_destroy(appended);
  free(l);
  return is_good;
}

#endif
