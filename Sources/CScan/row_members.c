// The members and elements of rows; see `row.h`.

#include <string.h>

#include "row.h"
#include "unescape.h"

// Containers that are open at a time inside one that is passed over.
enum { DEEPEST_PASSED = 64 };

// A number or literal that `is_plain_scalar` does not decide on: there is white space after it, or the end of the batch is near.
// Gives its length, 0 if it is not one.
__attribute__((noinline)) static size_t odd_scalar(const uint8_t *p, size_t length, uint64_t number_limit) {
  while (length > 0 && is_space(p[length - 1])) length--;
  if (length == 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0)) return 4;
  if (length == 5 && memcmp(p, "false", 5) == 0) return 5;
  uint8_t state = SM_NUMBER_START;
  if (length > number_limit || sm_number_run(p, 0, length, &state) < length) return 0;
  return sm_number_is_whole(state) ? length : 0;
}

// The end of the scalar at [start, end), which may have white space after it; 0 if it is none.
static inline size_t scalar_end(const uint8_t *batch, size_t start, size_t end, size_t length, uint64_t number_limit) {
  if (is_plain_scalar(batch + start, end - start, length - start, number_limit)) return end;
  size_t count = odd_scalar(batch + start, end - start, number_limit);
  return count == 0 ? 0 : start + count;
}

size_t sm_row_scalar(const sm_walker *w, size_t start, size_t end) {
  return scalar_end(w->batch, start, end, w->batch_length, w->limits.number);
}

size_t sm_pass_container(const sm_walker *w, size_t i, size_t depth, uint64_t most) {
  const uint32_t *const index = w->row.index;
  const uint8_t *const batch = w->batch;
  const size_t count = w->row.count, length = w->batch_length;
  const uint64_t key_limit = w->limits.key, number_limit = w->limits.number;
  uint64_t objects = 0;  // one bit for each open container, the innermost in the lowest
  unsigned open = 0;

open:
  if (open == DEEPEST_PASSED || depth + open >= w->limits.depth) return 0;
  objects = objects << 1 | (batch[index[i]] == '{');
  open++;
  if (++i >= count) return 0;
  if (batch[index[i]] == (objects & 1 ? '}' : ']')) goto close;

part:
  if (objects & 1) {
    if (i + 3 >= count) return 0;
    if ((batch[index[i]] != '"') | (batch[index[i + 2]] != ':') | (index[i + 1] - index[i] - 1 > key_limit)) return 0;
    i += 3;
  }
  if (i + 1 >= count) return 0;
  uint8_t byte = batch[index[i]];
  if (byte == '{' || byte == '[') goto open;
  if (byte == '"') {
    if (index[i + 1] - index[i] - 1 > most) return 0;
    i += 2;
  } else if (scalar_end(batch, index[i], index[i + 1], length, number_limit) != 0) {
    i++;
  } else {
    return 0;
  }

after:
  if (i >= count) return 0;
  byte = batch[index[i]];
  if (byte == ',') {
    i++;
    goto part;
  }
  if (byte != (objects & 1 ? '}' : ']')) return 0;

close:
  i++;
  objects >>= 1;
  if (--open == 0) return i;
  goto after;
}

// The member that the selection wants by a key with a backslash; NULL if it wants none.
__attribute__((noinline)) static const sm_member *escaped_member(
    sm_walker *w, const sm_entry *entry, const uint8_t *key, size_t length, bool *is_odd) {
  // A decoded key is never longer.
  w->decoded.count = 0;
  *is_odd = !sm_append(w, &w->decoded, key, length);
  if (*is_odd) return NULL;
  const uint8_t *end = sm_unescape(key, length, w->decoded.bytes);
  *is_odd = end == NULL;
  if (end == NULL) return NULL;
  return sm_find_member(entry, w->decoded.bytes, (size_t)(end - w->decoded.bytes));
}

