// Callbacks that fail, and options that are wrong.

#include "checks.h"

static int count_rejects(void *context, const streammap_error *error) {
  CHECK(error->record > 0 && error->offset >= 0);
  return --*(int *)context < 0;
}

static void callbacks_fail(void) {
  streammap_mapping *mapping = open_mapping("{\"errors\":\"skip\"}");
  const streammap_piece none = {NULL, 1}, *ends[] = {&no_bytes, NULL, &none};
  for (int i = 0; i < 3; i++) {
    source s = {.left = 3, .end = ends[i]};
    streammap_error *error = NULL;
    streammap_feed *feed = streammap_feed_open_callback(mapping, read_source, &s, "x.ndjson", &error);
    struct ArrowArray batch;
    CHECK(streammap_feed_next(feed, &batch, &error) == 1 && batch.length == 3);
    batch.release(&batch);
    int result = streammap_feed_next(feed, &batch, &error);
    if (i == 0) CHECK(result == 0);
    else CHECK(result == -1 && is_error(&error, "callback"));
    streammap_feed_close(feed);
  }
  for (int allowed = 0; allowed < 3; allowed++) {
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n{}\n{\"id\":2}\n{\"id\":[]}\n{\"id\":3}");
    int left = allowed;
    streammap_feed_on_reject(feed, count_rejects, &left);
    streammap_error *error = NULL;
    struct ArrowArray batch;
    CHECK(streammap_feed_next(feed, &batch, &error) == 1 && batch.length == allowed + 1);
    batch.release(&batch);
    int result = streammap_feed_next(feed, &batch, &error);
    if (allowed == 2) CHECK(result == 0);
    else CHECK(result == -1 && is_error(&error, "callback"));
    streammap_feed_close(feed);
  }
  streammap_mapping_close(mapping);
}

static int stop_after(void *context) { return --*(int *)context < 0; }

static void progress_is_told_and_ends_the_feed(void) {
  for (int jobs = 1; jobs <= 2; jobs++) {
    streammap_mapping *mapping = open_mapping(jobs == 1 ? "{\"errors\":\"skip\"}" : "{\"errors\":\"skip\",\"jobs\":2}");
    // Four pieces, the end, and then a feed in which only rejects are met.
    for (int allowed = 0; allowed < 6; allowed++) {
      source s = {.left = 4, .end = &no_bytes};
      streammap_error *error = NULL;
      streammap_feed *feed = streammap_feed_open_callback(mapping, read_source, &s, "x.ndjson", &error);
      int left = allowed;
      streammap_feed_on_progress(feed, stop_after, &left);
      struct ArrowArray batch;
      int result = streammap_feed_next(feed, &batch, &error);
      if (result == 1) {
        CHECK(batch.length <= allowed && streammap_feed_counts(feed).mapped == batch.length);
        batch.release(&batch);
        result = streammap_feed_next(feed, &batch, &error);
      }
      if (allowed == 5) CHECK(result == 0 && error == NULL);
      else CHECK(result == -1 && is_error(&error, "callback"));
      streammap_feed_close(feed);
    }
    streammap_feed *feed = open_feed(mapping, "{}\n{}\n{}");
    // Before the piece, and before two of the rejects.
    int left = 3;
    streammap_feed_on_progress(feed, stop_after, &left);
    struct ArrowArray batch;
    streammap_error *error = NULL;
    CHECK(streammap_feed_next(feed, &batch, &error) == -1 && is_error(&error, "callback"));
    CHECK(streammap_feed_counts(feed).rejected >= 2 && streammap_feed_counts(feed).mapped == 0);
    streammap_feed_close(feed);
    streammap_mapping_close(mapping);
  }
}

static int has_text(void *context, const streammap_error *error) {
  CHECK(strstr(error->json, (const char *)context) != NULL);
  return 0;
}

