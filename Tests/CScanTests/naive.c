// The reference: a recursive-descent parser over the whole feed, one byte after the other. It does what `walk.h` promises, and is
// written from that promise alone. It keeps no tables, and copies what is kept member by member.

#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef struct {
  const model *m;
  setting s;
  sm_framing framing;
  const uint8_t *bytes;
  size_t length, p;
  uint64_t line, line_start;
  bool is_settled, has_separator, has_text, is_first, is_between;
  bool is_over, is_final;
  sm_token text, record;
  bool in_record;
  size_t record_depth;
  uint64_t paths;
  sm_level levels[300];
  size_t depth;
  buf json, tokens, *report;
} naive;

static uint64_t at(const naive *n, size_t p) { return n->s.offset + p; }

static sm_token token_at(const naive *n, uint64_t start, uint64_t end) {
  return (sm_token){.start = start, .end = end, .line = n->line, .line_start = n->line_start};
}

// ---------------------------------------------------------------------------------------------------------
// Faults. Each returns false, for its callers to return.

// The end of a malformed line or entry: the next mark, but no further than what is reported of a large one.
static uint64_t end_of_text(const naive *n, uint64_t end_of_fault) {
  uint8_t mark = n->framing == SM_FRAMING_SEQ ? 0x1E : '\n';
  size_t p = n->p;
  while (p < n->length && n->bytes[p] != mark) p++;
  uint64_t most = n->text.start + SM_LARGEST_TEXT > end_of_fault ? n->text.start + SM_LARGEST_TEXT : end_of_fault;
  return at(n, p) < most ? at(n, p) : most;
}

static bool fault_at(naive *n, sm_fault_kind kind, sm_expected what, uint64_t start, uint64_t end, uint8_t found) {
  bool goes_on = n->framing == SM_FRAMING_NDJSON || n->framing == SM_FRAMING_SEQ ||
                 (n->framing == SM_FRAMING_AUTO && !n->is_settled && n->is_first &&
                  n->m->nodes[n->m->root].kind == MODEL_RECORD);
  if (goes_on && n->framing == SM_FRAMING_AUTO) {
    n->framing = SM_FRAMING_NDJSON;
    n->is_settled = true;
  }
  if (n->is_between) n->text = token_at(n, start, end);
  n->text.end = goes_on ? end_of_text(n, end) : end;
  buf levels = {0};
  for (size_t i = 0; i < n->depth; i++) report_level(&levels, n->levels[i]);
  sm_fault fault = {.kind = kind, .expected = what, .at = token_at(n, start, end), .found = found, .final = !goes_on};
  report_fault(n->report, fault, n->text, n->in_record, n->record, &levels, n->paths);
  drop(&levels);
  n->is_over = n->is_final = !goes_on;
  return false;
}

static bool fault_end(naive *n, sm_expected what) {
  return fault_at(n, SM_FAULT_TRUNCATED, what, at(n, n->length), at(n, n->length), 0);
}

static bool fault_scan(naive *n, sm_scan_fault scan, size_t p, sm_expected what) {
  static const sm_fault_kind kinds[] = {
      [SM_SCAN_UTF8] = SM_FAULT_UTF8, [SM_SCAN_CONTROL] = SM_FAULT_CONTROL, [SM_SCAN_ESCAPE] = SM_FAULT_ESCAPE,
      [SM_SCAN_SURROGATE] = SM_FAULT_SURROGATE, [SM_SCAN_STRAY_BACKSLASH] = SM_FAULT_UNEXPECTED,
  };
  if (scan != SM_SCAN_STRAY_BACKSLASH) what = SM_EXPECTED_NOTHING;
  n->p = p;
  return fault_at(n, kinds[scan], what, at(n, p), at(n, p) + 1, n->bytes[p]);
}

static bool fault_byte(naive *n, sm_expected what, size_t p) {
  uint8_t byte = n->bytes[p];
  n->p = p;
  bool ends = (byte == '\n' && n->framing == SM_FRAMING_NDJSON) || (byte == 0x1E && n->framing == SM_FRAMING_SEQ);
  if (ends && what != SM_EXPECTED_TEXT_END) return fault_at(n, SM_FAULT_TRUNCATED, what, at(n, p), at(n, p), byte);
  return fault_at(n, SM_FAULT_UNEXPECTED, what, at(n, p), at(n, p) + 1, byte);
}

