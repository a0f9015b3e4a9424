// The code under test is built so that its allocations come here (-Dmalloc=test_malloc and so on). Each allocation fails once,
// either alone or with all after it.

#include <stdlib.h>
#include <string.h>

#include "streammap_arrow.h"
#include "columns.h"
#include "test.h"

static size_t allocations, failing;  // the one that fails; 0: none
static bool fails_on;               // and all after it

static volatile size_t sink;  // keeps reads whose only purpose is to touch memory

static bool fails(void) {
  ++allocations;
  return failing > 0 && (allocations == failing || (fails_on && allocations > failing));
}

void *test_malloc(size_t size);
void *test_calloc(size_t count, size_t size);
void *test_realloc(void *memory, size_t size);

void *test_malloc(size_t size) { return fails() ? NULL : malloc(size); }
void *test_calloc(size_t count, size_t size) { return fails() ? NULL : calloc(count, size); }
void *test_realloc(void *memory, size_t size) { return fails() ? NULL : realloc(memory, size); }

// Whether memory ran out, in one of the allowed ways.
static bool walk(const model *m, const setting *s, const buf *feed, size_t piece, bool *is_over) {
  sm_selection *selection = build_selection(m);
  if (selection == NULL) return true;
  sm_walker *w = sm_walker_create(selection, s->framing, s->limits, s->form);
  bool has_ended = w == NULL;
  *is_over = w == NULL;
  size_t given = 0, letters = 0;
  buf joined = {0};
  while (!*is_over) {
    size_t size = piece < feed->count - given ? piece : feed->count - given;
    uint8_t *copy = need(size);
    if (size > 0) memcpy(copy, feed->bytes + given, size);
    sm_walker_input(w, copy, size, given + size == feed->count);
    given += size;
    for (;;) {
      sm_step step = sm_walker_next(w);
      if (step == SM_STEP_INPUT) break;
      if (step == SM_STEP_END) {
        *is_over = true;
        break;
      }
      for (size_t i = 0; i < sm_walker_levels(w, step == SM_STEP_RECORD); i++) {
        sm_level level = sm_walker_level(w, i);
        for (size_t k = 0; level.has_position && k < level.key_length; k++) letters += level.key[k];
      }
      if (step == SM_STEP_FAULT) {
        joined.count = 0;
      } else {
        put_chunk(&joined, w, s->form);
        if (step == SM_STEP_RECORD && !is_json(joined.bytes, joined.count)) {
          fail("out of memory, and half a record is handed over");
          if (joined.count < 1000) print_bytes("record", joined.bytes, joined.count);
        }
        if (step == SM_STEP_RECORD) joined.count = 0;
        continue;
      }
      if (sm_walker_fault(w).kind != SM_FAULT_MEMORY) continue;
      has_ended = true;
      if (!sm_walker_fault(w).final) fail("out of memory, and it continues");
    }
    memset(copy, 0xDB, size);
    free(copy);
  }
  drop(&joined);
  sink = letters;
  sm_walker_destroy(w);
  sm_selection_destroy(selection);
  return has_ended;
}

void test_allocation(void) {
  size_t ends = 0, walks = 0;
  for (uint64_t round = 0; round < 150 && !has_failed(); round++) {
    rng r = rng_for("memory", round);
    model m;
    make_model(&m, &r);
    setting s = {(sm_framing)below(&r, 5), {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}, 0,
                 chance(&r, 30) ? SM_FORM_TEXT : SM_FORM_TOKENS};
    buf feed = {0};
    for (int i = 0; i < 4; i++) put_feed(&feed, &r, s.framing, i > 0 || chance(&r, 80), 60);
    if (chance(&r, 30)) {
      feed.count = 0;
      for (int i = 0; i < 300; i++) put_text(&feed, chance(&r, 50) ? "[" : "{\"items\":");
    }
    size_t piece = chance(&r, 50) ? 1 + below(&r, 20) : feed.count + 1;
    allocations = failing = 0;
    bool is_over = false;
    walk(&m, &s, &feed, piece, &is_over);
    size_t total = allocations;
    for (failing = 1; failing <= total; failing++) {
      size_t at = failing;
      allocations = 0;
      fails_on = chance(&r, 50);
      bool ended = walk(&m, &s, &feed, piece, &is_over);
      walks++;
      if (ended) ends++;
      else fail("round %llu: allocation %zu of %zu failed, and nobody says so", (unsigned long long)round, at, total);
    }
    failing = 0;
    drop(&feed);
  }
  printf("    %zu walks without memory\n", walks);
  if (ends == 0) fail("no allocation was counted: is the build without -Dmalloc=test_malloc?");
}

static const char *const column_records[] = {
    "{\"s\":\"some text that is copied\",\"l\":[1,2,3],\"m\":{\"v\":true,\"more\":[null]}}",
    "{\"s\":null,\"l\":[],\"m\":null}",
    "{\"s\":\"x\",\"l\":[7,8],\"m\":{}}",
};

