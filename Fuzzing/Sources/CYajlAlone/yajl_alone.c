#include "yajl_alone.h"

#include <yajl/yajl_parse.h>

// FNV-1a over the events: a letter, then the text and its length.
static int add(void *context, char event, const unsigned char *text, size_t length) {
  uint64_t *digest = context;
  *digest = (*digest ^ (unsigned char)event) * 0x100000001B3u;
  for (size_t i = 0; i < length; i++) *digest = (*digest ^ text[i]) * 0x100000001B3u;
  *digest = (*digest ^ length) * 0x100000001B3u;
  return 1;
}

static int on_null(void *c) { return add(c, 'n', NULL, 0); }
static int on_bool(void *c, int value) { return add(c, value ? 't' : 'f', NULL, 0); }
static int on_number(void *c, const char *text, size_t length) { return add(c, '0', (const unsigned char *)text, length); }
static int on_string(void *c, const unsigned char *text, size_t length) { return add(c, '"', text, length); }
static int on_key(void *c, const unsigned char *text, size_t length) { return add(c, ':', text, length); }
static int on_start_map(void *c) { return add(c, '{', NULL, 0); }
static int on_end_map(void *c) { return add(c, '}', NULL, 0); }
static int on_start_array(void *c) { return add(c, '[', NULL, 0); }
static int on_end_array(void *c) { return add(c, ']', NULL, 0); }

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end_array,
};

bool yajl_alone(const uint8_t *bytes, size_t length, uint64_t *digest) {
  *digest = 0xCBF29CE484222325u;
  yajl_handle handle = yajl_alloc(&callbacks, NULL, digest);
  if (handle == NULL) return false;
  yajl_status status = yajl_parse(handle, bytes, length);
  if (status == yajl_status_ok) status = yajl_complete_parse(handle);
  yajl_free(handle);
  return status == yajl_status_ok;
}
