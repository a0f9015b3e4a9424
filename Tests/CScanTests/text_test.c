// The texts of numbers and strings, in memory of just their size: fractions bit for bit as by strtod, and escapes.

#include <stdlib.h>
#include <string.h>

#include "../../Sources/CText/include/numbers.h"
#include "../../Sources/CText/include/unescape.h"
#include "slow_reading.h"
#include "test.h"

// Whether a text is a number without an exponent (RFC 8259, section 6).
static bool is_number(const char *text) {
  text += *text == '-';
  size_t whole = strspn(text, "0123456789");
  if (whole == 0 || (*text == '0' && whole > 1)) return false;
  text += whole;
  if (*text == '.') {
    size_t digits = strspn(++text, "0123456789");
    if (digits == 0) return false;
    text += digits;
  }
  return *text == '\0';
}

void test_fractions(void) {
  size_t taken = 0;
  for (uint64_t round = 0; round < 400000 && !has_failed(); round++) {
    rng r = rng_for("fractions", round);
    char text[32] = {0};
    size_t length = below(&r, 28);
    for (size_t i = 0; i < length; i++) {
      text[i] = chance(&r, 1) ? (char)(1 + below(&r, 255)) : (char)('0' + below(&r, 10));
    }
    if (length > 0 && chance(&r, 50)) text[0] = '-';
    if (length > 8) text[1 + below(&r, 7)] = '.';
    uint8_t *exact = need(length);
    memcpy(exact, text, length);
    double value = 0, portable = 0, expected = strtod(text, NULL);
    bool is_taken = sm_read_fraction(exact, length, false, &value);
    if (is_taken != sm_read_fraction(exact, length, true, &portable) || memcmp(&value, &portable, sizeof value) != 0) {
      fail("%s: %.17g, without vectors %.17g", text, value, portable);
    } else if (is_taken && (!is_number(text) || memcmp(&value, &expected, sizeof value) != 0)) {
      fail("%s: %.17g, expected %.17g", text, value, expected);
    }
    taken += is_taken;
    free(exact);
  }
  if (taken < 50000) fail("only %zu fractions were taken", taken);
}

void test_escapes(void) {
  static const struct {
    const char *written, *meant;  // NULL: an escape is wrong, wherever it stands
  } parts[] = {
      {"\\n", "\n"}, {"\\\"", "\""}, {"\\/", "/"}, {"\\\\", "\\"}, {"\\u0022", "\""}, {"\\u005C", "\\"},
      {"\\u001F", "\x1F"}, {"\\u0008", "\b"}, {"\\t", "\t"}, {"\\u0041", "A"}, {"\\u00e9", "\xC3\xA9"},
      {"\\u20AC", "\xE2\x82\xAC"}, {"\\uD83D\\ude00", "\xF0\x9F\x98\x80"}, {"abc", "abc"}, {"\xC3\xA9", "\xC3\xA9"},
      {"sixteen bytes or more", "sixteen bytes or more"}, {"\\x", NULL}, {"\\u12g4", NULL}, {"\\ud83d-", NULL}, {"\\ude00", NULL},
  };
  enum { WRONG = 4, PARTS = sizeof parts / sizeof parts[0] };
  for (uint64_t round = 0; round < 100000 && !has_failed(); round++) {
    rng r = rng_for("escapes", round);
    buf written = {0}, meant = {0};
    bool is_wrong = false;
    for (size_t i = below(&r, 12); i > 0; i--) {
      size_t part = below(&r, chance(&r, 10) ? PARTS : PARTS - WRONG);
      put_text(&written, parts[part].written);
      if (parts[part].meant == NULL) is_wrong = true;
      else put_text(&meant, parts[part].meant);
    }
    // Cut anywhere: this must not read or write beyond the end.
    for (int cut = 0; cut < 2; cut++) {
      size_t length = cut ? below(&r, written.count + 1) : written.count;
      uint8_t *text = need(length), *room = need(length);
      if (length > 0) memcpy(text, written.bytes, length);
      uint8_t *end = sm_unescape(text, length, room);
      size_t count = end == NULL ? 0 : (size_t)(end - room);
      bool is_right = cut ? count <= length
                          : (end == NULL) == is_wrong &&
                                (is_wrong || (count == meant.count && (count == 0 || memcmp(room, meant.bytes, count) == 0)));
      if (!is_right) {
        fail("round %llu: %zu bytes become %zu, expected %zu", (unsigned long long)round, length, count, meant.count);
        print_bytes("written", text, length);
      }
      // Spelled again, it means the same.
      uint8_t *spelled = sm_respell(text, length, room), *right = need(length + 1);
      bool is_same = (spelled == NULL) == (end == NULL);
      if (is_same && spelled != NULL) {
        size_t spelled_count = (size_t)(spelled - room);
        is_same = spell(text, length, right) == spelled_count && memcmp(room, right, spelled_count) == 0;
      }
      if (!is_same) {
        fail("round %llu: spelled otherwise", (unsigned long long)round);
        print_bytes("written", text, length);
      }
      free(right);
      free(text);
      free(room);
    }
    drop(&written);
    drop(&meant);
  }
}
