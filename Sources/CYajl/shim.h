// The whole C boundary to yajl. `yajl_config` is variadic, which Swift cannot call: each option that
// the engine sets has a typed function here.

#ifndef STREAMMAP_CYAJL_SHIM_H
#define STREAMMAP_CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

// Several values one after the other through one handle: records of a feed.
static inline int streammap_yajl_allow_multiple_values(yajl_handle handle) {
  return yajl_config(handle, yajl_allow_multiple_values, 1);
}

// Reading checks strict UTF-8 before yajl sees a byte; yajl's own, weaker check would be a second pass.
static inline int streammap_yajl_skip_utf8_check(yajl_handle handle) {
  return yajl_config(handle, yajl_dont_validate_strings, 1);
}

#endif
