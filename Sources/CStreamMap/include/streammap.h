// StreamMap for C: large JSON feeds mapped into Arrow columns or output records.
//
//   streammap_error *error = NULL;
//   streammap_mapping *mapping = streammap_mapping_open(text, strlen(text), NULL, &error);
//   streammap_feed *feed = streammap_feed_open_file(mapping, "orders.ndjson", &error);
//   struct ArrowArrayStream stream;
//   if (streammap_feed_stream(feed, &stream, &error) == 0) { … }
//
// Errors. A function that can fail takes `streammap_error **error`. It sets it to a new error, which the caller frees, or leaves it as
// it is. It may be NULL. No function ends the process, whatever is in a feed or a mapping.
//
// Threads. A mapping never changes: any number of threads and feeds may share it, and it may be closed before its feeds. A feed is
// used by one thread at a time. With several jobs, records are mapped on threads of the library; callbacks always run on the thread
// that calls, before the call returns. ArrowArrays and ArrowSchemas may be released on any thread, and live on after all else is closed.
//
// Processes. A feed belongs to the process that opened it: what a child that was forked asks of it is an error ("usage"), and what the
// child has of it stays in its memory.
//
// Texts. Those without a length end with their first zero byte, paths and names, too: where a text of the caller's language may hold
// one, look before the call.
//
// Memory. It is bounded by the mapping, the batch and the largest record; not by the length of the feed.

#ifndef STREAMMAP_H
#define STREAMMAP_H

#include <stddef.h>
#include <stdint.h>

#include "streammap_arrow.h"

// The version of this header; streammap_version() is that of the library. Before 1.0 a minor version may break the interface, and the
// library's SONAME has it: libstreammap.so.0.1.
#define STREAMMAP_VERSION "0.1.0"
#define STREAMMAP_VERSION_MAJOR 0
#define STREAMMAP_VERSION_MINOR 1
#define STREAMMAP_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

// --- Errors.

// What went wrong, and where. Texts are UTF-8 and end with a zero byte. An error holds no values of the feed, unless the option "raw"
// asks for them. If a record has several errors, code, path, bytes, line and column are those of the first one; `message` and `json` have
// all of them, one by one.
typedef struct {
  // What kind of error it is, such as "wrongType", "syntax", "truncated", "limitExceeded", "io"; "mapping" for mistakes in a mapping or
  // in options, "unseenPath" where a whole feed has no such records, "callback" where a callback of the caller's failed, "usage" for a
  // call that cannot be.
  const char *code;
  // What a person reads, with the address.
  const char *message;
  // The path in the feed, such as "$.lines[2].price"; NULL if there is none.
  const char *path;
  // The record's number, from 1; 0 if there is none.
  int64_t record;
  // The bytes of the feed, from `offset` up to but not including `end`; -1 where they are not known.
  int64_t offset, end;
  // From 1; 0 if they are not known. Columns are bytes.
  int64_t line, column;
  // All of it as one JSON object, in the form in which the command writes rejects (Schemas/reject.schema.json); of mistakes in a mapping,
  // an array of objects.
  const char *json;
} streammap_error;

void streammap_error_free(streammap_error *error);

// --- Mappings.

typedef struct streammap_mapping streammap_mapping;

// Reads and compiles a mapping file, YAML or JSON, whose text is given. It may not use other files.
//
// `options` is NULL or one JSON object; every member may be left out:
//   "arguments":     values for the mapping's `args`, by their names, as texts
//   "format":        how records follow each other: auto, json, ndjson, concat or seq; else as the mapping says
//   "records":       where the records are in each document: an array of paths; else as the mapping says
//   "unseen_paths":  what it is that one of these paths does not occur in a whole feed: "fail" (an error at its end) or "ignore"
//   "errors":        "fail" (the first record that cannot be mapped ends the feed), "skip", "reject"; else as the mapping says
//   "jobs":          how many threads map, 1 to 64 (1)
//   "batch_rows":    the records of a batch of columns at most (65536)
//   "batch_bytes":   the bytes of a batch at which it ends (16777216)
//   "decimal_scale": digits after the point of decimal128 columns, 0 to 38 (10); null makes decimals texts
//   "timestamp_unit": us (microseconds, the default) or ns (nanoseconds: a time before 1677 or after 2262 is an error of its record)
//   "binary":        the names or paths (a.b) of text columns that are base64, which become binary columns
//   "fields":        the names of the record's fields that are mapped; the others are not, so their values are no errors. An error
//                    where the mapping needs all: it has a rule for unknown keys, or makes rows of an array
//   "where":         a condition as mapping files have it, {"from": "state", "equals": "open"} or {"field": "id", "min": 7}: records for
//                    which it does not hold are left out, besides those that the mapping's own `where` leaves out
//   "raw":           true: the errors of records have their texts, as the member "raw" of `json`, if they have at most 64 KiB (false).
//                    A mapping that redacts something gives none
//   "limits":        what a feed may demand, as in mapping files, in whole numbers: depth, string, number, key, members, elements,
//                    errors, captured, replayed, record
// Any other member is an error, and one that comes twice. So is a text, a name or a path that is not UTF-8, here and below.
streammap_mapping *streammap_mapping_open(const char *text, size_t length, const char *options, streammap_error **error);
// The same from a file, which may use others.
streammap_mapping *streammap_mapping_open_file(const char *path, const char *options, streammap_error **error);
void streammap_mapping_close(streammap_mapping *mapping);

