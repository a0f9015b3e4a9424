// The classes of bytes outside strings.

#ifndef STREAMMAP_CLASSES_H
#define STREAMMAP_CLASSES_H

#include <stdint.h>

enum {
  SM_CLASS_SCALAR = 0,     // part of a number, a literal or garbage
  SM_CLASS_SPACE = 1,      // space, tab, carriage return
  SM_CLASS_STRUCTURE = 2,  // { } [ ] : , and line feed and record separator
  SM_CLASS_QUOTE = 3,
  SM_CLASS_BACKSLASH = 4,
};

extern const uint8_t sm_classes[256];

#endif
