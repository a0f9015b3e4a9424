// The walk: one step of the grammar after another, over the index of a batch.
//
// Worked example: the member `id` of the records at $.items[*] of {"items":[{"id":7,"x":[1,2]},…]} is wanted.
//
//     entry   state before      node         what happens
//     {       TEXT              root         navigation: nothing is kept; level 0
//     " " :   FIRST_KEY                      the key items leads on: node = the list
//     [       VALUE             list         navigation; level 1; its elements are records
//     {       FIRST_ELEMENT     record       the record starts: { is handed over; level 2, kept
//     " " :   FIRST_KEY                      id is wanted: its token is handed over (see `emission.h`)
//     7       VALUE             shell        its token is handed over, too
//     , " " : AFTER_MEMBER, KEY              x is not wanted
//     [ … ]   VALUE             skip         checked and left out
//     }       AFTER_MEMBER                   it is handed over, too: the record is over
//
// If you add a state, also touch `sm_expected_here`, `skim.c`, and in `steps.c` `resume`, `at_end` and `close_batch`. If you add
// a framing, also touch `between_texts`, `after_text`, in `faults.c` `can_go_on`, and in `steps.c` `go_to_mark`. If you change
// what a line without a text is, also touch `lines.c`.

#include <string.h>

#include "classes.h"
#include "emission.h"
#include "texts.h"
#include "walker.h"

// ---------------------------------------------------------------------------------------------------------
// Values

// Whether what is at `node` is handed over.
static inline bool is_kept(const sm_walker *w, sm_node node) { return w->in_record && node != SM_SKIP; }

// A number or literal is over. As a text, it needs something after it.
static sm_outcome end_scalar(sm_walker *w, size_t end) {
  if (w->depth == 0) {
    bool at_end = end == w->batch_length;
    if (w->framing == SM_FRAMING_SEQ && (at_end || sm_classes[w->batch[end]] == SM_CLASS_QUOTE ||
        (sm_classes[w->batch[end]] == SM_CLASS_STRUCTURE && w->batch[end] != '\n'))) {
      // RFC 7464, section 2.4: without white space after it, it may be the first part of a longer one.
      return sm_fail_at(w, SM_FAULT_TRUNCATED, SM_EXPECTED_SEPARATOR, absolute(w, end), absolute(w, end), 0);
    }
    bool glued = !at_end && sm_classes[w->batch[end]] != SM_CLASS_SPACE && w->batch[end] != '\n';
    if (glued && (w->framing == SM_FRAMING_CONCAT || w->framing == SM_FRAMING_AUTO)) {
      w->state = STATE_AFTER_TEXT;
      return sm_fail_byte(w, SM_EXPECTED_SEPARATOR, end);
    }
  }
  return end_value(w, absolute(w, end));
}

static const char *const literals[] = {"true", "false", "null"};

// Continues with a number or literal at `position`; its index entry is consumed by the caller.
sm_outcome sm_run_scalar(sm_walker *w, size_t position, bool is_number) {
  size_t end = position;
  if (is_number) {
    end = sm_number_run(w->batch, position, w->batch_length, &w->number_state);
    if (w->token_length + (end - position) > w->limits.number) {
      return sm_fail_limit(w, SM_FAULT_NUMBER, w->token_start, w->token_start + w->limits.number + 1);
    }
  } else {
    const char *text = literals[w->literal];
    while (end < w->batch_length && text[w->literal_position] != 0 &&
           w->batch[end] == (uint8_t)text[w->literal_position]) {
      w->literal_position++;
      end++;
    }
  }
  bool is_whole = is_number ? sm_number_is_whole(w->number_state) : literals[w->literal][w->literal_position] == 0;
  w->state = is_number ? STATE_IN_NUMBER : STATE_IN_LITERAL;
  if (end < w->batch_length) {
    uint8_t class = sm_classes[w->batch[end]];
    bool is_over = class == SM_CLASS_SPACE || class == SM_CLASS_STRUCTURE || class == SM_CLASS_QUOTE;
    if (!is_over || !is_whole) {
      sm_expected what = is_number ? (is_whole ? SM_EXPECTED_NUMBER_END : SM_EXPECTED_DIGIT) : SM_EXPECTED_LITERAL;
      return sm_fail_byte(w, what, end);
    }
  } else if (!w->is_batch_final || w->scan_fault != SM_SCAN_OK) {
    if (w->is_token_kept && w->token_length == 0) sm_put_separator(w);
    w->token_length += end - position;
    return GO_ON;  // it may continue in the next batch; the state says so
  } else if (!is_whole) {
    uint64_t at = absolute(w, end);
    return sm_fail_at(w, SM_FAULT_TRUNCATED, is_number ? SM_EXPECTED_DIGIT : SM_EXPECTED_LITERAL, at, at, 0);
  }
  if (w->is_token_kept && w->token_length > 0) {
    sm_append(w, &w->out, w->batch + position, end - position);
    sm_add_joined(w, w->token_start, absolute(w, end), SM_PLAIN, 0);
  } else if (w->is_token_kept) {
    sm_put_value(w, position, end, SM_PLAIN);
  }
  return end_scalar(w, end);
}

