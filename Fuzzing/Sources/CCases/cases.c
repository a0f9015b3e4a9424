#include "include/cases.h"

#include <string.h>

// A target has no files outside its package, but may include them.
#include "../../../Tests/CScanTests/buffer.c"
#include "../../../Tests/CScanTests/failures.c"
#include "../../../Tests/CScanTests/feeds.c"
#include "../../../Tests/CScanTests/random.c"

static size_t take(buf *from, uint8_t *out, size_t room) {
  size_t length = from->count < room ? from->count : room;
  if (length > 0) memcpy(out, from->bytes, length);
  drop(from);
  return length;
}

size_t cases_feed(uint64_t *state, int framing, bool is_valid, int size, uint8_t *out, size_t room) {
  rng r = {*state};
  buf feed = {0};
  put_feed(&feed, &r, (sm_framing)framing, is_valid, size);
  *state = r.state;
  return take(&feed, out, room);
}

size_t cases_damage(uint64_t *state, uint8_t *bytes, size_t length, size_t room) {
  rng r = {*state};
  buf feed = {0};
  put(&feed, bytes, length);
  mutate(&feed, &r);
  *state = r.state;
  return take(&feed, bytes, room);
}
