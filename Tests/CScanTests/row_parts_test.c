// Rows with all kinds of nodes, compared with a slow reading of each record's text: paths through objects and arrays, dictionaries,
// members that no node names, and containers that are closed, which are opened again.

#include <stdlib.h>
#include <string.h>

// To see which rows came without an index.
#include "../../Sources/CScan/walker.h"
#include "row_names.h"
#include "row_variants.h"
#include "slow_reading.h"
#include "test.h"

// What reads a value. The members and elements of a path have cells in the block around it.
enum { KEEP, OBJECT, ARRAY, OBJECT_PATH, ARRAY_PATH, LIST, DICTIONARY };

typedef struct {
  int kind;
  bool reopens, takes_others;
  sm_node node;
  uint32_t cell_count;
  size_t count;
  struct { size_t key; int child; uint32_t tag; } parts[5];  // the key of a member, or the index of an element
  int child;  // of a list or dictionary
} reading;

typedef struct {
  reading all[60];
  int count;
} readings;

static uint64_t rows, known, on_lines, others, opened, matched, placed, copied, members_found, closed_records;

// Whether records have no arrays but what nothing reads: then all have a layout, and what is opened again is in them.
static bool is_flat;

static int add_reading(readings *m, rng *r, sm_selection *s, int depth, int owner);

static void add_parts(readings *m, rng *r, sm_selection *s, int depth, int number, int owner) {
  bool is_array = m->all[number].kind == ARRAY_PATH || m->all[number].kind == ARRAY;
  for (uint64_t left = 1 + below(r, 4); left > 0 && m->count < 50; left--) {
    size_t key = is_array ? below(r, 4) : below(r, 6), length;
    bool is_new = true;
    for (size_t i = 0; i < m->all[number].count; i++) is_new = is_new && m->all[number].parts[i].key != key;
    if (!is_new) continue;
    uint32_t tag = m->all[owner].cell_count++;
    int child = add_reading(m, r, s, depth - 1, owner);
    reading *here = &m->all[number];
    const char *text = key_text(key, &length);
    if (is_array) sm_selection_element(s, here->node, key, m->all[child].node, tag);
    else sm_selection_member(s, here->node, (const uint8_t *)text, length, m->all[child].node, tag);
    here->parts[here->count].key = key;
    here->parts[here->count].child = child;
    here->parts[here->count++].tag = tag;
  }
}

// `owner` is the object in whose block the parts of a path have their cells; -1 where there is none.
static int add_reading(readings *m, rng *r, sm_selection *s, int depth, int owner) {
  int number = m->count++, kind = depth <= 0 ? KEEP : (int)below(r, 7);
  if (is_flat && (kind == ARRAY || kind == LIST)) kind = OBJECT;
  if (is_flat && kind == ARRAY_PATH) kind = OBJECT_PATH;
  if (owner < 0 && (kind == OBJECT_PATH || kind == ARRAY_PATH)) kind = OBJECT;
  reading *here = &m->all[number];
  *here = (reading){.kind = kind, .node = kind == KEEP ? SM_KEEP : sm_selection_node(s)};
  if (kind != KEEP && kind != DICTIONARY && chance(r, is_flat ? 80 : 40)) {
    here->reopens = true;
    sm_selection_reopen(s, here->node);
  }
  if (kind == OBJECT || kind == ARRAY) {
    here->cell_count = 1;
    here->takes_others = kind == OBJECT && chance(r, 40);
    if (here->takes_others) sm_selection_other_members(s, here->node, SM_KEEP);
    add_parts(m, r, s, depth, number, number);
    // A node with a block that names no element opens objects.
    if (kind == ARRAY && m->all[number].count == 0) m->all[number].kind = OBJECT;
    sm_selection_block(s, here->node, 0, m->all[number].cell_count);
  } else if (kind == OBJECT_PATH || kind == ARRAY_PATH) {
    // Its own cell has the first of its other members, or says where it is.
    here->takes_others = kind == OBJECT_PATH && !here->reopens && chance(r, 40);
    if (here->takes_others) sm_selection_other_members(s, here->node, SM_KEEP);
    add_parts(m, r, s, depth, number, owner);
  } else if (kind == LIST || kind == DICTIONARY) {
    int child = add_reading(m, r, s, depth - 1, -1);
    here = &m->all[number];
    here->child = child;
    if (kind == LIST) sm_selection_other_elements(s, here->node, m->all[child].node);
    else sm_selection_other_members(s, here->node, m->all[child].node);
    if (kind == DICTIONARY) sm_selection_block(s, here->node, 0, 1);
  }
  return number;
}