// Columns of {"s":…,"l":[…],"m":{…}}.
static sm_columns *make_columns(void) {
  static const uint8_t texts[] = "\"s\":\0\"l\":\0\"m\":\0\"v\":";
  static const sm_column_spec specs[] = {
      {.kind = SM_COLUMN_STRUCT, .name = 4, .first_child = 1, .child_count = 3, .is_open = false},
      {.kind = SM_COLUMN_STRING, .key = 0, .key_length = 4, .name = 4, .is_nullable = true},
      {.kind = SM_COLUMN_LIST, .key = 5, .key_length = 4, .name = 4, .first_child = 4, .child_count = 1},
      {.kind = SM_COLUMN_STRUCT, .key = 10, .key_length = 4, .name = 4, .is_nullable = true, .first_child = 5, .child_count = 2,
       .is_open = true},
      {.kind = SM_COLUMN_INT8, .name = 4},
      {.kind = SM_COLUMN_BOOL, .key = 15, .key_length = 4, .name = 4, .is_nullable = true},
      {.kind = SM_COLUMN_JSON, .name = 4, .is_nullable = true},
  };
  return sm_columns_create(specs, 7, texts, sizeof texts, false, SIZE_MAX);
}

// Fills columns and takes them; returns whether memory ran out.
static bool fill_columns(void) {
  sm_columns *columns = make_columns();
  if (columns == NULL) return true;
  bool has_ended = false;
  size_t rows = 0;
  for (int i = 0; i < 300; i++) {
    uint32_t column;
    const char *record = column_records[i % 3];
    sm_add_result result = sm_columns_add(columns, (const uint8_t *)record, strlen(record), &column);
    if (result == SM_ADDED) rows++;
    else if (result == SM_ADD_MEMORY) has_ended = true;
    else fail("a record is refused: %d", (int)result);
    if (sm_columns_rows(columns) != rows) fail("%zu rows, not %zu", sm_columns_rows(columns), rows);
  }
  struct ArrowArray array;
  struct ArrowSchema schema;
  if (sm_columns_take(columns, &array)) {
    if ((size_t)array.length != rows) fail("an array of %d rows, not %zu", (int)array.length, rows);
    void (*release)(struct ArrowArray *) = array.release;
    release(&array);
    release(&array);
  } else {
    has_ended = true;
    if (sm_columns_rows(columns) != rows) fail("rows are lost without memory");
  }
  if (sm_columns_schema(columns, &schema)) schema.release(&schema);
  else has_ended = true;
  sm_columns_destroy(columns);
  return has_ended;
}

// Appends columns to others, piece by piece; returns whether memory ran out.
static bool append_columns(void) {
  enum { PIECE = 7 };
  sm_columns *from = make_columns(), *to = make_columns();
  bool has_ended = from == NULL || to == NULL;
  for (int i = 0; !has_ended && i < 300; i++) {
    uint32_t column;
    const char *record = column_records[i % 3];
    has_ended = sm_columns_add(from, (const uint8_t *)record, strlen(record), &column) != SM_ADDED;
  }
  size_t rows = from == NULL || to == NULL ? 0 : sm_columns_rows(from), appended = 0;
  for (size_t first = 0; first < rows; first += PIECE) {
    size_t asked = rows - first < PIECE ? rows - first : PIECE, count = asked;
    bool is_done = sm_columns_append(to, from, first, &count, (sm_columns_mark){.rows = SIZE_MAX, .bytes = SIZE_MAX});
    has_ended = has_ended || !is_done;
    if (count != (is_done ? asked : 0)) fail("%zu of %zu rows are appended", count, asked);
    appended += count;
    if (sm_columns_rows(to) != appended) fail("%zu rows, not %zu", sm_columns_rows(to), appended);
  }
  if (!has_ended && sm_columns_bytes(to) != sm_columns_bytes(from)) fail("columns that are appended have other bytes");
  sm_columns_destroy(from);
  sm_columns_destroy(to);
  return has_ended;
}

// Lets each allocation fail once, and each one after it.
static void fail_each(const char *name, bool (*body)(void)) {
  allocations = failing = 0;
  fails_on = false;
  if (body()) fail("memory ran out by itself");
  size_t total = allocations;
  for (int on = 0; on < 2; on++) {
    for (failing = 1; failing <= total; failing++) {
      size_t at = failing;
      allocations = 0;
      fails_on = on;
      if (!body()) fail("allocation %zu of %zu failed, and nobody says so", at, total);
    }
  }
  failing = 0;
  printf("    %s: %zu allocations\n", name, total);
}

void test_column_allocation(void) {
  fail_each("columns", fill_columns);
  fail_each("appended columns", append_columns);
}
