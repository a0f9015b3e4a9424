// The walker, compared with the reference: the same steps, whole and in pieces of every size, with every scanner.

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void show_difference(const buf *expected, const buf *found) {
  size_t i = 0;
  while (i < expected->count && i < found->count && expected->bytes[i] == found->bytes[i]) i++;
  size_t from = i > 160 ? i - 160 : 0;
  print_bytes("expected", expected->bytes + from, expected->count - from > 400 ? 400 : expected->count - from);
  print_bytes("found   ", found->bytes + from, found->count - from > 400 ? 400 : found->count - from);
}

static void add_to_digest(const buf *report) {
  for (size_t i = 0; i < report->count; i++) digest = (digest ^ report->bytes[i]) * 0x100000001B3u;
}

bool check_walk(const buf *expected, sm_walker *w, const setting *s, const buf *feed, pieces cut, const char *scanner,
                uint64_t round) {
  buf found = {0};
  if (!sm_scan_select(scanner)) return true;
  bool is_good = run_walker(&found, w, s, feed->bytes, feed->count, cut);
  add_to_digest(&found);
  if (is_good && same(expected, &found)) {
    drop(&found);
    return true;
  }
  if (is_good) fail("other steps than the reference");
  printf("    round %llu, scanner %s, pieces of %zu (up to %zu), framing %d, offset %llu, limits %llu %llu %llu %llu\n",
         (unsigned long long)round, scanner, cut.size, cut.most, (int)s->framing, (unsigned long long)s->offset,
         (unsigned long long)s->limits.depth, (unsigned long long)s->limits.string, (unsigned long long)s->limits.number,
         (unsigned long long)s->limits.key);
  if (feed->count < 1500) print_bytes("feed", feed->bytes, feed->count);
  if (is_good) show_difference(expected, &found);
  drop(&found);
  return false;
}

static bool is_faultless(const buf *report) {
  for (size_t i = 0; i + 7 < report->count; i++) {
    if (memcmp(report->bytes + i, " fault ", 7) == 0) return false;
  }
  return true;
}

typedef struct {
  const char *name;
  uint64_t rounds;
  bool is_valid, is_large, resumes;
} plan;

static void run(plan p) {
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  uint64_t good = 0, bad = 0;
  for (uint64_t round = 0; round < sample(p.rounds) && !has_failed(); round++) {
    rng r = rng_for(p.name, round);
    setting s = {(sm_framing)below(&r, 5), {280, UINT64_MAX, UINT64_MAX, UINT64_MAX}, chance(&r, 30) ? 3 : 0,
                 chance(&r, 30) ? SM_FORM_TEXT : SM_FORM_TOKENS};
    if (!p.is_valid && chance(&r, 25)) {
      s.limits = (sm_limits){1 + below(&r, 5), below(&r, 12), 1 + below(&r, 8), below(&r, 10)};
    }
    model m;
    make_model(&m, &r);
    sm_selection *selection = build_selection(&m);
    sm_walker *w = selection == NULL ? NULL : sm_walker_create(selection, s.framing, s.limits, s.form);
    if (w == NULL) abort();
    buf feed = {0}, expected = {0};
    size_t texts = p.is_large ? 40 : 1;
    for (size_t i = 0; i < texts && (i == 0 || s.framing != SM_FRAMING_JSON); i++) {
      if (i > 0 && feed.count > 0 && feed.bytes[feed.count - 1] != '\n' && s.framing != SM_FRAMING_SEQ) put_byte(&feed, '\n');
      put_feed(&feed, &r, s.framing, p.is_valid || chance(&r, 60), p.is_large ? 400 : 14);
    }
    // Memory of exactly this size, as for the pieces.
    uint8_t *exact = need(feed.count);
    if (feed.count > 0) memcpy(exact, feed.bytes, feed.count);
    run_naive(&expected, &m, &s, exact, feed.count);
    free(exact);
    if (is_faultless(&expected)) good++; else bad++;
    if (p.is_valid && s.framing != SM_FRAMING_AUTO && s.framing != SM_FRAMING_JSON && !is_faultless(&expected)) {
      fail("the reference refuses a valid feed");
      print_bytes("feed", feed.bytes, feed.count);
    }
    bool is_good = true;
    for (int k = 0; p.resumes && k < 12 && is_good; k++) {
      size_t most = k % 3 == 0 ? 100000 : 1 + below(&r, 90);
      is_good = check_walk(&expected, w, &s, &feed, (pieces){.most = most, .random = &r, .resumes = true}, names[k % count], round);
    }
    for (size_t i = 0; i < count && is_good && !p.resumes; i++) {
      is_good = check_walk(&expected, w, &s, &feed, (pieces){.size = feed.count + 1}, names[i], round);
      for (int k = 0; k < 3 && is_good; k++) {
        static const size_t mosts[] = {300, 1000, 100000};
        is_good = check_walk(&expected, w, &s, &feed, (pieces){.most = mosts[k], .random = &r}, names[i], round);
      }
    }
    for (size_t size = 1; size <= 32 && is_good && !p.resumes; size += p.is_large ? 13 : 1) {
      is_good = check_walk(&expected, w, &s, &feed, (pieces){.size = size}, names[count - 1 - size % count], round);
    }
    for (int k = 0; k < 3 && is_good && !p.resumes; k++) {
      is_good = check_walk(&expected, w, &s, &feed, (pieces){.most = 1 + below(&r, 90), .random = &r}, names[0], round);
    }
    drop(&feed);
    drop(&expected);
    sm_walker_destroy(w);
    sm_selection_destroy(selection);
  }
  printf("    %llu feeds without a fault, %llu with\n", (unsigned long long)good, (unsigned long long)bad);
}