// --- Feeds

// Whether records are such as most have a layout: plain keys, and scalars where any value may be.
static bool is_plain;

static void put_any(buf *b, rng *r, int depth, int budget) { put_value(b, r, is_plain ? 0 : depth, is_plain ? 0 : budget); }

static void put_name(buf *b, rng *r, size_t key) {
  size_t length;
  const char *text = key_text(key, &length);
  bool has_odd = !is_plain;
  for (size_t i = 0; i < length; i++) has_odd = has_odd || (uint8_t)text[i] < 0x20 || text[i] == '"' || text[i] == '\\';
  if (has_odd) return put_key(b, r, key);
  put_byte(b, '"');
  put(b, text, length);
  put_byte(b, '"');
}

static void put_read(buf *b, rng *r, const readings *m, int number, const char *comma) {
  const reading *here = &m->all[number];
  if (here->kind == KEEP || (!is_plain && chance(r, 5))) return put_any(b, r, 3, 8);
  bool is_array = here->kind == LIST || here->kind == ARRAY_PATH || here->kind == ARRAY;
  put_byte(b, is_array ? '[' : '{');
  size_t count = 0, turn = chance(r, 80) ? 0 : below(r, 5);
  if (here->kind == LIST || here->kind == DICTIONARY) {
    for (uint64_t left = below(r, 4); left > 0; left--) {
      if (count++ > 0) put_text(b, comma);
      if (here->kind == DICTIONARY) {
        put_name(b, r, below(r, key_count()));
        put_text(b, ": ");
      }
      put_read(b, r, m, here->child, comma);
    }
  } else if (is_array) {
    for (size_t index = 0, end = below(r, 6); index < end; index++) {
      if (count++ > 0) put_text(b, comma);
      size_t k = 0;
      while (k < here->count && here->parts[k].key != index) k++;
      if (k < here->count) put_read(b, r, m, here->parts[k].child, comma);
      else put_any(b, r, 2, 4);
    }
  } else {
    for (size_t i = 0; i < here->count; i++) {
      size_t k = (i + turn) % here->count;
      if (chance(r, 15)) {
        if (count++ > 0) put_text(b, comma);
        put_name(b, r, 6 + below(r, key_count() - 6));
        put_text(b, ":");
        put_any(b, r, 2, 4);
      }
      if (chance(r, 10)) continue;
      if (count++ > 0) put_text(b, comma);
      put_name(b, r, here->parts[k].key);
      put_text(b, ":");
      put_read(b, r, m, here->parts[k].child, comma);
    }
  }
  put_byte(b, is_array ? ']' : '}');
}

// --- A slow reading of well-formed text

static bool matches(const uint8_t *key, const uint8_t *end, size_t wanted) {
  uint8_t decoded[400];
  size_t length, count = (size_t)(end - key) - 2;
  const char *text = key_text(wanted, &length);
  if (count > sizeof decoded) return false;
  return decode_key(key + 1, count, decoded) == length && memcmp(decoded, text, length) == 0;
}

// --- The comparison

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      if (!has_failed()) fail("line %d: %s", __LINE__, #condition); \
      return; \
    } \
  } while (0)

static void check(const readings *m, sm_row row, int number, uint32_t cell_number, uint32_t block, const uint8_t *p, rng *r);

static void check_place(sm_row row, const sm_cell *cell, const uint8_t *p) {
  const uint8_t *end = past_value(p);
  CHECK(cell->is_closed);
  CHECK(row.text + cell->start == p && row.text + cell->end == end);
  const uint32_t *index = sm_row_index(row.walker, cell->start, cell->end);
  CHECK(index != NULL && *index == cell->start);
  // Without white space, and with the escapes that it needs.
  uint8_t *out = need((size_t)(end - p));
  size_t count = sm_row_copy(row.walker, cell->start, cell->end, out);
  buf right = {0};
  put_compact(&right, p, (size_t)(end - p));
  bool is_same = count == right.count && memcmp(out, right.bytes, count) == 0;
  drop(&right);
  CHECK(is_same);
  copied++;
  free(out);
}