static sm_outcome begin_scalar(sm_walker *w, sm_node node, size_t position) {
  uint8_t first = w->batch[position];
  bool is_number = first == '-' || (uint8_t)(first - '0') < 10;
  if (!is_number && first != 't' && first != 'f' && first != 'n') {
    return sm_fail_byte(w, sm_expected_here(w), position);
  }
  w->is_token_kept = is_kept(w, node);
  w->token_start = absolute(w, position);
  w->token_length = 0;
  w->number_state = SM_NUMBER_START;
  w->literal = first == 't' ? 0 : first == 'f' ? 1 : 2;
  w->literal_position = 0;
  w->i++;
  return sm_run_scalar(w, position, is_number);
}

// A string value. Its quotes are two entries; the second may be in a later batch.
static inline sm_outcome begin_string(sm_walker *w, sm_node node, size_t position) {
  bool kept = is_kept(w, node);
  w->i++;
  if (w->i < w->count) {
    size_t end = w->index[w->i++] + 1;
    if (kept) {
      if (end - position - 2 > w->limits.string) {
        return sm_fail_limit(w, SM_FAULT_STRING, absolute(w, position), absolute(w, position) + 1 + w->limits.string);
      }
      sm_put_value(w, position, end, sm_escapes(w, position, end));
    }
    return end_value(w, absolute(w, end));
  }
  w->is_token_kept = kept;
  if (kept) sm_put_separator(w);
  w->token_start = absolute(w, position);
  w->token_length = w->batch_length - position - 1;
  w->state = STATE_IN_STRING;
  if (kept && w->token_length > w->limits.string) {
    return sm_fail_limit(w, SM_FAULT_STRING, w->token_start, w->token_start + 1 + w->limits.string);
  }
  return GO_ON;
}

sm_outcome sm_resume_string(sm_walker *w) {
  size_t end = w->i < w->count ? w->index[w->i] : w->batch_length;
  w->token_length += end;
  if (w->is_token_kept && w->token_length > w->limits.string) {
    return sm_fail_limit(w, SM_FAULT_STRING, w->token_start, w->token_start + 1 + w->limits.string);
  }
  if (w->i == w->count) return GO_ON;
  w->i++;
  if (w->is_token_kept) {
    sm_append(w, &w->out, w->batch, end + 1);
    sm_add_joined(w, w->token_start, absolute(w, end + 1), SM_PLAIN, 0);
  }
  return end_value(w, absolute(w, end + 1));
}

static sm_outcome begin_container(sm_walker *w, sm_node node, size_t position) {
  bool is_object = w->batch[position] == '{';
  if (w->depth >= w->limits.depth) {
    return sm_fail_limit(w, SM_FAULT_DEPTH, absolute(w, position), absolute(w, position) + 1);
  }
  const sm_entry *entry = &w->selection->entries[node];
  bool kept = is_kept(w, node);
  if (kept) {
    sm_put_opening(w, position);
  } else if (!w->in_record && is_object) {
    w->paths_seen |= entry->object_marks;
  } else if (!w->in_record && (entry->other_elements != SM_SKIP || entry->element_count > 0)) {
    w->paths_seen |= entry->marks;
  }
  w->i++;
  if (!sm_push(w, is_object, node, kept)) return sm_fail_limit(w, SM_FAULT_MEMORY, absolute(w, position), absolute(w, position) + 1);
  if (!w->in_record) innermost(w)->start = absolute(w, position);
  w->state = is_object ? STATE_FIRST_KEY : STATE_FIRST_ELEMENT;
  return GO_ON;
}

static inline sm_outcome end_container(sm_walker *w, size_t position) {
  sm_open *level = innermost(w);
  if (level->is_kept) sm_put_closing(w, position);
  w->depth--;
  w->i++;
  return end_value(w, absolute(w, position + 1));
}

