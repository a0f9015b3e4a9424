// Where the lines of a feed end and how many hold something: what is needed to give its lines to several readers, each of which
// has to know the number of its first line and of its first text.

#ifndef STREAMMAP_LINES_H
#define STREAMMAP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  size_t scanned;     // bytes looked at: all, or those up to behind the line feed that ends the last text asked for
  size_t line_feeds;  // among them
  size_t texts;       // lines ended by them that hold a text: another byte than space, tab and carriage return
  size_t end;         // behind the last line feed among them; 0 without one
} sm_lines;

// Goes over `bytes[0..<length]`, which continue what was gone over before, until so many texts were met or all is gone over.
// `in_text` says whether the line that the bytes begin in holds something already, and afterwards the same of the one they end in.
//
// - What holds a text is what a walker of SM_FRAMING_NDJSON takes for one, good or malformed.
// - All implementations give the same results; `sm_scan_select` selects that of this function, too.
// - Time: O(scanned). Nothing is allocated. No byte outside `bytes[0..<length]` is read.
sm_lines sm_count_lines(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts);

#endif