void test_walk_valid(void) { run((plan){"walk valid", 1500, true, false, false}); }
void test_walk_mutated(void) { run((plan){"walk mutated", 3500, false, false, false}); }
void test_walk_large(void) { run((plan){"walk large", 50, false, true, false}); }
void test_walk_resumed(void) {
  positions_taken = 0;
  run((plan){"walk resumed, valid", 1000, true, false, true});
  run((plan){"walk resumed, mutated", 1000, false, false, true});
  run((plan){"walk resumed, large", 20, false, true, true});
  printf("    %llu positions\n", (unsigned long long)positions_taken);
  if (positions_taken < sample(10000)) fail("few positions");
}

// A position that no walker can have given is refused, and the walker still works afterwards.
void test_positions(void) {
  model m = {.nodes = {{.kind = 0}, {.kind = 1}, {.kind = 2}, {.kind = MODEL_NAVIGATION, .other_elements = 4}, {.kind = MODEL_RECORD, .inside = MODEL_KEEP}},
             .count = 5, .root = 3};
  sm_selection *selection = build_selection(&m);
  setting s = {SM_FRAMING_JSON, {2, 100, 100, 100}, 0, SM_FORM_TOKENS};
  sm_walker *w = sm_walker_create(selection, s.framing, s.limits, s.form);
  sm_position position = {.line = 1, .framing = SM_FRAMING_JSON, .is_framing_settled = true, .place = SM_AT_NEXT};
  sm_level list = {.has_position = true, .index = 1}, none = {0};
  sm_level inside[] = {list, list}, deep[] = {list, list, list}, unbegun[] = {none};
  if (!sm_walker_restore(w, &position, &list, 1)) fail("refuses the elements of the root");
  if (sm_walker_restore(w, &position, inside, 2)) fail("takes a level inside a record");
  if (sm_walker_restore(w, &position, deep, 3)) fail("takes more levels than there may be");
  if (sm_walker_restore(w, &position, unbegun, 1)) fail("takes an array of no element");
  const sm_at outside[] = {SM_AT_TEXT, SM_AT_TEXT_END, SM_AT_FAULT};
  for (size_t i = 0; i < 3; i++) {
    position.place = outside[i];
    if (sm_walker_restore(w, &position, &list, 1)) fail("takes levels outside a text");
    if (!sm_walker_restore(w, &position, NULL, 0)) fail("refuses a place outside a text");
  }
  for (sm_at place = SM_AT_VALUE; place <= SM_AT_ELEMENT; place++) {
    bool is_of_array = place == SM_AT_VALUE || place == SM_AT_NEXT || place >= SM_AT_FIRST_ELEMENT;
    position.place = place;
    if (sm_walker_restore(w, &position, NULL, 0)) fail("takes a place inside a text without levels");
    if (sm_walker_restore(w, &position, &list, 1) != is_of_array) fail("mistakes an array for an object");
  }
  position.place = (sm_at)99;
  if (sm_walker_restore(w, &position, &list, 1)) fail("takes a place that there is not");
  buf feed = {0}, expected = {0};
  put_text(&feed, "[{\"a\":1},2]");
  run_naive(&expected, &m, &s, feed.bytes, feed.count);
  check_walk(&expected, w, &s, &feed, (pieces){.size = 3}, "portable", 0);
  drop(&feed);
  drop(&expected);
  sm_walker_destroy(w);
  sm_selection_destroy(selection);
}

