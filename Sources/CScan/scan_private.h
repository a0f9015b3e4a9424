// What the implementations of the scanner share.

#ifndef STREAMMAP_SCAN_PRIVATE_H
#define STREAMMAP_SCAN_PRIVATE_H

#include "elements.h"
#include "layout.h"
#include "lines.h"
#include "scan.h"

typedef sm_scan_result sm_scan_function(
    sm_scan_state *state, const uint8_t *bytes, size_t length, bool final, uint32_t *index);
typedef size_t sm_elements_function(sm_elements *elements, const uint8_t *bytes, size_t length, uint64_t most);
typedef sm_lines sm_lines_function(bool *in_text, const uint8_t *bytes, size_t length, size_t most_texts);

sm_scan_function sm_scan_portable;
sm_lines_function sm_count_lines_portable;
sm_elements_function sm_split_elements_portable;
#if defined(__x86_64__)
sm_scan_function sm_scan_avx2;
sm_lines_function sm_count_lines_avx2;
sm_elements_function sm_split_elements_avx2;
sm_match_function sm_match_layout_avx2;
sm_scan_function sm_scan_avx512;
sm_lines_function sm_count_lines_avx512;
sm_elements_function sm_split_elements_avx512;
sm_match_function sm_match_layout_avx512;
#endif
// Every 64-bit ARM has these vectors. With the other byte order, they are not worth the work.
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define SM_HAS_NEON 1
sm_scan_function sm_scan_neon;
sm_lines_function sm_count_lines_neon;
sm_elements_function sm_split_elements_neon;
sm_match_function sm_match_layout_neon;
#endif

// One sequence (an escape, or a UTF-8 sequence) checked at its first byte.
typedef struct {
  size_t length;  // its bytes; 0 at a fault, or without a fault where the end of what is there cuts it off
  sm_scan_fault fault;
} sm_sequence;

// The escape that starts at the backslash `bytes[0]`; `available` bytes are there. A pair of surrogates is one sequence of 12
// bytes.
sm_sequence sm_check_escape(const uint8_t *bytes, size_t available);
// The UTF-8 sequence that starts at the byte `bytes[0]`, which is not ASCII.
sm_sequence sm_check_utf8(const uint8_t *bytes, size_t available);

#endif
