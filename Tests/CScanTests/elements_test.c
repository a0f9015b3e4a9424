// The splitting of lists, compared with a loop over bytes and with the lists that were put together.

#include <stdlib.h>
#include <string.h>

#include "test.h"

// Bytes that are mostly brackets, quotes and backslashes, so mostly no JSON; in between, some plain text of any length.
static void put_marks(buf *b, rng *r, size_t size) {
  static const char marks[] = "{}[]{}[],,\"\"\\\\\n a1:";
  while (b->count < size) {
    if (chance(r, 10)) {
      size_t length = below(r, 150);
      for (size_t i = 0; i < length; i++) put_byte(b, 'z');
    } else if (chance(r, 5)) {
      put_byte(b, (uint8_t)below(r, 256));
    } else {
      put_byte(b, (uint8_t)marks[below(r, sizeof marks - 1)]);
    }
  }
}

// The same by what comes before a byte, without a state for each.
static size_t loop(sm_elements *list, const uint8_t *bytes, size_t length, uint64_t most) {
  for (size_t i = 0; i < length; i++) {
    char byte = (char)bytes[i];
    bool plain = !list->in_string, escaped = list->is_escaped;
    if (plain && list->depth == 0 && (byte == ']' || byte == '}')) {
      list->is_over = true;
      return i;
    }
    list->is_escaped = !escaped && byte == '\\';
    list->here.offset += 1;
    bool ends = false;
    switch (byte) {
      case '"': list->in_string = escaped ? list->in_string : plain; break;
      case '\n': list->here.line_feeds += 1; list->here.line_start = list->here.offset; break;
      case '{': case '[': list->depth += plain; break;
      case '}': case ']': list->depth -= plain; ends = plain && list->depth == 0; break;
      case ',': list->here.commas += plain && list->depth == 0; break;
      default: break;
    }
    if (ends && list->here.commas <= most) list->end = list->here;
    if (ends && list->here.commas >= most) return i + 1;
  }
  return length;
}

static bool same_state(const sm_elements *a, const sm_elements *b) {
  return memcmp(&a->here, &b->here, sizeof a->here) == 0 && memcmp(&a->end, &b->end, sizeof a->end) == 0 &&
         a->depth == b->depth && a->in_string == b->in_string && a->is_escaped == b->is_escaped && a->is_over == b->is_over;
}

void test_elements(void) {
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  for (uint64_t round = 0; round < 6000 && !has_failed(); round++) {
    rng r = rng_for("elements", round);
    buf b = {0};
    // With many brackets open, the loop over blocks hardly ever looks closer.
    uint64_t depth = chance(&r, 50) ? below(&r, 40) : below(&r, 3);
    if (chance(&r, 70)) {
      put_marks(&b, &r, below(&r, 700));
    } else {
      put_feed(&b, &r, SM_FRAMING_CONCAT, chance(&r, 50), 20);
    }
    for (size_t i = 0; i < count; i++) {
      sm_scan_select(names[i]);
      sm_elements expected = {.depth = depth, .in_string = chance(&r, 10), .is_escaped = chance(&r, 10)}, found = expected;
      for (size_t from = 0; from < b.count && !expected.is_over;) {
        size_t length = chance(&r, 30) ? b.count - from : below(&r, b.count - from + 1);
        uint64_t most = chance(&r, 50) ? UINT64_MAX : expected.end.commas + below(&r, 9);
        // Memory for exactly these bytes.
        uint8_t *exact = need(length);
        if (length > 0) memcpy(exact, b.bytes + from, length);
        size_t expected_length = loop(&expected, exact, length, most);
        size_t found_length = sm_split_elements(&found, exact, length, most);
        if (found_length != expected_length || !same_state(&found, &expected)) {
          fail("%s, round %llu: %zu bytes from %zu, at most %llu: went over %zu, is at %llu (%llu commas, depth %llu), ended at "
               "%llu; expected %zu, %llu (%llu, %llu), %llu",
               names[i], (unsigned long long)round, length, from, (unsigned long long)most, found_length,
               (unsigned long long)found.here.offset, (unsigned long long)found.here.commas,
               (unsigned long long)found.depth, (unsigned long long)found.end.offset, expected_length,
               (unsigned long long)expected.here.offset, (unsigned long long)expected.here.commas,
               (unsigned long long)expected.depth, (unsigned long long)expected.end.offset);
          print_bytes("bytes", exact, length);
          found = expected;
        }
        free(exact);
        from += expected_length > 0 ? expected_length : 1;
      }
    }
    drop(&b);
  }
}

static void put_space(buf *b, rng *r) {
  while (chance(r, 30)) put_byte(b, (uint8_t)" \t\r\n"[below(r, 4)]);
}

// The elements of a valid list end where they were put.
void test_elements_are_those_of_the_list(void) {
  for (uint64_t round = 0; round < 3000 && !has_failed(); round++) {
    rng r = rng_for("lists", round);
    buf b = {0};
    struct { size_t end; uint64_t number, line_feeds, line_start; } ends[60];
    size_t count = 0, most = below(&r, 60);
    for (uint64_t number = 1; number <= most; number++) {
      put_space(&b, &r);
      put_byte(&b, ',');
      put_space(&b, &r);
      size_t start = b.count;
      put_value(&b, &r, 4, chance(&r, 10) ? 60 : 6);
      if (b.bytes[start] != '{' && b.bytes[start] != '[') continue;
      ends[count].end = b.count;
      ends[count].number = number;
      ends[count].line_feeds = ends[count].line_start = 0;
      for (size_t i = 0; i < b.count; i++) {
        if (b.bytes[i] != '\n') continue;
        ends[count].line_feeds++;
        ends[count].line_start = i + 1;
      }
      count++;
    }
    put_space(&b, &r);
    size_t list_end = b.count;
    put_text(&b, "],[]]");
    sm_elements list = {0};
    size_t at = 0;
    for (size_t i = 0; i < count && !has_failed(); i++) {
      at += sm_split_elements(&list, b.bytes + at, b.count - at, ends[i].number);
      if (at != ends[i].end || list.end.offset != at || list.end.commas != ends[i].number ||
          list.end.line_feeds != ends[i].line_feeds || list.end.line_start != ends[i].line_start) {
        fail("round %llu, element %llu: ended at %zu instead of %zu", (unsigned long long)round,
             (unsigned long long)ends[i].number, at, ends[i].end);
        print_bytes("bytes", b.bytes, b.count);
      }
    }
    at += sm_split_elements(&list, b.bytes + at, b.count - at, UINT64_MAX);
    if (!has_failed() && (!list.is_over || at != list_end || list.here.offset != at || list.here.commas != most)) {
      fail("round %llu: the list was over at %zu instead of %zu", (unsigned long long)round, at, list_end);
      print_bytes("bytes", b.bytes, b.count);
    }
    drop(&b);
  }
}