// The value at `node` starts with the entry at `position`.
static inline sm_outcome begin_value(sm_walker *w, sm_node node, size_t position) {
  uint8_t byte = w->batch[position];
  if (byte == '}' || byte == ']' || byte == ':' || byte == ',' || byte == 0x1E) return sm_fail_byte(w, sm_expected_here(w), position);
  const sm_entry *entry = &w->selection->entries[node];
  if (entry->kind >= SM_KIND_RECORD) {
    begin_record(w, entry, position);
    bool has_rows = entry->kind == SM_KIND_RECORD || entry->rows != SM_SKIP;
    bool may_be_row = w->row.is_wanted && has_rows;
    sm_row_outcome outcome = may_be_row ? sm_read_row(w, node) : SM_IS_NO_ROW;
    if (outcome == SM_IS_ROW) return end_value(w, sm_row_end(w));
    if (outcome == SM_IS_CUT_OFF) {
      // It begins once more, in the state that it began in.
      w->in_record = false;
      return GO_ON;
    }
    node = entry->inside;
  }
  bool is_inner = w->row.inner != NULL && (byte | 0x20) == '{' && entry->rows != SM_SKIP && w->in_record && w->depth > w->record_depth;
  if (is_inner && sm_read_inner_rows(w, node) > 0) {
    end_value(w, absolute(w, w->index[w->i - 1] + 1));
    return STEP_INNER_ROWS;
  }
  switch (byte) {
    case '"': return begin_string(w, node, position);
    case '{':
    case '[': return begin_container(w, node, position);
    default: return begin_scalar(w, node, position);
  }
}

// ---------------------------------------------------------------------------------------------------------
// Members and elements

// Takes a member's whole key: [start, end) of the feed, its text at `key`. `in_batch` points to where it starts in the batch, for
// a key that lies in it; else it is NULL.
static inline sm_outcome take_key(sm_walker *w, const uint8_t *key, size_t length, uint64_t start, uint64_t end, const size_t *in_batch) {
  sm_open *level = innermost(w);
  level->key = key;
  level->key_length = length;
  level->has_position = true;
  level->is_stored = false;
  w->state = STATE_COLON;
  if (level->node == SM_SKIP) {
    w->node = SM_SKIP;
    return GO_ON;
  }
  const sm_entry *entry = &w->selection->entries[level->node];
  const sm_member *member = key != NULL && key == w->found_key ? w->found_member : sm_member_at(w, level, key, length);
  sm_node node = member != NULL ? member->child : entry->other_members;
  w->node = node;
  if (!level->is_kept || node == SM_SKIP) return GO_ON;
  uint32_t tag = member != NULL ? member->tag : 0;
  if (w->hands_text || in_batch == NULL) sm_put_key(w, level, key, length);
  // A key that lies in two batches is in the buffer that joined it.
  if (in_batch == NULL) sm_add_joined(w, start, end, SM_KEY, tag);
  else sm_add_token(w, start, end, SM_KEY | sm_escapes(w, *in_batch, *in_batch + length + 2), tag);
  return GO_ON;
}

static inline sm_outcome begin_key(sm_walker *w, size_t position) {
  if (w->batch[position] != '"') return sm_fail_byte(w, sm_expected_here(w), position);
  w->i++;
  if (w->i < w->count) {
    size_t end = w->index[w->i++];
    size_t length = end - position - 1;
    if (length > w->limits.key) {
      return sm_fail_limit(w, SM_FAULT_KEY, absolute(w, position), absolute(w, position) + 1 + w->limits.key);
    }
    return take_key(w, w->batch + position + 1, length, absolute(w, position), absolute(w, end + 1), &position);
  }
  // The key of an outer level may be in the buffer, where an earlier key that was cut off was joined.
  sm_store_path(w);
  w->token_start = absolute(w, position);
  w->key.count = 0;
  w->state = STATE_IN_KEY;
  size_t length = w->batch_length - position - 1;
  if (length > w->limits.key) return sm_fail_limit(w, SM_FAULT_KEY, w->token_start, w->token_start + 1 + w->limits.key);
  sm_append(w, &w->key, w->batch + position + 1, length);
  return GO_ON;
}

sm_outcome sm_resume_key(sm_walker *w) {
  size_t end = w->i < w->count ? w->index[w->i] : w->batch_length;
  if (w->key.count + end > w->limits.key) {
    return sm_fail_limit(w, SM_FAULT_KEY, w->token_start, w->token_start + 1 + w->limits.key);
  }
  sm_append(w, &w->key, w->batch, end);
  if (w->i == w->count) return GO_ON;
  w->i++;
  return take_key(w, w->key.bytes, w->key.count, w->token_start, absolute(w, end + 1), NULL);
}

static inline sm_outcome begin_element(sm_walker *w, size_t position) {
  sm_open *level = innermost(w);
  level->has_position = true;
  if (level->node == SM_SKIP) return begin_value(w, SM_SKIP, position);
  const sm_entry *entry = &w->selection->entries[level->node];
  sm_node node = entry->element_count == 0 ? entry->other_elements : sm_find_element(entry, level->index);
  if (level->is_kept && node == SM_SKIP) {
    if (entry->element_count > 0 && level->index < entry->last_element) sm_put_null(w, level, position);
  }
  return begin_value(w, node, position);
}

// ---------------------------------------------------------------------------------------------------------
// Texts

