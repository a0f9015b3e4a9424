// Records in other forms, in memory of just their size: rows of cells against a slow reader, and texts that are not right.

#include <stdlib.h>
#include <string.h>

#include "../../Sources/CScan/include/row_writer.h"
#include "../../Sources/CScan/include/text_forms.h"
#include "test.h"

enum { COLUMNS = 4 };

// The columns are a, o.x, o.y, and the one with a long key.
static const char keys[] = "\"a\":\"o\":\"x\":\"y\":\"a key of more than 8 bytes\":";
static const sm_text_part parts[] = {{-1, 0, 3}, {0, 0, 0}, {-1, 3, 2}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
static const sm_text_member members[] = {{0, 4, 1}, {4, 4, 2}, {16, 29, 5}, {8, 4, 3}, {12, 4, 4}};
static const uint8_t contents[COLUMNS] = {SM_HOLDS_TEXT, SM_HOLDS_NUMBER, SM_HOLDS_DATE, SM_HOLDS_JSON};

static bool is_formula(const uint8_t *text, size_t length) { return length > 0 && *text == '='; }
static bool is_long(const uint8_t *number, size_t length) { return length > 0 && number[length - 1] == '9'; }

static void put_cell_value(buf *b, rng *r) {
  static const char *const values[] = {
      "null", "true", "-1.5e3", "1e9", "\"\"", "\"=1\"", "\"a,b\"", "\"0000-01-01\"", "\"\\u0000\"", "\"\\\"\\n\\t\\\\\"", "\"\xC3\xA9\"",
      "\"a text of more than sixteen bytes, and more than thirty-two\"", "[1,\"]\",{\"q\":\"\\\\\"}]", "{}", "[]", "{\"z\":[[]]}",
  };
  put_text(b, values[below(r, sizeof values / sizeof *values)]);
}

static void put_record(buf *b, rng *r) {
  static const char *const names[] = {"\"a\":", "\"a key of more than 8 bytes\":", "\"other\":", "\"a\\u0020key\":"};
  put_byte(b, '{');
  size_t first = b->count;
  for (size_t left = below(r, 5); left > 0; left--) {
    if (b->count > first) put_byte(b, ',');
    if (chance(r, 30)) {
      put_text(b, "\"o\":");
      if (chance(r, 20)) {
        put_text(b, "null");
        continue;
      }
      put_text(b, "{\"x\":");
      put_cell_value(b, r);
      if (chance(r, 50)) {
        put_text(b, ",\"y\":");
        put_cell_value(b, r);
      }
      put_byte(b, '}');
    } else {
      put_text(b, names[below(r, sizeof names / sizeof *names)]);
      put_cell_value(b, r);
    }
  }
  put_byte(b, '}');
}

// A value whose strings have brackets, quotes and backslashes, at any distance from its start.
static void put_deep_value(buf *b, rng *r, int depth) {
  size_t kind = below(r, depth > 0 ? 8 : 5);
  if (kind < 4) {
    put_byte(b, '"');
    static const char *const pieces[] = {"a", "]", "}", "{", "[", ",", ":", "\\\"", "\\\\", "\xC3\xA9", "0123456789", "\\n"};
    for (size_t left = below(r, 12); left > 0; left--) {
      size_t piece = below(r, chance(r, 80) ? 7 : sizeof pieces / sizeof *pieces);
      put_text(b, pieces[piece]);
    }
    put_byte(b, '"');
  } else if (kind == 4) {
    put_cell_value(b, r);
  } else {
    bool is_object = kind == 5;
    put_byte(b, is_object ? '{' : '[');
    for (size_t left = below(r, 6); left > 0; left--) {
      if (is_object) {
        put_text(b, chance(r, 50) ? "\"a\"" : "\"b]\\\\\"");
        put_byte(b, ':');
      }
      put_deep_value(b, r, depth - 1);
      if (left > 1) put_byte(b, ',');
    }
    put_byte(b, is_object ? '}' : ']');
  }
}

// Where a value ends, a byte at a time.
static size_t slow_end(const uint8_t *text, size_t length, size_t at) {
  size_t depth = 0;
  do {
    if (text[at] == '"') {
      for (at++; text[at] != '"'; at++) at += text[at] == '\\';
      at++;
    } else if (memchr("{[", text[at], 2) != NULL) {
      depth++;
      at++;
    } else if (memchr("]}", text[at], 2) != NULL) {
      depth--;
      at++;
    } else if (depth > 0) {
      at++;
    } else {
      while (at < length && memchr(",]}", text[at], 3) == NULL) at++;
    }
  } while (depth > 0);
  return at;
}

// Looks for the last member with a key, as it is written, in an object; 0 if there is none.
static size_t slow_member(const uint8_t *text, size_t length, const char *key, size_t *end) {
  size_t found = 0;
  for (size_t at = 1; text[0] == '{' && at < length && text[at] == '"';) {
    size_t colon = slow_end(text, length, at), next = slow_end(text, length, colon + 1);
    if (colon - at == strlen(key) && memcmp(text + at, key, colon - at) == 0) {
      found = colon + 1;
      *end = next;
    }
    at = next + 1;
  }
  return found;
}

void test_values_of_text(void) {
  size_t found = 0;
  for (uint64_t round = 0; round < sample(40000) && !has_failed(); round++) {
    rng r = rng_for("values of text", round);
    buf value = {0};
    put_deep_value(&value, &r, 4);
    uint8_t *exact = need(value.count);
    memcpy(exact, value.bytes, value.count);
    for (size_t at = 0; at < value.count; at++) {
      bool starts_container = memchr("{[", exact[at], 2) != NULL;
      // A bracket in a string starts nothing.
      if (at > 0 && (!starts_container || memchr("[:,", exact[at - 1], 3) == NULL)) continue;
      bool in_string = false;
      for (size_t k = 0; k < at; k++) {
        if (in_string && exact[k] == '\\') k++;
        else if (exact[k] == '"') in_string = !in_string;
      }
      if (in_string) continue;
      size_t end = sm_value_end(exact, value.count, at), expected = slow_end(exact, value.count, at);
      if (end != expected) fail("a value at %zu ends at %zu, not at %zu", at, end, expected);
      size_t slow_stop = 0, stop = 0;
      const char *key = chance(&r, 50) ? "\"a\"" : "\"b]\\\\\"";
      size_t slow = slow_member(exact + at, value.count - at, key, &slow_stop);
      size_t start = sm_value_of_member(exact + at, value.count - at, (const uint8_t *)key, strlen(key), &stop);
      if (start != slow || stop != slow_stop) fail("a member at %zu to %zu, not %zu to %zu", start, stop, slow, slow_stop);
      found += slow > 0;
    }
    if (has_failed()) print_bytes("value", value.bytes, value.count);
    // Nothing outside a text is read, even if it is not right.
    size_t cut = below(&r, value.count) + 1, stop = 0;
    uint8_t *part = need(cut);
    memcpy(part, exact, cut);
    if (sm_value_end(part, cut, 0) > cut) fail("a value ends outside its text");
    sm_value_of_member(part, cut, (const uint8_t *)"\"a\"", 3, &stop);
    if (stop > cut) fail("a member ends outside its text");
    free(part);
    free(exact);
    drop(&value);
  }
  if (!has_failed() && found < 500) fail("too few members are found");
}

// Writes with ever more room, and returns the result; the text is at the start of `output` then.
static sm_text_form_result write_all(sm_text_form_writer *writer, const uint8_t *text, size_t length, buf *made) {
  for (size_t capacity = 1;; capacity += 1 + capacity / 2) {
    sm_output output = {.start = need(capacity), .count = 0, .capacity = capacity};
    sm_text_form_result result = sm_write_form(writer, text, length, &output);
    if (output.count > capacity || (result != SM_FORM_WRITTEN && output.count != 0)) fail("%zu bytes of %zu", output.count, capacity);
    if (result != SM_FORM_NO_ROOM) put(made, output.start, output.count);
    free(output.start);
    if (result != SM_FORM_NO_ROOM) return result;
  }
}

// CSV read again, a byte at a time: how many cells a row has; 0 if it is not a row.
static size_t cells_of_csv(const buf *row) {
  size_t cells = 1, at = 0;
  if (row->count == 0 || row->bytes[row->count - 1] != '\n') return 0;
  while (at < row->count - 1) {
    if (row->bytes[at] == '"') {
      for (at++; at < row->count; at++) {
        if (row->bytes[at] != '"') continue;
        if (at + 1 >= row->count || row->bytes[at + 1] != '"') break;
        at++;
      }
      at++;
    }
    while (at < row->count - 1 && row->bytes[at] != ',') {
      if (row->bytes[at] == '"' || row->bytes[at] == '\n') return 0;
      at++;
    }
    if (at < row->count - 1) cells++;
    at++;
    if (at == row->count - 1 && row->bytes[at - 1] == ',') return cells;
  }
  return cells;
}

static size_t count_of(const buf *text, uint8_t byte) {
  size_t count = 0;
  for (size_t i = 0; i < text->count; i++) count += text->bytes[i] == byte;
  return count;
}

static void check_form(sm_text_form_writer *writer, const buf *record, bool is_right) {
  sm_text_form_kind kind = writer->form->kind;
  uint8_t *exact = need(record->count);
  memcpy(exact, record->bytes, record->count);
  buf made = {0}, again = {0}, longer = {0};
  sm_text_form_result result = write_all(writer, exact, record->count, &made);
  // What comes after a record is not looked at.
  put(&longer, record->bytes, record->count);
  put_text(&longer, "\\\"\",=\n                                ");
  if (write_all(writer, longer.bytes, record->count, &again) != result || !same(&made, &again)) {
    fail("form %d depends on what follows the record", (int)kind);
    print_bytes("record", record->bytes, record->count);
  }
  if (is_right && result == SM_FORM_WRITTEN) {
    bool is_row = kind == SM_AS_CSV ? cells_of_csv(&made) == COLUMNS
                  : kind == SM_AS_TSV || kind == SM_AS_COPY
                      ? count_of(&made, '\t') == COLUMNS - 1 && count_of(&made, '\n') == 1
                      : made.count > 0 && made.bytes[made.count - 1] == '\n';
    if (!is_row) {
      fail("form %d: no row", (int)kind);
      print_bytes("record", record->bytes, record->count);
      print_bytes("row", made.bytes, made.count);
    }
  }
  if (result == SM_FORM_UNHELD && kind != SM_AS_COPY) fail("form %d cannot hold a value", (int)kind);
  drop(&made);
  drop(&again);
  drop(&longer);
  free(exact);
}

void test_forms(void) {
  for (uint64_t round = 0; round < sample(20000) && !has_failed(); round++) {
    rng r = rng_for("forms", round);
    buf record = {0};
    put_record(&record, &r);
    bool is_right = chance(&r, 70);
    if (!is_right) mutate(&record, &r);
    if (record.count > 0) {
      for (int kind = SM_AS_INDENTED; kind <= SM_AS_TEXT; kind++) {
        sm_text_form form = {
            .kind = (sm_text_form_kind)kind,
            .cells = {.parts = parts, .members = members, .keys = (const uint8_t *)keys, .columns = COLUMNS},
            .contents = contents,
            .is_formula = kind == SM_AS_COPY || chance(&r, 50) ? NULL : is_formula,
            .is_long = is_long,
        };
        sm_text_cell *found = need(COLUMNS * sizeof *found);
        sm_text_form_writer writer = {.form = &form, .found = found};
        check_form(&writer, &record, is_right);
        free(found);
      }
    }
    drop(&record);
  }
}

// The row of a record {"k":VALUE}, straight from the table; empty if it is refused there.
static void put_row_of_value(buf *made, const char *value, sm_text_form_kind kind, sm_column_content content) {
  static const char name[] = "{\"k\":                                ", key[] = "\"k\":";
  sm_selection *s = sm_selection_create();
  if (s == NULL) abort();
  sm_node object = sm_selection_node(s);
  sm_selection_member(s, object, (const uint8_t *)"k", 1, SM_SHELL, 0);
  sm_selection_block(s, object, 0, 1);
  if (!sm_selection_seal(s, sm_selection_record(s, object))) abort();
  sm_walker *walker = sm_walker_create(s, SM_FRAMING_NDJSON, (sm_limits){280, UINT64_MAX, UINT64_MAX, UINT64_MAX}, SM_FORM_TOKENS);
  if (walker == NULL) abort();
  sm_walker_take_rows(walker, true);
  buf feed = {0};
  put_format(&feed, "{\"k\":%s}\n", value);
  // A row that is followed by enough bytes is read in whole vectors.
  for (int i = 0; i < 4; i++) put_text(&feed, "{\"k\":\"another record\"}\n");
  sm_walker_input(walker, feed.bytes, feed.count, true);
  const sm_written_value values[] = {{.kind = SM_WRITE_OBJECT}, {.kind = SM_WRITE_STRING}};
  const sm_written_object objects[] = {{.field_count = 1}};
  const sm_written_field fields[] = {{.value = 1, .name = {0, 5}, .kind = SM_WRITE_STRING}};
  const sm_written_step no_steps = {0};
  const sm_row_program program = {
      .values = values, .objects = objects, .fields = fields, .steps = &no_steps, .texts = (const uint8_t *)name, .most_elements = 1};
  const sm_text_part table[] = {{-1, 0, 1}, {0, 0, 0}};
  const sm_text_member only[] = {{0, 4, 1}};
  const uint8_t held = (uint8_t)content;
  const sm_text_form form = {
      .kind = kind, .cells = {table, only, (const uint8_t *)key, 1}, .contents = &held,
      .is_formula = kind == SM_AS_COPY ? NULL : is_formula, .is_long = is_long};
  int32_t columns[1];
  uint8_t record[200], room[400];
  sm_text_cell found[1];
  sm_text_form_writer writer = {
      .form = &form, .found = found, .columns = columns, .record = record, .record_capacity = sizeof record};
  if (!sm_match_columns(&program, &form.cells, columns)) fail("the column is not matched");
  if (sm_walker_next(walker) != SM_STEP_ROW) fail("%s is not in a row", value);
  sm_output output = {room, 0, sizeof room};
  bool lacks_record = false;
  sm_write_row_cells(sm_walker_row(walker), &program, &output, &writer, &lacks_record);
  put(made, room, output.count);
  put_byte(made, 0);
  sm_walker_destroy(walker);
  sm_selection_destroy(s);
  drop(&feed);
}

// What a form has to look at in a text is looked at on the short way, too.
void test_forms_from_the_table(void) {
  static const struct {
    const char *value;
    sm_text_form_kind kind;
    sm_column_content content;
    const char *row;
  } cases[] = {
      {"\"a text\"", SM_AS_CSV, SM_HOLDS_TEXT, "a text\n"},
      {"\"a, b\"", SM_AS_CSV, SM_HOLDS_TEXT, "\"a, b\"\n"},
      {"\"\"", SM_AS_CSV, SM_HOLDS_TEXT, "\"\"\n"},
      {"\"=1\"", SM_AS_CSV, SM_HOLDS_TEXT, "'=1\n"},
      {"\"=1\"", SM_AS_TSV, SM_HOLDS_TEXT, "'=1\n"},
      {"\"=1\"", SM_AS_COPY, SM_HOLDS_TEXT, "=1\n"},
      {"\"a, b\"", SM_AS_TSV, SM_HOLDS_TEXT, "a, b\n"},
      {"\"a\\n\\\"b\"", SM_AS_CSV, SM_HOLDS_TEXT, "\"a\n\"\"b\"\n"},
      {"\"a\\n\\\"b\"", SM_AS_COPY, SM_HOLDS_TEXT, "a\\n\"b\n"},
      {"\"0000-01-01\"", SM_AS_COPY, SM_HOLDS_TEXT, "0000-01-01\n"},
      {"\"0000-01-01\"", SM_AS_COPY, SM_HOLDS_DATE, ""},
      {"\"0001-01-01\"", SM_AS_COPY, SM_HOLDS_DATE, "0001-01-01\n"},
      {"\"a text\"", SM_AS_COPY, SM_HOLDS_JSON, "\"a text\"\n"},
      {"\"a text\"", SM_AS_TEXT, SM_HOLDS_TEXT, "a text\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    buf made = {0};
    put_row_of_value(&made, cases[i].value, cases[i].kind, cases[i].content);
    if (strcmp((const char *)made.bytes, cases[i].row) != 0) {
      fail("%s in form %d: %s", cases[i].value, (int)cases[i].kind, (const char *)made.bytes);
    }
    drop(&made);
  }
}
