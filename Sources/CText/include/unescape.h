// From a JSON string's content, as written, to the text it stands for, or to the same content as the writer spells it.

#ifndef STREAMMAP_UNESCAPE_H
#define STREAMMAP_UNESCAPE_H

#include <stddef.h>
#include <stdint.h>

// Writes the content of a string (without its quotes) with each escape replaced (RFC 8259, section 7), and returns the byte after
// what is written; NULL if an escape is wrong or half of a surrogate pair. Only escapes are looked at.
//
// The room is at least as large as the content, which is never shorter than what is written. The two do not overlap.
uint8_t *sm_unescape(const uint8_t *content, size_t length, uint8_t *room);

// Writes the content of the same string with only the escapes that JSON asks for, each as short as it can be, with the hexadecimal digits
// in lower case. All else is as above.
uint8_t *sm_respell(const uint8_t *content, size_t length, uint8_t *room);

#endif