static void rejects_have_their_texts(void) {
  const char *options[] = {"{\"errors\":\"reject\",\"raw\":true}", "{\"errors\":\"reject\",\"raw\":true,\"jobs\":2}"};
  for (int i = 0; i < 2; i++) {
    streammap_mapping *mapping = open_mapping(options[i]);
    streammap_feed *feed = open_feed(mapping, "{\"id\":1}\n {\"id\":\"x\"} \n{\"id\":2}");
    streammap_feed_on_reject(feed, has_text, "\"raw\":\"{\\\"id\\\":\\\"x\\\"}\"");
    struct ArrowArray batch;
    CHECK(streammap_feed_next(feed, &batch, NULL) == 1 && batch.length == 2);
    batch.release(&batch);
    CHECK(streammap_feed_counts(feed).rejected == 1);
    streammap_feed_close(feed);
    streammap_mapping_close(mapping);
  }
}

// What an error says of options.
static int is_refused(const char *options, const char *said) {
  streammap_error *error = NULL;
  streammap_mapping *mapping = streammap_mapping_open(text, strlen(text), options, &error);
  int is_said = mapping == NULL && strstr(error->message, said) != NULL;
  if (!is_said) fprintf(stderr, "%s: not '%s' but '%s'\n", options, said, mapping == NULL ? error->message : "no error");
  streammap_mapping_close(mapping);
  streammap_error_free(error);
  return is_said;
}

static void texts_are_utf8_and_names_are_known(void) {
  CHECK(is_refused("{\"erors\":\"skip\"}", "there is no option 'erors'; did you mean 'errors'?"));
  CHECK(is_refused("{\"limits\":{\"dept\":1}}", "there is no limit 'dept'; did you mean 'depth'?"));
  CHECK(is_refused("{\"where\":\"id > 7\"}", "option 'where' has to be an object"));
  CHECK(is_refused("{\"where\":{\"field\":\"idd\",\"min\":7}}", "option 'where'"));
  CHECK(is_refused("{\"fields\":[\"idd\"]}", "option 'fields': there is no field 'idd'; did you mean 'id'?"));
  CHECK(is_refused("{\"raw\":1}", "option 'raw' has to be true or false"));
  CHECK(is_refused("{\"x\xFF\":1}", "a text is not UTF-8"));
  streammap_error *error = NULL;
  CHECK(streammap_mapping_open_file("/tmp/\xFF", NULL, &error) == NULL && is_error(&error, "usage"));
  streammap_mapping *mapping = open_mapping(NULL);
  CHECK(streammap_feed_open_file(mapping, "/tmp/\xFF", &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_feed_open_memory(mapping, "", 0, "\xFF.ndjson", &error) == NULL && is_error(&error, "usage"));
  CHECK(streammap_index(mapping, "/tmp/\xFF", 1, &error) == NULL && is_error(&error, "usage"));
  source s = {.left = 1, .end = &no_bytes};
  CHECK(streammap_infer(read_source, &s, NULL, "{\"formt\":\"json\"}", &error) == NULL);
  CHECK(strstr(error->message, "did you mean 'format'?") != NULL && is_error(&error, "mapping"));
  streammap_mapping_close(mapping);
}

static void options_that_do_nothing_are_refused(void) {
  const char *wrong[] = {
      "{\"jobs\":1,\"jobs\":2}", "{\"limits\":{\"depth\":1,\"depth\":2}}", "{\"arguments\":{\"a\":\"1\",\"a\":\"1\"}}",
      "{\"records\":[]}", "{\"binary\":[\"none\"]}", "{\"binary\":[\"id\"]}", "{\"unseen_paths\":\"maybe\"}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    streammap_error *error = NULL;
    CHECK(streammap_mapping_open(text, strlen(text), wrong[i], &error) == NULL && is_error(&error, "mapping"));
  }
  source s = {.left = 1, .end = &no_bytes};
  streammap_error *error = NULL;
  CHECK(streammap_infer(read_source, &s, NULL, "{\"format\":\"json\",\"format\":\"json\"}", &error) == NULL && is_error(&error, "mapping"));
  streammap_mapping_close(open_mapping("{\"binary\":[\"s\"]}"));
}

void callbacks_and_options(void) {
  callbacks_fail();
  options_that_do_nothing_are_refused();
  progress_is_told_and_ends_the_feed();
  rejects_have_their_texts();
  texts_are_utf8_and_names_are_known();
}
