// Random feeds, whole and damaged. The keys and strings have the lengths at which code takes other paths: 0, 3, 4, 7, 8, 16, 17,
// and more than a block of 64.

#include <string.h>

#include "test.h"

#define TEXT(literal) {literal, sizeof literal - 1}
static const struct { const char *text; size_t length; } stock[] = {
    TEXT("a"), TEXT("b"), TEXT(""), TEXT("id"), TEXT("items"), TEXT("\xC3\xA9"), TEXT("q\"q"), TEXT("nul"),
    TEXT("x\\y"), TEXT("eightlon"), TEXT("eightlen"), TEXT("\xF0\x9F\x98\x80"), TEXT("a_key_of_16_byte"),
    TEXT("a_key_of_17_bytes"), TEXT("a_key_of_17_bytez"), TEXT("tab\there"), TEXT("\n\r\b\f\xE2\x82\xAC\x01"), TEXT("seven77"),
    TEXT("a key that is a good deal longer than a block of sixty-four bytes is, so it spans two"),
    TEXT("a key that is a good deal longer than a block of sixty-four bytes is, as it spans two"),
    TEXT("e\xCC\x81"), TEXT("K"), TEXT("\xE2\x84\xAA"),
};

size_t key_count(void) { return sizeof stock / sizeof *stock; }

const char *key_text(size_t i, size_t *length) {
  *length = stock[i].length;
  return stock[i].text;
}

static void put_escape(buf *b, uint32_t code, rng *r) {
  const char *format = chance(r, 50) ? "\\u%04x" : "\\u%04X";
  if (code < 0x10000) {
    put_format(b, chance(r, 50) ? "\\u%04x" : format, code);
  } else {
    put_format(b, "\\u%04x", 0xD800 + ((code - 0x10000) >> 10));
    put_format(b, "\\u%04X", 0xDC00 + ((code - 0x10000) & 0x3FF));
  }
}

// One character of UTF-8, as it is or escaped.
static size_t put_character(buf *b, rng *r, const char *at, unsigned escapes) {
  uint8_t lead = (uint8_t)*at;
  size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) code = code << 6 | ((uint8_t)at[i] & 0x3F);
  if (chance(r, escapes)) {
    put_escape(b, code, r);
  } else if (lead == '"' || lead == '\\') {
    put_byte(b, '\\');
    put_byte(b, lead);
  } else if (lead < 0x20) {
    static const char controls[] = "\b\f\n\r\t", names[] = "bfnrt";
    const char *control = lead == 0 ? NULL : strchr(controls, lead);
    if (control != NULL) put_format(b, "\\%c", names[control - controls]);
    else put_escape(b, lead, r);
  } else {
    put(b, at, length);
  }
  return length;
}

void put_key(buf *b, rng *r, size_t i) {
  unsigned escapes = chance(r, 15) ? 20 : 0;
  put_byte(b, '"');
  for (size_t k = 0; k < stock[i].length;) k += put_character(b, r, stock[i].text + k, escapes);
  put_byte(b, '"');
}

static void put_string(buf *b, rng *r) {
  static const char *const pieces[] = {
      "\\n", "\\\\", "\\\"", "\\/", "\\b", "\\f", "\\r", "\\t", "\\u0041", "\\uD83d\\uDE00", "\\uFFFF", "\\ud7ff", "\\uE000",
      "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF", "{", "}", "[", "]", ":", ",", " ", "true", "1", "\x7F", "\\\\\\\\", "\\\\\\\"", "\\\\\\\\\\\\\\\"",
  };
  static const int lengths[] = {0, 1, 3, 4, 7, 8, 9, 16, 31, 33, 63, 64, 65, 130};
  put_byte(b, '"');
  int count = chance(r, 80) ? (int)below(r, 6) : lengths[below(r, sizeof lengths / sizeof *lengths)];
  unsigned special = chance(r, 50) ? 0 : (unsigned)below(r, 100);
  for (int i = 0; i < count; i++) {
    if (chance(r, special)) put_text(b, pieces[below(r, sizeof pieces / sizeof *pieces)]);
    else put_byte(b, (uint8_t)('a' + below(r, 26)));
  }
  put_byte(b, '"');
}