// The member that the selection wants by a key; NULL if it wants none. Where that cannot be said here, `*is_odd` is set.
static const sm_member *wanted_member(row_reader *r, const uint8_t *key, size_t length, bool *is_odd) {
  const sm_walker *const w = r->w;
  const sm_entry *const entry = r->level->entry;
  // PERF: between members that are not wanted, those that are wanted follow each other in the same order. A key that came before is
  // within the limit of keys.
  const sm_member *guess = w->successors[r->last];
  if (guess != NULL && length == guess->length && key + 8 <= w->batch + w->batch_length &&
      (sm_load(key) & guess->mask) == guess->prefix && (length <= 8 || memcmp(key + 8, guess->key + 8, length - 8) == 0)) {
    *is_odd = false;
    r->last = guess->id;
    return guess;
  }
  uint64_t prefix = sm_prefix(key, length);
  *is_odd = length > w->limits.key;
  if (*is_odd) return NULL;
  bool is_escaped = sm_has_backslash(prefix);
  if (!is_escaped && !sm_may_be_member(entry, prefix)) return NULL;
  const sm_member *member = is_escaped ? NULL : sm_find_written_member(entry, key, length, &is_escaped);
  if (is_escaped) member = escaped_member(r->w, entry, key, length, is_odd);
  if (member == NULL || member->child == SM_SKIP) return NULL;
  if (member->is_plain && !is_escaped) w->successors[r->last] = member;
  r->last = member->id;
  return member;
}

// The member whose comma or key is entry i, at a place of an object from which no link leads on. Entry i becomes that of its
// value, and the place the one after that. Where that cannot be said here, `*is_odd` is set.
//
// `is_first`: the place is at the beginning of the object.
static inline const sm_member *unknown_member(row_reader *r, bool is_first, bool *is_odd) {
  sm_walker *const w = r->w;
  const uint32_t *const index = w->row.index;
  const uint8_t *const batch = w->batch;
  size_t from = r->i, key = from + !is_first;
  *is_odd = true;
  const sm_node others = r->level->entry->other_members;
  if (others != SM_SKIP && index[from] < r->last_link) {
    // Where members that are not named are wanted, their links are looked up here.
    const sm_link *link = sm_find_link(r->place, batch + index[from]);
    size_t value = from + (link == NULL ? 0 : link->entries - link->is_string);
    if (link != NULL && link->member == NULL && index[value] == index[from] + link->length - link->is_string) {
      *is_odd = false;
      r->place = link->place;
      r->i = value;
      return NULL;
    }
  }
  // After the value there is an entry.
  if (key + 4 >= w->row.count) return NULL;
  if (!is_first && batch[index[from]] != ',') return NULL;
  if ((batch[index[key]] != '"') | (batch[index[key + 2]] != ':')) return NULL;
  const sm_member *member = wanted_member(r, batch + index[key] + 1, index[key + 1] - index[key] - 1, is_odd);
  if (*is_odd) return NULL;
  r->i = key + 3;
  size_t start = index[from], value = index[key + 3];
  // If no member is named, keys lead nowhere.
  if (r->level->entry->member_count == 0) {
    r->place = sm_nowhere(&w->links);
    return member;
  }
  // Where links are not compared, the one that leads on here may be known.
  if (start >= r->last_link) {
    r->place = member != NULL ? &w->links.places[member->id] : sm_nowhere(&w->links);
    r->unknown++;
    return member;
  }
  bool is_string = batch[value] == '"';
  size_t length = value - start + is_string, entry_count = key + 3 - from + is_string;
  uint32_t credit = w->links.credit;
  r->place = sm_learn(&w->links, r->place, batch + start, length, entry_count, member, is_string);
  r->unknown += w->links.credit == credit;
  return member;
}

// How far after a string backslashes are searched at once. PERF: where strings follow each other closely, few are searched on their
// own; where they are far apart, little is searched in vain. A batch that is no longer than a message is searched once.
enum { LEAST_AHEAD = 64, MOST_AHEAD = 4096, MESSAGE = 1024 };

// Whether one of the `length` bytes at `start` is a backslash; if not, none is before `row.clean`, either.
__attribute__((noinline)) static bool look_for_escape(sm_walker *w, size_t start, size_t length) {
  size_t room = w->batch_length - start;
  if (w->batch_length <= MESSAGE) w->row.ahead = MESSAGE;
  else if (start >= w->row.clean + LEAST_AHEAD || w->row.ahead == 0) w->row.ahead = LEAST_AHEAD;
  else if (w->row.ahead < MOST_AHEAD) w->row.ahead *= 2;
  size_t most = length + w->row.ahead < room ? length + w->row.ahead : room;
  const uint8_t *first = memchr(w->batch + start, '\\', most);
  size_t found = first == NULL ? start + most : (size_t)(first - w->batch);
  if (found < start + length) return true;
  w->row.clean = found;
  return false;
}