static sm_outcome between_texts(sm_walker *w, size_t position) {
  uint8_t byte = w->batch[position];
  if (byte == 0x1E) {
    if (w->framing == SM_FRAMING_AUTO && !w->is_framing_settled && w->is_first_text && !w->has_text) {
      w->framing = SM_FRAMING_SEQ;
      w->is_framing_settled = true;
    }
    if (w->framing != SM_FRAMING_SEQ) return sm_fail_byte(w, SM_EXPECTED_VALUE, position);
    w->has_separator = true;
    w->i++;
    return GO_ON;
  }
  if (w->framing == SM_FRAMING_SEQ && !w->has_separator) return sm_fail_byte(w, SM_EXPECTED_SEPARATOR, position);
  if (w->framing == SM_FRAMING_AUTO && w->has_text) {
    // The second text is on the line of the first one.
    w->framing = SM_FRAMING_CONCAT;
    w->is_framing_settled = true;
  }
  w->text = empty_token(w, position);
  w->state = STATE_VALUE;
  w->node = w->selection->root;
  return begin_value(w, w->node, position);
}

static sm_outcome after_text(sm_walker *w, size_t position) {
  if (w->framing == SM_FRAMING_SEQ && w->batch[position] == 0x1E) {
    w->state = STATE_TEXT;
    if (!w->is_record_whole) return GO_ON;
    w->in_record = false;
    w->is_record_whole = false;
    return STEP_RECORD;
  }
  return sm_fail_byte(w, SM_EXPECTED_TEXT_END, position);
}

// A line feed between tokens.
static inline sm_outcome line_feed(sm_walker *w, size_t position) {
  if (w->framing == SM_FRAMING_NDJSON && w->state != STATE_TEXT && w->state != STATE_AFTER_TEXT) {
    return sm_fail_byte(w, sm_expected_here(w), position);
  }
  w->i++;
  w->line++;
  w->line_start = absolute(w, position + 1);
  if (w->framing == SM_FRAMING_NDJSON && w->state == STATE_AFTER_TEXT) {
    w->state = STATE_TEXT;
    if (!w->is_record_whole) return GO_ON;
    w->in_record = false;
    w->is_record_whole = false;
    return STEP_RECORD;
  }
  if (w->framing == SM_FRAMING_AUTO && !w->is_framing_settled) {
    if (w->state != STATE_TEXT) {
      w->framing = SM_FRAMING_CONCAT;
      w->is_framing_settled = true;
    } else if (w->has_text) {
      w->framing = SM_FRAMING_NDJSON;
      w->is_framing_settled = true;
    }
  }
  return GO_ON;
}

// ---------------------------------------------------------------------------------------------------------
// Steps

// Walks the entries of the batch until a record or a fault, or until all are used up.
sm_outcome sm_walk_batch(sm_walker *w) {
  while (w->i < w->count) {
    if (w->depth > 0) sm_skim(w);
    size_t position = w->index[w->i];
    uint8_t byte = w->batch[position];
    sm_outcome result;
    if (byte == '\n') {
      result = line_feed(w, position);
    } else {
      switch (w->state) {
        case STATE_FIRST_KEY:
          if (byte == '}') {
            result = end_container(w, position);
            break;
          }
          result = begin_key(w, position);
          break;
        case STATE_KEY: result = begin_key(w, position); break;
        case STATE_COLON:
          if (byte != ':') return sm_fail_byte(w, SM_EXPECTED_COLON, position);
          w->i++;
          w->state = STATE_VALUE;
          continue;
        case STATE_VALUE: result = begin_value(w, w->node, position); break;
        case STATE_FIRST_ELEMENT:
          if (byte == ']') {
            result = end_container(w, position);
            break;
          }
          result = begin_element(w, position);
          break;
        case STATE_ELEMENT: result = begin_element(w, position); break;
        case STATE_AFTER_MEMBER:
          if (byte == ',') {
            w->i++;
            w->levels[w->depth - 1].has_position = false;
            w->state = STATE_KEY;
            continue;
          }
          if (byte != '}') return sm_fail_byte(w, SM_EXPECTED_COMMA_OR_BRACE, position);
          result = end_container(w, position);
          break;
        case STATE_AFTER_ELEMENT:
          if (byte == ',') {
            w->i++;
            w->levels[w->depth - 1].index++;
            w->state = STATE_ELEMENT;
            continue;
          }
          if (byte != ']') return sm_fail_byte(w, SM_EXPECTED_COMMA_OR_BRACKET, position);
          result = end_container(w, position);
          break;
        case STATE_TEXT: result = between_texts(w, position); break;
        case STATE_AFTER_TEXT: result = after_text(w, position); break;
        default: return sm_fail_byte(w, sm_expected_here(w), position);
      }
    }
    if (result != GO_ON) return result;
  }
  return GO_ON;
}
