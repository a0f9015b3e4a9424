// Pages of a Parquet file: what a batch has of one leaf, encoded and compressed (Encodings.md). They are of the first version, which all
// readers take.

#include <stdlib.h>
#include <zstd.h>

#include "parquet.h"
#include "thrift.h"

enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

// A dictionary is of use where the texts of its first page came twice, and more.
static bool is_worthwhile(const sm_dictionary *d, size_t values) { return d->count <= values / 2; }

// --- Levels.

static void add_levels(sm_buffer *page, const uint32_t *levels, uint32_t constant, size_t count, uint32_t most) {
  if (most == 0) return;
  size_t start = page->count;
  sm_buffer_u32(page, 0);
  if (levels == NULL) sm_hybrid_run(page, constant, count, sm_bit_width(most));
  else sm_hybrid(page, levels, count, sm_bit_width(most));
  if (page->failed) return;
  uint32_t length = (uint32_t)(page->count - start - sizeof length);
  memcpy(page->bytes + start, &length, sizeof length);
}

// --- Values as they are.

static size_t place(const sm_leaf_levels *l, size_t i) { return l->chosen == NULL ? i : l->chosen[i]; }

#define ADD_CHOSEN(FROM, TO)                                                   \
  for (size_t i = 0; i < l->values; i++) {                                     \
    FROM value;                                                                \
    memcpy(&value, values + place(l, i) * sizeof value, sizeof value);         \
    TO wide = (TO)value;                                                       \
    memcpy(to + i * sizeof wide, &wide, sizeof wide);                          \
  }

// Numbers; those of 8 and 16 bits become 32.
static void add_numbers(sm_buffer *page, const sm_field *field, const sm_leaf_levels *l) {
  const uint8_t *values = l->array->buffers[1];
  size_t width = field->width < 4 ? 4 : field->width;
  uint8_t *to = sm_buffer_room(page, l->values * width);
  if (to == NULL) return;
  page->count += l->values * width;
  switch (field->width) {
    case 1:
      if (field->is_signed) ADD_CHOSEN(int8_t, int32_t)
      else ADD_CHOSEN(uint8_t, uint32_t)
      break;
    case 2:
      if (field->is_signed) ADD_CHOSEN(int16_t, int32_t)
      else ADD_CHOSEN(uint16_t, uint32_t)
      break;
    default:
      if (l->chosen == NULL) memcpy(to, values, l->values * width);
      else if (width == 4) ADD_CHOSEN(uint32_t, uint32_t)
      else if (width == 8) ADD_CHOSEN(uint64_t, uint64_t)
      else ADD_CHOSEN(unsigned __int128, unsigned __int128)
  }
}

static void add_bits(sm_buffer *page, const sm_leaf_levels *l, sm_bounds *bounds) {
  const uint8_t *bits = l->array->buffers[1];
  size_t start = page->count, ones = 0;
  sm_buffer_zeros(page, (l->values + 7) / 8);
  if (page->failed) return;
  uint8_t *to = page->bytes + start;
  for (size_t i = 0; i < l->values; i++) {
    size_t at = place(l, i);
    unsigned bit = bits[at >> 3] >> (at & 7) & 1;
    to[i >> 3] |= (uint8_t)(bit << (i & 7));
    ones += bit;
  }
  sm_bounds_add_bits(bounds, l->values, ones);
}

// The text at a place, and its length.
static const uint8_t *text_at(const sm_leaf_levels *l, size_t i, uint32_t *length) {
  const int32_t *offsets = l->array->buffers[1];
  size_t at = place(l, i);
  *length = (uint32_t)(offsets[at + 1] - offsets[at]);
  return (const uint8_t *)l->array->buffers[2] + offsets[at];
}

// Whether readers can use the least and the greatest text.
static bool has_text_bounds(const sm_field *field) { return !field->is_json; }

static void add_texts(sm_buffer *page, sm_parquet_leaf *leaf, const sm_leaf_levels *l) {
  const int32_t *offsets = l->array->buffers[1];
  size_t most = (size_t)offsets[l->array->length] + l->values * sizeof(uint32_t);
  uint8_t *to = sm_buffer_room(page, most);
  if (to == NULL) return;
  for (size_t i = 0; i < l->values; i++) {
    uint32_t length;
    const uint8_t *text = text_at(l, i, &length);
    memcpy(to, &length, sizeof length);
    memcpy(to + sizeof length, text, length);
    to += sizeof length + length;
    if (has_text_bounds(leaf->field)) sm_bounds_add_text(&leaf->bounds, text, length);
  }
  page->count = (size_t)(to - page->bytes);
}

static void add_plain(sm_buffer *page, sm_parquet_leaf *leaf, const sm_leaf_levels *l) {
  leaf->has_plain = true;
  if (sm_field_has_bytes(leaf->field)) return add_texts(page, leaf, l);
  if (leaf->field->kind == SM_FIELD_BOOL) return add_bits(page, l, &leaf->bounds);
  size_t start = page->count;
  add_numbers(page, leaf->field, l);
  if (page->failed || l->values == 0) return;
  uint8_t *values = page->bytes + start;
  sm_bounds_add(&leaf->bounds, leaf->field, values, l->values);
  if (leaf->field->kind != SM_FIELD_DECIMAL) return;
  for (size_t i = 0; i < l->values; i++) {
    uint8_t turned[16];
    sm_reverse_bytes(turned, values + i * sizeof turned, sizeof turned, 1);
    memcpy(values + i * sizeof turned, turned, sizeof turned);
  }
}

// --- Values by their numbers in the dictionary.

