// The scanner, compared with a reference that looks at one byte after the other.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// What is true of a whole feed: where its index is, the state before each byte, and the first fault.
typedef struct {
  uint32_t *index;
  size_t count;
  sm_scan_state *states;  // before each byte, and after the last one
  size_t *starts;         // for each byte, where the sequence it belongs to starts
  size_t end;             // where the good bytes end
  sm_scan_fault fault;
} truth;

static truth truth_of(const uint8_t *bytes, size_t length) {
  truth t = {.index = need(length * sizeof *t.index), .states = need((length + 1) * sizeof *t.states),
             .starts = need((length + 1) * sizeof *t.starts)};
  bool in_string = false, in_scalar = false;
  size_t i = 0;
  while (i < length) {
    uint8_t byte = bytes[i];
    size_t width = 1;
    t.states[i] = (sm_scan_state){in_string, in_scalar};
    if (byte >= 0x80 || byte == '\\') {
      width = naive_sequence(bytes + i, length - i, in_string, &t.fault);
      if (width == 0) {
        if (t.fault == SM_SCAN_OK) t.fault = byte >= 0x80 ? SM_SCAN_UTF8 : SM_SCAN_ESCAPE;
        break;
      }
    }
    if (in_string) {
      if (byte < 0x20) {
        t.fault = SM_SCAN_CONTROL;
        break;
      }
      if (byte == '"') {
        t.index[t.count++] = (uint32_t)i;
        in_string = false;
      }
    } else if (byte != 0 && strchr("{}[]:,\"\n\x1E", byte) != NULL) {
      t.index[t.count++] = (uint32_t)i;
      in_string = byte == '"';
      in_scalar = false;
    } else if (byte == ' ' || byte == '\t' || byte == '\r') {
      in_scalar = false;
    } else {
      if (!in_scalar) t.index[t.count++] = (uint32_t)i;
      in_scalar = true;
    }
    for (size_t k = 0; k < width; k++) t.starts[i + k] = i;
    i += width;
  }
  t.end = i;
  t.states[i] = (sm_scan_state){in_string, in_scalar};
  if (i == length) t.fault = SM_SCAN_OK;
  return t;
}

static void drop_truth(truth *t) {
  free(t->index);
  free(t->states);
  free(t->starts);
}

static bool check(const char *name, const uint8_t *bytes, size_t length, const truth *t, rng *r, size_t most, uint64_t round) {
  sm_scan_state state = {0};
  size_t from = 0, to = 0, entries = 0;
  const char *wrong = NULL;
  sm_scan_result result = {0};
  bool final = false;
  while (!final && wrong == NULL && result.fault == SM_SCAN_OK) {
    size_t size = most == 0 ? length : below(r, most + 1);
    to = size > length - to ? length : to + size;
    final = to == length && (most == 0 || chance(r, 80));
    // Memory for exactly the bytes that are given, and exactly the room that is asked for.
    uint8_t *window = need(to - from);
    if (to > from) memcpy(window, bytes + from, to - from);
    uint32_t *index = need((to - from + 64) * sizeof *index);
    result = sm_scan(&state, window, to - from, final, index);
    size_t end = from + result.scanned;
    for (size_t i = 0; i < result.count && wrong == NULL; i++) {
      if (entries == t->count || from + index[i] != t->index[entries++]) wrong = "index";
    }
    free(index);
    free(window);
    if (wrong != NULL) break;
    if (end > t->end) wrong = "scanned more than is good";
    else if (result.fault != SM_SCAN_OK && (result.fault != t->fault || end != t->end)) wrong = "fault";
    else if (result.fault == SM_SCAN_OK && final && t->fault != SM_SCAN_OK) wrong = "no fault";
    else if (result.fault == SM_SCAN_OK && end < to && (final || to - end > 11)) wrong = "stopped early";
    // It stops only before what is cut off: a good sequence that continues, or the faulty one.
    else if (result.fault == SM_SCAN_OK && end < to && end < t->end && t->starts[to < t->end ? to : t->end - 1] != end) wrong = "stopped";
    else if (result.fault == SM_SCAN_OK && to < t->end && t->starts[to] != to && end != t->starts[to]) wrong = "stopped inside";
    else if (result.fault == SM_SCAN_OK &&
             (state.in_string != t->states[end].in_string || state.in_scalar != t->states[end].in_scalar)) wrong = "state";
    else if (entries < t->count && t->index[entries] < end) wrong = "too few entries";
    from = end;
  }
  if (wrong == NULL && from != t->end) wrong = "end";
  if (wrong == NULL) return true;
  fail("%s: %s at %zu (round %llu, windows up to %zu): fault %d, expected fault %d at %zu", name, wrong, from,
       (unsigned long long)round, most, (int)result.fault, (int)t->fault, t->end);
  if (length < 600) print_bytes("bytes", bytes, length);
  return false;
}

