// Records that the ends of pieces cut off: which are rows, however small the pieces are. `row_test.c` compares their values with the tokens.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Feeds of three records in every framing, the second one of `length` bytes.
static void put_texts(buf *feed, sm_framing framing, size_t length) {
  if (framing == SM_FRAMING_JSON) put_text(feed, "[");
  for (int i = 0; i < 3; i++) {
    size_t start = feed->count;
    if (framing == SM_FRAMING_SEQ) put_byte(feed, 0x1E);
    put_text(feed, "{\"a\":7,\"b\":[");
    while (i == 1 && feed->count - start < length - 16) put_text(feed, feed->count % 3 == 0 ? "{}," : "\"}\",");
    put_text(feed, "null]}");
    if (framing == SM_FRAMING_JSON) put_text(feed, i < 2 ? ",\n" : "]");
    else if (framing != SM_FRAMING_CONCAT) put_byte(feed, '\n');
  }
}

void test_rows_in_pieces(void) {
  static const sm_framing framings[] = {SM_FRAMING_JSON, SM_FRAMING_NDJSON, SM_FRAMING_CONCAT, SM_FRAMING_SEQ};
  static const size_t lengths[] = {20, 1000, 60000, 70000}, sizes[] = {1, 7, 300, 5000, 65000, 1000000};
  for (size_t f = 0; f < sizeof framings / sizeof *framings; f++) {
    sm_framing framing = framings[f];
    sm_selection *s = sm_selection_create();
    if (s == NULL) abort();
    sm_node object = sm_selection_node(s);
    sm_selection_member(s, object, (const uint8_t *)"a", 1, SM_SHELL, 0);
    sm_selection_block(s, object, 0, 1);
    sm_node record = sm_selection_record(s, object), root = record;
    if (framing == SM_FRAMING_JSON) {
      root = sm_selection_navigation(s);
      sm_selection_other_elements(s, root, record);
    }
    if (!sm_selection_seal(s, root)) abort();
    sm_walker *w = sm_walker_create(s, framing, (sm_limits){9, 99, 99, 99}, SM_FORM_TOKENS);
    if (w == NULL) abort();
    sm_walker_take_rows(w, true);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      buf feed = {0};
      put_texts(&feed, framing, lengths[l]);
      for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        sm_walker_reset(w, framing);
        size_t given = 0, rows = 0;
        for (sm_step step = SM_STEP_INPUT; step != SM_STEP_END && !has_failed();) {
          size_t size = feed.count - given < sizes[k] ? feed.count - given : sizes[k];
          uint8_t *piece = need(size);
          memcpy(piece, feed.bytes + given, size);
          given += size;
          sm_walker_input(w, piece, size, given == feed.count);
          while ((step = sm_walker_next(w)) != SM_STEP_INPUT && step != SM_STEP_END) {
            rows += step == SM_STEP_ROW;
            if (step == SM_STEP_FAULT) fail("framing %d, %zu bytes in pieces of %zu are malformed", framing, lengths[l], sizes[k]);
          }
          free(piece);
        }
        // A record that is longer than a batch is none.
        size_t right = lengths[l] < 65536 ? 3 : 2;
        if (rows != right) fail("framing %d, %zu bytes in pieces of %zu: %zu rows, not %zu", framing, lengths[l], sizes[k], rows, right);
      }
      drop(&feed);
    }
    sm_walker_destroy(w);
    sm_selection_destroy(s);
  }
}

// A copy that is full may end in an escape that began in an earlier piece: the rest of the feed begins with that.
void test_cut_in_escapes(void) {
  sm_selection *s = sm_selection_create();
  if (s == NULL) abort();
  sm_node object = sm_selection_node(s);
  sm_selection_member(s, object, (const uint8_t *)"a", 1, SM_SHELL, 0);
  sm_selection_block(s, object, 0, 1);
  if (!sm_selection_seal(s, sm_selection_record(s, object))) abort();
  sm_walker *w = sm_walker_create(s, SM_FRAMING_NDJSON, (sm_limits){9, 99, 99, 99}, SM_FORM_TOKENS);
  if (w == NULL) abort();
  sm_walker_take_rows(w, true);
  for (size_t shift = 0; shift < 12; shift++) {
    buf feed = {0};
    put_text(&feed, "{\"a\":7,");
    for (size_t i = 0; i < shift; i++) put_byte(&feed, ' ');
    put_text(&feed, "\"b\":\"");
    while (feed.count < 70000) put_text(&feed, "\\ud83d\\ude00");
    put_text(&feed, "\"}\n{\"a\":8}\n");
    sm_walker_reset(w, SM_FRAMING_NDJSON);
    size_t given = 0, records = 0;
    for (sm_step step = SM_STEP_INPUT; step != SM_STEP_END && !has_failed(); given++) {
      sm_walker_input(w, feed.bytes + given, 1, given + 1 == feed.count);
      while ((step = sm_walker_next(w)) != SM_STEP_INPUT && step != SM_STEP_END) {
        records += step == SM_STEP_ROW || step == SM_STEP_RECORD;
        if (step == SM_STEP_FAULT) fail("an escape that begins %zu bytes later is malformed", shift);
      }
    }
    if (records != 2) fail("%zu records, with escapes that begin %zu bytes later", records, shift);
    drop(&feed);
  }
  sm_walker_destroy(w);
  sm_selection_destroy(s);
}
