#include "dictionary.h"

#include <stdlib.h>

// What grows beyond this is no dictionary. Other writers have the same bound: readers keep it in memory.
enum { MOST_BYTES = 1 << 20, FIRST_CAPACITY = 1 << 10 };
// A text that is not found in so many slots is refused: texts that were made to have one hash cost no more than that.
enum { MOST_STEPS = 64 };

void sm_dictionary_free(sm_dictionary *d) {
  sm_buffer_free(&d->page);
  sm_buffer_free(&d->places);
  free(d->slots);
  *d = (sm_dictionary){0};
}

void sm_dictionary_clear(sm_dictionary *d) {
  sm_buffer_clear(&d->page);
  sm_buffer_clear(&d->places);
  d->count = 0;
  if (d->slots != NULL) memset(d->slots, 0, d->capacity * sizeof *d->slots);
}

// The halves of the product, mixed.
static uint64_t mixed(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint32_t hash_of(const uint8_t *text, uint32_t length) {
  uint64_t hash = length + 0x9E3779B97F4A7C15, word;
  for (; length >= 8; text += 8, length -= 8) {
    memcpy(&word, text, 8);
    hash = mixed(hash ^ word, 0xD6E8FEB86659FD93);
  }
  word = 0;
  memcpy(&word, text, length);
  hash = mixed(hash ^ word, 0xA0761D6478BD642F);
  return (uint32_t)(hash ^ hash >> 32);
}

static bool enlarge(sm_dictionary *d) {
  size_t capacity = d->capacity == 0 ? FIRST_CAPACITY : 2 * d->capacity;
  sm_dictionary_slot *slots = calloc(capacity, sizeof *slots);
  if (slots == NULL) return false;
  for (size_t i = 0; i < d->capacity; i++) {
    if (d->slots[i].number == 0) continue;
    size_t at = d->slots[i].hash & (capacity - 1);
    while (slots[at].number != 0) at = (at + 1) & (capacity - 1);
    slots[at] = d->slots[i];
  }
  free(d->slots);
  d->slots = slots;
  d->capacity = capacity;
  return true;
}

static bool is_at(const sm_dictionary *d, uint32_t number, const uint8_t *text, uint32_t length) {
  uint32_t place, count;
  memcpy(&place, d->places.bytes + number * sizeof place, sizeof place);
  memcpy(&count, d->page.bytes + place, sizeof count);
  return count == length && memcmp(d->page.bytes + place + sizeof count, text, length) == 0;
}

sm_word sm_dictionary_number(sm_dictionary *d, const uint8_t *text, uint32_t length, uint32_t *number) {
  if (2 * (size_t)d->count >= d->capacity && !enlarge(d)) return SM_WORD_REFUSED;
  uint32_t hash = hash_of(text, length);
  size_t at = hash & (d->capacity - 1);
  for (int steps = 0; d->slots[at].number != 0; at = (at + 1) & (d->capacity - 1)) {
    if (d->slots[at].hash == hash && is_at(d, d->slots[at].number - 1, text, length)) {
      *number = d->slots[at].number - 1;
      return SM_WORD_KNOWN;
    }
    if (++steps == MOST_STEPS) return SM_WORD_REFUSED;
  }
  if (length > MOST_BYTES || d->page.count + sizeof length + length > MOST_BYTES) return SM_WORD_REFUSED;
  sm_buffer_u32(&d->places, (uint32_t)d->page.count);
  sm_buffer_u32(&d->page, length);
  sm_buffer_add(&d->page, text, length);
  if (d->places.failed || d->page.failed) return SM_WORD_REFUSED;
  *number = d->count++;
  d->slots[at] = (sm_dictionary_slot){.hash = hash, .number = d->count};
  return SM_WORD_NEW;
}
