// Rows, compared with the tokens of the same records: two walkers go over a feed, one with rows, one without. Now and then, the
// first one has to hand over a record again, as tokens.

#include <stdlib.h>
#include <string.h>

// To see which rows came without an index.
#include "../../Sources/CScan/walker.h"
#include "column_filling.h"
#include "cell_writing.h"
#include "row_feeds.h"
#include "row_expected.h"

typedef struct {
  const shapes *all;
  sm_row row;
  const sm_token *next, *end;
  uintptr_t origin;
  bool is_good;
} comparison;

static const uint8_t *text_of(const comparison *c) { return (const uint8_t *)(c->origin + (uintptr_t)c->next->start); }

static uint64_t n_opened, n_unexpected;

// Compares the cell of the value at the next token, and passes over its tokens.
static void compare_value(comparison *c, int number, uint32_t cell_number, uint32_t block) {
  const shape *here = &c->all->shapes[number];
  const sm_cell *cell = &c->row.cells[cell_number];
  const uint8_t *text = text_of(c);
  uint8_t kind = *text;
  if (cell->kind != kind) {
    c->is_good = false;
    return;
  }
  if (cell->is_closed) {
    // It begins and ends with its brackets.
    const uint32_t *index = sm_row_index(c->row.walker, cell->start, cell->end);
    uint8_t last = c->row.text[cell->end - 1];
    if (c->row.text[cell->start] != kind || last != kind + 2 || index == NULL || *index != cell->start) c->is_good = false;
    bool has_cells = here->kind == SHAPE_OBJECT || here->kind == SHAPE_LIST;
    uint32_t opened = has_cells ? sm_row_open(c->row.walker, cell->start, cell->end, here->node) : 0;
    bool is_expected = here->kind == (kind == '[' ? SHAPE_LIST : SHAPE_OBJECT);
    if (is_expected != (opened != 0)) c->is_good = false;
    if (!c->is_good) return;
    if (opened != 0) {
      n_opened++;
      compare_value(c, number, opened, block);
      sm_row_release(c->row.walker, opened);
      return;
    }
    // If a container is not expected, only the brackets are handed over.
    n_unexpected++;
    if (c->next[1].end - c->next[1].start != 1) c->is_good = false;
    c->next += 2;
    return;
  }
  if (kind == '[') {
    uint32_t element = cell->start, left = cell->end;
    for (c->next++; c->is_good && *text_of(c) != ']'; left--) {
      if (left == 0) {
        c->is_good = false;
        return;
      }
      uint32_t after = c->row.cells[element].next;
      compare_value(c, here->element, element, 0);
      element = after;
    }
    if (left > 0 || element > 0) c->is_good = false;
    c->next++;
  } else if (kind == '{') {
    bool seen[128] = {false};
    if (here->kind == SHAPE_OBJECT) block = cell->start;
    for (c->next++; c->is_good && *text_of(c) != '}';) {
      uint32_t tag = c->next++->tag;
      size_t k = 0;
      while (k < here->member_count && here->members[k].tag != tag) k++;
      if (k == here->member_count) {
        c->is_good = false;
        return;
      }
      // The tags of a path are those of the block around it.
      uint32_t first = tag / 100 * 100;
      seen[tag - first] = true;
      compare_value(c, here->members[k].child, block + tag - first, block);
    }
    for (size_t k = 0; k < here->member_count && c->is_good; k++) {
      uint32_t tag = here->members[k].tag;
      if (!seen[tag % 100] && c->row.cells[block + tag % 100].kind != SM_CELL_ABSENT) c->is_good = false;
    }
    c->next++;
  } else {
    size_t length = (size_t)(c->next->end - c->next->start);
    bool has_escapes = kind == '"' && c->next->has_escapes;
    // A piece is the same memory for both, the few bytes that were cut off before it are not.
    bool is_same = cell->end - cell->start == length && memcmp(c->row.text + cell->start, text, length) == 0;
    if (!is_same || cell->has_escapes != has_escapes) c->is_good = false;
    c->next++;
  }
}

static bool same_token(sm_token a, sm_token b) {
  return a.start == b.start && a.end == b.end && a.line == b.line && a.line_start == b.line_start && a.tag == b.tag &&
         a.has_escapes == b.has_escapes && a.is_key == b.is_key && a.is_absent == b.is_absent;
}

