#include "buffer.h"

#include <stdlib.h>

enum { LEAST_CAPACITY = 256 };

void sm_buffer_free(sm_buffer *b) {
  free(b->bytes);
  *b = (sm_buffer){0};
}

uint8_t *sm_buffer_grow(sm_buffer *b, size_t more) {
  if (b->failed) return NULL;
  if (more > SIZE_MAX / 4 - b->count) {
    b->failed = true;
    return NULL;
  }
  size_t capacity = b->capacity > LEAST_CAPACITY ? b->capacity : LEAST_CAPACITY;
  while (capacity - b->count < more || capacity < b->count) capacity *= 2;
  uint8_t *bytes = realloc(b->bytes, capacity);
  if (bytes == NULL) {
    b->failed = true;
    return NULL;
  }
  b->bytes = bytes;
  b->capacity = capacity;
  return bytes + b->count;
}
