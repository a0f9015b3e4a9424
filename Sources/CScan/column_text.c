// Records to columns from their JSON text: one pass, no tree. Recursion goes as deep as the mapping, not as the text.
// A record is cut off the columns by their lengths alone, so nothing has to be noted before it is added.

#include <limits.h>
#include <string.h>

#include "column_memory.h"
#include "text_values.h"

typedef struct {
  sm_columns *t;
  const uint8_t *end;
  sm_add_result *result;
  uint32_t *failed;
} reader;

static const uint8_t *fail(const reader *r, const sm_column *c, sm_add_result result) {
  *r->result = result;
  *r->failed = (uint32_t)(c - r->t->columns);
  return NULL;
}

static const uint8_t *add_value(const reader *r, sm_column *c, const uint8_t *at);

// Ends a list or a map whose parts are added.
static const uint8_t *end_list(const reader *r, sm_column *c, size_t length, const uint8_t *at) {
  if (length > r->t->most) return fail(r, c, SM_ADD_FULL);
  ((int32_t *)c->values)[c->length + 1] = (int32_t)length;
  r->t->used += c->width;
  sm_column_end_value(c);
  return at + 1;
}

static const uint8_t *add_list(const reader *r, sm_column *c, const uint8_t *at) {
  sm_column *element = &r->t->columns[c->spec.first_child];
  for (at++; at < r->end && *at != ']';) {
    at = add_value(r, element, at);
    if (at == NULL) return NULL;
    if (at < r->end && *at == ',') at++;
  }
  return at < r->end ? end_list(r, c, element->length, at) : fail(r, c, SM_ADD_WRONG);
}

static const uint8_t *add_map(const reader *r, sm_column *c, const uint8_t *at) {
  sm_column *key = &r->t->columns[c->spec.first_child], *value = key + 1;
  for (at++; at < r->end && *at != '}';) {
    at = add_value(r, key, at);
    if (at == NULL) return NULL;
    if (at >= r->end || *at != ':') return fail(r, c, SM_ADD_WRONG);
    at = add_value(r, value, at + 1);
    if (at == NULL) return NULL;
    if (at < r->end && *at == ',') at++;
  }
  return at < r->end ? end_list(r, c, value->length, at) : fail(r, c, SM_ADD_WRONG);
}

static bool is_key(const reader *r, const sm_column *c, const uint8_t *at) {
  size_t length = c->spec.key_length;
  return length <= (size_t)(r->end - at) && memcmp(at, r->t->texts + c->spec.key, length) == 0;
}

// The member whose key is here, and which has no value yet: one from `next` on, or one before it; else none.
static uint32_t find_member(
    const reader *r, const sm_column *first, uint32_t count, uint32_t next, size_t length, const uint8_t *at) {
  for (uint32_t i = next; i < count; i++) {
    if (is_key(r, &first[i], at) && first[i].length == length) return i;
  }
  for (uint32_t i = 0; i < next; i++) {
    if (is_key(r, &first[i], at) && first[i].length == length) return i;
  }
  return count;
}

// Adds bytes to the value that a column of strings is getting, which has `length` bytes by now.
static sm_add_result append(const sm_columns *t, sm_column *c, size_t *length, const uint8_t *text, size_t count) {
  size_t used = sm_offset(c, c->length) + *length;
  if (count > t->most - used) return SM_ADD_FULL;
  if (count > c->byte_capacity - used && !sm_column_grow_bytes(c, used, count)) return SM_ADD_MEMORY;
  memcpy(c->bytes + used, text, count);
  *length += count;
  return SM_ADDED;
}

