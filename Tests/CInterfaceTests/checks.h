// What the tests of the interface of C share. Each check prints its line where it fails; the status is their number.

#ifndef CHECKS_H
#define CHECKS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "streammap.h"

extern int failures;

#define CHECK(CONDITION)                                                       \
  do {                                                                         \
    if (!(CONDITION)) {                                                        \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #CONDITION); \
      failures++;                                                              \
    }                                                                          \
  } while (0)

static const char text[] =
    "{\"streammap\":1,\"input\":{\"format\":\"ndjson\"},\"record\":{\"id\":{\"from\":\"id\",\"type\":\"int64\"},"
    "\"s\":{\"from\":\"s\",\"type\":\"string\",\"nullable\":true},\"l\":{\"from\":\"l\",\"each\":\"int32\",\"default\":[]}}}";

static inline streammap_mapping *open_mapping(const char *options) {
  streammap_error *error = NULL;
  streammap_mapping *mapping = streammap_mapping_open(text, strlen(text), options, &error);
  if (mapping == NULL) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
  }
  return mapping;
}

static inline streammap_feed *open_feed(const streammap_mapping *mapping, const char *feed) {
  return streammap_feed_open_memory(mapping, feed, strlen(feed), NULL, NULL);
}

// An error with this code was set; it is freed.
static inline int is_error(streammap_error **error, const char *code) {
  int is_right = *error != NULL && strcmp((*error)->code, code) == 0 && (*error)->message[0] != 0 && (*error)->json[0] != 0;
  if (!is_right) fprintf(stderr, "not %s but %s\n", code, *error == NULL ? "no error" : (*error)->code);
  streammap_error_free(*error);
  *error = NULL;
  return is_right;
}

typedef struct {
  int64_t left;
  const streammap_piece *end;
} source;

static inline const streammap_piece *read_source(void *context) {
  static const streammap_piece piece = {"{\"id\":7}\n", 9};
  source *s = context;
  return s->left-- == 0 ? s->end : &piece;
}

static const streammap_piece no_bytes = {NULL, 0};

void callbacks_and_options(void);

#endif