void check_scan(const uint8_t *bytes, size_t length, rng *r, uint64_t round, size_t windows) {
  static const size_t sizes[] = {1, 2, 5, 13, 64, 80, 129, 400, 1000};
  enum { MOST = sizeof sizes / sizeof *sizes };
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  // Memory of exactly this length.
  uint8_t *exact = need(length);
  if (length > 0) memcpy(exact, bytes, length);
  truth t = truth_of(exact, length);
  for (size_t i = 0; i < count; i++) {
    sm_scan_select(names[i]);
    bool is_good = check(names[i], exact, length, &t, r, 0, round);
    for (size_t k = 0; k < windows && is_good; k++) {
      is_good = check(names[i], exact, length, &t, r, sizes[windows < MOST ? below(r, MOST) : k % MOST], round);
    }
  }
  drop_truth(&t);
  free(exact);
}

void test_scan(void) {
  for (uint64_t round = 0; round < sample(1200) && !has_failed(); round++) {
    rng r = rng_for("scan", round);
    buf b = {0};
    int kind = (int)below(&r, 10);
    size_t padding = chance(&r, 50) ? below(&r, 140) : 0;
    for (size_t i = 0; i < padding; i++) put_byte(&b, ' ');
    if (kind == 0) {
      size_t length = below(&r, 300);
      bool narrow = chance(&r, 70);
      for (size_t i = 0; i < length; i++) {
        put_byte(&b, narrow ? (uint8_t)"\"\\u{}[]:,\n d8c3\xC3\xA9"[below(&r, 18)] : (uint8_t)below(&r, 256));
      }
    } else {
      put_feed(&b, &r, (sm_framing)below(&r, 4), kind < 6, kind == 9 ? 200 : 20);
    }
    check_scan(b.bytes, b.count, &r, round, 9);
    drop(&b);
  }
}

// Each kind of sequence, whole, damaged and cut off, at each place of a block.
void test_scan_examples(void) {
  static const char *const texts[] = {
      "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\uD83D\\uDE00", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
      "\\x", "\\u00g0", "\\ud83d", "\\ude00", "\\ud83d\\u0041", "\\ud83d\\n", "\\ud83dx", "\xC0\x80", "\xC3", "\xE0\x9F\xBF",
      "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98",
      "\n", "\x1F", "\t", "\\u12", "\\", "\\\\\\", "\xE2(\xA1", "\xF0\x9F(\x80", "\x7F", "\x1E",
  };
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  rng r = rng_for("scan examples", 0);
  for (size_t text = 0; text < sizeof texts / sizeof *texts; text++) {
    for (size_t lead = 0; lead < 150; lead++) {
      for (int form = 0; form < 3; form++) {  // inside a string; outside; at the very end
        buf b = {0};
        for (size_t i = 0; i < lead; i++) put_byte(&b, form == 1 ? ' ' : i == 0 ? '"' : 'a');
        put_text(&b, texts[text]);
        for (size_t i = 0; form != 2 && i < 150; i++) put_byte(&b, i == 3 && form == 0 ? '"' : ' ');
        truth t = truth_of(b.bytes, b.count);
        for (size_t i = 0; i < count; i++) {
          sm_scan_select(names[i]);
          uint8_t *exact = need(b.count);
          memcpy(exact, b.bytes, b.count);
          check(names[i], exact, b.count, &t, &r, 0, lead);
          check(names[i], exact, b.count, &t, &r, lead + 3, lead);
          free(exact);
        }
        drop_truth(&t);
        drop(&b);
      }
    }
  }
  // The example of scan.h.
  static const char example[] = "{\"a\": [12, \"x\\n\"] }\n";
  static const uint32_t expected[] = {0, 1, 3, 4, 6, 7, 9, 11, 15, 16, 18, 19};
  for (size_t i = 0; i < count; i++) {
    sm_scan_select(names[i]);
    uint32_t index[sizeof example + 64];
    sm_scan_state state = {0};
    sm_scan_result result = sm_scan(&state, (const uint8_t *)example, sizeof example - 1, true, index);
    if (result.count != 12 || memcmp(index, expected, sizeof expected) != 0) fail("%s: the example of scan.h", names[i]);
  }
  if (sm_scan_select("no such code")) fail("an implementation that there is not was selected");
}
