// Inner rows: a record that is too long to be a row comes as tokens and as rows of the values in it. Together they are the tokens of a walker that
// is not asked for rows, in their order, whichever rows are refused.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// A list of objects is wanted under two keys, and one object under another. An object has the member `a`.
static const char *const keys[] = {"list", "more", "one"};

static sm_selection *make_selection(sm_framing framing) {
  sm_selection *s = sm_selection_create();
  if (s == NULL) abort();
  // For the rows, and for the tokens.
  sm_node row = sm_selection_node(s), row_list = sm_selection_node(s), object = sm_selection_node(s), list = sm_selection_node(s);
  sm_selection_member(s, row, (const uint8_t *)"a", 1, SM_SHELL, 0);
  sm_selection_block(s, row, 0, 1);
  sm_selection_other_elements(s, row_list, row);
  sm_selection_member(s, object, (const uint8_t *)"a", 1, SM_SHELL, 1);
  sm_selection_other_elements(s, list, object);
  sm_selection_rows(s, object, row);
  sm_selection_rows(s, list, row_list);
  sm_node inside = sm_selection_node(s);
  for (uint32_t i = 0; i < 3; i++) {
    sm_selection_member(s, inside, (const uint8_t *)keys[i], strlen(keys[i]), i < 2 ? list : object, 2 + i);
  }
  sm_node root = sm_selection_record(s, inside);
  if (framing == SM_FRAMING_JSON) {
    sm_node outer = sm_selection_navigation(s);
    sm_selection_other_elements(s, outer, root);
    root = outer;
  }
  if (!sm_selection_seal(s, root)) abort();
  return s;
}

static void put_object(buf *feed, rng *r) {
  put_text(feed, "{");
  uint64_t count = below(r, 4);
  for (uint64_t i = 0; i < count; i++) {
    if (i > 0) put_text(feed, ",");
    // Now and then twice, or with an escape.
    if (chance(r, 2)) put_text(feed, "\"\\u0061\":");
    else put_format(feed, "\"%c\":", chance(r, 2) ? 'a' : (char)('a' + i));
    put_value(feed, r, 2, 6);
  }
  put_text(feed, "}");
}

static void put_list(buf *feed, rng *r, size_t length, unsigned odd) {
  size_t start = feed->count;
  put_text(feed, "[");
  while (feed->count - start < length) {
    if (feed->count > start + 1) put_text(feed, ",");
    if (chance(r, 10)) put_text(feed, " \n");
    if (chance(r, odd)) put_value(feed, r, 3, 8);
    else put_object(feed, r);
    if (chance(r, 10)) put_text(feed, "\n ");
  }
  put_text(feed, "]");
}

static void put_records(buf *feed, rng *r, sm_framing framing) {
  unsigned odd = (unsigned)below(r, 3) * 5;
  if (framing == SM_FRAMING_JSON) put_text(feed, "[");
  for (int i = 0; i < 2; i++) {
    size_t start = feed->count;
    if (framing == SM_FRAMING_SEQ) put_byte(feed, 0x1E);
    put_text(feed, "{\"list\":");
    put_list(feed, r, 70000 + below(r, 100000), odd);
    put_text(feed, ",\"one\":");
    put_object(feed, r);
    put_text(feed, ",\"more\":");
    put_list(feed, r, below(r, 400), odd);
    put_text(feed, "}");
    // Where lines are texts, the others are white space.
    for (size_t k = start; framing == SM_FRAMING_NDJSON && k < feed->count; k++) {
      if (feed->bytes[k] == '\n') feed->bytes[k] = ' ';
    }
    if (framing == SM_FRAMING_JSON) put_text(feed, i < 1 ? ",\n" : "]");
    else if (framing != SM_FRAMING_CONCAT) put_byte(feed, '\n');
  }
}

typedef struct {
  sm_token *all;
  size_t count, capacity;
} tokens;

static void add(tokens *t, const sm_walker *w) {
  const sm_chunk *chunk = sm_walker_chunk(w);
  if (t->count + chunk->token_count > t->capacity) {
    t->capacity = 2 * (t->count + chunk->token_count);
    sm_token *larger = need(t->capacity * sizeof *larger);
    if (t->count > 0) memcpy(larger, t->all, t->count * sizeof *larger);
    free(t->all);
    t->all = larger;
  }
  if (chunk->token_count > 0) memcpy(t->all + t->count, chunk->tokens, chunk->token_count * sizeof *t->all);
  t->count += chunk->token_count;
}

static bool is_same(sm_token a, sm_token b) {
  return a.start == b.start && a.end == b.end && a.line == b.line && a.line_start == b.line_start && a.has_escapes == b.has_escapes &&
         a.is_key == b.is_key && a.tag == b.tag;
}

static uint64_t taken, refused;

// Whether the cell of a value is that of a token.
static bool is_value(const sm_row *row, const sm_cell *cell, const buf *feed, const sm_token *token) {
  uint8_t kind = feed->bytes[token->start];
  if (cell->kind != kind) return false;
  if (kind == '{' || kind == '[') return true;
  return cell->end - cell->start == token->end - token->start && cell->has_escapes == token->has_escapes &&
         memcmp(row->text + cell->start, feed->bytes + token->start, cell->end - cell->start) == 0;
}