// Adds the numbers of texts; false, and nothing, where the texts have to stand as they are.
static bool add_words(sm_buffer *page, sm_parquet_leaf *leaf, const sm_leaf_levels *l, sm_parquet_memory *memory) {
  if (leaf->has_given_up || !sm_field_has_bytes(leaf->field)) return false;
  if (l->values > memory->numbers_capacity) {
    uint32_t *larger = realloc(memory->numbers, l->values * sizeof *larger);
    if (larger == NULL) return false;
    memory->numbers = larger;
    memory->numbers_capacity = l->values;
  }
  sm_dictionary *d = &leaf->dictionary;
  sm_word word = SM_WORD_KNOWN;
  for (size_t i = 0; i < l->values && word != SM_WORD_REFUSED; i++) {
    uint32_t length;
    const uint8_t *text = text_at(l, i, &length);
    word = sm_dictionary_number(d, text, length, &memory->numbers[i]);
    if (word == SM_WORD_NEW && has_text_bounds(leaf->field)) sm_bounds_add_text(&leaf->bounds, text, length);
  }
  if (word == SM_WORD_REFUSED || (!leaf->has_dictionary && l->values > 0 && !is_worthwhile(d, l->values))) {
    leaf->has_given_up = true;
    return false;
  }
  leaf->has_dictionary = true;
  int width = d->count > 1 ? sm_bit_width(d->count - 1) : 1;
  sm_buffer_byte(page, (uint8_t)width);
  sm_hybrid(page, memory->numbers, l->values, width);
  return true;
}

// --- Whole pages.

// Compresses what is in `memory->page`, and appends it after its header.
static sm_file_result add_compressed(
    sm_buffer *to, sm_parquet_memory *memory, size_t *raw_bytes, int kind, size_t count, int encoding) {
  const sm_buffer *page = &memory->page, *written = page;
  if (page->failed) return SM_FILE_MEMORY;
  if (memory->level > 0) {
    sm_buffer *compressed = &memory->compressed;
    sm_buffer_clear(compressed);
    size_t bound = ZSTD_compressBound(page->count);
    uint8_t *room = sm_buffer_room(compressed, bound);
    if (room == NULL) return SM_FILE_MEMORY;
    compressed->count = ZSTD_compressCCtx(memory->compressor, room, bound, page->bytes, page->count, memory->level);
    if (ZSTD_isError(compressed->count)) return SM_FILE_MEMORY;
    written = compressed;
  }
  if (page->count > INT32_MAX || written->count > INT32_MAX || count > INT32_MAX) return SM_FILE_TOO_LARGE;
  size_t start = to->count;
  sm_thrift header = sm_thrift_begin(to);
  sm_thrift_i32(&header, 1, kind);
  sm_thrift_i32(&header, 2, (int32_t)page->count);
  sm_thrift_i32(&header, 3, (int32_t)written->count);
  sm_thrift inner = sm_thrift_struct(&header, kind == DATA_PAGE ? 5 : 7);
  sm_thrift_i32(&inner, 1, (int32_t)count);
  sm_thrift_i32(&inner, 2, encoding);
  if (kind == DATA_PAGE) {
    sm_thrift_i32(&inner, 3, PARQUET_RLE);
    sm_thrift_i32(&inner, 4, PARQUET_RLE);
  }
  sm_thrift_end(&inner);
  sm_thrift_end(&header);
  *raw_bytes += to->count - start + page->count;
  sm_buffer_add(to, written->bytes, written->count);
  return to->failed ? SM_FILE_MEMORY : SM_FILE_OK;
}

sm_file_result sm_parquet_add_page(sm_parquet_leaf *leaf, const struct ArrowArray *record, sm_parquet_memory *memory) {
  sm_leaf_levels levels;
  if (!sm_levels(record, leaf->steps, leaf->step_count, &memory->levels, &levels)) return SM_FILE_MEMORY;
  sm_buffer *page = &memory->page;
  sm_buffer_clear(page);
  add_levels(page, levels.repetition, 0, levels.entries, leaf->most_repetition);
  add_levels(page, levels.definition, levels.constant, levels.entries, leaf->most_definition);
  bool has_words = add_words(page, leaf, &levels, memory);
  if (!has_words) add_plain(page, leaf, &levels);
  leaf->entries += (int64_t)levels.entries;
  leaf->nulls += (int64_t)(levels.entries - levels.values);
  int encoding = has_words ? PARQUET_DICTIONARY : PARQUET_PLAIN;
  return add_compressed(&leaf->pages, memory, &leaf->raw_bytes, DATA_PAGE, levels.entries, encoding);
}

sm_file_result sm_parquet_end_leaf(sm_parquet_leaf *leaf, sm_parquet_memory *memory) {
  if (!leaf->has_dictionary) return SM_FILE_OK;
  const sm_dictionary *d = &leaf->dictionary;
  sm_buffer_clear(&memory->page);
  sm_buffer_add(&memory->page, d->page.bytes, d->page.count);
  return add_compressed(&leaf->dictionary_page, memory, &leaf->raw_bytes, DICTIONARY_PAGE, d->count, PARQUET_PLAIN);
}

void sm_parquet_clear_leaf(sm_parquet_leaf *leaf) {
  sm_buffer_clear(&leaf->pages);
  sm_buffer_clear(&leaf->dictionary_page);
  sm_dictionary_clear(&leaf->dictionary);
  leaf->bounds = (sm_bounds){0};
  leaf->raw_bytes = 0;
  leaf->entries = leaf->nulls = 0;
  leaf->has_plain = leaf->has_dictionary = leaf->has_given_up = false;
}
