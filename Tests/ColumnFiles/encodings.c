// The encodings of files of columns by themselves, and what becomes of a file where memory runs out. The code under test takes its memory
// from here. The last line is 'N passed, N failed'.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column_files.h"
#include "columns.h"
#include "dictionary.h"
#include "parquet_levels.h"

static int failed_checks;
static const char *test_name;

#define CHECK(CONDITION)                                                                                          \
  do {                                                                                                            \
    if (!(CONDITION) && failed_checks++ < 10) printf("  %s: line %d: not so: %s\n", test_name, __LINE__, #CONDITION); \
  } while (0)

static size_t allocations, failing;  // the one that fails, with all after it; 0: none
static bool fails(void) { return ++allocations >= failing && failing > 0; }

void *test_malloc(size_t size);
void *test_calloc(size_t count, size_t size);
void *test_realloc(void *memory, size_t size);
char *test_strdup(const char *text);
void *test_malloc(size_t size) { return fails() ? NULL : malloc(size); }
void *test_calloc(size_t count, size_t size) { return fails() ? NULL : calloc(count, size); }
void *test_realloc(void *memory, size_t size) { return fails() ? NULL : realloc(memory, size); }
char *test_strdup(const char *text) { return fails() ? NULL : strdup(text); }

static uint64_t state;
static uint64_t next(void) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static size_t below(size_t bound) { return (size_t)(next() % bound); }

// --- The hybrid of runs and packed bits, read as Encodings.md says it.

static uint64_t read_varint(const uint8_t **at, const uint8_t *end) {
  uint64_t value = 0;
  for (int shift = 0; *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// Reads up to `most` numbers; returns how many there were.
static size_t read_hybrid(const uint8_t *at, const uint8_t *end, int width, uint32_t *values, size_t most) {
  size_t count = 0;
  while (at < end) {
    uint64_t header = read_varint(&at, end);
    if ((header & 1) == 0) {
      uint32_t value = 0;
      for (int i = 0; i < (width + 7) / 8 && at < end; i++) value |= (uint32_t)*at++ << 8 * i;
      for (uint64_t i = 0; i < header >> 1; i++, count++) {
        if (count < most) values[count] = value;
      }
      continue;
    }
    uint64_t numbers = (header >> 1) * 8;
    for (uint64_t i = 0; i < numbers; i++, count++) {
      uint32_t value = 0;
      for (int bit = 0; bit < width; bit++) {
        uint64_t place = i * (uint64_t)width + (uint64_t)bit;
        if (at + place / 8 < end) value |= (uint32_t)(at[place / 8] >> place % 8 & 1) << bit;
      }
      if (count < most) values[count] = value;
    }
    at += (header >> 1) * (uint64_t)width;
  }
  return at == end ? count : SIZE_MAX;
}

static void hybrids_come_back(void) {
  static uint32_t values[3000], back[3000];
  for (int round = 0; round < 3000; round++) {
    int width = 1 + (int)below(32);
    uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
    size_t count = below(round % 10 == 0 ? 3000 : 60), longest = 1 + below(20);
    for (size_t i = 0; i < count;) {
      uint32_t value = (uint32_t)next() & mask;
      for (size_t run = 1 + below(longest); run > 0 && i < count; run--) values[i++] = value;
    }
    sm_buffer to = {0};
    sm_hybrid(&to, values, count, width);
    size_t found = read_hybrid(to.bytes, to.bytes + to.count, width, back, 3000);
    // The last group may have zeros after it.
    CHECK(found >= count && found < count + 8);
    CHECK(memcmp(values, back, count * sizeof *values) == 0);
    sm_buffer_free(&to);
  }
}

static void the_width_is_that_of_the_greatest_number(void) {
  CHECK(sm_bit_width(0) == 0 && sm_bit_width(1) == 1 && sm_bit_width(2) == 2 && sm_bit_width(255) == 8 && sm_bit_width(256) == 9);
  CHECK(sm_bit_width(UINT32_MAX) == 32);
}

// --- Dictionaries.

static void each_word_has_one_number(void) {
  sm_dictionary d = {0};
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 20000; i++) {
      char text[16];
      int length = snprintf(text, sizeof text, "word %u", i);
      uint32_t number = UINT32_MAX;
      sm_word word = sm_dictionary_number(&d, (const uint8_t *)text, (uint32_t)length, &number);
      CHECK(word == (round == 0 ? SM_WORD_NEW : SM_WORD_KNOWN) && number == i);
    }
  }
  sm_dictionary_clear(&d);
  uint32_t number;
  CHECK(sm_dictionary_number(&d, (const uint8_t *)"", 0, &number) == SM_WORD_NEW && number == 0);
  CHECK(sm_dictionary_number(&d, (const uint8_t *)"\0", 1, &number) == SM_WORD_NEW && number == 1);
  CHECK(sm_dictionary_number(&d, (const uint8_t *)"", 0, &number) == SM_WORD_KNOWN && number == 0);
  sm_dictionary_free(&d);
}

static void a_dictionary_that_grows_too_large_refuses_words(void) {
  sm_dictionary d = {0};
  static uint8_t text[1 << 20];
  uint32_t number, count = 0;
  for (; count < 1 << 20; count++) {
    memcpy(text, &count, sizeof count);
    if (sm_dictionary_number(&d, text, 1000, &number) == SM_WORD_REFUSED) break;
  }
  CHECK(count == (1 << 20) / 1004);
  CHECK(sm_dictionary_number(&d, text, sizeof text, &number) == SM_WORD_REFUSED);
  count = 3;
  memcpy(text, &count, sizeof count);
  CHECK(sm_dictionary_number(&d, text, 1000, &number) == SM_WORD_KNOWN && number == 3);
  sm_dictionary_free(&d);
}

// --- Files.

static const char record_text[] =
    "{\"id\":17,\"name\":\"a name of the record\",\"list\":[{\"k\":\"x\",\"v\":[1.5,null]},{\"k\":\"\",\"v\":[]}],\"price\":-1.25}";
static const char other_text[] = "{\"id\":-3,\"name\":null,\"list\":[],\"price\":99999999999999999999.5}";

static sm_columns *make_columns(void) {
  static const uint8_t texts[] = "id\0\"id\":name\0\"name\":list\0\"list\":k\0\"k\":v\0\"v\":item\0\"item\":price\0\"price\":";
#define NAMED(PLACE, LENGTH) .name = (PLACE), .key = (PLACE) + (LENGTH) + 1, .key_length = (LENGTH) + 3
  static const sm_column_spec specs[] = {
      {.kind = SM_COLUMN_STRUCT, .first_child = 1, .child_count = 4, .name = 2},
      {.kind = SM_COLUMN_INT64, NAMED(0, 2)},
      {.kind = SM_COLUMN_STRING, .is_nullable = true, NAMED(8, 4)},
      {.kind = SM_COLUMN_LIST, .first_child = 5, .child_count = 1, NAMED(20, 4)},
      {.kind = SM_COLUMN_DECIMAL, .scale = 10, NAMED(56, 5)},
      {.kind = SM_COLUMN_STRUCT, .first_child = 6, .child_count = 2, NAMED(44, 4)},
      {.kind = SM_COLUMN_STRING, NAMED(32, 1)},
      {.kind = SM_COLUMN_LIST, .first_child = 8, .child_count = 1, NAMED(38, 1)},
      {.kind = SM_COLUMN_DOUBLE, .is_nullable = true, NAMED(44, 4)},
  };
  return sm_columns_create(specs, sizeof specs / sizeof *specs, texts, sizeof texts, false, SIZE_MAX);
}

// Writes two batches; with `sum`, adds up the bytes. Memory runs out at the allocation that is to fail.
static sm_file_result write_file(sm_file_form form, const struct ArrowSchema *schema, const struct ArrowArray *batch, uint64_t *sum) {
  sm_file_result result;
  sm_file_options options = sm_file_defaults(form, "the tests");
  options.group_rows = 150;
  sm_column_file *file = sm_column_file_create(schema, options, &result);
  for (int i = 0; i <= 4 && result == SM_FILE_OK; i++) {
    const sm_file_piece *pieces;
    size_t count = sm_column_file_pieces(file, &pieces);
    for (size_t k = 0; k < count; k++) {
      for (size_t b = 0; b < pieces[k].count; b++) *sum = *sum * 31 + pieces[k].bytes[b];
    }
    if (i < 3) result = sm_column_file_add(file, batch);
    if (i == 3) result = sm_column_file_end(file);
  }
  sm_column_file_destroy(file);
  return result;
}

static void a_file_without_memory_is_an_error_and_nothing_else(void) {
  failing = 0;
  sm_columns *columns = make_columns();
  uint32_t failed = 0;
  for (int i = 0; i < 100; i++) {
    const char *text = i % 3 == 0 ? other_text : record_text;
    CHECK(sm_columns_add(columns, (const uint8_t *)text, strlen(text), &failed) == SM_ADDED);
  }
  struct ArrowSchema schema;
  struct ArrowArray batch;
  CHECK(sm_columns_schema(columns, &schema) && sm_columns_take(columns, &batch));
  for (int form = SM_FILE_PARQUET; form <= SM_FILE_ARROW; form++) {
    uint64_t whole = 0;
    allocations = 0;
    CHECK(write_file((sm_file_form)form, &schema, &batch, &whole) == SM_FILE_OK);
    size_t all = allocations;
    CHECK(all > 10);
    for (size_t place = 1; place <= all; place++) {
      uint64_t sum = 0;
      allocations = 0;
      failing = place;
      sm_file_result result = write_file((sm_file_form)form, &schema, &batch, &sum);
      failing = 0;
      // A dictionary that gets no memory is none.
      CHECK(result == SM_FILE_MEMORY || (result == SM_FILE_OK && form == SM_FILE_PARQUET));
    }
    uint64_t again = 0;
    CHECK(write_file((sm_file_form)form, &schema, &batch, &again) == SM_FILE_OK && again == whole);
  }
  batch.release(&batch);
  schema.release(&schema);
  sm_columns_destroy(columns);
}

int main(int count, char **arguments) {
  state = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
  printf("seed %llu\n", (unsigned long long)state);
  static const struct {
    const char *name;
    void (*run)(void);
  } tests[] = {
      {"runs and packed bits come back", hybrids_come_back},
      {"the width is that of the greatest number", the_width_is_that_of_the_greatest_number},
      {"each word has one number", each_word_has_one_number},
      {"a dictionary that grows too large refuses words", a_dictionary_that_grows_too_large_refuses_words},
      {"a file without memory is an error, and nothing else", a_file_without_memory_is_an_error_and_nothing_else},
  };
  int failed = 0, all = (int)(sizeof tests / sizeof *tests);
  for (int i = 0; i < all; i++) {
    int before = failed_checks;
    test_name = tests[i].name;
    tests[i].run();
    if (failed_checks > before) failed++;
  }
  printf("%d passed, %d failed\n", all - failed, failed);
  return failed > 0;
}
