// Limits at their bounds, and feeds made to be slow.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);  // not influenced by other load on the machine
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct {
  size_t records, faults, chunk_bytes;
  sm_fault fault;  // the last one
  sm_token record;
  double seconds;
} outcome;

// Gives the feed in pieces of its own memory.
static outcome walk(int kind, sm_framing framing, sm_limits limits, const buf *feed, size_t piece) {
  outcome o = {0};
  model m = {.nodes = {{.kind = 0}, {.kind = 1}, {.kind = 2}, {.kind = MODEL_RECORD, .inside = kind}}, .count = 4, .root = 3};
  if (kind == MODEL_PARTS) {
    // One key of the stock is kept in each object.
    m.nodes[3].inside = 4;
    m.nodes[4] = (model_node){.kind = MODEL_PARTS, .member_count = 1, .members = {{0, MODEL_KEEP, 0}}};
    m.count = 5;
  }
  sm_selection *selection = build_selection(&m);
  sm_walker *w = sm_walker_create(selection, framing, limits, SM_FORM_TOKENS);
  buf chunks = {0};
  double start = now();
  size_t given = 0;
  for (bool is_over = false; !is_over;) {
    size_t size = piece < feed->count - given ? piece : feed->count - given;
    sm_walker_input(w, feed->bytes + given, size, given + size == feed->count);
    given += size;
    for (;;) {
      sm_step step = sm_walker_next(w);
      if (step == SM_STEP_INPUT) break;
      if (step == SM_STEP_END) {
        is_over = true;
        break;
      }
      if (step == SM_STEP_FAULT) {
        o.faults++;
        o.fault = sm_walker_fault(w);
      } else {
        put_chunk(&chunks, w, SM_FORM_TOKENS);
      }
      if (step == SM_STEP_RECORD) {
        o.records++;
        o.record = sm_walker_record(w);
      }
    }
  }
  o.seconds = now() - start;
  o.chunk_bytes = chunks.count;
  drop(&chunks);
  sm_walker_reset(w, framing);
  sm_walker_destroy(w);
  sm_selection_destroy(selection);
  return o;
}

// Detects a time that grows with the square of the feed. A walk that takes longer than the seconds that are good on an idle machine may
// also be on a loaded one: then half of the feed takes half of the time, not a quarter.
static void expect_time(const char *what, outcome o, int kind, sm_framing framing, sm_limits limits, const buf *feed, size_t piece, double good) {
  if (o.seconds <= good) return;
  buf half = {.bytes = feed->bytes, .count = feed->count / 2};
  double before = walk(kind, framing, limits, &half, piece).seconds;
  if (o.seconds > 2.5 * before) fail("%s: %.1f s, and %.1f s for half of the feed", what, o.seconds, before);
}

// The smallest pieces. What takes longest in these tests is to hand over so many of them.
#ifdef SAMPLE
enum { SMALLEST = 5 };
#else
enum { SMALLEST = 1 };
#endif

static const sm_limits none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

