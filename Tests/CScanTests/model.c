// Random selections: as plain lists, which the reference reads, and as the tables of the code under test.

#include <stdlib.h>
#include <string.h>

#include "test.h"

static int add(model *m, int kind) {
  m->nodes[m->count] = (model_node){.kind = kind};
  return m->count++;
}

static bool is_full(const model *m) { return m->count >= 36; }

static int make_parts(model *m, rng *r, int depth);

static int child_inside(model *m, rng *r, int depth, int self) {
  if (depth > 0 && !is_full(m) && chance(r, 45)) return make_parts(m, r, depth - 1);
  if (chance(r, 5)) return self;  // a node may lead to itself
  return (int)below(r, 3);
}

static void give_parts(model *m, rng *r, int node, int (*child)(model *, rng *, int, int), int depth) {
  // A child that is made meanwhile may not move the node: the array is fixed.
  model_node *n = &m->nodes[node];
  if (chance(r, 25)) n->other_members = child(m, r, depth, node);
  if (chance(r, 40)) n->other_elements = child(m, r, depth, node);
  size_t members = below(r, 5), elements = chance(r, 35) ? 1 + below(r, 3) : 0;
  for (size_t i = 0; i < members; i++) {
    size_t key = chance(r, 70) ? below(r, 5) : below(r, key_count());
    bool is_new = true;
    for (size_t k = 0; k < n->member_count; k++) is_new = is_new && n->members[k].key != key;
    if (!is_new) continue;
    int next = child(m, r, depth, node);
    n->members[n->member_count].key = key;
    n->members[n->member_count].tag = chance(r, 80) ? 1 + below(r, SM_TAG_END - 1) : 0;
    n->members[n->member_count++].child = next;
  }
  for (size_t i = 0; i < elements; i++) {
    uint64_t first = below(r, 5), end = first + 1;
    if (chance(r, 30)) end = chance(r, 30) ? UINT64_MAX : end + below(r, 4);
    int next = child(m, r, depth, node);
    // A skipped element would make a gap in what follows it.
    if (next == MODEL_SKIP && end == first + 1) continue;
    n->elements[n->element_count].first = first;
    n->elements[n->element_count].end = end;
    n->elements[n->element_count++].child = next;
  }
}

static int make_parts(model *m, rng *r, int depth) {
  int node = add(m, MODEL_PARTS);
  give_parts(m, r, node, child_inside, depth);
  return node;
}

static int make_record(model *m, rng *r) {
  int node = add(m, MODEL_RECORD);
  if (chance(r, 60)) m->nodes[node].marks = (uint64_t)1 << below(r, 64);
  int inside = chance(r, 80) ? make_parts(m, r, 3) : MODEL_KEEP + (int)below(r, 2);
  m->nodes[node].inside = inside;
  return node;
}

static int make_navigation(model *m, rng *r, int depth);

static int child_outside(model *m, rng *r, int depth, int self) {
  (void)self;
  if (is_full(m)) return MODEL_SKIP;
  if (depth > 0 && chance(r, 35)) return make_navigation(m, r, depth - 1);
  return chance(r, 80) ? make_record(m, r) : MODEL_SKIP;
}

static int make_navigation(model *m, rng *r, int depth) {
  int node = add(m, MODEL_NAVIGATION);
  if (chance(r, 50)) m->nodes[node].marks = (uint64_t)1 << below(r, 64);
  if (chance(r, 30)) m->nodes[node].object_marks = (uint64_t)1 << below(r, 64);
  give_parts(m, r, node, child_outside, depth);
  return node;
}

void make_model(model *m, rng *r) {
  m->count = 0;
  add(m, MODEL_SKIP);
  add(m, MODEL_KEEP);
  add(m, MODEL_SHELL);
  m->root = chance(r, 55) ? make_record(m, r) : make_navigation(m, r, 3);
}

sm_selection *build_selection(const model *m) {
  sm_selection *s = sm_selection_create();
  if (s == NULL) return NULL;
  sm_node nodes[40] = {SM_SKIP, SM_KEEP, SM_SHELL};
  for (int i = 3; i < m->count; i++) {
    if (m->nodes[i].kind == MODEL_PARTS) nodes[i] = sm_selection_node(s);
    if (m->nodes[i].kind == MODEL_NAVIGATION) nodes[i] = sm_selection_navigation(s);
  }
  for (int i = 3; i < m->count; i++) {
    if (m->nodes[i].kind == MODEL_RECORD) nodes[i] = sm_selection_record(s, nodes[m->nodes[i].inside]);
  }
  for (int i = 3; i < m->count; i++) {
    const model_node *n = &m->nodes[i];
    for (unsigned path = 0; path < 64; path++) {
      if (n->marks >> path & 1) sm_selection_mark(s, nodes[i], path);
      if (n->object_marks >> path & 1) sm_selection_mark_object(s, nodes[i], path);
    }
    if (n->kind == MODEL_RECORD) continue;
    sm_selection_other_members(s, nodes[i], nodes[n->other_members]);
    sm_selection_other_elements(s, nodes[i], nodes[n->other_elements]);
    for (size_t k = 0; k < n->member_count; k++) {
      size_t length;
      const char *key = key_text(n->members[k].key, &length);
      // If a key is given twice, the later child counts.
      if (k % 2 == 1) sm_selection_member(s, nodes[i], (const uint8_t *)key, length, SM_KEEP, 1);
      sm_selection_member(s, nodes[i], (const uint8_t *)key, length, nodes[n->members[k].child], n->members[k].tag);
    }
    for (size_t k = 0; k < n->element_count; k++) {
      sm_selection_elements(
          s, nodes[i], n->elements[k].first, n->elements[k].end, nodes[n->elements[k].child]);
    }
  }
  if (!sm_selection_seal(s, nodes[m->root])) {
    sm_selection_destroy(s);
    return NULL;
  }
  return s;
}

size_t decode_key(const uint8_t *key, size_t length, uint8_t *out) {
  size_t count = 0;
  for (size_t q = 0; q < length; q++) {
    if (key[q] != '\\') {
      out[count++] = key[q];
      continue;
    }
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    char c = (char)key[++q];
    const char *name = strchr(names, c);
    if (name != NULL) {
      out[count++] = (uint8_t)values[name - names];
    } else if (c != 'u') {
      out[count++] = (uint8_t)c;
    } else {
      char hex[5] = {0};
      memcpy(hex, key + q + 1, 4);
      unsigned long code = strtoul(hex, NULL, 16);
      q += 4;
      if (code >= 0xD800 && code <= 0xDFFF) {
        memcpy(hex, key + q + 3, 4);
        code = 0x10000 + (code - 0xD800) * 0x400 + strtoul(hex, NULL, 16) - 0xDC00;
        q += 6;
      }
      int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      static const uint8_t leads[] = {0, 0xC0, 0xE0, 0xF0};
      out[count++] = (uint8_t)(leads[more] | code >> (6 * more));
      while (more-- > 0) out[count++] = (uint8_t)(0x80 | (code >> (6 * more) & 0x3F));
    }
  }
  return count;
}