// Whether a row holds what the tokens from `next` on say. Gives the token after them; NULL if not.
static const sm_token *compare_row(
    sm_walker *w, const sm_row *row, const sm_cell *cell, const buf *feed, const sm_token *next, const sm_token *end) {
  if (next == end || feed->bytes[next->start] != cell->kind) return NULL;
  next++;
  if (cell->kind == '[') {
    const sm_cell *element = row->cells + cell->start;
    for (uint32_t i = 0; i < cell->end; i++) {
      if (element->kind == '{' || element->kind == '[') {
        // Only the place is kept of an array that is not a list.
        if (element->is_closed) {
          for (size_t depth = 0; next < end;) {
            uint8_t byte = feed->bytes[next++->start];
            depth += (byte | 0x20) == '{';
            depth -= (byte | 0x20) == '}';
            if (depth == 0) break;
          }
        } else {
          next = compare_row(w, row, element, feed, next, end);
        }
        if (next == NULL) return NULL;
      } else if (next == end || !is_value(row, element, feed, next++)) {
        return NULL;
      }
      element = row->cells + element->next;
    }
  } else {
    const sm_cell *value = row->cells + cell->start;
    if (next < end && next->is_key) {
      if (next + 1 == end || !is_value(row, value, feed, next + 1)) return NULL;
      uint8_t kind = feed->bytes[next[1].start];
      next += kind == '{' || kind == '[' ? 3 : 2;
    } else if (value->kind != SM_CELL_ABSENT) {
      return NULL;
    }
  }
  return next < end && (feed->bytes[next->start] | 0x20) == '}' ? next + 1 : NULL;
}

// Walks a feed in pieces, and compares it with its tokens.
static void compare(sm_walker *w, const buf *feed, const tokens *expected, rng *r, unsigned refusals, size_t most) {
  size_t given = 0, at = 0;
  for (sm_step step = SM_STEP_INPUT; step != SM_STEP_END && !has_failed();) {
    size_t left = feed->count - given, size = most == 0 ? left : 1 + below(r, most);
    if (size > left) size = left;
    uint8_t *piece = need(size);
    memcpy(piece, feed->bytes + given, size);
    given += size;
    sm_walker_input(w, piece, size, given == feed->count);
    while ((step = sm_walker_next(w)) != SM_STEP_INPUT && step != SM_STEP_END && !has_failed()) {
      if (step == SM_STEP_FAULT || step == SM_STEP_ROW) {
        fail("a step %d in a feed of %zu bytes", step, feed->count);
        break;
      }
      const sm_chunk *chunk = sm_walker_chunk(w);
      for (size_t i = 0; i < chunk->token_count; i++, at++) {
        if (at >= expected->count || !is_same(chunk->tokens[i], expected->all[at])) {
          fail("token %zu at %zu", at, (size_t)chunk->tokens[i].start);
          break;
        }
      }
      if (step != SM_STEP_INNER_ROWS || has_failed()) continue;
      sm_node node;
      size_t count = sm_walker_inner_rows(w, &node);
      for (size_t k = 0; k < count; k++) {
        if (chance(r, refusals)) {
          sm_walker_redo_inner_row(w, k);
          refused++;
          break;
        }
        sm_token place;
        const sm_token *first = expected->all + at, *next = first;
        uint32_t cell = sm_walker_inner_row(w, k, &place);
        sm_row row = sm_walker_row(w);
        next = compare_row(w, &row, &row.cells[cell], feed, next, expected->all + expected->count);
        bool is_there = next != NULL && place.start == first->start && place.end == next[-1].end && place.line == first->line &&
                        place.line_start == first->line_start && sm_row_length(w) == place.end - place.start;
        if (!is_there) {
          fail("row %zu of %zu, at token %zu, up to %zu", k, count, at, (size_t)place.end);
          break;
        }
        at = (size_t)(next - expected->all);
        taken++;
      }
    }
    free(piece);
  }
  if (at != expected->count && !has_failed()) fail("%zu of %zu tokens", at, expected->count);
}

void test_inner_rows(void) {
  static const sm_framing framings[] = {SM_FRAMING_JSON, SM_FRAMING_NDJSON, SM_FRAMING_CONCAT, SM_FRAMING_SEQ};
  taken = refused = 0;
  for (uint64_t round = 0; round < sample(100) && !has_failed(); round++) {
    rng r = rng_for("inner rows", round);
    sm_framing framing = framings[round % 4];
    sm_selection *s = make_selection(framing);
    sm_limits limits = {40, 100000, 1000, 1000};
    sm_walker *plain = sm_walker_create(s, framing, limits, SM_FORM_TOKENS), *w = sm_walker_create(s, framing, limits, SM_FORM_TOKENS);
    if (plain == NULL || w == NULL) abort();
    sm_walker_take_rows(w, true);
    sm_walker_take_inner_rows(w, true);
    for (int i = 0; i < 3 && !has_failed(); i++) {
      buf feed = {0};
      put_records(&feed, &r, framing);
      tokens expected = {0};
      sm_walker_reset(plain, framing);
      sm_walker_input(plain, feed.bytes, feed.count, true);
      for (sm_step step; (step = sm_walker_next(plain)) != SM_STEP_END;) {
        if (step == SM_STEP_FAULT) fail("the feed is malformed");
        else add(&expected, plain);
        if (has_failed()) break;
      }
      sm_walker_reset(w, framing);
      compare(w, &feed, &expected, &r, i == 0 ? 0 : i == 1 ? 5 : 40, chance(&r, 50) ? 0 : 1 + below(&r, 90000));
      free(expected.all);
      drop(&feed);
    }
    sm_walker_destroy(plain);
    sm_walker_destroy(w);
    sm_selection_destroy(s);
  }
  printf("    %d rows, and %d refused\n", (int)taken, (int)refused);
  if (!has_failed() && (taken < 10000 || refused < 100)) fail("only %d rows, and %d refused", (int)taken, (int)refused);
}
