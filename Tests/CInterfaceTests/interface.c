// The interface of C as an unkind caller uses it.

#include "checks.h"

int failures;

static void nothing_is_given(void) {
  streammap_error *error = NULL;
  CHECK(streammap_mapping_open(NULL, 0, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_mapping_open(NULL, 0, NULL, NULL) == NULL);
  CHECK(streammap_mapping_open("", 0, NULL, &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_open_file(NULL, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_mapping_open_file("/none", NULL, &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_schema(NULL, NULL, &error) == -1 && is_error(&error, "usage"));
  CHECK(streammap_feed_open_file(NULL, "x", &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_feed_open_callback(NULL, NULL, NULL, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_feed_next(NULL, NULL, &error) == -1 && is_error(&error, "usage"));
  CHECK(streammap_feed_read(NULL, NULL, 0, &error) == -1 && is_error(&error, "usage"));
  CHECK(streammap_feed_stream(NULL, NULL, &error) == -1 && is_error(&error, "usage"));
  CHECK(streammap_feed_counts(NULL).mapped == 0);
  CHECK(streammap_infer(NULL, NULL, NULL, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_index(NULL, "x", 1, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_parts(NULL, "x", 1, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_feed_open_part(NULL, "x", "{}", &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_parts_blob(NULL, NULL, 1, NULL, &error) == NULL && is_error(&error, "usage"));
  streammap_text_free(NULL);
  streammap_feed_on_reject(NULL, NULL, NULL);
  streammap_feed_close(NULL);
  streammap_mapping_close(NULL);
  streammap_error_free(NULL);
  streammap_feed_on_progress(NULL, NULL, NULL);
  CHECK(strcmp(streammap_version(), STREAMMAP_VERSION) == 0);
  streammap_mapping *mapping = open_mapping(NULL);
  CHECK(streammap_feed_open_file(mapping, "/none", &error) == NULL && is_error(&error, "io"));
  CHECK(streammap_feed_open_memory(mapping, NULL, 1, NULL, &error) == NULL && is_error(&error, "usage"));
  streammap_mapping_close(mapping);
  CHECK(streammap_mapping_open(text, strlen(text), "{\"jobs\":1.5}", &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_open(text, strlen(text), "[", &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_open(text, strlen(text), "{\"x\":1}", &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_open("streammap: 1 # \xFF", 16, NULL, &error) == NULL && is_error(&error, "mapping"));
  CHECK(streammap_mapping_files(NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_feed_notes(NULL, &error) == NULL && is_error(&error, "usage"));
}

static void a_feed_belongs_to_one_stream(void) {
  streammap_mapping *mapping = open_mapping(NULL);
  streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2}");
  struct ArrowArrayStream stream, other;
  streammap_error *error = NULL;
  CHECK(streammap_feed_stream(feed, &stream, &error) == 0);
  CHECK(streammap_feed_stream(feed, &other, &error) == -1 && is_error(&error, "usage"));
  struct ArrowArray batch;
  char room[9];
  CHECK(streammap_feed_next(feed, &batch, &error) == -1 && is_error(&error, "usage"));
  CHECK(streammap_feed_read(feed, room, sizeof room, &error) == -1 && is_error(&error, "usage"));
  // Only the stream ends it.
  streammap_feed_close(feed);
  CHECK(stream.get_next(&stream, &batch) == 0 && batch.length == 2);
  CHECK(streammap_feed_counts(feed).mapped == 2 && streammap_feed_counts(feed).bytes == 17);
  batch.release(&batch);
  stream.release(&stream);
  streammap_mapping_close(mapping);
}

// What a feed says once it is over is this.
static int says(streammap_feed *feed, const char *expected) {
  char *notes = streammap_feed_notes(feed, NULL);
  int is_said = notes != NULL && strcmp(notes, expected) == 0;
  if (!is_said) fprintf(stderr, "not %s but %s\n", expected, notes == NULL ? "nothing" : notes);
  streammap_text_free(notes);
  return is_said;
}

static void paths_that_found_nothing_are_told(void) {
  const char *options[] = {"{\"records\":[\"$.itms[*]\"],\"format\":\"json\"}", "{\"records\":[\"$.itms[*]\"],\"format\":\"json\",\"jobs\":2}"};
  for (int i = 0; i < 2; i++) {
    streammap_mapping *mapping = open_mapping(options[i]);
    streammap_feed *feed = open_feed(mapping, "{\"items\":[{\"id\":1}]}");
    struct ArrowArray batch;
    streammap_error *error = NULL;
    CHECK(streammap_feed_next(feed, &batch, &error) == -1 && strcmp(error->path, "$.itms[*]") == 0);
    CHECK(strcmp(error->message, "no records: the path $.itms[*] does not occur; did you mean $.items[*]?") == 0);
    CHECK(is_error(&error, "unseenPath"));
    CHECK(streammap_feed_next(feed, &batch, &error) == 0);
    streammap_feed_close(feed);
    streammap_mapping_close(mapping);
  }
  streammap_mapping *mapping = open_mapping("{\"records\":[\"$.itms[*]\"],\"format\":\"json\",\"unseen_paths\":\"ignore\"}");
  streammap_feed *feed = open_feed(mapping, "{\"items\":[{\"id\":1}]}");
  struct ArrowArray batch;
  CHECK(streammap_feed_next(feed, &batch, NULL) == 0);
  streammap_feed_close(feed);
  streammap_mapping_close(mapping);
  mapping = open_mapping(NULL);
  feed = open_feed(mapping, "{\"id\":1,\"S\":\"a\"}");
  CHECK(says(feed, "[]"));
  CHECK(streammap_feed_next(feed, &batch, NULL) == 1);
  batch.release(&batch);
  CHECK(says(feed, "[]"));
  CHECK(streammap_feed_next(feed, &batch, NULL) == 0);
  CHECK(says(feed, "[\"s never occurred; did you mean S?\",\"l never occurred\"]"));
  streammap_feed_close(feed);
  streammap_mapping_close(mapping);
}

static void a_fork_does_not_read_its_parents_feed(void) {
  for (int jobs = 1; jobs <= 2; jobs++) {
    streammap_mapping *mapping = open_mapping(jobs == 1 ? "{\"batch_rows\":1}" : "{\"batch_rows\":1,\"jobs\":2}");
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2}\n{\"id\":3}");
    streammap_feed *streamed = open_feed(mapping, "{\"id\":1}");
    struct ArrowArrayStream stream;
    CHECK(streammap_feed_stream(streamed, &stream, NULL) == 0);
    struct ArrowArray batch;
    CHECK(streammap_feed_next(feed, &batch, NULL) == 1);
    batch.release(&batch);
    pid_t child = fork();
    if (child == 0) {
      int before = failures;
      streammap_error *error = NULL;
      CHECK(streammap_feed_next(feed, &batch, &error) == -1 && is_error(&error, "usage"));
      CHECK(streammap_feed_notes(feed, &error) == NULL && is_error(&error, "usage"));
      CHECK(streammap_feed_counts(feed).mapped == 0);
      CHECK(stream.get_next(&stream, &batch) != 0);
      streammap_feed_close(feed);
      stream.release(&stream);
      // What a child keeps of its parent's feed is no leak, but valgrind would say so: the child ends as another program.
      const char *end = failures == before ? "true" : "false";
      execlp(end, end, (char *)NULL);
      _exit(1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    int64_t rows = 1;
    while (streammap_feed_next(feed, &batch, NULL) == 1) {
      rows += batch.length;
      batch.release(&batch);
    }
    CHECK(rows == 3);
    streammap_feed_close(feed);
    stream.release(&stream);
    streammap_mapping_close(mapping);
  }
}

static void a_mapping_tells_its_files(void) {
  char path[] = "/tmp/streammap-mapping-XXXXXX";
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text) && close(descriptor) == 0);
  streammap_error *error = NULL;
  streammap_mapping *mapping = streammap_mapping_open_file(path, NULL, &error), *same = open_mapping(NULL);
  char *files = streammap_mapping_files(mapping, &error), *others = streammap_mapping_files(same, &error);
  CHECK(files != NULL && strstr(files, path) != NULL && strstr(others, "\"files\":[]") != NULL);
  // The digests come first, and are the same.
  CHECK(strncmp(files, others, (size_t)(strchr(files, ',') - files)) == 0);
  streammap_text_free(files);
  streammap_text_free(others);
  streammap_mapping_close(mapping);
  streammap_mapping_close(same);
  remove(path);
}

static void a_feed_outlives_its_mapping_and_a_batch_its_feed(void) {
  streammap_mapping *mapping = open_mapping("{\"batch_rows\":2}");
  streammap_feed *feed = open_feed(mapping, "{\"id\":1,\"l\":[1,2]}\n{\"id\":2,\"s\":\"\\u00e9\"}\n{\"id\":3}\n{\"id\":\"x\"}\n{\"id\":5}");
  streammap_mapping_close(mapping);
  struct ArrowArray first, second, none;
  streammap_error *error = NULL;
  CHECK(streammap_feed_next(feed, &first, &error) == 1 && first.length == 2);
  CHECK(streammap_feed_next(feed, &second, &error) == 1 && second.length == 1);
  CHECK(streammap_feed_next(feed, &none, &error) == -1 && error->record == 4 && error->line == 4 && strcmp(error->path, "$.id") == 0);
  CHECK(is_error(&error, "wrongType"));
  CHECK(streammap_feed_next(feed, &none, &error) == 0 && none.release == NULL);
  CHECK(streammap_feed_counts(feed).mapped == 3 && streammap_feed_counts(feed).rejected == 1);
  streammap_feed_close(feed);
  CHECK(((const int64_t *)first.children[0]->buffers[1])[1] == 2);
  // A child that is moved out lives on.
  struct ArrowArray child = *first.children[2];
  first.children[2]->release = NULL;
  first.release(&first);
  CHECK(first.release == NULL);
  CHECK(child.length == 2 && ((const int32_t *)child.children[0]->buffers[1])[1] == 2);
  child.release(&child);
  // So does an array.
  struct ArrowArray moved = second;
  second.release = NULL;
  moved.release(&moved);
}

static void a_stream_is_moved_and_ends(void) {
  streammap_mapping *mapping = open_mapping(NULL);
  streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2}\n{\"id\":");
  streammap_mapping_close(mapping);
  struct ArrowArrayStream stream, moved;
  CHECK(streammap_feed_stream(feed, &stream, NULL) == 0);
  moved = stream;
  stream.release = NULL;
  struct ArrowSchema schema, other;
  CHECK(moved.get_schema(&moved, &schema) == 0 && moved.get_schema(&moved, &other) == 0);
  struct ArrowArray batch;
  CHECK(moved.get_next(&moved, &batch) == 0 && batch.length == 2);
  batch.release(&batch);
  CHECK(moved.get_next(&moved, &batch) != 0 && strstr(moved.get_last_error(&moved), "line 3") != NULL);
  CHECK(moved.get_next(&moved, &batch) == 0 && batch.release == NULL);
  CHECK(moved.get_next(&moved, NULL) != 0 && moved.get_schema(&moved, NULL) != 0);
  void (*release)(struct ArrowArrayStream *) = moved.release;
  release(&moved);
  release(&moved);
  CHECK(schema.n_children == 3 && strcmp(schema.children[0]->format, "l") == 0);
  schema.release(&schema);
  other.release(&other);
  CHECK(schema.release == NULL);
}

static void a_stream_is_given_up(void) {
  streammap_mapping *mapping = open_mapping("{\"batch_rows\":1,\"jobs\":2}");
  for (int i = 0; i < 3; i++) {
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2}\n{\"id\":3}");
    struct ArrowArrayStream stream;
    CHECK(streammap_feed_stream(feed, &stream, NULL) == 0);
    struct ArrowArray batch = {0};
    if (i > 0) CHECK(stream.get_next(&stream, &batch) == 0 && batch.length == 1);
    stream.release(&stream);
    if (batch.release != NULL) batch.release(&batch);
  }
  streammap_mapping_close(mapping);
}

static void output_is_read_in_pieces(void) {
  streammap_mapping *mapping = open_mapping(NULL);
  for (size_t size = 1; size < 40; size += 19) {
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2,\"l\":[3]}");
    char all[200] = {0}, piece[40];
    int64_t count;
    while ((count = streammap_feed_read(feed, piece, size, NULL)) > 0) strncat(all, piece, (size_t)count);
    CHECK(count == 0);
    CHECK(strcmp(all, "{\"id\":1,\"s\":null,\"l\":[]}\n{\"id\":2,\"s\":null,\"l\":[3]}\n") == 0);
    streammap_error *error = NULL;
    struct ArrowArray batch;
    CHECK(streammap_feed_next(feed, &batch, &error) == -1 && is_error(&error, "usage"));
    streammap_feed_close(feed);
  }
  streammap_mapping_close(mapping);
}

static void *map_all(void *mapping) {
  for (int i = 0; i < 20; i++) {
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{\"id\":2,\"s\":\"a\"}\n{\"id\":\"x\"}");
    struct ArrowArray batch;
    if (streammap_feed_next(feed, &batch, NULL) != 1) return "no batch";
    streammap_feed_close(feed);
    batch.release(&batch);
  }
  return NULL;
}

static void threads_share_a_mapping(void) {
  streammap_mapping *mapping = open_mapping("{\"errors\":\"skip\"}");
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, map_all, mapping) == 0);
  for (int i = 0; i < 4; i++) {
    void *problem;
    CHECK(pthread_join(threads[i], &problem) == 0 && problem == NULL);
  }
  streammap_mapping_close(mapping);
}

static void a_mapping_is_inferred(void) {
  streammap_error *error = NULL;
  source s = {.left = 20, .end = &no_bytes};
  char *text = streammap_infer(read_source, &s, "x.ndjson", "{\"sample_records\":5}", &error);
  CHECK(text != NULL && strstr(text, "type: int64") != NULL);
  streammap_mapping *mapping = streammap_mapping_open(text, strlen(text), NULL, &error);
  CHECK(mapping != NULL);
  streammap_mapping_close(mapping);
  streammap_text_free(text);
  s = (source){.left = 0, .end = &no_bytes};
  CHECK(streammap_infer(read_source, &s, NULL, NULL, &error) == NULL && is_error(&error, "noRecords"));
  s = (source){.left = 1, .end = NULL};
  CHECK(streammap_infer(read_source, &s, NULL, NULL, &error) == NULL && is_error(&error, "callback"));
  CHECK(streammap_infer(read_source, &s, NULL, "{\"x\":1}", &error) == NULL && is_error(&error, "mapping"));
}

typedef struct {
  const char *text;
  // The call that fails; none if it is negative.
  int failing;
} store;

static int64_t read_store(const streammap_range *range) {
  store *from = range->context;
  if (from->failing == 0) return -1;
  if (from->failing > 0) from->failing--;
  size_t length = strlen(from->text), start = (size_t)range->offset < length ? (size_t)range->offset : length;
  // Less than is asked for, as a store may give.
  size_t count = length - start < range->size ? length - start : range->size;
  if (count > 100) count = 100;
  memcpy(range->buffer, from->text + start, count);
  return (int64_t)count;
}

static int64_t read_too_much(const streammap_range *range) { return (int64_t)range->size + 1; }

static void a_blob_has_parts(void) {
  char lines[12000], *end = lines;
  for (int i = 0; i < 1000; i++) end += sprintf(end, "{\"id\":%d}\n", i);
  store from = {lines, -1};
  streammap_blob blob = {read_store, &from, end - lines, "store://lines.ndjson"}, none = {NULL, NULL, 1, NULL}, wrong = {read_too_much, NULL, 9, NULL};
  streammap_error *error = NULL;
  streammap_mapping *mapping = open_mapping(NULL);
  char *index = streammap_index_blob(mapping, &blob, 1000, &error);
  CHECK(index != NULL);
  for (int has_index = 0; has_index < 2; has_index++) {
    char *parts = streammap_parts_blob(mapping, &blob, 2, has_index ? index : NULL, &error);
    CHECK(parts != NULL);
    // Between the two objects is a comma, and no other one is between braces.
    char *second = strstr(parts, "},{\"bytes\"");
    CHECK(second != NULL);
    if (second == NULL) continue;
    second[1] = 0;
    second[strlen(second + 2) + 1] = 0;
    int64_t rows = 0;
    const char *each[] = {parts + 1, second + 2};
    for (int i = 0; i < 2; i++) {
      streammap_feed *feed = streammap_feed_open_part_blob(mapping, &blob, each[i], &error);
      struct ArrowArray batch;
      while (streammap_feed_next(feed, &batch, &error) == 1) {
        rows += batch.length;
        batch.release(&batch);
      }
      CHECK(error == NULL && streammap_feed_counts(feed).mapped > 300);
      streammap_feed_close(feed);
    }
    CHECK(rows == 1000);
    // It fails in the middle of a part.
    streammap_feed *feed = streammap_feed_open_part_blob(mapping, &blob, each[1], &error);
    from.failing = 1;
    struct ArrowArray batch;
    while (streammap_feed_next(feed, &batch, &error) == 1) batch.release(&batch);
    CHECK(error != NULL && strstr(error->message, "store://lines.ndjson") != NULL && is_error(&error, "callback"));
    streammap_feed_close(feed);
    from.failing = 0;
    CHECK(streammap_feed_open_part_blob(mapping, &blob, each[1], &error) == NULL && is_error(&error, "callback"));
    CHECK(streammap_parts_blob(mapping, &blob, 2, NULL, &error) == NULL && is_error(&error, "callback"));
    CHECK(streammap_index_blob(mapping, &blob, 1000, &error) == NULL && is_error(&error, "callback"));
    from.failing = -1;
    streammap_text_free(parts);
  }
  CHECK(streammap_parts_blob(mapping, &none, 2, NULL, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_parts_blob(mapping, &wrong, 2, NULL, &error) == NULL && is_error(&error, "callback"));
  blob.size = -1;
  CHECK(streammap_index_blob(mapping, &blob, 1000, &error) == NULL && is_error(&error, "usage"));
  streammap_text_free(index);
  streammap_mapping_close(mapping);
}

static void parts_are_the_whole(void) {
  char path[] = "/tmp/streammap-parts-XXXXXX";
  int descriptor = mkstemp(path);
  CHECK(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  for (int i = 0; i < 1000; i++) fprintf(file, "{\"id\":%d}\n", i);
  fclose(file);
  streammap_error *error = NULL;
  streammap_mapping *mapping = open_mapping(NULL);
  char *index = streammap_index(mapping, path, 1000, &error);
  CHECK(index != NULL);
  char *parts = streammap_parts(mapping, path, 3, index, &error);
  CHECK(parts != NULL && parts[0] == '[');
  // The array has an object for each part: none of its texts has a brace.
  int64_t rows = 0, sum = 0;
  int level = 0, count = 0;
  char *start = NULL;
  for (char *at = parts; *at != 0; at++) {
    if (*at == '{' && level++ == 0) start = at;
    if (*at != '}' || --level > 0) continue;
    char next = at[1];
    at[1] = 0;
    streammap_feed *feed = streammap_feed_open_part(mapping, path, start, &error);
    at[1] = next;
    CHECK(feed != NULL);
    count++;
    struct ArrowArray batch;
    while (streammap_feed_next(feed, &batch, &error) == 1) {
      const int64_t *ids = batch.children[0]->buffers[1];
      for (int64_t row = 0; row < batch.length; row++) sum += ids[row];
      rows += batch.length;
      batch.release(&batch);
    }
    CHECK(error == NULL);
    streammap_feed_close(feed);
  }
  CHECK(count == 3 && rows == 1000 && sum == 499500);
  CHECK(streammap_index(mapping, path, 0, &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_index(mapping, "/none", 1, &error) == NULL && is_error(&error, "io"));
  CHECK(streammap_parts(mapping, path, INT64_MIN, index, &error) == NULL && is_error(&error, "invalidDefinition"));
  CHECK(streammap_parts(mapping, path, 2, "[", &error) == NULL && is_error(&error, "invalidDefinition"));
  CHECK(streammap_feed_open_part(mapping, path, "{}", &error) == NULL && is_error(&error, "invalidDefinition"));
  // A compressed feed has no parts, and is said to be compressed.
  file = fopen(path, "wb");
  CHECK(file != NULL && fwrite("\x1F\x8B\x08\x00compressed", 1, 14, file) == 14 && fclose(file) == 0);
  CHECK(streammap_parts(mapping, path, 2, NULL, &error) == NULL && error != NULL);
  CHECK(strstr(error->message, "compressed (gzip): decompress it first") != NULL && is_error(&error, "io"));
  CHECK(streammap_index(mapping, path, 1000, &error) == NULL && is_error(&error, "io"));
  streammap_text_free(index);
  streammap_text_free(parts);
  streammap_mapping_close(mapping);
  remove(path);
}

int main(void) {
  callbacks_and_options();
  nothing_is_given();
  a_feed_outlives_its_mapping_and_a_batch_its_feed();
  a_stream_is_moved_and_ends();
  a_stream_is_given_up();
  output_is_read_in_pieces();
  threads_share_a_mapping();
  a_mapping_is_inferred();
  parts_are_the_whole();
  a_blob_has_parts();
  a_feed_belongs_to_one_stream();
  paths_that_found_nothing_are_told();
  a_fork_does_not_read_its_parents_feed();
  a_mapping_tells_its_files();
  return failures;
}