// Looks for a member of an object by a key as it is written.
static void check_member(sm_row row, const uint8_t *object, const uint8_t *key, size_t length) {
  // Keys with escapes are not asked for.
  if (memchr(key, '\\', length) != NULL) return;
  sm_cell found;
  const uint8_t *end = past_value(object);
  bool is_known = sm_row_member(row.walker, (uint32_t)(object - row.text), (uint32_t)(end - row.text), key, length, &found);
  for (const uint8_t *p = past_space(object + 1); *p != '}';) {
    const uint8_t *name = p, *name_end = past_value(p), *value = past_space(past_space(name_end) + 1);
    size_t written = (size_t)(name_end - name);
    if (written == length && memcmp(name, key, length) == 0) {
      CHECK(is_known && found.kind == *value && row.text + found.start == value);
      CHECK(row.text + found.end == past_value(value));
      CHECK(found.is_closed == (*value == '{' || *value == '['));
      CHECK(found.has_escapes == (*value == '"' && memchr(value, '\\', found.end - found.start) != NULL));
      members_found++;
      return;
    }
    if (written > length && memchr(name, '\\', written) != NULL) {
      CHECK(!is_known);
      return;
    }
    p = past_space(past_value(value));
    if (*p == ',') p = past_space(p + 1);
  }
  CHECK(is_known && found.kind == SM_CELL_ABSENT);
}

static void check_members(
    const readings *m, sm_row row, const reading *here, uint32_t block, uint32_t other, const uint8_t *p, rng *r) {
  bool seen[5] = {false};
  const uint8_t *object = p;
  check_member(row, object, (const uint8_t *)"\"none\"", 6);
  for (p = past_space(p + 1); *p != '}';) {
    const uint8_t *key = p, *key_end = past_value(p), *value = past_space(past_space(key_end) + 1);
    size_t k = 0;
    while (k < here->count && !matches(key, key_end, here->parts[k].key)) k++;
    if (k < here->count) {
      CHECK(!seen[k]);
      seen[k] = true;
      check(m, row, here->parts[k].child, block + here->parts[k].tag, block, value, r);
    } else if (here->takes_others || here->kind == DICTIONARY) {
      const sm_cell *cell = &row.cells[other];
      CHECK(other != 0 && cell->kind == SM_CELL_KEY && row.text + cell->start == key && row.text + cell->end == key_end);
      CHECK(cell->has_escapes == (memchr(key, '\\', (size_t)(key_end - key)) != NULL));
      uint32_t next = cell->next;
      if (here->kind == DICTIONARY) check(m, row, here->child, other + 1, 0, value, r);
      else check(m, row, -1, other + 1, 0, value, r);
      other = next;
    }
    if (has_failed()) return;
    if (chance(r, 20)) check_member(row, object, key, (size_t)(key_end - key));
    if (chance(r, 5)) {
      sm_cell named = sm_row_key(row.walker, (uint32_t)(value - row.text));
      CHECK(row.text + named.start == key && row.text + named.end == key_end);
    }
    p = past_space(past_value(value));
    if (*p == ',') p = past_space(p + 1);
  }
  CHECK(!(here->takes_others || here->kind == DICTIONARY) || other == 0);
  for (size_t k = 0; k < here->count; k++) CHECK(seen[k] || row.cells[block + here->parts[k].tag].kind == SM_CELL_ABSENT);
}

static void check_elements(
    const readings *m, sm_row row, const reading *here, uint32_t block, const uint8_t *p, rng *r) {
  size_t index = 0;
  for (p = past_space(p + 1); *p != ']'; index++) {
    for (size_t k = 0; k < here->count; k++) {
      if (here->parts[k].key == index) check(m, row, here->parts[k].child, block + here->parts[k].tag, block, p, r);
    }
    if (has_failed()) return;
    p = past_space(past_value(p));
    if (*p == ',') p = past_space(p + 1);
  }
  for (size_t k = 0; k < here->count; k++) {
    CHECK(here->parts[k].key < index || row.cells[block + here->parts[k].tag].kind == SM_CELL_ABSENT);
  }
}

static void check_list(
    const readings *m, sm_row row, const reading *here, const sm_cell *cell, const uint8_t *p, rng *r) {
  uint32_t element = cell->start, count = cell->end;
  if (here->reopens) {
    CHECK(row.cells[element].kind == SM_CELL_HEAD);
    check_place(row, &row.cells[element], p);
    element = row.cells[element].next;
  }
  for (p = past_space(p + 1); *p != ']'; count--) {
    CHECK(count > 0);
    uint32_t next = row.cells[element].next;
    check(m, row, here->child, element, 0, p, r);
    if (has_failed()) return;
    element = next;
    p = past_space(past_value(p));
    if (*p == ',') p = past_space(p + 1);
  }
  CHECK(count == 0);
}

