#include "yajl_baseline.h"

#include <yajl/yajl_parse.h>

static int on_null(void *context) { return 1; }
static int on_bool(void *context, int value) { return 1; }
static int on_number(void *context, const char *text, size_t count) { return 1; }
static int on_text(void *context, const unsigned char *text, size_t count) { return 1; }
static int on_container(void *context) { return 1; }

// Numbers are passed as text, as in the engine: yajl's own conversion would be an extra cost.
static const yajl_callbacks empty = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_text,
    .yajl_start_map = on_container,
    .yajl_map_key = on_text,
    .yajl_end_map = on_container,
    .yajl_start_array = on_container,
    .yajl_end_array = on_container,
};

bool yajl_baseline_parse(
    const unsigned char *bytes, size_t count, size_t chunk, bool with_callbacks) {
  yajl_handle handle = yajl_alloc(with_callbacks ? &empty : NULL, NULL, NULL);
  if (handle == NULL) return false;
  yajl_config(handle, yajl_allow_multiple_values, 1);
  yajl_status status = yajl_status_ok;
  for (size_t at = 0; at < count && status == yajl_status_ok; at += chunk) {
    const size_t left = count - at;
    status = yajl_parse(handle, bytes + at, left < chunk ? left : chunk);
  }
  if (status == yajl_status_ok) status = yajl_complete_parse(handle);
  yajl_free(handle);
  return status == yajl_status_ok;
}
