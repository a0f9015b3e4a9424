#include "flatbuffer.h"

static void align(sm_buffer *to, size_t size) { sm_buffer_zeros(to, (size - to->count % size) % size); }

static void put(sm_buffer *to, size_t at, const void *value, size_t size) {
  if (!to->failed) memcpy(to->bytes + at, value, size);
}

void sm_flat_refer(sm_buffer *to, size_t place, size_t target) {
  uint32_t distance = (uint32_t)(target - place);
  put(to, place, &distance, sizeof distance);
}

sm_table sm_flat_table(sm_buffer *to, const uint8_t *sizes, size_t count) {
  // Before the table, there is the list of where its members are in it.
  uint16_t list[2 + SM_MOST_MEMBERS] = {0};
  uint16_t length = sizeof(int32_t);
  for (size_t i = 0; i < count; i++) {
    if (sizes[i] == 0) continue;
    length = (uint16_t)((length + sizes[i] - 1) / sizes[i] * sizes[i]);
    list[2 + i] = length;
    length = (uint16_t)(length + sizes[i]);
  }
  list[0] = (uint16_t)((2 + count) * sizeof *list);
  list[1] = length;
  align(to, 4);
  size_t list_at = to->count;
  sm_buffer_add(to, list, list[0]);
  align(to, 8);
  sm_table table = {.to = to, .at = to->count};
  int32_t back = (int32_t)(table.at - list_at);
  sm_buffer_zeros(to, length);
  put(to, table.at, &back, sizeof back);
  for (size_t i = 0; i < count; i++) table.members[i] = table.at + list[2 + i];
  return table;
}

sm_table sm_flat_root(sm_buffer *to, const uint8_t *sizes, size_t count) {
  sm_buffer_clear(to);
  sm_buffer_u32(to, 0);
  sm_table root = sm_flat_table(to, sizes, count);
  sm_flat_refer(to, 0, root.at);
  return root;
}

void sm_flat_end(sm_buffer *to) { align(to, 8); }

void sm_flat_set(const sm_table *table, size_t member, const void *value, size_t size) { put(table->to, table->members[member], value, size); }

size_t sm_flat_text(sm_buffer *to, const char *text) {
  align(to, 4);
  size_t at = to->count;
  sm_buffer_u32(to, (uint32_t)strlen(text));
  sm_buffer_add(to, text, strlen(text) + 1);
  return at;
}

size_t sm_flat_structs(sm_buffer *to, size_t count) {
  // After the number of elements, there is a multiple of eight.
  align(to, 8);
  sm_buffer_u32(to, 0);
  size_t at = to->count;
  sm_buffer_u32(to, (uint32_t)count);
  return at;
}

size_t sm_flat_references(sm_buffer *to, size_t count) {
  align(to, 4);
  size_t at = to->count;
  sm_buffer_u32(to, (uint32_t)count);
  sm_buffer_zeros(to, count * sizeof(uint32_t));
  return at;
}
