// Maps a feed by a mapping file and prints what came of it: rows, rejects, and the sum of a column of whole numbers.
//
// With the package that `scripts/package c` makes:
//
//   export PKG_CONFIG_PATH=release/c/lib/pkgconfig
//   cc Examples/C/batches.c $(pkg-config --cflags --libs streammap) -o batches
//   ./batches Examples/columns.map.yaml Examples/orders.ndjson id

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "streammap.h"

static int reject(void *context, const streammap_error *error) {
  ++*(int64_t *)context;
  fprintf(stderr, "rejected: %s (record %lld, line %lld): %s\n", error->code, (long long)error->record, (long long)error->line,
          error->message);
  return 0;
}

static int failed(streammap_error *error) {
  fprintf(stderr, "batches: %s: %s\n", error->code, error->message);
  streammap_error_free(error);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: batches MAPPING FEED COLUMN\n"), 2;
  streammap_error *error = NULL;
  streammap_mapping *mapping = streammap_mapping_open_file(argv[1], "{\"errors\":\"skip\",\"batch_rows\":2}", &error);
  if (mapping == NULL) return failed(error);

  // Which of the columns is asked for.
  struct ArrowSchema schema;
  if (streammap_mapping_schema(mapping, &schema, &error) != 0) return failed(error);
  int64_t column = -1;
  for (int64_t i = 0; i < schema.n_children; i++) {
    printf("%s: %s\n", schema.children[i]->name, schema.children[i]->format);
    if (strcmp(schema.children[i]->name, argv[3]) == 0 && strcmp(schema.children[i]->format, "l") == 0) column = i;
  }
  schema.release(&schema);

  streammap_feed *feed = streammap_feed_open_file(mapping, argv[2], &error);
  streammap_mapping_close(mapping);
  if (feed == NULL) return failed(error);
  int64_t rejected = 0, rows = 0, sum = 0;
  streammap_feed_on_reject(feed, reject, &rejected);

  // The stream owns the feed from here on.
  struct ArrowArrayStream stream;
  if (streammap_feed_stream(feed, &stream, &error) != 0) return failed(error);
  int status = EXIT_SUCCESS;
  while (status == EXIT_SUCCESS) {
    struct ArrowArray batch;
    if (stream.get_next(&stream, &batch) != 0) {
      fprintf(stderr, "batches: %s\n", stream.get_last_error(&stream));
      status = EXIT_FAILURE;
    } else if (batch.release == NULL) {
      break;
    } else {
      rows += batch.length;
      if (column >= 0) {
        const int64_t *values = batch.children[column]->buffers[1];
        for (int64_t i = 0; i < batch.length; i++) sum += values[i];
      }
      batch.release(&batch);
    }
  }
  stream.release(&stream);
  printf("%lld rows, %lld rejected, sum %lld\n", (long long)rows, (long long)rejected, (long long)sum);
  return status;
}