void test_limits(void) {
  static const struct {
    sm_fault_kind kind;
    const char *before, *unit, *after;
    size_t start;  // of the token
    int keep;
  } cases[] = {
      {SM_FAULT_STRING, "[\"", "a", "\"]", 1, MODEL_KEEP},
      {SM_FAULT_STRING, "[\"", "a", "\"]", 1, MODEL_SHELL},
      {SM_FAULT_NUMBER, "[", "7", "]", 1, MODEL_KEEP},
      {SM_FAULT_NUMBER, "[", "7", "]", 1, MODEL_SHELL},
      {SM_FAULT_NUMBER, "", "7", "\n", 0, MODEL_KEEP},
      {SM_FAULT_KEY, "{\"", "k", "\":1,\"b\":2,\"c\":3,\"d\":4}", 1, MODEL_KEEP},
      {SM_FAULT_KEY, "{\"", "k", "\":1,\"b\":2,\"c\":3,\"d\":4}", 1, MODEL_SHELL},
      {SM_FAULT_KEY, "{\"x\":{\"", "k", "\":1,\"b\":2,\"c\":3,\"d\":4}}", 6, MODEL_PARTS},
      {SM_FAULT_DEPTH, "", "[", "", 0, MODEL_KEEP},
      {SM_FAULT_DEPTH, "", "[", "", 0, MODEL_SHELL},
  };
  static const size_t limits[] = {1, 2, 7, 31, 100};
  static const size_t sizes[] = {1, 2, 5, 64, 1000};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    for (size_t l = 0; l < 5; l++) {
      for (size_t past = 0; past < 2; past++) {
        buf feed = {0};
        size_t limit = limits[l];
        put_text(&feed, cases[c].before);
        for (size_t i = 0; i < limit + past; i++) put_text(&feed, cases[c].unit);
        put_text(&feed, cases[c].after);
        sm_limits with = none;
        if (cases[c].kind == SM_FAULT_DEPTH) {
          with.depth = limit;
          for (size_t i = 0; i < limit + past; i++) put_byte(&feed, ']');
        }
        if (cases[c].kind == SM_FAULT_STRING) with.string = limit;
        if (cases[c].kind == SM_FAULT_NUMBER) with.number = limit;
        if (cases[c].kind == SM_FAULT_KEY) with.key = limit;
        for (size_t s = 0; s < 5; s++) {
          outcome o = walk(cases[c].keep, SM_FRAMING_NDJSON, with, &feed, sizes[s]);
          // Strings that are not kept have no limit.
          bool is_free = cases[c].kind == SM_FAULT_STRING && cases[c].keep == MODEL_SHELL;
          bool is_good = past == 0 || is_free;
          if (is_good != (o.faults == 0 && o.records == 1)) fail("case %zu, limit %zu + %zu: %zu faults", c, limit, past, o.faults);
          if (is_good || o.faults == 0) continue;
          uint64_t start = cases[c].kind == SM_FAULT_DEPTH ? limit : cases[c].start;
          uint64_t end = cases[c].kind == SM_FAULT_DEPTH ? limit + 1 : start + limit + 1;
          if (o.fault.kind != cases[c].kind || o.fault.at.start != start || o.fault.at.end != end) {
            fail("case %zu, limit %zu, pieces of %zu: kind %d at %llu-%llu", c, limit, sizes[s], (int)o.fault.kind,
                 (unsigned long long)o.fault.at.start, (unsigned long long)o.fault.at.end);
          }
        }
        drop(&feed);
      }
    }
  }
}

static void put_many(buf *b, char c, size_t count) {
  static char block[4096];
  memset(block, c, sizeof block);
  for (; count > sizeof block; count -= sizeof block) put(b, block, sizeof block);
  put(b, block, count);
}

// Ten million open brackets with a limit; a million without one, in pieces.
void test_deep(void) {
  buf feed = {0};
  put_many(&feed, '[', 10000000);
  put_text(&feed, "\n[1]\n");
  sm_limits with = none;
  with.depth = 512;
  static const size_t sizes[] = {SMALLEST, 7, 65536, 100000000};
  for (size_t i = 0; i < 4; i++) {
    outcome o = walk(MODEL_KEEP, SM_FRAMING_NDJSON, with, &feed, sizes[i]);
    if (o.faults != 1 || o.records != 1 || o.fault.at.start != 512) fail("pieces of %zu: %zu faults, %zu records", sizes[i], o.faults, o.records);
    expect_time("brackets under a limit", o, MODEL_KEEP, SM_FRAMING_NDJSON, with, &feed, sizes[i], 6);
  }
  for (int kind = MODEL_KEEP; kind <= MODEL_SHELL; kind++) {
    feed.count = 0;
    put_many(&feed, '[', 1000000);
    put_many(&feed, ']', 1000000);
    for (size_t i = 0; i < 3; i++) {
      outcome o = walk(kind, SM_FRAMING_JSON, none, &feed, sizes[i]);
      if (o.faults != 0 || o.records != 1) fail("pieces of %zu: fault %d", sizes[i], (int)o.fault.kind);
      expect_time("brackets without a limit", o, kind, SM_FRAMING_JSON, none, &feed, sizes[i], 6);
    }
    feed.count = 0;
    for (size_t i = 0; i < 200000; i++) put_text(&feed, "{\"ab\":");
    for (size_t i = 0; i < 3; i++) {
      outcome o = walk(kind, SM_FRAMING_JSON, none, &feed, sizes[i]);
      if (o.faults != 1 || o.fault.kind != SM_FAULT_TRUNCATED) fail("pieces of %zu: fault %d", sizes[i], (int)o.fault.kind);
      expect_time("braces without a limit", o, kind, SM_FRAMING_JSON, none, &feed, sizes[i], 6);
    }
  }
  drop(&feed);
}