// Feeds that once went wrong, or that the comments mention, with everything kept and with nothing kept.
void test_walk_examples(void) {
  static const char *const feeds[] = {
      "", " ", "{}", "[]", "1", "\"\"", "{\"a\":1}", "[1,2,[3,{\"a\":[]}]]", "{\"a\":1}\n{\"b\":2}\n", "1\n2\n3", "1 2", "\x1E" "1\n\x1E{}",
      "\x1E" "1", "[:,1,2,3,4,5,6]", "{\"id\":[:1,2,3,4,5,6,7]}", "{\"ab\":{\"cd\":{\"ef\":}}}", "{\"x\":[1,2,{\"y\":[3,4,tru]}]}",
      "{\"a\":1}}", "[1,]", "{\"a\" 1}", "{\"a\":1,}", "[1 2]", "nul", "-", "01", "1.", "1e", "[1", "{\"a", "\"\\ud800\"", "\"\xC3",
      "{\"a\":\"\n{\"b\":1}\n", "{\"a\":1}\n\n]\n[1]", "{\n\"a\":1}{}", "1x\n2", "{\"a\":1} x\n{\"b\":2}", "\"a\"\"b\"", "[[[[[[[[[[]]]]]]]]]]",
  };
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  static model models[5];
  models[0] = (model){.nodes = {{.kind = 0}, {.kind = 1}, {.kind = 2}, {.kind = MODEL_RECORD, .inside = MODEL_KEEP}}, .count = 4, .root = 3};
  models[1] = models[0];
  models[1].nodes[3].inside = MODEL_SHELL;
  models[2] = models[0];  // $.*.*, through objects and arrays
  models[2].nodes[4] = (model_node){.kind = MODEL_NAVIGATION, .other_members = 5, .other_elements = 5, .marks = 1};
  models[2].nodes[5] = (model_node){.kind = MODEL_NAVIGATION, .other_members = 3, .other_elements = 3, .marks = 2};
  models[2].count = 6;
  models[2].root = 4;
  models[3] = models[0];
  models[3].nodes[3].inside = 4;
  models[3].nodes[4] = (model_node){.kind = MODEL_PARTS, .element_count = 1, .elements = {{2, 3, MODEL_KEEP}}};
  models[3].count = 5;
  models[4] = (model){.nodes = {{.kind = 0}, {.kind = 1}, {.kind = 2}, {.kind = MODEL_NAVIGATION}}, .count = 4, .root = 3};
  for (size_t which = 0; which < 5; which++) {
    sm_selection *selection = build_selection(&models[which]);
    for (int kind = 0; kind < 10; kind++) {
      setting s = {(sm_framing)(kind % 5), {8, 100, 100, 100}, 0, kind < 5 ? SM_FORM_TOKENS : SM_FORM_TEXT};
      sm_walker *w = sm_walker_create(selection, s.framing, s.limits, s.form);
      for (size_t i = 0; i < sizeof feeds / sizeof *feeds; i++) {
        buf feed = {0}, expected = {0};
        put_text(&feed, feeds[i]);
        run_naive(&expected, &models[which], &s, feed.bytes, feed.count);
        for (size_t size = 1; size < 34; size++) {
          check_walk(&expected, w, &s, &feed, (pieces){.size = size}, names[size % count], i);
        }
        check_walk(&expected, w, &s, &feed, (pieces){.size = 1000}, names[0], i);
        drop(&feed);
        drop(&expected);
      }
      sm_walker_destroy(w);
    }
    sm_selection_destroy(selection);
  }
}
