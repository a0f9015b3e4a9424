// Drives a walker over a feed in pieces, writes its report, and checks on the way what holds for every step.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Leaves out the white space between tokens. JSON only: no string is cut.
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

// Behind the token that starts at `at`; SIZE_MAX where it is cut off.
static size_t behind_token(const uint8_t *bytes, size_t length, size_t at) {
  size_t i = at + 1;
  if (bytes[at] == '"') {
    while (i < length && bytes[i] != '"') i += bytes[i] == '\\' ? 2 : 1;
    return i < length ? i + 1 : SIZE_MAX;
  }
  if (strchr("{}[]", bytes[at]) == NULL) {
    while (i < length && strchr(" \t\r\n,:{}[]\"", bytes[i]) == NULL) i++;
  }
  return i;
}

// Before a key or a value: a comma, if something stands before it in its container.
static void put_separator(buf *joined) {
  uint8_t last = joined->count > 0 ? joined->bytes[joined->count - 1] : '[';
  if (strchr("[{:", last) == NULL) put_byte(joined, ',');
}

// The text of a token that is apart; NULL where it cannot be.
static const uint8_t *text_apart(const sm_chunk *chunk, sm_token token) {
  const uint8_t *text = (const uint8_t *)(chunk->apart_origin + (uintptr_t)token.start);
  return chunk->apart_origin == 0 || memchr(text, '\\', (size_t)(token.end - token.start)) != NULL ? NULL : text;
}

// The texts that are apart from the token `*next` on.
static bool put_texts_apart(buf *joined, const sm_chunk *chunk, size_t *next) {
  for (; *next < chunk->token_count && chunk->tokens[*next].is_apart; ++*next) {
    sm_token token = chunk->tokens[*next];
    const uint8_t *text = text_apart(chunk, token);
    bool is_brace = text != NULL && (*text == '{' || *text == '}');
    if (text == NULL || token.is_object != is_brace || (token.is_key && *text != '"')) return false;
    if (*text != '}' && *text != ']') put_separator(joined);
    put(joined, text, (size_t)(token.end - token.start));
    if (token.is_key) put_byte(joined, ':');
  }
  return true;
}

// Something of the chunk at [bytes, bytes + length), whose token this is.
static bool put_token(buf *joined, const sm_chunk *chunk, sm_token token, const uint8_t *bytes, size_t length) {
  if (*bytes == ']' || *bytes == '}') {
    put_byte(joined, token.is_object ? '}' : ']');
    return *bytes == (chunk->apart_origin == 0 && token.is_object ? '}' : ']');
  }
  put_separator(joined);
  if (*bytes == '[' || *bytes == '{') {
    put_byte(joined, token.is_object ? '{' : '[');
    return *bytes == (chunk->apart_origin == 0 && token.is_object ? '{' : '[');
  }
  put(joined, bytes, length);
  if (token.is_key) put_byte(joined, ':');
  return !token.is_object && (!token.is_key || *bytes == '"');
}

bool put_chunk(buf *joined, const sm_walker *w) {
  const sm_chunk chunk = *sm_walker_chunk(w);
  size_t next = 0;
  for (size_t i = 0; i < chunk.length;) {
    if (strchr(" \t\r\n,:", chunk.bytes[i]) != NULL) {
      i++;
      continue;
    }
    size_t end = behind_token(chunk.bytes, chunk.length, i);
    if (end == SIZE_MAX || !put_texts_apart(joined, &chunk, &next) || next == chunk.token_count) return false;
    if (!put_token(joined, &chunk, chunk.tokens[next++], chunk.bytes + i, end - i)) return false;
    i = end;
  }
  return put_texts_apart(joined, &chunk, &next) && next == chunk.token_count;
}

typedef struct {
  buf joined, tokens, chunks;
} open_record;

static bool take_chunk(open_record *open, const sm_walker *w, sm_texts texts) {
  const sm_chunk chunk = *sm_walker_chunk(w);
  if (!put_chunk(&open->joined, w)) {
    fail("a chunk's tokens are not those beside it");
    if (chunk.length < 400) print_bytes("chunk", chunk.bytes, chunk.length);
    return false;
  }
  put(&open->chunks, chunk.bytes, chunk.length);
  for (size_t i = 0; i < chunk.token_count; i++) {
    if (texts == SM_TEXTS_INSIDE && chunk.tokens[i].is_apart) fail("a text is apart");
    report_token(&open->tokens, chunk.tokens[i]);
  }
  return true;
}