// The largest piece: feeds have several batches.
enum { PIECE = 200000 };

// The feed that two walkers go over, all of it.
static const buf *walked;

// A walker on its way through the feed, and the tokens of the record that it is in: where a batch ends, two walkers have handed over different
// parts of one.
typedef struct {
  sm_walker *walker;
  size_t given;
  bool is_final;
  sm_token *tokens;
  size_t count;
  sm_step step;
} walking;

// Advances to what is not a part of a record.
static void go_on(walking *on) {
  if (on->step != SM_STEP_INPUT) on->count = 0;
  for (;;) {
    on->step = sm_walker_next(on->walker);
    if (on->step != SM_STEP_CHUNK && on->step != SM_STEP_RECORD) return;
    const sm_chunk *chunk = sm_walker_chunk(on->walker);
    on->tokens = realloc(on->tokens, (on->count + chunk->token_count + 1) * sizeof *on->tokens);
    if (on->tokens == NULL) abort();
    if (chunk->token_count > 0) memcpy(on->tokens + on->count, chunk->tokens, chunk->token_count * sizeof *on->tokens);
    on->count += chunk->token_count;
    if (on->step == SM_STEP_RECORD) return;
  }
}

// Advances in what the other walker was given.
static void follow(walking *on, const walking *other) {
  for (;;) {
    go_on(on);
    if (on->step != SM_STEP_INPUT || (on->given == other->given && on->is_final == other->is_final)) return;
    sm_walker_input(on->walker, walked->bytes + on->given, other->given - on->given, other->is_final);
    on->given = other->given;
    on->is_final = other->is_final;
  }
}

static bool same_tokens(const walking *a, const walking *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++) {
    if (!same_token(a->tokens[i], b->tokens[i])) return false;
  }
  return true;
}

// Whether two offsets mean the same place between tokens: a walker that takes whole lines does not look at the white space before the next.
static bool same_place(uint64_t a, uint64_t b) {
  while (a < b && a < walked->count && strchr(" \t\r", walked->bytes[a]) != NULL) a++;
  return a == b;
}

// Whether two walkers are at the same place. They read ahead in batches of their own.
static bool agree(const sm_walker *a, const sm_walker *b, sm_step step) {
  // After a final fault, a walker is somewhere in the batch.
  bool is_input_read = step == SM_STEP_INPUT || (step == SM_STEP_END && !sm_walker_fault(a).final);
  if (is_input_read && sm_walker_offset(a) != sm_walker_offset(b)) return false;
  if (sm_walker_line(a) != sm_walker_line(b)) return false;
  if (sm_walker_paths_seen(a) != sm_walker_paths_seen(b) || sm_walker_framing(a) != sm_walker_framing(b)) return false;
  sm_position p = {0}, q = {0};
  if (sm_walker_position(a, &p) != sm_walker_position(b, &q)) return false;
  if (step == SM_STEP_END && sm_walker_last_position(a, &p) != sm_walker_last_position(b, &q)) return false;
  if (!same_place(p.offset, q.offset) || p.line != q.line || p.place != q.place || p.is_first_text != q.is_first_text || p.has_text != q.has_text || !same_token(p.text, q.text)) return false;
  if (step == SM_STEP_FAULT) {
    sm_fault f = sm_walker_fault(a), g = sm_walker_fault(b);
    return f.kind == g.kind && f.expected == g.expected && same_token(f.at, g.at) && same_token(sm_walker_text(a), sm_walker_text(b));
  }
  if (step != SM_STEP_RECORD) return true;
  if (!same_token(sm_walker_record(a), sm_walker_record(b)) || sm_walker_record_paths(a) != sm_walker_record_paths(b)) return false;
  size_t count = sm_walker_levels(a, true);
  if (count != sm_walker_levels(b, true)) return false;
  for (size_t i = 0; i < count; i++) {
    sm_level l = sm_walker_level(a, i), m = sm_walker_level(b, i);
    if (l.start != m.start || l.index != m.index || l.is_object != m.is_object || l.key_length != m.key_length) return false;
    if (l.key_length > 0 && memcmp(l.key, m.key, l.key_length) != 0) return false;
  }
  return true;
}

