// What the makers of rows have to know about values: whether they are surely of their type, and in an interval.

#ifndef STREAMMAP_ROW_VALUES_H
#define STREAMMAP_ROW_VALUES_H

#include <string.h>

#include "row_writer.h"

// Whether all escapes of a string are those that the output writes: the short ones, but for the slash.
__attribute__((noinline, unused)) static bool has_plain_escapes(const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length;) {
    const uint8_t *backslash = memchr(text + i, '\\', length - i);
    if (backslash == NULL) return true;
    i = (size_t)(backslash - text) + 2;
    if (strchr("\"\\bfnrt", backslash[1]) == NULL) return false;
  }
  return true;
}

// In a number, only the bytes e and E have the exponent's bit, and only + - . have neither that bit nor the digits' bit.
enum { DIGIT_BIT = 0x10, EXPONENT_BIT = 0x40, INTEGER_BITS = DIGIT_BIT | EXPONENT_BIT };

// Whether these bits of each byte are as they have to be.
static inline bool have_bits(const uint8_t *text, size_t length, uint8_t bits, uint8_t right) {
  const uint64_t each = 0x0101010101010101, mask = bits * each, wanted = right * each;
  // PERF: in words. The last one may overlap the one before it. Identifiers and times have many digits.
  if (length >= sizeof(uint64_t)) {
    uint64_t word;
    for (const uint8_t *at = text, *const last = text + length - sizeof word;; at += sizeof word) {
      memcpy(&word, at < last ? at : last, sizeof word);
      if ((word & mask) != wanted) return false;
      if (at >= last) return true;
    }
  }
  for (size_t i = 0; i < length; i++) {
    if ((text[i] & bits) != right) return false;
  }
  return true;
}

// Whether an integer of at most 19 digits, without its sign, is at most the largest one; the smallest one is one further from zero.
__attribute__((noinline, unused)) static bool is_up_to(uint64_t last, const uint8_t *text, size_t length, bool is_negative) {
  uint64_t number = 0;
  for (size_t i = 0; i < length; i++) {
    uint8_t digit = text[i] - '0';
    if (digit > 9) return false;
    number = number * 10 + digit;
  }
  return last > 0 && number <= last + is_negative;
}

// Whether a number, which keeps the grammar, is surely in the range of its type.
static inline bool is_in_range(const sm_written_value *value, const uint8_t *text, size_t length) {
  bool is_integer = value->kind == SM_WRITE_INTEGER, is_negative = is_integer && *text == '-';
  if (is_negative) {
    if (!value->takes_minus) return false;
    text++;
    length--;
    // Zero has no sign.
    if (*text == '0') return false;
  }
  if (length > value->most) return is_integer && length == value->most + 1u && is_up_to(value->last, text, length, is_negative);
  if (!have_bits(text, length, is_integer ? INTEGER_BITS : EXPONENT_BIT, is_integer ? DIGIT_BIT : 0)) return false;
  if (!value->has_places || length <= value->places + 2u) return true;
  const uint8_t *point = memchr(text, '.', length);
  return point == NULL || text + length - 1 - point <= value->places;
}

// --- Intervals.

static const int64_t powers[SM_INTERVAL_DIGITS + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000};

// Less than 0 if `number`, which counts units of 10^-places, is less than `other`, which counts units of 10^-other_places. All
// have at most SM_INTERVAL_DIGITS digits and places, so that the products have room.
static inline int order(int64_t number, size_t places, int64_t other, size_t other_places) {
  if (places == other_places) return (number > other) - (number < other);
  __int128 a = number, b = other;
  if (places < other_places) a *= powers[other_places - places];
  else b *= powers[places - other_places];
  return (a > b) - (a < b);
}

