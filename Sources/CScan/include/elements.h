// Where the elements of a list end. This is needed to give the elements of one list to several readers: each has to know the
// index of its first element, its line, and where that line starts.
//
// Nothing is checked here: brackets are only counted. Up to the first fault of the list, each end that is found is right. The
// reader of the elements up to there meets the fault.

#ifndef STREAMMAP_ELEMENTS_H
#define STREAMMAP_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A place in the list, counted from where the splitting began.
typedef struct {
  uint64_t offset;
  uint64_t commas;      // the commas between elements before it
  uint64_t line_feeds;  // before it
  uint64_t line_start;  // the offset after the last of these; 0 without one
} sm_element_place;

// Zeroed at the start, which is between an element and what follows it: the next comma, or the end of the list.
typedef struct {
  sm_element_place here;  // up to here, bytes were gone over
  sm_element_place end;   // after the last element up to here that is an array or an object; zeroed without one
  uint64_t depth;         // brackets that are open here, inside the list
  bool in_string;
  bool is_escaped;        // the next byte comes after a backslash that escapes it
  bool is_over;           // the bracket here ends the list
} sm_elements;

// Goes over `bytes[0..<length]`, which continue the bytes before, until an element ends after at least `most` commas, or the list is
// over. Gives the number of bytes that it went over. `end` is never after more than `most` commas.
//
// - An element that is not an array or object has no end of its own: it comes together with one that is.
// - All implementations give the same results. `sm_scan_select` also selects the implementation of this function.
// - Time: O(bytes gone over). Nothing is allocated. No byte outside `bytes[0..<length]` is read.
size_t sm_split_elements(sm_elements *elements, const uint8_t *bytes, size_t length, uint64_t most);

#endif