// Whether one of the bytes [start, end) of the batch is a backslash.
static inline bool has_escape(sm_walker *w, size_t start, size_t end) {
  return end > w->row.clean && look_for_escape(w, start, end - start);
}

// Whether only paths lead through an object: its members have cells in the block around it.
static inline bool is_path(const sm_entry *entry) {
  return entry->kind == SM_KIND_PARTS && entry->cell_count == 0 && entry->member_count > 0 && entry->other_members == SM_SKIP &&
         !entry->reopens;
}

// All cells that it fills are zeros.
//
// PERF: this is most of the work on a feed of small records. Objects that only paths lead through cost little more than a member.
row_stop sm_row_members(row_reader *r) {
  sm_walker *const w = r->w;
  const uint8_t *const batch = w->batch;
  const uint32_t *const index = w->row.index, *entry = index + r->i;
  const size_t last_link = r->last_link;
  sm_node others = r->level->entry->other_members;
  sm_cell *const block = w->row.cells + r->block;
  sm_place *place = r->place;
  row_stop stop;
  for (;;) {
    // Where there is no entry, the index says that it is at the end of the batch.
    size_t start = *entry;
    stop = STOP_UNKNOWN;
    if (start >= last_link) break;
    const sm_link *link = sm_find_link(place, batch + start);
    if (link == NULL) {
      if (batch[start] != '}' || !r->level[-1].is_object) break;
      if (r->level->entry->cell_count > 0 || r->level->entry->reopens) break;
      place = (--r->level)->place;
      r->last = r->level->last;
      others = r->level->entry->other_members;
      entry++;
      continue;
    }
    const sm_member *member = link->member;
    if (member == NULL && others != SM_SKIP) break;
    start += link->length;
    entry += link->entries;
    if (link->is_string) {
      // The next entry is the closing quote.
      size_t end = *entry++;
      place = link->place;
      if (member == NULL) continue;
      sm_cell *cell = cell_of(r, block, member);
      if (cell == NULL || end - start > w->limits.string) return STOP_ODD;
      cell->start = (uint32_t)start - 1;
      cell->end = (uint32_t)end + 1;
      cell->kind = '"';
      if (end > w->row.clean) cell->has_escapes = look_for_escape(w, start, end - start);
      continue;
    }
    if (*entry != start) {
      // The text of the link continues with white space.
      entry -= link->entries;
      break;
    }
    place = link->place;
    uint8_t byte = batch[start];
    size_t end = entry[1];
    if (is_simple_scalar(batch + start, byte, end - start)) {
      if (end - start > w->limits.number && byte <= '9') return STOP_ODD;
      entry++;
      if (member == NULL) continue;
      sm_cell *cell = cell_of(r, block, member);
      if (cell == NULL) return STOP_ODD;
      cell->start = (uint32_t)start;
      cell->end = (uint32_t)end;
      cell->kind = byte;
      continue;
    }
    if (byte == '{' || byte == '[') {
      const sm_entry *opened = member == NULL ? NULL : &w->selection->entries[member->child];
      if (byte == '{' && opened != NULL && is_path(opened) && r->level < r->deepest) {
        sm_cell *cell = cell_of(r, block, member);
        if (cell == NULL) return STOP_ODD;
        cell->kind = byte;
        r->place = place;
        push(r, opened, true);
        place = &w->links.places[opened->start];
        r->last = opened->start;
        others = SM_SKIP;
        entry++;
        continue;
      }
      r->member = member;
      r->other = 0;
      stop = STOP_VALUE;
      break;
    }
    if (byte == '"') {
      // Last time, it was another scalar.
      if (member != NULL) {
        sm_cell *cell = cell_of(r, block, member);
        if (cell == NULL || end - start - 1 > w->limits.string) return STOP_ODD;
        bool has_escapes = has_escape(w, start + 1, end);
        *cell = (sm_cell){(uint32_t)start, (uint32_t)end + 1, 0, byte, has_escapes, false};
      }
      entry += 2;
      continue;
    }
    end = scalar_end(batch, start, end, w->batch_length, w->limits.number);
    if (end == 0) return STOP_ODD;
    entry++;
    if (member == NULL) continue;
    sm_cell *cell = cell_of(r, block, member);
    if (cell == NULL) return STOP_ODD;
    cell->start = (uint32_t)start;
    cell->end = (uint32_t)end;
    cell->kind = byte;
  }
  r->i = (size_t)(entry - index);
  r->place = place;
  return stop;
}

