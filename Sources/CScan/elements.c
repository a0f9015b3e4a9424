// Splits a list, byte by byte: on any machine, and where less than a block is left. The tests compare the other implementations
// with it.

#include "scan_private.h"

size_t sm_split_elements_portable(sm_elements *list, const uint8_t *bytes, size_t length, uint64_t most) {
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = bytes[i];
    bool is_escaped = list->is_escaped, is_inside = list->in_string;
    list->is_escaped = byte == '\\' && !is_escaped;
    if (byte == '"' && !is_escaped) list->in_string = !is_inside;
    if (!is_inside && (byte == '}' || byte == ']') && list->depth == 0) {
      list->is_escaped = is_escaped;
      list->is_over = true;
      return i;
    }
    list->here.offset++;
    if (byte == '\n') {
      list->here.line_feeds++;
      list->here.line_start = list->here.offset;
    }
    if (is_inside) continue;
    if (byte == '{' || byte == '[') {
      list->depth++;
    } else if (byte == '}' || byte == ']') {
      list->depth--;
      if (list->depth == 0) {
        if (list->here.commas <= most) list->end = list->here;
        if (list->here.commas >= most) return i + 1;
      }
    } else if (byte == ',' && list->depth == 0) {
      list->here.commas++;
    }
  }
  return length;
}