// Opens a closed container again, by what reads it or by anything else.
static void check_again(const readings *m, sm_row row, int number, sm_cell place, const uint8_t *p, rng *r) {
  uint32_t used = sm_row_cells(row.walker);
  for (int turn = 0; turn < 2 && !has_failed(); turn++) {
    if (turn == 1) number = (int)below(r, (uint64_t)m->count);
    const reading *here = number < 0 ? NULL : &m->all[number];
    if (here == NULL || here->kind == KEEP || here->kind == OBJECT_PATH || here->kind == ARRAY_PATH || chance(r, turn == 0 ? 50 : 80)) continue;
    uint32_t again = sm_row_open(row.walker, place.start, place.end, here->node);
    bool is_array = here->kind == LIST || here->kind == ARRAY;
    // What was not made for a node may be too odd for it.
    CHECK((again != 0) == ((*p == '[') == is_array) || (turn == 1 && again == 0));
    if (again == 0) continue;
    opened++;
    check(m, row, number, again, 0, p, r);
  }
  sm_row_release(row.walker, used);
}

static void check(const readings *m, sm_row row, int number, uint32_t cell_number, uint32_t block, const uint8_t *p, rng *r) {
  const sm_cell cell = row.cells[cell_number];
  const reading *here = number < 0 ? NULL : &m->all[number];
  int kind = here == NULL ? KEEP : here->kind;
  CHECK(cell.kind == *p);
  closed_records += cell_number == 0 && cell.is_closed;
  if (cell_number == 0 && kind == ARRAY && *p == '{') {
    // A record that is an object has a block wherever its node has cells.
    CHECK(!cell.is_closed);
    for (size_t k = 0; k < here->count; k++) CHECK(row.cells[cell.start + here->parts[k].tag].kind == SM_CELL_ABSENT);
    return;
  }
  if (*p != '{' && *p != '[') {
    CHECK(row.text + cell.start == p && row.text + cell.end == past_value(p));
    CHECK(*p != '"' || cell.has_escapes == (memchr(p, '\\', cell.end - cell.start) != NULL));
    return;
  }
  bool is_path = kind == OBJECT_PATH || kind == ARRAY_PATH, is_array = kind == ARRAY_PATH || kind == LIST || kind == ARRAY;
  bool is_open = kind != KEEP && (*p == '[') == is_array && (!is_path || here->count > 0);
  if (!is_open || (is_path && here->reopens)) {
    check_place(row, &cell, p);
    if (!has_failed()) check_again(m, row, number, cell, p, r);
    if (!is_open || has_failed()) return;
  }
  CHECK(cell.is_closed == (is_path && here->reopens));
  if (kind == LIST) return check_list(m, row, here, &cell, p, r);
  if (!is_path) {
    block = cell.start;
    if (here->reopens) {
      CHECK(row.cells[block].next == here->node && row.cells[block].has_escapes);
      check_place(row, &row.cells[block], p);
      if (!has_failed()) check_again(m, row, number, row.cells[block], p, r);
    }
  }
  if (has_failed()) return;
  if (kind == ARRAY_PATH || kind == ARRAY) check_elements(m, row, here, block, p, r);
  else check_members(m, row, here, block, is_path && here->reopens ? 0 : cell.end, p, r);
}

// Checks the line of a record in a feed.
static void check_line(const buf *feed, sm_token record) {
  uint64_t line = 1, line_start = 0;
  for (size_t k = 0; k < record.start; k++) {
    if (feed->bytes[k] != '\n') continue;
    line++;
    line_start = k + 1;
  }
  CHECK(record.line == line && record.line_start == line_start);
}

// Walks the bytes of a buffer from `start` to before `end`, whose first byte has this offset in the feed, as one piece.
static void walk_piece(const readings *m, sm_walker *w, const buf *b, size_t start, size_t end, uint64_t offset, bool is_final, rng *r) {
  uint8_t *piece = need(end - start);
  memcpy(piece, b->bytes + start, end - start);
  sm_walker_input(w, piece, end - start, is_final);
  sm_step step;
  while ((step = sm_walker_next(w)) != SM_STEP_END && step != SM_STEP_INPUT && !has_failed()) {
    if (step != SM_STEP_ROW) {
      others += step == SM_STEP_RECORD;
      continue;
    }
    rows++;
    known += w->row.is_unscanned;
    on_lines += !w->row.is_unscanned && w->row.index == w->row.flat;
    sm_row row = sm_walker_row(w);
    sm_token record = sm_walker_record(w);
    size_t length = (size_t)(record.end - record.start);
    const uint8_t *text = piece + (record.start - offset - start);
    if (sm_row_length(w) != length) fail("the record has another length");
    if (offset == 0) check_line(b, record);
    check(m, row, 0, 0, 0, text, r);
    check_names(w, text, length);
    if (has_failed()) printf("    %.*s\n", (int)length, text);
  }
  free(piece);
}