static void put_scalar(buf *b, rng *r) {
  static const char *const scalars[] = {
      "0", "-0", "1", "-1", "12", "1234567", "12345678", "0.5", "-0.25e10", "1e5", "1E+5", "9e-9", "0e0", "true", "false", "null",
      "123456789012345678901234567890", "3.14159265358979323846264338327950288", "-1.5E-300", "10", "100.001",
      "-94.254430000000082", "0.123456789", "-0.1234567890123456789012345678", "123456789.5", "-1234567890123456", "12345678.1e1",
  };
  if (chance(r, 35)) put_string(b, r);
  else put_text(b, scalars[below(r, sizeof scalars / sizeof *scalars)]);
}

// White space between tokens; in a feed of lines, none that ends the line.
static bool one_line;
static unsigned looseness;

static void put_space(buf *b, rng *r) {
  // Line feeds are tokens to the walker: runs of them end a batch in states in which nothing else ends one.
  if (looseness > 25 && chance(r, 10)) {
    for (uint64_t count = below(r, 9); count > 0; count--) put_byte(b, one_line ? ' ' : '\n');
  }
  while (chance(r, looseness)) put_byte(b, (uint8_t)(one_line ? " \t\r"[below(r, 3)] : " \t\r\n"[below(r, 4)]));
}

// An array of objects whose keys are the same, in the same order, most of the time.
static void put_table(buf *b, rng *r) {
  size_t keys[4], count = below(r, 5);
  for (size_t k = 0; k < count; k++) keys[k] = chance(r, 80) ? below(r, 5) : below(r, key_count());
  unsigned odd = chance(r, 60) ? 0 : 10;
  put_byte(b, '[');
  for (uint64_t rows = below(r, 12); rows > 0; rows--) {
    if (chance(r, odd)) {
      put_scalar(b, r);
    } else {
      put_byte(b, '{');
      for (size_t k = 0; k < count; k++) {
        if (k > 0) put_byte(b, ',');
        put_key(b, r, chance(r, odd) ? below(r, key_count()) : keys[k]);
        put_byte(b, ':');
        if (chance(r, 30)) {
          put_byte(b, '[');
          for (uint64_t i = below(r, 4); i > 0; i--) {
            put_scalar(b, r);
            put_space(b, r);
            if (i > 1) put_byte(b, ',');
          }
          put_byte(b, ']');
        } else {
          put_scalar(b, r);
        }
      }
      put_byte(b, '}');
    }
    put_space(b, r);
    if (rows > 1) put_byte(b, ',');
  }
  put_byte(b, ']');
}

void put_value(buf *b, rng *r, int depth, int budget) {
  if (depth > 2 && chance(r, 10)) {
    put_table(b, r);
    return;
  }
  if (depth <= 0 || budget <= 1 || chance(r, 25)) {
    put_scalar(b, r);
    return;
  }
  bool is_object = chance(r, 60);
  put_byte(b, is_object ? '{' : '[');
  put_space(b, r);
  int parts = (int)below(r, (uint64_t)(budget < 9 ? budget : 9));
  for (int i = 0; i < parts; i++) {
    if (i > 0) {
      put_byte(b, ',');
      put_space(b, r);
    }
    if (is_object) {
      put_key(b, r, chance(r, 60) ? below(r, 5) : below(r, key_count()));
      put_space(b, r);
      put_byte(b, ':');
      put_space(b, r);
    }
    put_value(b, r, depth - 1, budget / 2);
    put_space(b, r);
  }
  put_byte(b, is_object ? '}' : ']');
}

void put_values_on_lines(void) {
  one_line = true;
  looseness = 10;
}