// Whether a byte is wrong whatever is expected: not UTF-8, or a backslash outside a string.
static bool is_faulty(const naive *n, size_t p, sm_scan_fault *fault) {
  uint8_t byte = n->bytes[p];
  if (byte < 0x80 && byte != '\\') return false;
  if (naive_sequence(n->bytes + p, n->length - p, false, fault) > 0) return false;
  if (*fault == SM_SCAN_OK) *fault = SM_SCAN_UTF8;
  return true;
}

// ---------------------------------------------------------------------------------------------------------
// Tokens

static void new_line(naive *n) {
  n->p++;
  n->line++;
  n->line_start = at(n, n->p);
}

// Goes to the next token inside a text; false (and a fault) where there is none, or where none is allowed.
static bool to_token(naive *n, sm_expected what) {
  for (;; n->p++) {
    if (n->p == n->length) return fault_end(n, what);
    uint8_t byte = n->bytes[n->p];
    if (byte == '\n') {
      if (n->framing == SM_FRAMING_NDJSON) return fault_byte(n, what, n->p);
      if (n->framing == SM_FRAMING_AUTO && !n->is_settled) {
        n->framing = SM_FRAMING_CONCAT;
        n->is_settled = true;
      }
      new_line(n);
      n->p--;
    } else if (byte != ' ' && byte != '\t' && byte != '\r') {
      sm_scan_fault fault;
      if (is_faulty(n, n->p, &fault)) return fault_scan(n, fault, n->p, what);
      return true;
    }
  }
}

// A string from its opening quote on; `*end` is its closing quote.
static bool string(naive *n, uint64_t limit, sm_fault_kind kind, size_t *end) {
  size_t start = n->p, q = start + 1;
  for (;;) {
    if (q - start - 1 > limit) return fault_at(n, kind, SM_EXPECTED_NOTHING, at(n, start), at(n, start) + 1 + limit, 0);
    if (q == n->length) return fault_end(n, SM_EXPECTED_STRING_END);
    uint8_t byte = n->bytes[q];
    if (byte == '"') break;
    if (byte < 0x20) return fault_scan(n, SM_SCAN_CONTROL, q, SM_EXPECTED_NOTHING);
    if (byte != '\\' && byte < 0x80) {
      q++;
      continue;
    }
    sm_scan_fault fault;
    size_t length = naive_sequence(n->bytes + q, n->length - q, true, &fault);
    if (length == 0) {
      if (fault == SM_SCAN_OK) fault = byte == '\\' ? SM_SCAN_ESCAPE : SM_SCAN_UTF8;
      return fault_scan(n, fault, q, SM_EXPECTED_NOTHING);
    }
    q += length;
  }
  *end = q;
  n->p = q + 1;
  return true;
}

static bool digits(const naive *n, size_t *q) {
  size_t start = *q;
  while (*q < n->length && n->bytes[*q] >= '0' && n->bytes[*q] <= '9') ++*q;
  return *q > start;
}

static bool next_is(const naive *n, size_t q, const char *set) {
  return q < n->length && n->bytes[q] != 0 && strchr(set, n->bytes[q]) != NULL;
}

// RFC 8259, section 6: how far the number goes, and whether it may end there.
static bool number(const naive *n, size_t *q) {
  if (next_is(n, *q, "-")) ++*q;
  if (next_is(n, *q, "0")) ++*q;
  else if (!digits(n, q)) return false;
  if (next_is(n, *q, ".")) {
    ++*q;
    if (!digits(n, q)) return false;
  }
  if (next_is(n, *q, "eE")) {
    ++*q;
    if (next_is(n, *q, "+-")) ++*q;
    if (!digits(n, q)) return false;
  }
  return true;
}

