// Patterns that are matched in time linear in the text and in bounded memory, whatever the pattern and the text: RE2 behind
// a face of C.

#ifndef STREAMMAP_LINEAR_PATTERN_H
#define STREAMMAP_LINEAR_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A pattern, ready to match; it does not change, and any thread may match with it.
typedef struct sm_linear_pattern sm_linear_pattern;

/// Why there is no pattern.
typedef enum {
  SM_PATTERN_FINE,
  /// It refers back to what a group matched.
  SM_PATTERN_REFERS_BACK,
  /// It looks at what is around, without matching it.
  SM_PATTERN_LOOKS_AROUND,
  /// It takes more memory than patterns may.
  SM_PATTERN_TOO_LARGE,
  /// It is wrong otherwise: see `reason`.
  SM_PATTERN_WRONG,
} sm_pattern_fault_kind;

typedef struct {
  sm_pattern_fault_kind kind;
  /// What is wrong, in words, and the part of the pattern: both end with a NUL, and are cut off where they are long.
  char reason[80];
  char part[80];
} sm_pattern_fault;

/// Reads a pattern of UTF-8, for matching in at most so many bytes of memory; NULL, with the fault, where there is none.
sm_linear_pattern *sm_linear_pattern_make(const char *pattern, size_t length, size_t memory, sm_pattern_fault *fault);

void sm_linear_pattern_free(sm_linear_pattern *pattern);

/// Whether the text, which is UTF-8, matches: all of it, or any part.
bool sm_linear_pattern_matches(const sm_linear_pattern *pattern, const char *text, size_t length, bool whole);

/// How many groups the pattern has, besides the whole match.
int sm_linear_pattern_group_count(const sm_linear_pattern *pattern);

/// The number of the group with this name, which ends with a NUL; 0 if there is none.
int sm_linear_pattern_group(const sm_linear_pattern *pattern, const char *name);

/// Calls back with the name, which ends with a NUL, of each group that has one, in the order of the groups.
void sm_linear_pattern_names(
    const sm_linear_pattern *pattern, void *context, void (*receive)(void *context, const char *name));

/// A part of a text; `start` is negative where a group took no part in the match.
typedef struct {
  ptrdiff_t start;
  ptrdiff_t end;
} sm_pattern_span;

/// Finds the first match in the text, which is UTF-8, that starts at this byte or later: its span, and those of the first groups.
/// False if there is none.
bool sm_linear_pattern_find(
    const sm_linear_pattern *pattern, const char *text, size_t length, size_t from, sm_pattern_span *spans, int count);

#ifdef __cplusplus
}
#endif

#endif
