// A slow reading of well-formed JSON, for tests.

#ifndef SLOW_READING_H
#define SLOW_READING_H

#include <stdint.h>
#include <string.h>

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

#endif