typedef struct {
  uint64_t rows, redone, others, documents, known, joined;
  const writing *writing;
} counts;

// Whether a row is written as it has to be, as JSON and in other forms: in any order, because the first one may change cells.
static bool writes_all(const writing *w, sm_row row, rng *r) {
  bool is_good = true;
  for (size_t first = below(r, 4), i = 0; i < 4 && is_good; i++) {
    switch ((first + i) % 4) {
      case 0: is_good = writes_row(w, row, false, r) && writes_row(w, row, true, r); break;
      case 1: is_good = !chance(r, 20) || fills_row(w, row, r); break;
      case 2: is_good = !chance(r, (unsigned)sample(30)) || writes_indented(w, row); break;
      default: is_good = !chance(r, (unsigned)sample(30)) || writes_cells(w, row, r);
    }
  }
  return is_good;
}

// Whether two walkers hand over the same.
static bool same_step(const walking *on, const walking *other, const shapes *all, rng *r, counts *n) {
  sm_walker *a = on->walker, *b = other->walker;
  if (on->step != SM_STEP_ROW) {
    if (on->step == SM_STEP_RECORD) n->others++;
    return on->step == other->step && agree(a, b, on->step) && (on->step != SM_STEP_RECORD || same_tokens(on, other));
  }
  n->known += a->row.is_unscanned;
  n->joined += a->batch == a->cut_bytes;
  if (other->step != SM_STEP_RECORD || !agree(a, b, other->step)) return false;
  comparison c = {all, sm_walker_row(a), other->tokens, other->tokens + other->count, (uintptr_t)walked->bytes, true};
  compare_value(&c, 0, 0, 0);
  if (!c.is_good || c.next != c.end) return false;
  if (n->writing != NULL && !writes_all(n->writing, c.row, r)) return false;
  n->rows++;
  if (!chance(r, 10)) return true;
  n->redone++;
  sm_walker_redo(a);
  walking again = {.walker = a};
  go_on(&again);
  bool is_same = again.step == SM_STEP_RECORD && agree(a, b, SM_STEP_RECORD) && same_tokens(&again, other);
  free(again.tokens);
  return is_same;
}

static bool walk_both(sm_walker *a, sm_walker *b, const shapes *all, rng *r, const buf *feed, size_t most, counts *n) {
  walked = feed;
  walking on = {.walker = a}, other = {.walker = b};
  bool is_good = true, is_ahead = false;
  while (is_good && on.step != SM_STEP_END) {
    if (on.is_final) is_good = false;
    size_t size = 1 + below(r, most);
    if (size > feed->count - on.given) size = feed->count - on.given;
    uint8_t *piece = need(size);
    if (size > 0) memcpy(piece, feed->bytes + on.given, size);
    on.given += size;
    on.is_final = on.given == feed->count;
    // A document that comes in one piece may be taken at once.
    bool is_document = on.is_final && size == feed->count && sm_walker_framing(a) == SM_FRAMING_JSON && chance(r, 70), is_row = false;
    if (is_document) is_row = sm_walker_take_document(a, piece, size);
    else sm_walker_input(a, piece, size, on.is_final);
    n->documents += is_row;
    do {
      if (is_row) on.step = SM_STEP_ROW;
      else go_on(&on);
      is_row = false;
      // While the first one waits for the rest of a record, the other one hands over the parts of it, or its fault; it does not have all of it.
      bool waits = on.step == SM_STEP_INPUT && a->cut.is_waiting;
      if (!is_ahead) follow(&other, &on);
      is_ahead = waits && other.step != SM_STEP_INPUT;
      if (waits && other.step == SM_STEP_RECORD) is_good = false;
      if (waits && !is_ahead) is_good = sm_walker_line(a) == sm_walker_line(b) && sm_walker_line_start(a) == sm_walker_line_start(b);
      if (!waits) is_good = is_good && same_step(&on, &other, all, r, n);
    } while (is_good && on.step != SM_STEP_INPUT && on.step != SM_STEP_END);
    memset(piece, 0xDB, size);
    free(piece);
  }
  free(on.tokens);
  free(other.tokens);
  return is_good;
}

