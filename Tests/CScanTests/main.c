// Runs all tests. With --only, it runs those whose names start with the given text. With --digest, it runs only the random walks
// and prints their digest. With --expect, it also checks the digest.

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"

static const struct {
  const char *name;
  void (*run)(void);
  bool is_walk;  // adds to the digest
} tests[] = {
    {"scan: examples", test_scan_examples, false},
    {"scan: every implementation against the reference", test_scan, false},
    {"elements: every implementation against a loop", test_elements, false},
    {"elements: a list ends where it was put", test_elements_are_those_of_the_list, false},
    {"lines: every implementation against a loop", test_lines, false},
    {"lines: a walk finds as many texts", test_lines_are_those_of_the_walk, false},
    {"text: fractions are those of strtod", test_fractions, false},
    {"text: escapes, whole and cut", test_escapes, false},
    {"forms: rows and indented records, in memory of their size", test_forms, false},
    {"forms: where values and members are in a record", test_values_of_text, false},
    {"forms: what a form looks at, straight from the table", test_forms_from_the_table, false},
    {"walk: examples", test_walk_examples, false},
    {"walk: findings", test_findings, false},
    {"walk: valid feeds, every piece size", test_walk_valid, true},
    {"walk: damaged feeds, every piece size", test_walk_mutated, true},
    {"walk: feeds of many batches", test_walk_large, true},
    {"walk: another walker continues", test_walk_resumed, false},
    {"walk: positions that cannot be", test_positions, false},
    {"rows: the values of records by their place", test_rows, false},
    {"rows: lines and documents with a known layout", test_known_layouts, false},
    {"rows: nothing after the input is read", test_rows_at_the_end, false},
    {"rows: a value that is held comes whole", test_held_values, false},
    {"rows: a record that fits in a batch is one, in pieces of any size", test_rows_in_pieces, false},
    {"rows: an escape that a full copy cuts off is continued", test_cut_in_escapes, false},
    {"rows: all kinds of nodes, and containers that are opened again", test_row_parts, false},
    {"rows: values inside long records, whichever are refused", test_inner_rows, false},
    {"limits: at and one past", test_limits, false},
    {"limits: depth", test_deep, false},
    {"time: a string of 16 MiB", test_long_string, false},
    {"time: a million malformed lines", test_broken_lines, false},
    {"time: a million members", test_many_members, false},
    {"memory: every allocation fails once", test_allocation, false},
    {"memory: every allocation of columns fails once", test_column_allocation, false},
};

int main(int count, char **arguments) {
  bool only_digest = count > 1 && strcmp(arguments[1], "--digest") == 0;
  const char *expected = count > 2 && strcmp(arguments[1], "--expect") == 0 ? arguments[2] : NULL;
  const char *prefix = count > 2 && strcmp(arguments[1], "--only") == 0 ? arguments[2] : "";
  const char *given = getenv("STREAMMAP_SEED");
  seed = given != NULL && *given != 0 ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!only_digest) {
    printf("seed %" PRIu64 " (STREAMMAP_SEED=%" PRIu64 " runs the same again), scanner %s\n", seed, seed,
           sm_scan_implementation());
  }
  // Each test starts with it, whatever the tests before it selected.
  const char *fastest = sm_scan_implementation();
  int passed = 0, failed = 0;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    if ((only_digest && !tests[i].is_walk) || strncmp(tests[i].name, prefix, strlen(prefix)) != 0) continue;
    if (!sm_scan_select(fastest)) abort();
    forget_failures();
    uint64_t before = digest;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    tests[i].run();
    clock_gettime(CLOCK_MONOTONIC, &b);
    if (!tests[i].is_walk) digest = before;
    if (has_failed()) failed++; else passed++;
    if (!only_digest || has_failed()) {
      printf("%s  %s (%.1f s)\n", has_failed() ? "FAIL" : "ok  ", tests[i].name,
             (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9);
    }
  }
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, digest);
  if (only_digest) {
    printf("%s\n", text);
    return failed > 0;
  }
  if (expected != NULL) {
    bool equal = strcmp(expected, text) == 0;
    if (equal) passed++; else failed++;
    printf("%s  skim: without it everything comes out the same\n", equal ? "ok  " : "FAIL");
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
