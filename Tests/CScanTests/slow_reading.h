// A slow reading of well-formed JSON, for tests.

#ifndef SLOW_READING_H
#define SLOW_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const uint8_t *past_space(const uint8_t *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') p++;
  return p;
}

static const uint8_t *past_value(const uint8_t *p) {
  int depth = 0;
  do {
    p = past_space(p);
    if (*p == '"') {
      for (p++; *p != '"'; p++) p += *p == '\\';
      p++;
    } else if (*p == '{' || *p == '[') {
      depth++;
      p++;
    } else if (*p == '}' || *p == ']') {
      depth--;
      p++;
    } else if (*p == ',' || *p == ':') {
      p++;
    } else {
      while (memchr(" \t\r\n,:]}", *p, 8) == NULL) p++;
    }
  } while (depth > 0);
  return p;
}

// Writes the content of a string with the escapes that it needs, which takes no more bytes, and gives how many.
static inline size_t spell(const uint8_t *content, size_t length, uint8_t *out) {
  uint8_t *decoded = need(length + 1);
  size_t count = 0, decoded_count = decode_key(content, length, decoded);
  for (size_t i = 0; i < decoded_count; i++) {
    static const char values[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *value = decoded[i] == 0 ? NULL : strchr(values, decoded[i]);
    char text[8] = {(char)decoded[i]};
    if (value != NULL) snprintf(text, sizeof text, "\\%c", letters[value - values]);
    else if (decoded[i] < 0x20) snprintf(text, sizeof text, "\\u%04x", decoded[i]);
    size_t added = decoded[i] < 0x20 || value != NULL ? strlen(text) : 1;
    memcpy(out + count, text, added);
    count += added;
  }
  free(decoded);
  return count;
}

// Puts JSON without white space, and with the escapes that it needs.
static inline void put_compact(buf *out, const uint8_t *text, size_t length) {
  for (const uint8_t *p = text; p < text + length;) {
    if (*p != '"') {
      if (strchr(" \t\r\n", *p) == NULL) put_byte(out, *p);
      p++;
      continue;
    }
    const uint8_t *end = past_value(p);
    uint8_t *spelled = need((size_t)(end - p));
    put_byte(out, '"');
    put(out, spelled, spell(p + 1, (size_t)(end - p) - 2, spelled));
    put_byte(out, '"');
    free(spelled);
    p = end;
  }
}

// Units of 10^-18 in a number of at most 18 bytes without an exponent; false for others.
static bool read_units(__int128 *units, const uint8_t *text, size_t length) {
  bool is_negative = *text == '-', has_point = false;
  if (length - is_negative > 18) return false;
  int places = 0;
  *units = 0;
  for (size_t i = is_negative; i < length; i++) {
    if (text[i] == 'e' || text[i] == 'E') return false;
    if (text[i] == '.') has_point = true;
    else *units = *units * 10 + (text[i] - '0'), places += has_point;
  }
  while (places++ < 18) *units *= 10;
  if (is_negative) *units = -*units;
  return true;
}

#endif