// Whether a number is in an interval: SM_WRITTEN or SM_LEFT_OUT; SM_REFUSED where it is too long to know, or has an exponent.
static inline sm_write_result decide_number(const sm_interval *interval, const uint8_t *text, size_t length) {
  bool is_negative = *text == '-';
  const uint8_t *end = text + length, *point = NULL;
  text += is_negative;
  if (end - text > SM_INTERVAL_DIGITS) return SM_REFUSED;
  int64_t number = 0;
  for (; text < end; text++) {
    uint8_t digit = *text - '0';
    if (digit <= 9) number = number * 10 + digit;
    else if (*text == '.') point = text;
    else return SM_REFUSED;
  }
  size_t places = point == NULL ? 0 : (size_t)(end - point) - 1;
  if (is_negative) number = -number;
  int least = interval->has_ends ? 0 : 1;
  if (interval->has_first && order(number, places, interval->first, interval->places) < least) return SM_LEFT_OUT;
  if (interval->has_last && order(number, places, interval->last, interval->places) > -least) return SM_LEFT_OUT;
  return SM_WRITTEN;
}

// The work of looking at a row again.
static inline uint64_t work_on(const sm_row *row) { return (uint64_t)sm_row_length(row->walker) * SM_ROW_WORK; }

// Opens a closed container, which a cell says the place of. Gives the cell of what is open; 0 if that cannot be done here.
__attribute__((unused)) static uint32_t open_closed(
    const sm_row_program *program, const sm_row *row, const sm_written_value *value, const sm_cell *cell) {
  uint64_t work = work_on(row);
  if (work > program->most_opened || sm_row_count(row->walker, work) > program->most_work) return 0;
  return sm_row_open(row->walker, cell->start, cell->end, value->node);
}

// The cell that says the place of a container; NULL if only its parts are known.
static inline const sm_cell *place_of(const sm_row *row, const sm_cell *cell) {
  if (cell->is_closed) return cell;
  const sm_cell *first = &row->cells[cell->start];
  bool is_head = first->kind == SM_CELL_HEAD, is_block = first->is_closed && first->has_escapes;
  return cell->start > 0 && (is_head || is_block) ? first : NULL;
}

// Where a container is that a value has to open: one that is closed, or that was opened for the parts that another value wants. NULL if it
// is open for this one.
static inline const sm_cell *place_to_open(const sm_row *row, const sm_written_value *value, const sm_cell *cell) {
  if (cell->is_closed) return cell;
  if ((cell->kind | 0x20) != '{') return NULL;
  const sm_cell *first = &row->cells[cell->start];
  bool is_block = first->is_closed && first->has_escapes;
  return is_block && (cell->kind == '[' || (sm_node)first->next != value->node) ? first : NULL;
}

// Whether a condition holds: SM_WRITTEN or SM_LEFT_OUT; SM_REFUSED where that is not known.
static inline sm_write_result decide_one(
    const sm_row_program *program, const sm_condition *condition, const sm_row *row, uint32_t block) {
  if (condition->interval == 0) {
    sm_made_text none = {0};
    return program->call(program->context, condition->call, row, block, NULL, &none);
  }
  const sm_cell *cell = &row->cells[block + condition->cell];
  if (cell->kind != '-' && (uint8_t)(cell->kind - '0') > 9) return SM_LEFT_OUT;
  return decide_number(&program->intervals[condition->interval], row->text + cell->start, cell->end - cell->start);
}

// Whether an object is there, by a condition and those after it; 0 is none.
static inline sm_write_result decide(const sm_row_program *program, uint32_t condition, const sm_row *row, uint32_t block) {
  sm_write_result result = SM_WRITTEN;
  while (condition != 0 && result == SM_WRITTEN) {
    result = decide_one(program, &program->conditions[condition], row, block);
    condition = program->conditions[condition].next;
  }
  return result;
}

// Whether a cell has a scalar, but no string and no null.
static inline bool is_other_scalar(const sm_cell *cell) {
  return cell->kind == 't' || cell->kind == 'f' || cell->kind == '-' || (uint8_t)(cell->kind - '0') <= 9;
}

