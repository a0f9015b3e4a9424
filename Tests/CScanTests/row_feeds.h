// Random selections whose records are rows, and feeds of such records.

#ifndef STREAMMAP_ROW_FEEDS_H
#define STREAMMAP_ROW_FEEDS_H

#include <stdio.h>
#include <string.h>

#include "row_writing.h"

static int add_shape(shapes *all, rng *r, sm_selection *s, int depth, int owner);

static void add_members(shapes *all, rng *r, sm_selection *s, int depth, int number, int owner) {
  size_t count = 1 + below(r, 5);
  for (size_t k = 0; k < count && all->count < 50; k++) {
    size_t key = chance(r, 60) ? below(r, 5) : below(r, key_count()), length;
    shape *here = &all->shapes[number];
    bool is_new = true;
    for (size_t i = 0; i < here->member_count; i++) is_new = is_new && here->members[i].key != key;
    if (!is_new) continue;
    uint32_t tag = all->shapes[owner].first_tag + all->shapes[owner].cell_count++;
    int child = add_shape(all, r, s, depth - 1, owner);
    const char *text = key_text(key, &length);
    sm_selection_member(s, here->node, (const uint8_t *)text, length, all->shapes[child].node, tag);
    here->members[here->member_count].key = key;
    here->members[here->member_count].child = child;
    here->members[here->member_count++].tag = tag;
  }
}

// `owner` is the object in whose block the members of a path have their cells; -1 where there is none.
static int add_shape(shapes *all, rng *r, sm_selection *s, int depth, int owner) {
  int number = all->count++, kind = depth <= 0 || chance(r, 50) ? SHAPE_SCALAR : 1 + (int)below(r, 3);
  if (owner < 0 && kind == SHAPE_PATH) kind = SHAPE_OBJECT;
  shape *here = &all->shapes[number];
  *here = (shape){.kind = kind, .node = kind == SHAPE_SCALAR ? SM_SHELL : sm_selection_node(s)};
  if (kind == SHAPE_PATH) add_members(all, r, s, depth, number, owner);
  if (kind == SHAPE_LIST) {
    here->element = add_shape(all, r, s, depth - 1, -1);
    sm_selection_other_elements(s, here->node, all->shapes[here->element].node);
  }
  if (kind == SHAPE_OBJECT) {
    // The tags of a block follow each other, those of the objects inside it do not come between them.
    here->first_tag = all->next_tag;
    all->next_tag += 100;
    here->cell_count = chance(r, 20) ? 2 : 1;
    add_members(all, r, s, depth, number, number);
    sm_selection_block(s, here->node, here->first_tag, here->cell_count);
  }
  return number;
}

// How a feed is written: what is between its tokens, and how often its records differ from each other.
typedef struct {
  const char *comma, *colon;
  unsigned oddness;   // of 100: how often something is not as the mapping wants it
  unsigned variety;   // of 100: how often a member is left out, comes at another place, or is not mapped
  bool has_plain_keys;
} manner;

static manner manner_for(rng *r) {
  static const char *const commas[] = {",", ", ", " , ", ",\t "}, *const colons[] = {":", ": ", " : ", ":  "};
  manner m = {",", ":", chance(r, 50) ? 0 : (unsigned)below(r, 30), chance(r, 30) ? 0 : 10, false};
  if (chance(r, 30)) m.comma = commas[below(r, 4)];
  if (chance(r, 30)) m.colon = colons[below(r, 4)];
  return m;
}

// Members that no mapping wants, with keys of every length that a link can have and some that it cannot.
static void put_unwanted(buf *b, rng *r, const manner *m) {
  size_t length = below(r, 40);
  put_text(b, "\"other");
  for (size_t i = 0; i < length; i++) put_byte(b, (uint8_t)('a' + i % 26));
  put_text(b, "\"");
  put_text(b, m->colon);
  put_value(b, r, 3, 8);
}

// An object with few members, whose keys are short, mostly different, and sometimes have an escape.
static void put_members(buf *b, rng *r, const manner *m) {
  put_byte(b, '{');
  for (uint64_t i = 0, count = below(r, 5); i < count; i++) {
    if (i > 0) put_text(b, m->comma);
    char key[40];
    sprintf(key, "\"%s%u%s\"", chance(r, 30) ? "a longer key " : "", (unsigned)below(r, 5), chance(r, 5) ? "\\u0041" : chance(r, 30) ? " is this" : "");
    put_text(b, key);
    put_text(b, m->colon);
    put_value(b, r, chance(r, 20) ? 2 : 0, 4);
  }
  put_byte(b, '}');
}

static void put_shaped(buf *b, rng *r, const shapes *all, int number, const manner *m) {
  unsigned oddness = m->oddness;
  const shape *here = &all->shapes[number];
  if (here->kind == SHAPE_PATH && chance(r, m->variety)) {
    put_text(b, "null");
  } else if (chance(r, oddness)) {
    put_value(b, r, 3, 8);
  } else if (here->kind == SHAPE_SCALAR) {
    // Any JSON is among the scalars, so objects come often.
    if (!m->has_plain_keys && oddness > 0 && chance(r, 20)) put_members(b, r, m);
    else put_value(b, r, 0, 0);
  } else if (here->kind == SHAPE_LIST) {
    put_byte(b, '[');
    for (uint64_t i = 0, count = below(r, 4); i < count; i++) {
      if (i > 0) put_byte(b, ',');
      put_shaped(b, r, all, here->element, m);
    }
    put_byte(b, ']');
  } else {
    put_byte(b, '{');
    bool is_first = true;
    size_t turn = m->variety == 0 || chance(r, 80) ? 0 : below(r, 5);
    for (size_t i = 0; i < here->member_count; i++) {
      size_t k = (i + turn) % here->member_count;
      if (chance(r, m->variety)) continue;
      if (!is_first) put_text(b, m->comma);
      is_first = false;
      if (chance(r, m->variety)) {
        put_unwanted(b, r, m);
        put_text(b, chance(r, oddness) ? " , " : m->comma);
      }
      size_t length;
      const char *key = key_text(here->members[k].key, &length);
      bool is_plain = m->has_plain_keys;
      for (size_t j = 0; j < length; j++) is_plain = is_plain && (uint8_t)key[j] >= 0x20 && strchr("\"\\", key[j]) == NULL;
      if (is_plain) {
        put_byte(b, '"');
        put(b, key, length);
        put_byte(b, '"');
      } else {
        put_key(b, r, here->members[k].key);
      }
      put_text(b, chance(r, oddness) ? " : " : m->colon);
      put_shaped(b, r, all, here->members[k].child, m);
    }
    put_byte(b, '}');
  }
}

#endif
