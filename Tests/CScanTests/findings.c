// One input of the coverage-guided target (Fuzzing/CScan), and the inputs that it once failed on.

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static void check(const uint8_t *head, const uint8_t *bytes, size_t length) {
  rng r = {(uint64_t)head[0] << 8 | head[1]};
  model m;
  make_model(&m, &r);
  setting s = {(sm_framing)(head[2] % 5), {280, UINT64_MAX, UINT64_MAX, UINT64_MAX}, head[2] >= 128 ? 3 : 0,
               head[3] & 1 ? SM_FORM_TEXT : SM_FORM_TOKENS};
  if (head[3] >= 192) s.limits = (sm_limits){1 + below(&r, 5), below(&r, 12), 1 + below(&r, 8), below(&r, 10)};
  sm_selection *selection = build_selection(&m);
  sm_walker *w = selection == NULL ? NULL : sm_walker_create(selection, s.framing, s.limits, s.form);
  if (w == NULL) abort();
  r.state ^= head[3];
  buf feed = {0}, expected = {0};
  put(&feed, bytes, length);
  run_naive(&expected, &m, &s, bytes, length);
  const char *names[MOST_IMPLEMENTATIONS];
  size_t count = implementations(names);
  for (size_t i = 0; i < count; i++) check_walk(&expected, w, &s, &feed, (pieces){.size = length + 1}, names[i], 0);
  check_walk(&expected, w, &s, &feed, (pieces){.size = 1 + below(&r, 32)}, names[below(&r, count)], 0);
  check_walk(&expected, w, &s, &feed, (pieces){0, 1 + below(&r, 90), &r, chance(&r, 50)}, names[below(&r, count)], 0);
  drop(&feed);
  drop(&expected);
  sm_walker_destroy(w);
  sm_selection_destroy(selection);
}

void check_fuzz_input(const uint8_t *data, size_t size) {
  if (size < FUZZ_HEAD) return;
  rng r = {data[3]};
  check_scan(data + FUZZ_HEAD, size - FUZZ_HEAD, &r, 0, 1);
  check(data, data + FUZZ_HEAD, size - FUZZ_HEAD);
}

// Run from the root of the project.
void test_findings(void) {
  DIR *folder = opendir("Tests/CScanTests/Findings");
  size_t count = 0;
  if (folder == NULL) {
    fail("no findings: run from the root of the project");
    return;
  }
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char path[512];
    uint8_t data[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "Tests/CScanTests/Findings/%s", entry->d_name);
    FILE *file = fopen(path, "rb");
    size_t size = file == NULL ? 0 : fread(data, 1, sizeof data, file);
    if (file != NULL) fclose(file);
    if (size < FUZZ_HEAD) fail("%s is no input", path);
    check_fuzz_input(data, size);
    count++;
  }
  closedir(folder);
  if (count == 0) fail("no findings");
}