// Whether a cell surely has no value of a type, whatever is in it.
static inline bool is_wrong(const sm_written_value *value, const sm_cell *cell) {
  // Up to this one, kinds tell something else.
  if (!value->is_strict || cell->kind == 'n' || cell->kind <= SM_CELL_HEAD) return false;
  switch (value->kind) {
    case SM_WRITE_STRING: return cell->kind != '"';
    case SM_WRITE_BOOLEAN: return cell->kind != 't' && cell->kind != 'f';
    case SM_WRITE_NUMBER:
    case SM_WRITE_DECIMAL:
    case SM_WRITE_INTEGER: return cell->kind != '-' && (uint8_t)(cell->kind - '0') > 9;
    default: return false;
  }
}

// Whether a cell does not have what its object needs.
static inline bool lacks_value(const sm_written_field *field, const sm_cell *cell) {
  return cell->kind == SM_CELL_ABSENT ? field->is_needed : cell->kind == 'n' && field->takes_no_null;
}

// Makes null what is inside a null: these cells say where that is, by its cell and the number of steps to it. They have no text.
__attribute__((noinline, unused)) static void settle_null(sm_cell *block, const sm_written_step *step) {
  sm_cell below = block[step->cell];
  bool is_below = below.end == 0 && below.start > 0;
  if (!is_below) below = (sm_cell){.start = step->cell, .next = step->depth, .kind = 'n'};
  for (uint32_t i = 1; i <= step->inside; i++) block[step->cell + i] = below;
}

// Whether paths lead through objects and arrays, where they lead through anything but null.
static inline bool settle_steps(const sm_row_program *program, uint32_t first, uint32_t count, sm_cell *block) {
  const sm_written_step *step = program->steps + first, *const end = step + count;
  for (; step < end; step++) {
    uint8_t kind = block[step->cell].kind;
    if (kind == (step->is_array ? '[' : '{') || kind == SM_CELL_ABSENT) continue;
    if (kind != 'n') return false;
    settle_null(block, step);
  }
  return true;
}

// Whether an open object has members that its node does not name, or what paths go through has some.
__attribute__((unused)) static bool has_unnamed(const sm_row_program *program, const sm_written_object *object, const sm_row *row, const sm_cell *own) {
  const sm_written_step *step = program->steps + object->first_step, *const end = step + object->step_count;
  for (; step < end; step++) {
    const sm_cell *cell = &row->cells[own->start + step->cell];
    if (cell->kind == '{' && !cell->is_closed && cell->end > 0) return true;
  }
  return own->end > 0;
}

// Whether the parts of an open object can be looked at.
static inline bool can_open(const sm_row_program *program, const sm_written_object *object, const sm_row *row, const sm_cell *own) {
  if (object->is_strict && has_unnamed(program, object, row, own)) return false;
  return settle_steps(program, object->first_step, object->step_count, row->cells + own->start);
}

// What becomes of something if a part of it is left out, or is wrong: that is not known here.
static inline sm_write_result of_part(sm_write_result result) {
  return result == SM_LEFT_OUT || result == SM_WRONG ? SM_REFUSED : result;
}

// What becomes of a row: one that is wrong has errors, which are told elsewhere.
static inline sm_write_result of_row(sm_write_result result) { return result == SM_WRONG ? SM_REFUSED : result; }

// Whether a scalar, which is not null, is surely a value of its type.
static inline bool is_of_type(
    const sm_row_program *program, const sm_written_value *value, const uint8_t *from, const sm_cell *cell) {
  const uint8_t *text = from + cell->start;
  size_t length = cell->end - cell->start;
  switch (cell->kind) {
    case '{':
    case '[': return false;
    case '"':
      if (value->kind != SM_WRITE_STRING && value->kind != SM_WRITE_SCALAR) return false;
      return !cell->has_escapes || has_plain_escapes(text + 1, length - 2);
    case 't':
    case 'f': return value->kind == SM_WRITE_BOOLEAN || value->kind == SM_WRITE_SCALAR;
    default:
      if (value->kind == SM_WRITE_INTEGER || value->kind == SM_WRITE_DECIMAL) {
        if (!is_in_range(value, text, length)) return false;
      } else if (value->kind != SM_WRITE_NUMBER && value->kind != SM_WRITE_SCALAR) {
        return false;
      }
      return value->interval == 0 || decide_number(&program->intervals[value->interval], text, length) == SM_WRITTEN;
  }
}

#endif
