// Drives a walker over a feed in pieces, writes its report, and checks in every step what must always hold.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Leaves out the white space between tokens. For JSON only: no string is cut.
static void put_compact(buf *out, const buf *in) {
  bool in_string = false;
  for (size_t i = 0; i < in->count; i++) {
    uint8_t byte = in->bytes[i];
    if (!in_string && (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n')) continue;
    put_byte(out, byte);
    if (in_string && byte == '\\') put_byte(out, in->bytes[++i]);
    else if (byte == '"') in_string = !in_string;
  }
}

// Before a key or a value: a comma, if there is something before it in its container.
static void put_separator(buf *joined) {
  uint8_t last = joined->count > 0 ? joined->bytes[joined->count - 1] : '[';
  if (strchr("[{:", last) == NULL) put_byte(joined, ',');
}

// The texts of the tokens, from where they are; false if a token and its text do not agree.
static bool put_tokens(buf *joined, const sm_chunk *chunk) {
  for (size_t i = 0; i < chunk->token_count; i++) {
    sm_token token = chunk->tokens[i];
    bool is_cut = i == 0 && chunk->text_length > 0;
    const uint8_t *text = is_cut ? chunk->text : (const uint8_t *)(chunk->origin + (uintptr_t)token.start);
    size_t length = (size_t)(token.end - token.start);
    if (is_cut && length != chunk->text_length) return false;
    if (token.is_absent != (length == 0)) return false;
    if (token.is_absent) {
      text = (const uint8_t *)"null";
      length = 4;
    }
    if (token.has_escapes != (memchr(text, '\\', length) != NULL) || (token.is_key && *text != '"')) return false;
    if (*text != '}' && *text != ']') put_separator(joined);
    put(joined, text, length);
    if (token.is_key) put_byte(joined, ':');
  }
  return chunk->token_count > 0 || chunk->text_length == 0;
}

// The text as it is; false if its tokens are not those given with it.
static bool put_text_of(buf *joined, const sm_chunk *chunk) {
  const uint8_t *bytes = chunk->text;
  size_t next = 0;
  for (size_t i = 0; i < chunk->text_length; next++) {
    size_t start = i++;
    if (strchr(",:", bytes[start]) != NULL) {
      next--;
      continue;
    }
    if (bytes[start] == '"') {
      while (i < chunk->text_length && bytes[i] != '"') i += bytes[i] == '\\' ? 2 : 1;
      if (i++ >= chunk->text_length) return false;
    } else if (strchr("{}[]", bytes[start]) == NULL) {
      while (i < chunk->text_length && strchr(",:{}[]\"", bytes[i]) == NULL) i++;
    }
    if (next == chunk->token_count) return false;
    sm_token token = chunk->tokens[next];
    size_t length = token.is_absent ? 4 : (size_t)(token.end - token.start);
    bool is_key = i < chunk->text_length && bytes[i] == ':';
    if (length != i - start || token.is_key != is_key || token.has_escapes) return false;
  }
  put(joined, bytes, chunk->text_length);
  return next == chunk->token_count;
}

bool put_chunk(buf *joined, const sm_walker *w, sm_form form) {
  const sm_chunk chunk = *sm_walker_chunk(w);
  return form == SM_FORM_TEXT ? put_text_of(joined, &chunk) : put_tokens(joined, &chunk);
}

typedef struct {
  buf joined, tokens;
} open_record;

static bool take_chunk(open_record *open, const sm_walker *w, sm_form form) {
  const sm_chunk chunk = *sm_walker_chunk(w);
  if (!put_chunk(&open->joined, w, form)) {
    fail("a chunk's tokens are not those of its text");
    if (chunk.text_length < 400) print_bytes("text", chunk.text, chunk.text_length);
    return false;
  }
  for (size_t i = 0; i < chunk.token_count; i++) report_token(&open->tokens, chunk.tokens[i]);
  return true;
}

static bool take_step(buf *report, open_record *open, const sm_walker *w, sm_step step) {
  buf levels = {0}, json = {0};
  bool is_good = true;
  if (step == SM_STEP_RECORD) {
    for (size_t i = 0; i < sm_walker_levels(w, true); i++) report_level(&levels, sm_walker_level(w, i));
    if (!is_json(open->joined.bytes, open->joined.count)) {
      fail("a record is not valid JSON");
      if (open->joined.count < 1000) print_bytes("record", open->joined.bytes, open->joined.count);
      is_good = false;
    } else {
      put_compact(&json, &open->joined);
      report_record(report, sm_walker_record(w), &json, &open->tokens, &levels, sm_walker_paths_seen(w));
    }
  } else {
    for (size_t i = 0; i < sm_walker_levels(w, false); i++) report_level(&levels, sm_walker_level(w, i));
    report_fault(report, sm_walker_fault(w), sm_walker_text(w), sm_walker_in_record(w), sm_walker_record(w), &levels,
                 sm_walker_paths_seen(w));
  }
  open->joined.count = open->tokens.count = 0;
  drop(&levels);
  drop(&json);
  return is_good;
}

uint64_t positions_taken;

// Resets the walker, as if it were another one, and puts it where it was, or before the record or the token that it is in; false
// if it is not at a place to continue from. It goes back only a few times, so that it comes to an end.
static bool resume_walker(sm_walker *w, open_record *open, size_t *left, uint64_t *offset) {
  sm_position position;
  if (!sm_walker_position(w, &position)) return false;
  if (position.offset < sm_walker_offset(w)) {
    if (*left == 0) return false;
    (*left)--;
  }
  open->joined.count = open->tokens.count = 0;
  size_t count = position.depth;
  sm_level *levels = need(count * sizeof *levels);
  for (size_t i = 0; i < count; i++) {
    levels[i] = sm_walker_level(w, i);
    uint8_t *key = need(levels[i].key_length);
    if (levels[i].key_length > 0) memcpy(key, levels[i].key, levels[i].key_length);
    levels[i].key = key;
  }
  sm_walker_reset(w, SM_FRAMING_JSON);
  if (!sm_walker_restore(w, &position, levels, count)) fail("cannot continue from its own position");
  for (size_t i = 0; i < count; i++) free((void *)levels[i].key);
  free(levels);
  *offset = position.offset;
  return true;
}

bool run_walker(buf *report, sm_walker *w, const setting *s, const uint8_t *bytes, size_t length, pieces cut) {
  sm_walker_reset(w, s->framing);
  sm_walker_start(w, s->offset);
  open_record open = {{0}, {0}};
  size_t given = 0, steps = 0, left = 20;
  bool is_final = false, is_good = true, is_over = false;
  uint64_t resumed = UINT64_MAX;
  bool is_end_apart = cut.random != NULL && chance(cut.random, 50);  // an empty piece says that the feed ends
  while (is_good && !is_over) {
    size_t size = cut.size > 0 ? cut.size : chance(cut.random, 3) ? 0 : 1 + below(cut.random, cut.most);
    if (size > length - given) size = length - given;
    // Each piece has its own memory of its exact size, freed as soon as allowed: this catches reads past its end or too late.
    uint8_t *piece = need(size);
    if (size > 0) memcpy(piece, bytes + given, size);
    if (is_final) {
      fail("asks for input after the end");
      is_good = false;
    }
    bool is_past = given == length;
    given += size;
    is_final = given == length && (!is_end_apart || is_past);
    sm_walker_input(w, size > 0 || given % 2 == 0 ? piece : NULL, size, is_final);
    for (;;) {
      sm_step step = sm_walker_next(w);
      if (step == SM_STEP_INPUT) {
        if (cut.resumes && chance(cut.random, 30)) resume_walker(w, &open, &left, &resumed);
        break;
      }
      if (step == SM_STEP_END) {
        if (!is_final && !sm_walker_fault(w).final) fail("ends before the end"), is_good = false;
        uint64_t at = sm_walker_offset(w);
        // After a final fault, the walker is somewhere in the batch.
        report_end(report, sm_walker_fault(w).final ? 0 : at, sm_walker_line(w), sm_walker_paths_seen(w));
        is_over = true;
        break;
      }
      if (++steps > 20 * length + 100) {
        fail("does not come to an end");
        is_good = false;
        break;
      }
      if (step != SM_STEP_FAULT) is_good = take_chunk(&open, w, s->form);
      if (is_good && step != SM_STEP_CHUNK) is_good = take_step(report, &open, w, step);
      if (!is_good || (cut.resumes && chance(cut.random, 30) && resume_walker(w, &open, &left, &resumed))) break;
    }
    if (resumed != UINT64_MAX) {
      if (resumed < s->offset || resumed - s->offset > given) fail("continues where it has not been"), is_good = false;
      given = (size_t)(resumed - s->offset);
      resumed = UINT64_MAX;
      is_final = false;
      positions_taken++;
    }
    memset(piece, 0xDB, size);
    free(piece);
  }
  drop(&open.joined);
  drop(&open.tokens);
  return is_good;
}