void test_long_string(void) {
  buf feed = {0};
  put_text(&feed, "{\"a\":\"");
  size_t start = feed.count - 1;
  put_many(&feed, 'x', (size_t)16 << 20);
  put_text(&feed, "\"}");
  size_t end = feed.count - 1;
  static const size_t sizes[] = {SMALLEST, 7, 65536, 100000000};
  for (size_t i = 0; i < 4; i++) {
    outcome o = walk(MODEL_KEEP, SM_FRAMING_JSON, none, &feed, sizes[i]);
    if (o.faults != 0 || o.records != 1 || o.chunk_bytes != feed.count || o.record.end != feed.count || end < start) {
      fail("pieces of %zu: %zu faults, %zu bytes handed over", sizes[i], o.faults, o.chunk_bytes);
    }
    expect_time("a kept string", o, MODEL_KEEP, SM_FRAMING_JSON, none, &feed, sizes[i], 10);
    if (i == 0) continue;  // of the smallest pieces, one walk is enough
    sm_limits with = none;
    with.string = ((size_t)16 << 20) - 1;
    o = walk(MODEL_KEEP, SM_FRAMING_JSON, with, &feed, sizes[i]);
    if (o.faults != 1 || o.fault.kind != SM_FAULT_STRING) fail("pieces of %zu: the limit is missed", sizes[i]);
    o = walk(MODEL_SHELL, SM_FRAMING_JSON, with, &feed, sizes[i]);
    if (o.faults != 0 || o.records != 1) fail("pieces of %zu: a skipped string", sizes[i]);
    expect_time("a skipped string", o, MODEL_SHELL, SM_FRAMING_JSON, with, &feed, sizes[i], 10);
  }
  drop(&feed);
}

void test_broken_lines(void) {
  static const char *const lines[] = {"]]", "\"x", "[1", "\\\\", "{\"", "1x", "\xC3\xC3", "\"\xFF", "tr"};
  static const size_t sizes[] = {SMALLEST, 7, 65536};
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
    buf feed = {0};
    size_t count = k < 2 ? 1000000 : 200000;
    for (size_t i = 0; i < count; i++) {
      put_text(&feed, lines[k]);
      put_byte(&feed, '\n');
    }
    put_text(&feed, "[1]\n");
    for (size_t i = 0; i < 3; i++) {
      outcome o = walk(MODEL_KEEP, SM_FRAMING_NDJSON, none, &feed, sizes[i]);
      if (o.faults != count || o.records != 1 || o.fault.at.line != count) {
        fail("'%s' in pieces of %zu: %zu faults, %zu records", lines[k], sizes[i], o.faults, o.records);
      }
      expect_time("broken lines", o, MODEL_KEEP, SM_FRAMING_NDJSON, none, &feed, sizes[i], 6);
    }
    drop(&feed);
  }
}

void test_many_members(void) {
  buf object = {0}, array = {0}, keys = {0};
  put_text(&object, "{\"a\":0");
  put_text(&array, "[0");
  put_text(&keys, "{\"a\":0");
  for (size_t i = 0; i < 1000000; i++) {
    put_text(&object, ",\"k\":[1]");
    put_text(&array, ",{}");
    put_format(&keys, ",\"%zu\":%zu", i, i);
  }
  put_text(&object, "}");
  put_text(&array, "]");
  put_text(&keys, "}");
  static const size_t sizes[] = {SMALLEST, 65536};
  static const int kinds[] = {MODEL_KEEP, MODEL_SHELL, MODEL_PARTS};
  const buf *const feeds[] = {&object, &array, &keys};
  for (size_t f = 0; f < 3; f++) {
    for (size_t k = 0; k < 3; k++) {
      for (size_t i = f == 0 && k < 2 ? 0 : 1; i < 2; i++) {
        outcome o = walk(kinds[k], SM_FRAMING_JSON, none, feeds[f], sizes[i]);
        if (o.faults != 0 || o.records != 1) fail("feed %zu, pieces of %zu: fault %d", f, sizes[i], (int)o.fault.kind);
        if (kinds[k] == MODEL_KEEP && o.chunk_bytes < feeds[f]->count) fail("feed %zu: %zu bytes", f, o.chunk_bytes);
        expect_time("a million members", o, kinds[k], SM_FRAMING_JSON, none, feeds[f], sizes[i], 6);
      }
    }
  }
  drop(&object);
  drop(&array);
  drop(&keys);
}