static bool take_step(buf *report, open_record *open, const sm_walker *w, sm_step step) {
  buf levels = {0}, json = {0};
  bool is_good = true;
  if (step == SM_STEP_RECORD) {
    for (size_t i = 0; i < sm_walker_levels(w, true); i++) report_level(&levels, sm_walker_level(w, i));
    // Of a scalar that is apart nothing is in the chunk.
    bool has_valid_chunks = open->chunks.count == 0 || is_json(open->chunks.bytes, open->chunks.count);
    if (!is_json(open->joined.bytes, open->joined.count) || !has_valid_chunks) {
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
  open->joined.count = open->tokens.count = open->chunks.count = 0;
  drop(&levels);
  drop(&json);
  return is_good;
}

uint64_t positions_taken;

// Resets the walker, as if it were another one, and puts it where it was; false where it is at no such place.
static bool resume_walker(sm_walker *w, uint64_t *offset) {
  sm_position position;
  if (!sm_walker_position(w, &position)) return false;
  size_t count = position.is_behind_fault ? 0 : sm_walker_levels(w, false);
  sm_level *levels = need(count * sizeof *levels);
  for (size_t i = 0; i < count; i++) {
    levels[i] = sm_walker_level(w, i);
    uint8_t *key = need(levels[i].key_length);
    if (levels[i].key_length > 0) memcpy(key, levels[i].key, levels[i].key_length);
    levels[i].key = key;
  }
  sm_walker_reset(w, SM_FRAMING_JSON);
  if (!sm_walker_restore(w, &position, levels, count)) fail("cannot go on from its own position");
  for (size_t i = 0; i < count; i++) free((void *)levels[i].key);
  free(levels);
  *offset = position.offset;
  return true;
}

bool run_walker(buf *report, sm_walker *w, const setting *s, const uint8_t *bytes, size_t length, pieces cut) {
  sm_walker_reset(w, s->framing);
  sm_walker_start(w, s->offset);
  open_record open = {{0}, {0}, {0}};
  size_t given = 0, steps = 0;
  bool is_final = false, is_good = true, is_over = false;
  uint64_t resumed = UINT64_MAX;
  bool is_end_apart = cut.random != NULL && chance(cut.random, 50);  // the end is said with an empty piece
  while (is_good && !is_over) {
    size_t size = cut.size > 0 ? cut.size : chance(cut.random, 3) ? 0 : 1 + below(cut.random, cut.most);
    if (size > length - given) size = length - given;
    // A piece of its own, of its exact size, and gone as soon as it may be: whoever reads over its end or too late is caught.
    uint8_t *piece = need(size);
    if (size > 0) memcpy(piece, bytes + given, size);
    if (is_final) {
      fail("asks for input behind the end");
      is_good = false;
    }
    bool is_past = given == length;
    given += size;
    is_final = given == length && (!is_end_apart || is_past);
    sm_walker_input(w, size > 0 || given % 2 == 0 ? piece : NULL, size, is_final);
    for (;;) {
      sm_step step = sm_walker_next(w);
      if (step == SM_STEP_INPUT) {
        if (cut.resumes && chance(cut.random, 30)) resume_walker(w, &resumed);
        break;
      }
      if (step == SM_STEP_END) {
        if (!is_final && !sm_walker_fault(w).final) fail("ends before the end"), is_good = false;
        uint64_t at = sm_walker_offset(w);
        // Behind a final fault the walker stands somewhere in the batch.
        report_end(report, sm_walker_fault(w).final ? 0 : at, sm_walker_line(w), sm_walker_paths_seen(w));
        is_over = true;
        break;
      }
      if (++steps > 20 * length + 100) {
        fail("does not come to an end");
        is_good = false;
        break;
      }
      if (step != SM_STEP_FAULT) is_good = take_chunk(&open, w, s->texts);
      if (is_good && step != SM_STEP_CHUNK) is_good = take_step(report, &open, w, step);
      if (!is_good || (cut.resumes && chance(cut.random, 30) && resume_walker(w, &resumed))) break;
    }
    if (resumed != UINT64_MAX) {
      if (resumed < s->offset || resumed - s->offset > given) fail("goes on where it has not been"), is_good = false;
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
  drop(&open.chunks);
  return is_good;
}
