// The same records as columns or as lines of output, for counting instructions: work (columns|text) MAPPING FEED.

#include <stdio.h>
#include <string.h>

#include "streammap.h"

int main(int count, char **arguments) {
  streammap_error *error = NULL;
  if (count != 4) return 2;
  streammap_mapping *mapping = streammap_mapping_open_file(arguments[2], NULL, &error);
  streammap_feed *feed = mapping == NULL ? NULL : streammap_feed_open_file(mapping, arguments[3], &error);
  if (strcmp(arguments[1], "columns") == 0) {
    struct ArrowArray batch;
    while (feed != NULL && streammap_feed_next(feed, &batch, &error) == 1) batch.release(&batch);
  } else {
    static char buffer[256 << 10];
    while (feed != NULL && streammap_feed_read(feed, buffer, sizeof buffer, &error) > 0) {}
  }
  if (error != NULL) fprintf(stderr, "%s\n", error->message);
  streammap_feed_close(feed);
  streammap_mapping_close(mapping);
  return error != NULL;
}