static const uint8_t *add_struct(const reader *r, sm_column *c, const uint8_t *at) {
  sm_column *first = &r->t->columns[c->spec.first_child], *rest = NULL;
  uint32_t count = c->spec.child_count, next = 0, added = 0;
  size_t rest_length = 0;
  if (c->spec.is_open) {
    rest = &first[--count];
    if (!sm_has_room(rest)) return fail(r, rest, SM_ADD_MEMORY);
  }
  for (at++; at < r->end && *at != '}';) {
    uint32_t member = next < count && is_key(r, &first[next], at) && first[next].length == c->length
                          ? next
                          : find_member(r, first, count, next, c->length, at);
    if (member < count) {
      at = add_value(r, &first[member], at + first[member].spec.key_length);
      if (at == NULL) return NULL;
      next = member + 1;
      added++;
    } else if (rest != NULL) {
      bool has_escapes = false;
      const uint8_t *start = at;
      at = sm_end_of_string(at, r->end, &has_escapes);
      if (at < r->end) at = sm_end_of_value(at + 1, r->end, &has_escapes);
      const uint8_t *mark = (const uint8_t *)(rest_length == 0 ? "{" : ",");
      sm_add_result result = append(r->t, rest, &rest_length, mark, 1);
      if (result == SM_ADDED) result = append(r->t, rest, &rest_length, start, (size_t)(at - start));
      if (result != SM_ADDED) return fail(r, rest, result);
    } else {
      return fail(r, c, SM_ADD_WRONG);
    }
    if (at < r->end && *at == ',') at++;
  }
  if (at >= r->end) return fail(r, c, SM_ADD_WRONG);
  for (uint32_t i = 0; added < count && i < count; i++) {
    if (first[i].length > c->length) continue;
    if (!first[i].spec.is_nullable) return fail(r, &first[i], SM_ADD_WRONG);
    if (!sm_column_add_null(r->t, &first[i])) return fail(r, &first[i], SM_ADD_MEMORY);
  }
  if (rest != NULL) {
    const uint8_t *end = (const uint8_t *)(rest_length == 0 ? "{}" : "}");
    sm_add_result result = append(r->t, rest, &rest_length, end, rest_length == 0 ? 2 : 1);
    if (result != SM_ADDED) return fail(r, rest, result);
    ((int32_t *)rest->values)[rest->length + 1] = (int32_t)(sm_offset(rest, rest->length) + rest_length);
    r->t->used += sm_value_bytes(rest, rest->length, 1);
    sm_column_end_value(rest);
  }
  if (!sm_has_room(c)) return fail(r, c, SM_ADD_MEMORY);
  sm_column_end_value(c);
  return at + 1;
}

static const uint8_t *add_value(const reader *r, sm_column *c, const uint8_t *at) {
  if (at >= r->end) return fail(r, c, SM_ADD_WRONG);
  uint8_t kind = *at;
  if (kind == 'n') {
    if (!c->spec.is_nullable) return fail(r, c, SM_ADD_WRONG);
    if (!sm_column_add_null(r->t, c)) return fail(r, c, SM_ADD_MEMORY);
    bool has_escapes;
    return sm_end_of_value(at, r->end, &has_escapes);
  }
  bool is_list = c->spec.kind == SM_COLUMN_LIST, is_map = c->spec.kind == SM_COLUMN_MAP;
  if (is_list || is_map) {
    if (kind != (is_list ? '[' : '{')) return fail(r, c, SM_ADD_WRONG);
    if (!sm_has_room(c)) return fail(r, c, SM_ADD_MEMORY);
    return is_list ? add_list(r, c, at) : add_map(r, c, at);
  }
  if (c->spec.kind == SM_COLUMN_STRUCT) return kind == '{' ? add_struct(r, c, at) : fail(r, c, SM_ADD_WRONG);
  bool has_escapes = false;
  const uint8_t *end = sm_end_of_value(at, r->end, &has_escapes);
  sm_add_result result = sm_column_add_token(r->t, c, at, (size_t)(end - at), has_escapes);
  return result == SM_ADDED ? end : fail(r, c, result);
}

const uint8_t *sm_column_add_value(
    sm_columns *t, sm_column *c, const uint8_t *at, const uint8_t *end, sm_add_result *result, uint32_t *failed) {
  reader r = {.t = t, .end = end, .result = result, .failed = failed};
  return add_value(&r, c, at);
}

sm_add_result sm_columns_add(sm_columns *t, const uint8_t *text, size_t length, uint32_t *failed) {
  sm_columns_mark mark = sm_columns_marked(t);
  sm_add_result result = SM_ADDED;
  *failed = 0;
  sm_column *record = &t->columns[t->is_value ? t->columns[0].spec.first_child : 0];
  const uint8_t *end = sm_column_add_value(t, record, text, text + length, &result, failed);
  if (end != NULL && end != text + length) result = SM_ADD_WRONG;
  if (result == SM_ADDED && t->is_value) {
    if (sm_has_room(&t->columns[0])) sm_column_end_value(&t->columns[0]);
    else result = SM_ADD_MEMORY;
  }
  if (result == SM_ADDED) return SM_ADDED;
  sm_columns_cut(t, mark);
  return result;
}
