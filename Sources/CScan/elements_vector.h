// Splits a list in blocks of 64 bytes. The files that include `scan_vector.h` include this after it, and define ELEMENTS, the name
// of the function, declared in scan_private.h.
//
// Worked example (one character of the masks stands for one byte, first byte left; two brackets are open before the block):
//
//     bytes    1]},{"a":"]"}]
//     inside   .....11..11...    strings, with their opening quotes
//     opens    ....1.........
//     closes   .11.........11
//     commas   ...1..........
//
// PERF: in most blocks the brackets that close are fewer than those that are open before it. No element ends there, and counting is all.

// The bits after a place in a block.
static inline uint64_t bits_after(unsigned at) { return ~(uint64_t)1 << at; }

// Notes that an element ends with the bracket at a place in the block. Gives where in the block to stop, or 65.
static inline unsigned end_element(sm_elements *list, unsigned at, uint64_t feeds, uint64_t most) {
  if (list->here.commas > most) return at + 1;
  uint64_t before = feeds & ~bits_after(at);
  list->end = (sm_element_place){
      .offset = list->here.offset + at + 1, .commas = list->here.commas,
      .line_feeds = list->here.line_feeds + (uint64_t)__builtin_popcountll(before),
      .line_start =
          before == 0 ? list->here.line_start : list->here.offset + 64 - (uint64_t)__builtin_clzll(before)};
  return list->here.commas == most ? at + 1 : 65;
}

// Goes over a block in which an element may end, from bracket to bracket that may end one. Gives where in the block to stop, or 65.
static inline unsigned end_elements(
    sm_elements *list, uint64_t opens, uint64_t closes, uint64_t commas, uint64_t feeds, uint64_t most) {
  for (uint64_t rest = ~(uint64_t)0;;) {
    uint64_t closed = (uint64_t)__builtin_popcountll(closes & rest);
    if (list->depth > closed) {
      list->depth += (uint64_t)__builtin_popcountll(opens & rest) - closed;
      return 65;
    }
    uint64_t brackets = (list->depth == 0 ? opens | closes : closes) & rest;
    // Up to the next bracket, commas are between elements.
    uint64_t before = brackets == 0 ? rest : rest & (brackets - 1) & ~brackets;
    if (list->depth == 0) {
      list->here.commas += (uint64_t)__builtin_popcountll(commas & before);
      if (brackets == 0) return 65;
    }
    unsigned at = (unsigned)__builtin_ctzll(brackets);
    bool opens_element = (opens >> at & 1) != 0;
    if (list->depth == 0 && !opens_element) {
      list->is_over = true;
      return at;
    }
    rest = bits_after(at);
    if (opens_element) {
      list->depth = 1;
    } else {
      list->depth += (uint64_t)__builtin_popcountll(opens & before) - 1;
      unsigned stop = list->depth == 0 ? end_element(list, at, feeds, most) : 65;
      if (stop <= 64) return stop;
    }
  }
}

// Notes that a block was gone over, up to a place in it; `feeds` are the line feeds up to there.
static inline void pass(sm_elements *list, uint64_t feeds, unsigned count) {
  if (feeds != 0) {
    list->here.line_feeds += (uint64_t)__builtin_popcountll(feeds);
    list->here.line_start = list->here.offset + 64 - (uint64_t)__builtin_clzll(feeds);
  }
  list->here.offset += count;
}

TARGET size_t ELEMENTS(sm_elements *list, const uint8_t *bytes, size_t length, uint64_t most) {
  size_t offset = 0;
  uint64_t in_string = list->in_string ? ~(uint64_t)0 : 0, carry = list->is_escaped;
  for (; offset + 64 <= length; offset += 64) {
    block b = load_block(bytes + offset);
    uint64_t escapes, escaped = escaped_bytes(equal(b, '\\'), &carry, &escapes);
    uint64_t inside = prefix_xor(equal(b, '"') & ~escaped) ^ in_string;
    block brackets = folded(b);
    uint64_t opens = equal(brackets, '{') & ~inside, closes = equal(brackets, '}') & ~inside;
    uint64_t feeds = equal(b, '\n'), closed = (uint64_t)__builtin_popcountll(closes);
    if (list->depth > closed) {
      list->depth += (uint64_t)__builtin_popcountll(opens) - closed;
    } else {
      unsigned stop = end_elements(list, opens, closes, equal(b, ',') & ~inside, feeds, most);
      if (stop <= 64) {
        // Neither a string nor an escape continues after a bracket; before one, there may be a backslash that is out of place.
        list->in_string = false;
        list->is_escaped = stop < 64 && (escaped >> stop & 1) != 0;
        pass(list, stop < 64 ? feeds & (((uint64_t)1 << stop) - 1) : feeds, stop);
        return offset + stop;
      }
    }
    in_string = (uint64_t)((int64_t)inside >> 63);
    pass(list, feeds, 64);
  }
  list->in_string = in_string != 0;
  list->is_escaped = carry != 0;
  return offset + sm_split_elements_portable(list, bytes + offset, length - offset, most);
}