void put_feed(buf *b, rng *r, sm_framing framing, bool is_valid, int size) {
  looseness = chance(r, 60) ? 0 : (unsigned)below(r, 50);
  sm_framing as = framing;
  if (framing == SM_FRAMING_AUTO) {
    static const sm_framing all[] = {SM_FRAMING_NDJSON, SM_FRAMING_CONCAT, SM_FRAMING_SEQ};
    as = all[below(r, 3)];
  }
  one_line = as == SM_FRAMING_NDJSON;
  int texts = as == SM_FRAMING_JSON ? 1 : (int)below(r, 6);
  if (as != SM_FRAMING_SEQ) put_space(b, r);
  for (int i = 0; i < texts; i++) {
    if (as == SM_FRAMING_SEQ) put_byte(b, 0x1E);
    if (as == SM_FRAMING_SEQ && chance(r, 10)) put_byte(b, 0x1E);
    put_space(b, r);
    size_t start = b->count;
    put_value(b, r, 1 + (int)below(r, 5), size);
    bool is_scalar = b->bytes[start] != '{' && b->bytes[start] != '[' && b->bytes[start] != '"';
    put_space(b, r);
    if (as == SM_FRAMING_NDJSON) {
      if (i + 1 < texts || chance(r, 80)) put_byte(b, '\n');
      if (i + 1 < texts && chance(r, 10)) put_text(b, " \r\n");
    } else if (as == SM_FRAMING_SEQ) {
      put_byte(b, '\n');
    } else if (as == SM_FRAMING_CONCAT && (is_scalar || chance(r, 20))) {
      put_byte(b, chance(r, 50) ? '\n' : ' ');
    }
  }
  if (!is_valid) mutate(b, r);
}

void mutate(buf *b, rng *r) {
  static const char *const bad[] = {
      "\\", "\\u", "\\u12", "\\x", "\\ud800", "\\udc00", "\\ud83d\\u0041", "\\ud83d\\", "\\ud83dx", "\xFF", "\xC0\xAF", "\xC3",
      "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\x80", "\xC3(", "\n", "\x1E", "\x01",
      "\"", "{", "}", "[", "]", ":", ",", "1", "-", ".", "e", "t", "nul", "\xEF\xBB\xBF", " ", "01", "1.", "\t", "\r",
  };
  int count = chance(r, 70) ? 1 : 1 + (int)below(r, 5);
  for (int i = 0; i < count; i++) {
    size_t at = b->count == 0 ? 0 : below(r, b->count);
    switch (below(r, 6)) {
      case 0:
        if (b->count > 0) b->bytes[at] ^= (uint8_t)(1u << below(r, 8));
        break;
      case 1:
        if (b->count > 0) b->bytes[at] = (uint8_t)below(r, 256);
        break;
      case 2: b->count = chance(r, 30) ? at : b->count; break;
      case 3: {  // something is left out
        size_t length = 1 + below(r, 4);
        if (at + length > b->count) break;
        memmove(b->bytes + at, b->bytes + at + length, b->count - at - length);
        b->count -= length;
        break;
      }
      case 4: {  // something follows a literal directly; words that are compared end in 0
        static const uint8_t tails[] = {0x00, 0x00, 0x00, 0x0B, 0x7F, 0x80, 0xFF};
        size_t count = chance(r, 70) ? 1 : 1 + below(r, 5);
        while (at < b->count && (at < 3 || (memcmp(b->bytes + at - 3, "rue", 3) != 0 && memcmp(b->bytes + at - 3, "ull", 3) != 0 &&
               memcmp(b->bytes + at - 3, "lse", 3) != 0))) at++;
        for (; count > 0; count--) {
          put_byte(b, 0);
          memmove(b->bytes + at + 1, b->bytes + at, b->count - 1 - at);
          b->bytes[at] = tails[below(r, sizeof tails)];
        }
        break;
      }
      default: {  // something is inserted
        const char *what = bad[below(r, sizeof bad / sizeof *bad)];
        size_t length = strlen(what), tail = b->count - at;
        put(b, what, length);
        memmove(b->bytes + at + length, b->bytes + at, tail);
        memcpy(b->bytes + at, what, length);
      }
    }
  }
}