// What it was made of, as one JSON object: "files", the paths of the mapping file and of the files that it uses (`use`, `lookup`), and
// "digest", a text that changes when the bytes of one of them do; of a mapping that was given as a text, its own. Arguments and options
// are not in it. Besides "errors": fail, skip or reject, as the options or the mapping say. streammap_text_free frees it; NULL with an error.
char *streammap_mapping_files(const streammap_mapping *mapping, streammap_error **error);

// The schema of its columns, a struct of all; 0, or -1 with an error. The caller releases it.
int streammap_mapping_schema(const streammap_mapping *mapping, struct ArrowSchema *schema, streammap_error **error);

// Some bytes of a feed.
typedef struct {
  const void *bytes;
  size_t length;
} streammap_piece;
// Gives the next piece of a feed, which has to be valid until the next call; one without bytes at the end, NULL if reading fails.
typedef const streammap_piece *(*streammap_read)(void *context);

// A mapping file (YAML) that takes the first records of a feed, to start from: a text that streammap_text_free frees, or NULL with an
// error. The name may tell the format; it may be NULL. No more is read than is looked at.
//
// `options` is NULL or one JSON object:
//   "records":        where the records are, a path; without it, they are the lines, or the elements of the largest array of the only
//                     document
//   "format":         auto, json, ndjson, concat or seq; else as the name or the first bytes say
//   "sample_records": how many records are looked at (10000)
// The code of the error is "noRecords" where there are none, "callback" where `read` failed.
char *streammap_infer(streammap_read read, void *context, const char *name, const char *options, streammap_error **error);
void streammap_text_free(char *text);

// --- Feeds.

typedef struct streammap_feed streammap_feed;

// A feed of a mapping; NULL with an error. Where its first bytes are those of gzip, Zstandard, xz or bzip2, it is decompressed; all
// offsets are those of the decompressed text. A name is for `meta: file`, and its ending may tell the format; it may be NULL.
streammap_feed *streammap_feed_open_file(const streammap_mapping *mapping, const char *path, streammap_error **error);
// Reads from a descriptor, which stays open and has to until the feed is closed.
streammap_feed *streammap_feed_open_descriptor(
    const streammap_mapping *mapping, int descriptor, const char *name, streammap_error **error);
// The bytes are copied.
streammap_feed *streammap_feed_open_memory(
    const streammap_mapping *mapping, const void *bytes, size_t length, const char *name, streammap_error **error);
// Reads by a callback, which is called until it says that the feed ends, or fails, or the feed is closed.
streammap_feed *streammap_feed_open_callback(
    const streammap_mapping *mapping, streammap_read read, void *context, const char *name, streammap_error **error);
// Ends it, wherever it is. NULL is allowed. A feed that belongs to a stream ends with that.
void streammap_feed_close(streammap_feed *feed);

// Is called for each record that cannot be mapped, where errors are "skip" or "reject"; the error is valid during the call. It returns 0
// to continue; anything else ends the feed with an error whose code is "callback". Set it before the first record is taken. It must not
// use the feed.
typedef int (*streammap_reject)(void *context, const streammap_error *error);
void streammap_feed_on_reject(streammap_feed *feed, streammap_reject reject, void *context);

