// Numbers (RFC 8259, section 6), as an automaton that can stop anywhere and continue.

#include "walker.h"

static inline bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

size_t sm_number_run(const uint8_t *bytes, size_t position, size_t end, uint8_t *state) {
  uint8_t now = *state;
  size_t i = position;
  for (; i < end; i++) {
    uint8_t byte = bytes[i];
    switch (now) {
      case SM_NUMBER_START:
        if (byte == '-') { now = SM_NUMBER_MINUS; continue; }
        // Falls through - after the sign, a number starts in the same way as without one.
      case SM_NUMBER_MINUS:
        if (byte == '0') { now = SM_NUMBER_ZERO; continue; }
        if (is_digit(byte)) { now = SM_NUMBER_INTEGER; continue; }
        break;
      case SM_NUMBER_INTEGER:
        if (is_digit(byte)) continue;
        // Falls through - what may follow a zero may follow any integer.
      case SM_NUMBER_ZERO:
        if (byte == '.') { now = SM_NUMBER_POINT; continue; }
        if (byte == 'e' || byte == 'E') { now = SM_NUMBER_E; continue; }
        break;
      case SM_NUMBER_POINT:
        if (is_digit(byte)) { now = SM_NUMBER_FRACTION; continue; }
        break;
      case SM_NUMBER_FRACTION:
        if (is_digit(byte)) continue;
        if (byte == 'e' || byte == 'E') { now = SM_NUMBER_E; continue; }
        break;
      case SM_NUMBER_E:
        if (byte == '+' || byte == '-') { now = SM_NUMBER_SIGN; continue; }
        // Falls through - an exponent needs no sign.
      case SM_NUMBER_SIGN:
      case SM_NUMBER_EXPONENT:
        if (is_digit(byte)) { now = SM_NUMBER_EXPONENT; continue; }
        break;
    }
    break;
  }
  *state = now;
  return i;
}
