// Bytes that grow. A buffer that gets no memory keeps what it has and says so: who writes to it looks at `failed` once, at the end.

#ifndef STREAMMAP_BUFFER_H
#define STREAMMAP_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
  bool failed;
} sm_buffer;

void sm_buffer_free(sm_buffer *b);
static inline void sm_buffer_clear(sm_buffer *b) { b->count = 0; }

// Makes room for `more` bytes after those that are there, and returns it; NULL without memory.
uint8_t *sm_buffer_grow(sm_buffer *b, size_t more);

static inline uint8_t *sm_buffer_room(sm_buffer *b, size_t more) {
  return b->bytes != NULL && more <= b->capacity - b->count ? b->bytes + b->count : sm_buffer_grow(b, more);
}

static inline void sm_buffer_add(sm_buffer *b, const void *bytes, size_t count) {
  if (count == 0) return;
  uint8_t *to = sm_buffer_room(b, count);
  if (to == NULL) return;
  memcpy(to, bytes, count);
  b->count += count;
}

static inline void sm_buffer_byte(sm_buffer *b, uint8_t byte) { sm_buffer_add(b, &byte, 1); }
// In the order of bytes that both formats have: the lowest first, as on each machine that this is built for.
static inline void sm_buffer_u32(sm_buffer *b, uint32_t value) { sm_buffer_add(b, &value, sizeof value); }

static inline void sm_buffer_zeros(sm_buffer *b, size_t count) {
  uint8_t *to = sm_buffer_room(b, count);
  if (to == NULL) return;
  memset(to, 0, count);
  b->count += count;
}

// Seven bits a byte, the lowest first (LEB128).
static inline void sm_buffer_varint(sm_buffer *b, uint64_t value) {
  uint8_t *to = sm_buffer_room(b, 10);
  if (to == NULL) return;
  size_t count = 0;
  for (; value >= 0x80; value >>= 7) to[count++] = (uint8_t)value | 0x80;
  to[count++] = (uint8_t)value;
  b->count += count;
}

#endif
