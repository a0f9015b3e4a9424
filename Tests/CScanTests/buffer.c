#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

void *need(size_t size) {
  // Memory that is not touched costs nothing: only so is a writer found that asks for more and more.
  if (size > (size_t)64 << 20) {
    printf("    %zu bytes are asked for: something grows without end\n", size);
    fflush(stdout);
    abort();
  }
  void *memory = malloc(size > 0 ? size : 1);
  if (memory == NULL) abort();
  return memory;
}

static void reserve(buf *b, size_t more) {
  if (b->capacity - b->count >= more) return;
  size_t capacity = b->capacity * 2 + more + 64;
  b->bytes = realloc(b->bytes, capacity);
  if (b->bytes == NULL) abort();
  b->capacity = capacity;
}

void put(buf *b, const void *bytes, size_t length) {
  if (length == 0) return;
  reserve(b, length);
  memcpy(b->bytes + b->count, bytes, length);
  b->count += length;
}

void put_text(buf *b, const char *text) { put(b, text, strlen(text)); }

void put_byte(buf *b, uint8_t byte) { put(b, &byte, 1); }

void put_format(buf *b, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put(b, text, (size_t)length);
}

void drop(buf *b) {
  free(b->bytes);
  *b = (buf){0};
}

bool same(const buf *a, const buf *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->bytes, b->bytes, a->count) == 0);
}