void test_row_parts(void) {
  put_values_on_lines();
  for (uint64_t round = 0; round < 600 && !has_failed(); round++) {
    rng r = rng_for("row parts", round);
    sm_selection *s = sm_selection_create();
    if (s == NULL) abort();
    static readings m;
    is_flat = chance(&r, 30);
    m.count = 0;
    add_reading(&m, &r, s, 4, -1);
    // A node that opens nothing.
    if (m.all[0].kind == KEEP) m.all[0].node = sm_selection_node(s);
    sm_node inside = sm_selection_node(s);
    sm_selection_other_members(s, inside, SM_KEEP);
    sm_selection_rows(s, inside, m.all[0].node);
    if (!sm_selection_seal(s, sm_selection_record(s, inside))) abort();
    sm_limits limits = {280, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    sm_walker *w = sm_walker_create(s, SM_FRAMING_NDJSON, limits, SM_FORM_TOKENS);
    if (w == NULL) abort();
    sm_walker_take_rows(w, true);
    buf feed = {0};
    const char *comma = chance(&r, 50) ? "," : " , ";
    for (uint64_t left = 1 + below(&r, 40); left > 0; left--) {
      put_read(&feed, &r, &m, 0, comma);
      put_byte(&feed, '\n');
    }
    walk_piece(&m, w, &feed, 0, feed.count, 0, true, &r);
    // The same records, each on several lines.
    buf on_several = {0};
    put_on_lines(&on_several, &feed, &r);
    sm_walker_reset(w, SM_FRAMING_CONCAT);
    if (!has_failed()) walk_piece(&m, w, &on_several, 0, on_several.count, 0, true, &r);
    drop(&on_several);
    // Then some lines, each alone and then several times with other scalars: their layouts are known by then. A walker that has just met
    // many others would leave layouts alone.
    if (chance(&r, 50)) {
      sm_walker_reset(w, SM_FRAMING_NDJSON);
    } else {
      sm_walker_destroy(w);
      w = sm_walker_create(s, SM_FRAMING_NDJSON, limits, SM_FORM_TOKENS);
      if (w == NULL) abort();
      sm_walker_take_rows(w, true);
    }
    uint64_t offset = 0;
    is_plain = true;
    for (int lines = 0; lines < 4 && !has_failed(); lines++) {
      buf line = {0}, copies = {0};
      put_read(&line, &r, &m, 0, comma);
      put_byte(&line, '\n');
      size_t length = line.count;
      put(&copies, line.bytes, length);
      for (int k = 0; k < 12; k++) put_varied(&copies, &line, &r);
      walk_piece(&m, w, &copies, 0, length, offset, false, &r);
      if (!has_failed()) walk_piece(&m, w, &copies, length, copies.count, offset, false, &r);
      offset += copies.count;
      drop(&line);
      drop(&copies);
    }
    is_plain = false;
    drop(&feed);
    for (size_t k = 0; k < w->layouts.count; k++) placed += w->layouts.all[k]->inner_count;
    for (size_t k = 0; k < w->layouts.opened_count; k++) matched += w->layouts.opened[k].matches;
    sm_walker_destroy(w);
    sm_selection_destroy(s);
  }
  printf("    %llu rows, %llu of them with a known layout, %llu on several lines, %llu other records, %llu containers opened again, %llu of them with a known layout, %llu in a known place, %llu places\n",
         (unsigned long long)rows, (unsigned long long)known, (unsigned long long)on_lines, (unsigned long long)others, (unsigned long long)opened, (unsigned long long)matched, (unsigned long long)placed, (unsigned long long)copied);
  if (!has_failed() && has_layouts() && known < 200) fail("too few rows with a known layout");
  if (!has_failed() && has_layouts() && matched < 1000) fail("too few containers with a known layout");
  if (!has_failed() && has_layouts() && placed < 100) fail("too few containers in a known place");
  if (!has_failed() && on_lines < 1000) fail("too few records on several lines");
  if (!has_failed() && (named < 1000 || not_named < 1000)) fail("too few keys are found, or too few are not");
  if (!has_failed() && closed_records < 1000) fail("too few records that nothing opens");
  if (!has_failed() && members_found < 1000) fail("too few members are found");
  if (!has_failed() && (rows < 4000 || opened < 1000)) fail("too few rows");
}
