// Raw yajl over a whole feed: the floor that every figure is compared with.

#ifndef STREAMMAP_YAJL_BASELINE_H
#define STREAMMAP_YAJL_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

// Parses a feed of one or several values in pieces of `chunk` bytes. Without callbacks yajl only
// checks the grammar; with empty ones it also decodes and hands over every token. Returns whether
// the feed is well-formed.
bool yajl_baseline_parse(
    const unsigned char *bytes, size_t count, size_t chunk, bool with_callbacks);

#endif
