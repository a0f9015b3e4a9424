// What the tests of the scanner and the walker share: random numbers, byte buffers, feeds, selections, and the naive reference
// that the walker is compared with.

#ifndef STREAMMAP_CSCAN_TEST_H
#define STREAMMAP_CSCAN_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// By their places, so that the package of the fuzzers finds them, too.
#include "../../Sources/CScan/include/elements.h"
#include "../../Sources/CScan/include/lines.h"
#include "../../Sources/CScan/include/scan.h"
#include "../../Sources/CScan/include/walk.h"

// --- failures.c

// Marks the running test as failed. Prints the first few messages of each test, and counts the rest.
__attribute__((format(printf, 1, 2))) void fail(const char *format, ...);
bool has_failed(void);
// Starts counting again, and says how many messages were not printed.
void forget_failures(void);
// Prints bytes so that they can be pasted into a C string.
void print_bytes(const char *name, const uint8_t *bytes, size_t length);
// The names of the implementations that this machine has, the portable one first.
enum { MOST_IMPLEMENTATIONS = 4 };
size_t implementations(const char *names[MOST_IMPLEMENTATIONS]);
// Whether this machine has an implementation that compares layouts: the portable one does not.
bool has_layouts(void);
extern uint64_t seed;
// The digest of all steps of the random walks: the same for every build with the same seed.
extern uint64_t digest;

// --- random.c

typedef struct {
  uint64_t state;
} rng;

rng rng_for(const char *test, uint64_t round);
// How many of its random feeds a test takes: all, or a fifth of them.
#ifdef SAMPLE
static inline uint64_t sample(uint64_t all) { return all / 5; }
#else
static inline uint64_t sample(uint64_t all) { return all; }
#endif
uint64_t rng_next(rng *r);
static inline uint64_t below(rng *r, uint64_t bound) { return rng_next(r) % bound; }
static inline bool chance(rng *r, unsigned percent) { return below(r, 100) < percent; }

// --- buffer.c: buffers of bytes that grow. They abort where memory runs out, and never count as an allocation of the code under
// test.

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} buf;

void put(buf *b, const void *bytes, size_t length);
void put_text(buf *b, const char *text);
__attribute__((format(printf, 2, 3))) void put_format(buf *b, const char *format, ...);
void put_byte(buf *b, uint8_t byte);
void drop(buf *b);
bool same(const buf *a, const buf *b);
void *need(size_t size);  // malloc of exactly `size` bytes (at least one)

// --- feeds.c

// A random JSON value; `budget` bounds its parts.
void put_value(buf *b, rng *r, int depth, int budget);
// From now on, `put_value` puts no line feeds between tokens, and white space now and then.
void put_values_on_lines(void);
// A random feed in the framing; with `is_valid`, one without a fault.
void put_feed(buf *b, rng *r, sm_framing framing, bool is_valid, int size);
// Damages a feed here and there.
void mutate(buf *b, rng *r);
// Random keys from a small stock, so that selections meet them: unescaped, and as a feed may write them.
size_t key_count(void);
const char *key_text(size_t i, size_t *length);
void put_key(buf *b, rng *r, size_t i);

// --- model.c: selections as plain lists

enum { MODEL_SKIP, MODEL_KEEP, MODEL_SHELL, MODEL_PARTS, MODEL_NAVIGATION, MODEL_RECORD };

typedef struct {
  int kind;
  int inside;
  uint64_t marks, object_marks;
  int other_members, other_elements;
  size_t member_count, element_count;
  struct { size_t key; int child; unsigned tag; } members[6];
  struct { uint64_t first, end; int child; } elements[4];  // where several have an index, the first counts
} model_node;

typedef struct {
  model_node nodes[40];
  int count, root;
} model;

void make_model(model *m, rng *r);
sm_selection *build_selection(const model *m);

// --- naive.c: the reference

typedef struct {
  sm_framing framing;
  sm_limits limits;
  uint64_t offset;  // of the first byte
  sm_form form;
} setting;

// Writes everything that a walker over the whole feed would report, in the words of `run_walker`.
void run_naive(buf *report, const model *m, const setting *s, const uint8_t *bytes, size_t length);
// Whether the bytes are one JSON text.
bool is_json(const uint8_t *bytes, size_t length);
// Whether the sequence at bytes[0] (not ASCII, or a backslash in a string) is well-formed: its length. If 0, `*fault` says what
// is wrong; SM_SCAN_OK means that it is cut off.
size_t naive_sequence(const uint8_t *bytes, size_t available, bool in_string, sm_scan_fault *fault);

// --- report.c: the words of both

// A key without its escapes, which are well-formed; its length.
size_t decode_key(const uint8_t *key, size_t length, uint8_t *out);

void report_record(buf *report, sm_token record, const buf *json, const buf *tokens, const buf *levels, uint64_t paths);
void report_fault(buf *report, sm_fault fault, sm_token text, bool in_record, sm_token record, const buf *levels, uint64_t paths);
void report_end(buf *report, uint64_t offset, uint64_t line, uint64_t paths);
void report_token(buf *tokens, sm_token token);
void report_level(buf *levels, sm_level level);

// --- drive.c

// The sizes of pieces: `size` bytes each, or, where that is 0, random sizes up to `most`.
// With `resumes`, another walker continues from a position now and then.
typedef struct {
  size_t size, most;
  rng *random;
  bool resumes;
} pieces;

// How often a walker continued from a position.
extern uint64_t positions_taken;

// Appends to `joined` what a chunk says, as JSON text. False if the tokens are not those of the text.
bool put_chunk(buf *joined, const sm_walker *w, sm_form form);
// Walks a feed in pieces and writes everything that the walker reports; false if it broke the contract (`fail` was called).
bool run_walker(buf *report, sm_walker *w, const setting *s, const uint8_t *bytes, size_t length, pieces cut);

// --- scan_test.c, walk_test.c: the checks of one feed

// Compares every implementation of the scanner with the reference, whole and in windows of `windows` sizes out of nine.
void check_scan(const uint8_t *bytes, size_t length, rng *r, uint64_t round, size_t windows);
// Whether a walk in pieces with one scanner gives the reference's report.
bool check_walk(const buf *expected, sm_walker *w, const setting *s, const buf *feed, pieces cut, const char *scanner,
                uint64_t round);

// --- findings.c

// An input of the coverage-guided target is a head and a feed. The head says which selection (by its seed), which framing and
// which limits.
enum { FUZZ_HEAD = 4 };
void check_fuzz_input(const uint8_t *data, size_t size);

// --- the tests

void test_scan(void);
void test_scan_examples(void);
void test_fractions(void);
void test_escapes(void);
void test_forms(void);
void test_values_of_text(void);
void test_forms_from_the_table(void);
void test_elements(void);
void test_elements_are_those_of_the_list(void);
void test_lines(void);
void test_lines_are_those_of_the_walk(void);
void test_walk_valid(void);
void test_walk_mutated(void);
void test_walk_large(void);
void test_walk_examples(void);
void test_walk_resumed(void);
void test_positions(void);
void test_rows(void);
void test_known_layouts(void);
void test_rows_at_the_end(void);
void test_held_values(void);
void test_rows_in_pieces(void);
void test_cut_in_escapes(void);
void test_row_parts(void);
void test_inner_rows(void);
void test_findings(void);
void test_limits(void);
void test_deep(void);
void test_long_string(void);
void test_broken_lines(void);
void test_many_members(void);
void test_allocation(void);
void test_column_allocation(void);

#endif
