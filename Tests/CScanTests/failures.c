// What went wrong in a test, in words, and what all tests share.

#include <stdarg.h>

#include "test.h"

uint64_t seed = 0, digest = 0xCBF29CE484222325u;
static int failures;

void fail(const char *format, ...) {
  if (++failures > 3) return;
  va_list arguments;
  va_start(arguments, format);
  printf("    ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

bool has_failed(void) { return failures > 0; }

void forget_failures(void) {
  if (failures > 3) printf("    and %d more\n", failures - 3);
  failures = 0;
}

void print_bytes(const char *name, const uint8_t *bytes, size_t length) {
  if (failures > 3) return;
  printf("    %s (%zu bytes): \"", name, length);
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = bytes[i];
    if (byte == '"' || byte == '\\') printf("\\%c", byte);
    else if (byte >= 0x20 && byte < 0x7F) printf("%c", byte);
    else printf("\\%03o", byte);
  }
  printf("\"\n");
}

size_t implementations(const char *names[MOST_IMPLEMENTATIONS]) {
  static const char *const all[] = {"portable", "avx2", "avx512", "neon"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (sm_scan_select(all[i])) names[count++] = all[i];
  }
  return count;
}

bool has_layouts(void) {
  const char *names[MOST_IMPLEMENTATIONS];
  return implementations(names) > 1;
}
