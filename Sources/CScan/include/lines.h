// Where the lines of a feed end, and how many of them hold something. This is needed to give the lines of a feed to several
// readers: each has to know the number of its first line and of its first text.

#ifndef STREAMMAP_LINES_H
#define STREAMMAP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t scanned;     // bytes looked at: all, or those up to and with the line feed that ends the last text asked for
  size_t line_feeds;  // the line feeds among them
  size_t texts;       // lines ended by them that hold a text: a byte other than space, tab and carriage return
  size_t end;         // after the last line feed among them; 0 without one
} sm_lines;

// Goes over `bytes[0..<length]`, which continue the bytes before, until it has met `most_texts` texts or has gone over all bytes.
// `in_text` says whether the line that the bytes begin in holds something already. Afterwards, it says the same of the line that
// they end in.
//
// - A line holds a text where a walker of SM_FRAMING_NDJSON takes it for one, good or malformed.
// - All implementations give the same results. `sm_scan_select` also selects the implementation of this function.
// - Time: O(scanned). Nothing is allocated. No byte outside `bytes[0..<length]` is read.
sm_lines sm_count_lines(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts);

#endif