// Adds the cells of a member that is not named, whose value is entry i. A cell that says where its object is has no place for such members.
static bool add_key(row_reader *r) {
  sm_walker *const w = r->w;
  row_level *const level = r->level;
  if ((level->entry->cell_count == 0 && level->entry->reopens) || !has_room(r->used, 2)) return false;
  uint32_t number = (uint32_t)r->used, start = w->row.index[r->i - 3], end = w->row.index[r->i - 2] + 1;
  r->used += 2;
  sm_cell *cells = w->row.cells;
  bool has_escapes = has_escape(w, start + 1, end - 1);
  cells[number] = (sm_cell){start, end, 0, SM_CELL_KEY, has_escapes, false};
  if (level->tail == 0) cells[level->cell].end = number;
  else cells[level->tail].next = number;
  level->tail = number;
  r->other = number + 1;
  return true;
}

// The members of an object that names none of them and wants all: a dictionary. As `sm_row_other_members`.
// PERF: no key is looked up.
static row_stop dictionary_members(row_reader *r, bool is_first) {
  sm_walker *const w = r->w;
  const uint8_t *const batch = w->batch;
  const uint32_t *const index = w->row.index, *entry = index + r->i, *const last = index + w->row.count;
  const uint64_t key_limit = w->limits.key, string_limit = w->limits.string, number_limit = w->limits.number;
  sm_cell *const cells = w->row.cells;
  row_level *const level = r->level;
  if (level->entry->cell_count == 0) return STOP_ODD;
  r->member = NULL;
  r->other = 0;
  // Its keys lead nowhere.
  if (is_first && r->i < w->row.count && batch[*entry] != '}') r->place = sm_nowhere(&w->links);
  // Where the number of the next key is put.
  uint32_t *next = level->tail == 0 ? &cells[level->cell].end : &cells[level->tail].next;
  uint32_t number = (uint32_t)r->used;
  row_stop stop = STOP_ODD;
  for (;; is_first = false) {
    if (entry >= last) break;
    if (batch[*entry] == '}') {
      stop = STOP_UNKNOWN;
      break;
    }
    // After the value there is an entry.
    if (last - entry <= 5 - is_first || !has_room(number, 2)) break;
    if (!is_first && batch[*entry++] != ',') break;
    const uint32_t key = entry[0], key_end = entry[1], start = entry[3];
    uint32_t end = entry[4];
    if ((batch[key] != '"') | (batch[entry[2]] != ':') | (key_end - key - 1 > key_limit)) break;
    cells[number] = (sm_cell){key, key_end + 1, 0, SM_CELL_KEY, has_escape(w, key + 1, key_end), false};
    *next = number;
    next = &cells[number].next;
    level->tail = number;
    number += 2;
    const uint8_t byte = batch[start];
    bool has_escapes = false;
    entry += 3;
    if (byte == '"') {
      if (end - start - 1 > string_limit) break;
      has_escapes = has_escape(w, start + 1, end);
      end++;
      entry += 2;
    } else if (byte == '{' || byte == '[') {
      r->other = number - 1;
      stop = STOP_VALUE;
      break;
    } else {
      // PERF: as in `sm_row_members`.
      bool is_simple = start < r->last_link && end - start <= number_limit && is_simple_scalar(batch + start, byte, end - start);
      if (!is_simple) end = (uint32_t)scalar_end(batch, start, end, w->batch_length, number_limit);
      if (end == 0) break;
      entry++;
    }
    cells[number - 1] = (sm_cell){start, end, 0, byte, has_escapes, false};
  }
  r->used = number;
  r->i = (size_t)(entry - index);
  return stop;
}