static bool scalar(naive *n, bool kept, sm_expected what) {
  size_t start = n->p, q = start;
  bool is_number = next_is(n, q, "-0123456789"), is_whole;
  if (is_number) {
    is_whole = number(n, &q);
    what = is_whole ? SM_EXPECTED_NUMBER_END : SM_EXPECTED_DIGIT;
    if (q - start > n->s.limits.number) {
      return fault_at(n, SM_FAULT_NUMBER, SM_EXPECTED_NOTHING, at(n, start), at(n, start) + n->s.limits.number + 1, 0);
    }
  } else {
    const char *word = next_is(n, q, "t") ? "true" : next_is(n, q, "f") ? "false" : next_is(n, q, "n") ? "null" : NULL;
    if (word == NULL) return fault_byte(n, what, q);
    while (*word != 0 && q < n->length && n->bytes[q] == (uint8_t)*word) q++, word++;
    is_whole = *word == 0;
    what = SM_EXPECTED_LITERAL;
  }
  if (q < n->length) {
    sm_scan_fault fault;
    if (is_faulty(n, q, &fault)) return fault_scan(n, fault, q, what);
    if (!is_whole || !next_is(n, q, " \t\r\n\x1E{}[]:,\"")) return fault_byte(n, what, q);
  } else if (!is_whole) {
    return fault_end(n, what);
  }
  if (kept) {
    put(&n->json, n->bytes + start, q - start);
    report_token(&n->tokens, token_at(n, at(n, start), at(n, q)));
  }
  n->p = q;
  if (n->depth > 0) return true;
  bool is_followed = next_is(n, q, " \t\r\n");
  if (n->framing == SM_FRAMING_SEQ && !is_followed) {
    return fault_at(n, SM_FAULT_TRUNCATED, SM_EXPECTED_SEPARATOR, at(n, q), at(n, q), 0);
  }
  if ((n->framing == SM_FRAMING_CONCAT || n->framing == SM_FRAMING_AUTO) && q < n->length && !is_followed) {
    return fault_byte(n, SM_EXPECTED_SEPARATOR, q);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------
// Values

static void end_record(naive *n) {
  buf levels = {0};
  for (size_t i = 0; i < n->record_depth; i++) report_level(&levels, n->levels[i]);
  report_record(n->report, n->record, &n->json, &n->tokens, &levels, n->paths);
  drop(&levels);
  n->in_record = false;
}

// The child for a key, and its tag.
static int child_of(const naive *n, const model_node *node, size_t key, size_t end, unsigned *tag) {
  *tag = 0;
  if (node->kind == MODEL_KEEP) return MODEL_KEEP;
  uint8_t *decoded = need(end - key);
  size_t count = decode_key(n->bytes + key, end - key, decoded);
  int child = node->other_members;
  for (size_t i = 0; i < node->member_count; i++) {
    size_t length;
    const char *text = key_text(node->members[i].key, &length);
    if (length != count || memcmp(text, decoded, length) != 0) continue;
    child = node->members[i].child;
    *tag = node->members[i].tag;
  }
  free(decoded);
  return child;
}

static bool value(naive *n, int which, sm_expected what);

static bool object(naive *n, const model_node *node, bool kept) {
  sm_level *level = &n->levels[n->depth - 1];
  bool is_first = true;
  sm_expected what = SM_EXPECTED_KEY_OR_END;
  for (;;) {
    if (!to_token(n, what)) return false;
    if (n->bytes[n->p] == '}' && what == SM_EXPECTED_KEY_OR_END) return true;
    if (n->bytes[n->p] != '"') return fault_byte(n, what, n->p);
    size_t start = n->p, end;
    if (!string(n, n->s.limits.key, SM_FAULT_KEY, &end)) return false;
    *level = (sm_level){level->start, n->bytes + start + 1, end - start - 1, 0, true, true};
    unsigned tag;
    int child = child_of(n, node, start + 1, end, &tag);
    if (kept && child != MODEL_SKIP) {
      if (!is_first) put_byte(&n->json, ',');
      is_first = false;
      put(&n->json, n->bytes + start, end + 1 - start);
      put_byte(&n->json, ':');
      sm_token token = token_at(n, at(n, start), at(n, end + 1));
      token.tag = tag;
      report_token(&n->tokens, token);
    }
    if (!to_token(n, SM_EXPECTED_COLON)) return false;
    if (n->bytes[n->p] != ':') return fault_byte(n, SM_EXPECTED_COLON, n->p);
    n->p++;
    if (!to_token(n, SM_EXPECTED_VALUE) || !value(n, child, SM_EXPECTED_VALUE)) return false;
    if (!to_token(n, SM_EXPECTED_COMMA_OR_BRACE)) return false;
    if (n->bytes[n->p] == '}') return true;
    if (n->bytes[n->p] != ',') return fault_byte(n, SM_EXPECTED_COMMA_OR_BRACE, n->p);
    n->p++;
    level->has_position = false;
    what = SM_EXPECTED_KEY;
  }
}

static bool array(naive *n, const model_node *node, bool kept) {
  sm_level *level = &n->levels[n->depth - 1];
  bool is_first = true;
  uint64_t last = 0;
  for (size_t i = 0; i < node->element_count; i++) {
    if (node->elements[i].end - 1 > last) last = node->elements[i].end - 1;
  }
  sm_expected what = SM_EXPECTED_VALUE_OR_END;
  for (;;) {
    if (!to_token(n, what)) return false;
    if (n->bytes[n->p] == ']' && what == SM_EXPECTED_VALUE_OR_END) return true;
    level->has_position = true;
    int child = node->kind == MODEL_KEEP ? MODEL_KEEP : node->other_elements;
    for (size_t i = node->element_count; i-- > 0;) {
      if (node->elements[i].first <= level->index && level->index < node->elements[i].end) child = node->elements[i].child;
    }
    bool stands_in = child == MODEL_SKIP && node->element_count > 0 && level->index < last;
    if (kept && (child != MODEL_SKIP || stands_in)) {
      if (!is_first) put_byte(&n->json, ',');
      is_first = false;
      if (stands_in) {
        put_text(&n->json, "null");
        report_token(&n->tokens, token_at(n, at(n, n->p), at(n, n->p)));
      }
    }
    if (!value(n, child, what)) return false;
    if (!to_token(n, SM_EXPECTED_COMMA_OR_BRACKET)) return false;
    if (n->bytes[n->p] == ']') return true;
    if (n->bytes[n->p] != ',') return fault_byte(n, SM_EXPECTED_COMMA_OR_BRACKET, n->p);
    n->p++;
    level->index++;
    what = SM_EXPECTED_VALUE;
  }
}

static bool value(naive *n, int which, sm_expected what) {
  uint8_t byte = n->bytes[n->p];
  if (next_is(n, n->p, "}]:,\x1E")) return fault_byte(n, what, n->p);
  const model_node *node = &n->m->nodes[which];
  bool begins = node->kind == MODEL_RECORD;
  if (begins) {
    n->paths |= node->marks;
    n->in_record = true;
    n->record_depth = n->depth;
    n->record = token_at(n, at(n, n->p), at(n, n->p));
    n->json.count = n->tokens.count = 0;
    node = &n->m->nodes[node->inside];
  }
  bool kept = n->in_record && node->kind != MODEL_SKIP;
  if (byte == '"') {
    size_t start = n->p, end;
    if (!string(n, kept ? n->s.limits.string : UINT64_MAX, SM_FAULT_STRING, &end)) return false;
    if (kept) {
      put(&n->json, n->bytes + start, end + 1 - start);
      report_token(&n->tokens, token_at(n, at(n, start), at(n, end + 1)));
    }
  } else if (byte == '{' || byte == '[') {
    bool is_object = byte == '{';
    if (n->depth >= n->s.limits.depth) {
      return fault_at(n, SM_FAULT_DEPTH, SM_EXPECTED_NOTHING, at(n, n->p), at(n, n->p) + 1, 0);
    }
    if (node->kind == MODEL_NAVIGATION && is_object) n->paths |= node->object_marks;
    if (node->kind == MODEL_NAVIGATION && !is_object) {
      bool leads_on = node->other_elements != MODEL_SKIP || node->element_count > 0;
      if (leads_on) n->paths |= node->marks;
    }
    for (int closing = 0; closing < 2; closing++) {
      if (kept) {
        put_byte(&n->json, n->bytes[n->p]);
        report_token(&n->tokens, token_at(n, at(n, n->p), at(n, n->p + 1)));
      }
      n->p++;
      if (closing) break;
      uint64_t start = node->kind == MODEL_NAVIGATION ? at(n, n->p) - 1 : 0;
      n->levels[n->depth++] = (sm_level){.start = start, .is_object = is_object};
      if (!(is_object ? object(n, node, kept) : array(n, node, kept))) return false;
    }
    n->depth--;
  } else if (!scalar(n, kept, what)) {
    return false;
  }
  if (begins) {
    n->record.end = at(n, n->p);
    if (n->depth > 0) end_record(n);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------
// Texts

// Continues after a text that has to end its line, entry or document.
static bool after_text(naive *n) {
  for (; n->p < n->length; n->p++) {
    uint8_t byte = n->bytes[n->p];
    sm_scan_fault fault;
    if (byte == '\n') {
      new_line(n);
      n->p--;
      if (n->framing != SM_FRAMING_NDJSON) continue;
      n->p++;
      break;
    }
    if (byte == ' ' || byte == '\t' || byte == '\r') continue;
    if (byte == 0x1E && n->framing == SM_FRAMING_SEQ) break;
    if (is_faulty(n, n->p, &fault)) return fault_scan(n, fault, n->p, SM_EXPECTED_TEXT_END);
    return fault_byte(n, SM_EXPECTED_TEXT_END, n->p);
  }
  if (n->in_record) end_record(n);
  return true;
}

// The next text; false at a fault. At the end of the feed, is_over.
static bool text(naive *n) {
  n->is_between = true;
  for (;; n->p++) {
    if (n->p == n->length) {
      n->is_over = true;
      if (n->framing != SM_FRAMING_JSON || n->has_text) return true;
      return fault_at(n, SM_FAULT_EMPTY, SM_EXPECTED_VALUE, at(n, n->length), at(n, n->length), 0);
    }
    uint8_t byte = n->bytes[n->p];
    if (byte == ' ' || byte == '\t' || byte == '\r') continue;
    if (byte == '\n') {
      new_line(n);
      n->p--;
      if (n->framing == SM_FRAMING_AUTO && !n->is_settled && n->has_text) {
        n->framing = SM_FRAMING_NDJSON;
        n->is_settled = true;
      }
      continue;
    }
    sm_scan_fault fault;
    bool misses = n->framing == SM_FRAMING_SEQ && !n->has_separator;
    sm_expected what = misses ? SM_EXPECTED_SEPARATOR : SM_EXPECTED_VALUE;
    if (is_faulty(n, n->p, &fault)) return fault_scan(n, fault, n->p, what);
    if (byte == 0x1E) {
      if (n->framing == SM_FRAMING_AUTO && !n->is_settled && !n->has_text) {
        n->framing = SM_FRAMING_SEQ;
        n->is_settled = true;
      }
      if (n->framing != SM_FRAMING_SEQ) return fault_byte(n, SM_EXPECTED_VALUE, n->p);
      n->has_separator = true;
      continue;
    }
    if (misses) return fault_byte(n, SM_EXPECTED_SEPARATOR, n->p);
    break;
  }
  if (n->framing == SM_FRAMING_AUTO && n->has_text) {
    n->framing = SM_FRAMING_CONCAT;
    n->is_settled = true;
  }
  n->is_between = false;
  n->text = token_at(n, at(n, n->p), at(n, n->p));
  if (!value(n, n->m->root, SM_EXPECTED_VALUE)) return false;
  n->has_text = true;
  n->is_first = false;
  if (n->framing != SM_FRAMING_CONCAT && n->framing != SM_FRAMING_AUTO) return after_text(n);
  if (n->in_record) end_record(n);
  return true;
}

static void resync(naive *n) {
  n->depth = 0;
  n->in_record = false;
  uint8_t mark = n->framing == SM_FRAMING_SEQ ? 0x1E : '\n';
  while (n->p < n->length && n->bytes[n->p] != mark) {
    if (n->bytes[n->p] == '\n') new_line(n);
    else n->p++;
  }
}

void run_naive(buf *report, const model *m, const setting *s, const uint8_t *bytes, size_t length) {
  naive *n = calloc(1, sizeof *n);
  if (n == NULL) abort();
  n->m = m;
  n->s = *s;
  n->framing = s->framing;
  n->is_settled = s->framing != SM_FRAMING_AUTO;
  n->bytes = bytes;
  n->length = length;
  n->line = 1;
  n->is_first = true;
  n->report = report;
  while (!n->is_over) {
    if (!text(n) && !n->is_over) resync(n);
  }
  report_end(report, n->is_final ? 0 : at(n, n->p), n->line, n->paths);
  drop(&n->json);
  drop(&n->tokens);
  free(n);
}

bool is_json(const uint8_t *bytes, size_t length) {
  static const model nothing = {.nodes = {{.kind = MODEL_SKIP}}, .count = 1};
  setting s = {SM_FRAMING_JSON, {300, UINT64_MAX, UINT64_MAX, UINT64_MAX}, 0, SM_FORM_TOKENS};
  buf report = {0};
  run_naive(&report, &nothing, &s, bytes, length);
  bool is_valid = report.count >= 4 && memcmp(report.bytes, " end", 4) == 0;
  drop(&report);
  return is_valid;
}
