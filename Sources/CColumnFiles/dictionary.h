// The different texts of a column, in the order in which they came, as Parquet's dictionary page has them: each with its length before it.

#ifndef STREAMMAP_DICTIONARY_H
#define STREAMMAP_DICTIONARY_H

#include "buffer.h"

typedef struct {
  uint32_t hash;
  uint32_t number;  // from 1; 0 where nothing is
} sm_dictionary_slot;

typedef struct {
  sm_buffer page;
  sm_buffer places;  // by number: where its text is in the page, as a uint32_t
  uint32_t count;
  sm_dictionary_slot *slots;
  size_t capacity;   // a power of two
} sm_dictionary;

void sm_dictionary_free(sm_dictionary *d);
void sm_dictionary_clear(sm_dictionary *d);

typedef enum {
  SM_WORD_KNOWN,
  SM_WORD_NEW,
  SM_WORD_REFUSED,  // there would be too many, or there is no memory
} sm_word;

// The number of a text, from 0; it is added if it is new.
sm_word sm_dictionary_number(sm_dictionary *d, const uint8_t *text, uint32_t length, uint32_t *number);

#endif