row_stop sm_row_other_members(row_reader *r) {
  sm_walker *const w = r->w;
  sm_cell *const block = w->row.cells + r->block;
  bool is_first = r->place == &w->links.places[r->level->entry->start];
  if (r->level->entry->member_count == 0 && r->level->entry->other_members != SM_SKIP) return dictionary_members(r, is_first);
  for (;; is_first = false) {
    if (r->i >= w->row.count) return STOP_ODD;
    if (w->batch[w->row.index[r->i]] == '}') return STOP_UNKNOWN;
    bool is_odd;
    const sm_member *member = r->member = unknown_member(r, is_first, &is_odd);
    if (is_odd) return STOP_ODD;
    r->other = 0;
    if (member == NULL && r->level->entry->other_members != SM_SKIP && !add_key(r)) return STOP_ODD;
    size_t start = w->row.index[r->i], end = w->row.index[r->i + 1];
    uint8_t byte = w->batch[start];
    if (byte == '{' || byte == '[') return STOP_VALUE;
    bool has_escapes = false, is_wanted = member != NULL || r->other != 0;
    if (byte == '"') {
      r->i += 2;
      if (is_wanted) {
        if (end - start - 1 > w->limits.string) return STOP_ODD;
        has_escapes = has_escape(w, start + 1, end);
        end++;
      }
    } else {
      end = scalar_end(w->batch, start, end, w->batch_length, w->limits.number);
      if (end == 0) return STOP_ODD;
      r->i++;
    }
    if (is_wanted) {
      sm_cell *cell = member != NULL ? cell_of(r, block, member) : &w->row.cells[r->other];
      if (cell == NULL) return STOP_ODD;
      *cell = (sm_cell){(uint32_t)start, (uint32_t)end, 0, byte, has_escapes, false};
    }
    if (*r->place != NULL && r->last_link > 0) return STOP_AFTER;
  }
}

bool sm_row_pass(row_reader *r) {
  sm_walker *const w = r->w;
  size_t start = w->row.index[r->i];
  bool is_string = w->batch[start] == '"';
  if (r->i + 1 >= w->row.count) return false;
  if (!is_string && scalar_end(w->batch, start, w->row.index[r->i + 1], w->batch_length, w->limits.number) == 0) return false;
  r->i += is_string ? 2 : 1;
  return true;
}

bool sm_row_fill(row_reader *r, uint32_t number) {
  sm_walker *const w = r->w;
  size_t start = w->row.index[r->i], end = w->row.index[r->i + 1];
  uint8_t byte = w->batch[start];
  bool is_string = byte == '"';
  if (is_string && end - start - 1 > w->limits.string) return false;
  bool has_escapes = is_string && has_escape(w, start + 1, end);
  end = is_string ? end + 1 : scalar_end(w->batch, start, end, w->batch_length, w->limits.number);
  if (end == 0) return false;
  r->i += is_string ? 2 : 1;
  w->row.cells[number] = (sm_cell){(uint32_t)start, (uint32_t)end, 0, byte, has_escapes, false};
  return true;
}

row_stop sm_row_elements(row_reader *r) {
  sm_walker *const w = r->w;
  row_level *const level = r->level;
  const uint8_t *const batch = w->batch;
  const uint32_t *const index = w->row.index;
  size_t i = r->i;
  for (;;) {
    if (i + 1 >= w->row.count || !has_room(r->used, 1)) return STOP_ODD;
    sm_cell *cells = w->row.cells;
    uint32_t number = (uint32_t)r->used++;
    if (level->tail == level->cell) cells[level->cell].start = number;
    else cells[level->tail].next = number;
    level->tail = number;
    cells[level->cell].end++;
    size_t start = index[i], end = index[i + 1];
    uint8_t byte = batch[start];
    if (byte == '"') {
      if (i + 2 >= w->row.count || end - start - 1 > w->limits.string) return STOP_ODD;
      bool has_escapes = has_escape(w, start + 1, end);
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)end + 1, 0, byte, has_escapes, false};
      i += 2;
    } else if (byte == '{' || byte == '[') {
      r->i = i;
      return STOP_VALUE;
    } else {
      size_t behind = scalar_end(batch, start, end, w->batch_length, w->limits.number);
      if (behind == 0) return STOP_ODD;
      cells[number] = (sm_cell){(uint32_t)start, (uint32_t)behind, 0, byte, false, false};
      i++;
    }
    if (batch[index[i]] != ',') break;
    i++;
  }
  r->i = i;
  return STOP_AFTER;
}
