// The counting of lines, compared with a loop over bytes and with what a walker finds in them.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Lines of all kinds: empty ones, and lines of white space or text, short or of several blocks.
static void put_lines(buf *b, rng *r, size_t size) {
  static const char narrow[] = "\n \t\r{\"}a\x0B\x19\x20\x2A\x8A\xFF\x0A\x0D\x09\x1F";
  while (b->count < size) {
    size_t length = !chance(r, 20) ? below(r, 8) : chance(r, 20) ? below(r, 3000) : below(r, 300);
    uint8_t byte = chance(r, 50) ? ' ' : (uint8_t)"ab\t\r\0\x80"[below(r, 6)];
    for (size_t i = 0; i < length; i++) {
      put_byte(b, chance(r, 3) ? (uint8_t)narrow[below(r, sizeof narrow)] : byte);
    }
    if (chance(r, 10)) put_byte(b, (uint8_t)below(r, 256));
    if (chance(r, 90)) put_byte(b, '\n');
  }
}

static sm_lines loop(bool *in_text, const uint8_t *bytes, size_t length, size_t most) {
  sm_lines lines = {0};
  for (size_t i = 0; i < length && lines.texts < most; i++) {
    lines.scanned = i + 1;
    if (bytes[i] == '\n') {
      lines.line_feeds++;
      lines.end = i + 1;
      if (*in_text) lines.texts++;
      *in_text = false;
    } else if (strchr(" \t\r", bytes[i]) == NULL || bytes[i] == 0) {
      *in_text = true;
    }
  }
  return lines;
}

void test_lines(void) {
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  for (uint64_t round = 0; round < 4000 && !has_failed(); round++) {
    rng r = rng_for("lines", round);
    buf b = {0};
    put_lines(&b, &r, below(&r, 700));
    for (size_t i = 0; i < count; i++) {
      sm_scan_select(names[i]);
      // In pieces; each has memory for exactly its bytes.
      bool in_text = chance(&r, 50), expected_in_text = in_text;
      for (size_t from = 0; from < b.count;) {
        size_t length = chance(&r, 30) ? b.count - from : below(&r, b.count - from + 1);
        size_t most = chance(&r, 50) ? SIZE_MAX : below(&r, 9);
        uint8_t *exact = need(length);
        if (length > 0) memcpy(exact, b.bytes + from, length);
        sm_lines expected = loop(&expected_in_text, exact, length, most);
        sm_lines found = sm_count_lines(&in_text, exact, length, most);
        if (memcmp(&found, &expected, sizeof found) != 0 || in_text != expected_in_text) {
          fail("%s, round %llu: %zu bytes, at most %zu: scanned %zu, %zu lines, %zu texts, end %zu, in text %d; "
               "expected %zu, %zu, %zu, %zu, %d",
               names[i], (unsigned long long)round, length, most, found.scanned, found.line_feeds, found.texts, found.end,
               in_text, expected.scanned, expected.line_feeds, expected.texts, expected.end, expected_in_text);
          print_bytes("bytes", exact, length);
          in_text = expected_in_text;
        }
        free(exact);
        from += expected.scanned > 0 ? expected.scanned : length > 0 && most > 0 ? length : 1;
      }
    }
    drop(&b);
  }
}

// Each text is one record or one fault.
void test_lines_are_those_of_the_walk(void) {
  sm_selection *selection = sm_selection_create();
  if (selection == NULL || !sm_selection_seal(selection, sm_selection_record(selection, SM_KEEP))) abort();
  const sm_limits limits = {.depth = 20, .string = 40, .number = 20, .key = 40};
  sm_walker *walker = sm_walker_create(selection, SM_FRAMING_NDJSON, limits, SM_FORM_TOKENS);
  if (walker == NULL) abort();
  for (uint64_t round = 0; round < 4000 && !has_failed(); round++) {
    rng r = rng_for("lines of walks", round);
    buf b = {0};
    if (chance(&r, 50)) {
      put_lines(&b, &r, below(&r, 400));
    } else {
      put_feed(&b, &r, SM_FRAMING_NDJSON, chance(&r, 50), 20);
      if (chance(&r, 50)) mutate(&b, &r);
    }
    bool in_text = false;
    sm_lines lines = sm_count_lines(&in_text, b.bytes, b.count, SIZE_MAX);
    sm_walker_reset(walker, SM_FRAMING_NDJSON);
    sm_walker_input(walker, b.bytes, b.count, true);
    size_t texts = 0;
    for (sm_step step; (step = sm_walker_next(walker)) != SM_STEP_END;) {
      if (step == SM_STEP_RECORD || step == SM_STEP_FAULT) texts++;
    }
    if (texts != lines.texts + in_text || sm_walker_line(walker) != lines.line_feeds + 1) {
      fail("round %llu: %zu texts, %zu line feeds; the walk has %zu and is on line %llu", (unsigned long long)round,
           lines.texts + in_text, lines.line_feeds, texts, (unsigned long long)sm_walker_line(walker));
      print_bytes("bytes", b.bytes, b.count);
    }
    drop(&b);
  }
  sm_walker_destroy(walker);
  sm_selection_destroy(selection);
}