static void put_records(buf *feed, rng *r, const shapes *all, sm_framing framing, bool in_array) {
  bool is_json = framing == SM_FRAMING_JSON;
  manner m = manner_for(r), other = manner_for(r);
  // Some feeds change their manner, once or with every record.
  unsigned change = chance(r, 70) ? 0 : chance(r, 50) ? 5 : 50;
  for (uint64_t i = 0, count = is_json ? 1 : 1 + below(r, chance(r, 2) ? 2000 : chance(r, 20) ? 60 : 6); i < count; i++) {
    if (chance(r, change)) {
      manner last = m;
      m = other;
      other = last;
    }
    if (framing == SM_FRAMING_SEQ) put_byte(feed, 0x1E);
    if (in_array) put_text(feed, "{\"items\":[");
    for (uint64_t k = 0, parts = in_array ? below(r, 6) : 1; k < parts; k++) {
      if (k > 0) put_byte(feed, ',');
      put_shaped(feed, r, all, 0, &m);
    }
    if (in_array) put_text(feed, "]}");
    if (i + 1 < count || chance(r, 50)) put_byte(feed, '\n');
  }
}

void test_rows(void) {
  const char *names[MOST_IMPLEMENTATIONS];
  size_t implementation_count = implementations(names);
  counts n = {0};
  for (uint64_t round = 0; round < sample(1500) && !has_failed(); round++) {
    rng r = rng_for("rows", round);
    sm_selection *s = sm_selection_create();
    if (s == NULL) abort();
    shapes all = {.next_tag = 100};
    do {
      all.count = 0;
      add_shape(&all, &r, s, 4, -1);
    } while (all.shapes[0].kind != SHAPE_OBJECT);
    bool in_array = chance(&r, 40);
    sm_node root = sm_selection_record(s, all.shapes[0].node);
    if (in_array) {
      sm_node items = sm_selection_navigation(s), list = sm_selection_navigation(s);
      sm_selection_other_elements(s, list, root);
      sm_selection_member(s, items, (const uint8_t *)"items", 5, list, 0);
      sm_selection_mark(s, list, 0);
      root = items;
    }
    // It opens objects that are closed.
    sm_node members = sm_selection_node(s);
    sm_selection_other_members(s, members, SM_KEEP);
    sm_selection_block(s, members, 0, 1);
    if (!sm_selection_seal(s, root)) abort();
    static writing w;
    make_writing(&w, &all, members, &r);
    n.writing = &w;
    sm_framing framing = (sm_framing)below(&r, 5);
    sm_limits limits = {280, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    if (chance(&r, 25)) limits = (sm_limits){30 + below(&r, 5), below(&r, 30), 1 + below(&r, 8), below(&r, 20)};
    sm_walker *a = sm_walker_create(s, framing, limits, SM_FORM_TOKENS), *b = sm_walker_create(s, framing, limits, SM_FORM_TOKENS);
    if (a == NULL || b == NULL) abort();
    sm_walker_take_rows(a, true);
    for (int k = 0; k < 6 && !has_failed(); k++) {
      buf feed = {0};
      put_records(&feed, &r, &all, framing, in_array);
      if (chance(&r, 30)) mutate(&feed, &r);
      if (!sm_scan_select(names[(size_t)k % implementation_count])) abort();
      sm_walker_reset(a, framing);
      sm_walker_reset(b, framing);
      if (!walk_both(a, b, &all, &r, &feed, k % 3 == 0 ? 40 : PIECE, &n)) {
        fail("a row is not what the tokens say");
        printf("    round %llu, framing %d\n", (unsigned long long)round, (int)framing);
        if (feed.count < 1500) print_bytes("feed", feed.bytes, feed.count);
      }
      drop(&feed);
    }
    sm_walker_destroy(a);
    sm_walker_destroy(b);
    sm_selection_destroy(s);
  }
  printf("    %llu containers opened, %llu unexpected\n", (unsigned long long)n_opened, (unsigned long long)n_unexpected);
  printf("    %llu rows, %llu of them redone, %llu joined, %llu documents, %llu other records; %zu rows in columns, %zu refused, %zu in cells\n",
         (unsigned long long)n.rows, (unsigned long long)n.redone, (unsigned long long)n.joined, (unsigned long long)n.documents, (unsigned long long)n.others, rows_filled, rows_refused, cell_rows);
  // What is refused is added by its text, so it only costs time: records with an object that a condition leaves out, and hardly any others.
  if (!has_failed() && rows_refused * 5 > rows_filled) fail("too many rows are refused");
  if (!has_failed() && (told < sample(1000) || failed_rows < sample(1000))) fail("too few members are told");
  if (!has_failed() && cell_rows < sample(50)) fail("only %zu rows in cells", cell_rows);
  if (!has_failed() && (n.rows < sample(3000) || n.joined < sample(1000) || n.others < sample(2000) || n.documents < sample(50))) fail("too few rows, documents or other records");
}

// Lines, and documents one after the other, that nearly all have the layout of one before.
void test_known_layouts(void) {
  const char *names[MOST_IMPLEMENTATIONS];
  size_t implementation_count = implementations(names);
  counts n = {0};
  for (uint64_t round = 0; round < sample(800) && !has_failed(); round++) {
    rng r = rng_for("layouts", round);
    sm_selection *s = sm_selection_create();
    if (s == NULL) abort();
    shapes all = {.next_tag = 100};
    do {
      all.count = 0;
      add_shape(&all, &r, s, 3, -1);
    } while (all.shapes[0].kind != SHAPE_OBJECT);
    if (!sm_selection_seal(s, sm_selection_record(s, all.shapes[0].node))) abort();
    bool is_json = chance(&r, 30);
    sm_framing framing = is_json ? SM_FRAMING_JSON : SM_FRAMING_NDJSON;
    sm_limits limits = {280, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    if (chance(&r, 20)) limits = (sm_limits){30 + below(&r, 5), 5 + below(&r, 30), 1 + below(&r, 12), 8 + below(&r, 20)};
    if (!sm_scan_select(names[round % implementation_count])) abort();
    sm_walker *a = sm_walker_create(s, framing, limits, SM_FORM_TOKENS), *b = sm_walker_create(s, framing, limits, SM_FORM_TOKENS);
    if (a == NULL || b == NULL) abort();
    sm_walker_take_rows(a, true);
    manner m = manner_for(&r);
    m.oddness = chance(&r, 50) ? 0 : 2;
    m.variety = chance(&r, 50) ? 0 : 2;
    m.has_plain_keys = true;
    put_values_on_lines();
    for (int k = is_json ? 20 : 6; k > 0 && !has_failed(); k--) {
      buf feed = {0};
      for (uint64_t left = is_json ? 1 : 1 + below(&r, 300); left > 0; left--) {
        put_shaped(&feed, &r, &all, 0, &m);
        if (!is_json || chance(&r, 50)) put_text(&feed, chance(&r, 90) ? "\n" : " \r\n");
      }
      if (chance(&r, 20)) mutate(&feed, &r);
      sm_walker_reset(a, framing);
      sm_walker_reset(b, framing);
      if (!walk_both(a, b, &all, &r, &feed, chance(&r, 20) ? 300 : PIECE, &n)) {
        fail("a row with a known layout is not what the tokens say");
        printf("    round %llu, %s\n", (unsigned long long)round, names[round % implementation_count]);
        if (feed.count < 1500) print_bytes("feed", feed.bytes, feed.count);
      }
      drop(&feed);
    }
    sm_walker_destroy(a);
    sm_walker_destroy(b);
    sm_selection_destroy(s);
  }
  printf("    %llu rows, %llu of them with a known layout, %llu documents, %llu other records\n", (unsigned long long)n.rows,
         (unsigned long long)n.known, (unsigned long long)n.documents, (unsigned long long)n.others);
  if (!has_failed() && has_layouts() && n.known < n.rows / 100) fail("too few rows with a known layout");
}

// The sanitizer watches the bytes after the piece: near its end, links and short values must not be compared as whole vectors.
void test_rows_at_the_end(void) {
  static const char *const values[] = {"7", "true", "null", "12.5", "12345678", "123456789012"};
  for (size_t length = 1; length <= 60; length++) {
    sm_selection *s = sm_selection_create();
    if (s == NULL) abort();
    sm_node object = sm_selection_node(s), root;
    uint8_t key[60];
    memset(key, 'k', sizeof key);
    sm_selection_member(s, object, key, length, SM_SHELL, 0);
    sm_selection_block(s, object, 0, 1);
    root = sm_selection_record(s, object);
    if (!sm_selection_seal(s, root)) abort();
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      for (int ends = 0; ends < 2; ends++) {
        buf feed = {0};
        for (int i = 0; i < 3; i++) {
          put_text(&feed, "{\"");
          put(&feed, key, length);
          put_text(&feed, "\":");
          put_text(&feed, values[k]);
          put_text(&feed, i == 2 && ends == 0 ? "}" : "}\n");
        }
        uint8_t *piece = need(feed.count);
        memcpy(piece, feed.bytes, feed.count);
        sm_limits limits = {280, UINT64_MAX, UINT64_MAX, UINT64_MAX};
        sm_walker *w = sm_walker_create(s, SM_FRAMING_NDJSON, limits, SM_FORM_TOKENS);
        if (w == NULL) abort();
        sm_walker_take_rows(w, true);
        sm_walker_input(w, piece, feed.count, true);
        for (int i = 0; i < 3; i++) {
          sm_step step = sm_walker_next(w);
          // The last record is not tried where it may be cut off.
          if (i == 2 && step == SM_STEP_RECORD) continue;
          if (step != SM_STEP_ROW) fail("record %d with a key of %zu bytes is no row", i, length);
          sm_row row = sm_walker_row(w);
          const sm_cell *cell = &row.cells[row.cells[0].start];
          size_t count = cell->end - cell->start;
          if (count != strlen(values[k]) || memcmp(row.text + cell->start, values[k], count) != 0) {
            fail("record %d with a key of %zu bytes has another value", i, length);
          }
        }
        if (sm_walker_next(w) != SM_STEP_END) fail("the feed continues");
        sm_walker_destroy(w);
        free(piece);
        drop(&feed);
      }
    }
    sm_selection_destroy(s);
  }
}

// A value that is held comes whole, and never as a row; the records beside it still do.
void test_held_values(void) {
  sm_selection *s = sm_selection_create();
  if (s == NULL) abort();
  sm_node object = sm_selection_node(s), root = sm_selection_navigation(s);
  sm_selection_member(s, object, (const uint8_t *)"a", 1, SM_SHELL, 0);
  sm_selection_block(s, object, 0, 1);
  sm_node record = sm_selection_record(s, object), held = sm_selection_held(s, SM_SKIP);
  sm_selection_elements(s, root, 1, 2, held);
  sm_selection_other_elements(s, root, record);
  sm_selection_mark(s, record, 3);
  if (!sm_selection_seal(s, root)) abort();
  static const char feed[] = "[{\"a\":1,\"b\":2}, {\"a\":1,\"b\":[2]}, {\"a\":3}, [[4],[5],[6],[7],[8],[9]]] ";
  sm_walker *w = sm_walker_create(s, SM_FRAMING_JSON, (sm_limits){9, 9, 9, 9}, SM_FORM_TOKENS);
  if (w == NULL) abort();
  if (sm_walker_record_node(w) != SM_SKIP || sm_walker_record_paths(w) != 0) fail("there is a record before the first one");
  sm_walker_take_rows(w, true);
  sm_walker_input(w, (const uint8_t *)feed, sizeof feed - 1, true);
  for (int i = 0; i < 3; i++) {
    sm_step step = sm_walker_next(w);
    bool is_held = i == 1;
    if (step != (is_held ? SM_STEP_RECORD : SM_STEP_ROW)) fail("record %d is step %d", i, step);
    if (sm_walker_record_node(w) != (is_held ? held : record)) fail("record %d has another node", i);
    if (sm_walker_record_paths(w) != (is_held ? 0 : 1 << 3)) fail("record %d has other paths", i);
    // { "a" 1 "b" [ 2 ] }
    if (is_held && sm_walker_chunk(w)->token_count != 8) fail("the held value is not whole");
  }
  // A list, which nothing opens.
  if (sm_walker_next(w) != SM_STEP_ROW || !sm_walker_row(w).cells->is_closed) fail("the last record is no closed list");
  if (sm_walker_next(w) != SM_STEP_END) fail("the feed does not end after a list");
  sm_walker_destroy(w);
  sm_selection_destroy(s);
}