// The next batch of columns: 1 with an array that the caller releases, 0 at the end of the feed, -1 with an error. Before an error comes
// out, what was mapped before it does. After an error, the feed is over.
int streammap_feed_next(streammap_feed *feed, struct ArrowArray *array, streammap_error **error);
// All batches to come, as a stream, to which the feed belongs from then on: do not close it. 0, or -1 with an error; the feed is the
// caller's then. As long as there is the stream, its counts and notes can be asked for; any other
// call with the feed is an error. The stream's errors are the messages of the feed's. Its callbacks are called by one thread at a time.
int streammap_feed_stream(streammap_feed *feed, struct ArrowArrayStream *stream, streammap_error **error);
// Output records instead, each a line of JSON: up to `size` bytes of them, cut anywhere. Returns their number, 0 at the end, -1 with an
// error. A feed gives columns or text, not both.
int64_t streammap_feed_read(streammap_feed *feed, void *buffer, size_t size, streammap_error **error);

// How many records there were so far, and how many bytes of the feed were read for them (decompressed).
typedef struct {
  int64_t mapped, rejected, dropped, bytes;
} streammap_counts;
streammap_counts streammap_feed_counts(const streammap_feed *feed);
// Is called before each piece of the feed is read, of 256 KiB at most, and before each call for a reject, on the thread that takes what
// comes of the feed: so also where nothing comes out for long. It returns 0 to continue; anything else ends the feed with an error whose
// code is "callback". Set it before the first record is taken. It may ask for the feed's counts, and must not use it otherwise.
typedef int (*streammap_progress)(void *context);
void streammap_feed_on_progress(streammap_feed *feed, streammap_progress progress, void *context);

// The notes on a feed that is over: a JSON array of texts such as "idd never occurred; did you mean id?", of fields that found
// nothing in any record. It is empty if there is nothing to say. For a part of a feed, it names only fields without which
// nothing can be mapped. streammap_text_free frees it; NULL with an error.
char *streammap_feed_notes(const streammap_feed *feed, streammap_error **error);

// --- Parts of a feed, which other processes read. All of them together are exactly the feed.

// Reads a file that is not compressed, once, and tells where it can be cut, with `every` bytes or a few more from one place to the next:
// a text (JSON) that streammap_text_free frees, as `stream-map index` writes it; NULL with an error. It holds for mappings with the same
// record paths, format and context values.
char *streammap_index(const streammap_mapping *mapping, const char *path, int64_t every, streammap_error **error);
// Cuts a file that is not compressed into `count` parts (1 to 1000000) of about the same size: a JSON array of objects. Each is a
// part. Its members "number" (from 1), "count", "bytes" ([from, to]) and "tellsNumbers" are for the caller; all of it is for
// streammap_feed_open_part. Some parts may be empty. A feed of lines needs no index (NULL); the numbers of its records are not known then.
// The code of the error is "invalidDefinition" where a feed needs an index, or the index is not of this feed or not for this mapping.
char *streammap_parts(
    const streammap_mapping *mapping, const char *path, int64_t count, const char *index, streammap_error **error);
// A part of a feed, by the object that streammap_parts gave; the path may be another one, of the same bytes. Before the end of the feed
// there may be an error with the code "invalidDefinition": the feed has changed since it was cut.
streammap_feed *streammap_feed_open_part(
    const streammap_mapping *mapping, const char *path, const char *part, streammap_error **error);

// Some bytes of a feed that are asked for: up to `size` of them from an offset on, into a buffer.
typedef struct {
  void *context;
  int64_t offset;
  void *buffer;
  size_t size;
} streammap_range;
// A feed that can be read at any place and is no file, such as an object of a store. `read` fills the start of the buffer, and returns how
// many bytes there are, 0 at the end of the feed, -1 where it fails: then the error has the code "callback". `size` is that of the feed.
// The name is for errors and `meta: file`, its ending may tell the format, and it may be NULL.
typedef struct {
  int64_t (*read)(const streammap_range *range);
  void *context;
  int64_t size;
  const char *name;
} streammap_blob;
// The same as the functions above. Little is read to cut it, or to begin a part: some kilobytes at its ends and around the place. `read` is
// called during the call; that of a part also until the feed is closed. The struct and its name are copied.
char *streammap_index_blob(
    const streammap_mapping *mapping, const streammap_blob *blob, int64_t every, streammap_error **error);
char *streammap_parts_blob(
    const streammap_mapping *mapping, const streammap_blob *blob, int64_t count, const char *index, streammap_error **error);
streammap_feed *streammap_feed_open_part_blob(
    const streammap_mapping *mapping, const streammap_blob *blob, const char *part, streammap_error **error);

// As in "0.1.0".
const char *streammap_version(void);

#ifdef __cplusplus
}
#endif

#endif
