#ifndef STREAMMAP_YAJL_ALONE_H
#define STREAMMAP_YAJL_ALONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// yajl by itself in its strictest mode: no comments, no garbage, one value, UTF-8 validated. Returns whether it accepts
// the bytes, and a digest of all its events.
bool yajl_alone(const uint8_t *bytes, size_t length, uint64_t *digest);

#endif
