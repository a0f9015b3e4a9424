#include "isal.h"

#if __has_include(<isa-l/igzip_lib.h>) && __has_include(<dlfcn.h>)

#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
static const char LIBRARY[] = "libisal.2.dylib";
#else
// The number stands for the layout of the structs in the header.
static const char LIBRARY[] = "libisal.so.2";
#endif

// The library's most thorough level. Its members are larger than zlib's of level 6, by a tenth to a half.
enum { LEVEL = ISAL_DEF_MAX_LEVEL, LEVEL_ROOM = ISAL_DEF_LVL3_DEFAULT };

static struct {
  void (*inflate_init)(struct inflate_state *);
  void (*inflate_reset)(struct inflate_state *);
  int (*inflate)(struct inflate_state *);
  void (*deflate_init)(struct isal_zstream *);
  void (*deflate_reset)(struct isal_zstream *);
  int (*deflate)(struct isal_zstream *);
  bool is_there;
} isal;

static pthread_once_t once = PTHREAD_ONCE_INIT;

// The library stays loaded: other threads may be in it when the last decoder goes.
static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  isal.inflate_init = (void (*)(struct inflate_state *))dlsym(library, "isal_inflate_init");
  isal.inflate_reset = (void (*)(struct inflate_state *))dlsym(library, "isal_inflate_reset");
  isal.inflate = (int (*)(struct inflate_state *))dlsym(library, "isal_inflate");
  isal.deflate_init = (void (*)(struct isal_zstream *))dlsym(library, "isal_deflate_init");
  isal.deflate_reset = (void (*)(struct isal_zstream *))dlsym(library, "isal_deflate_reset");
  isal.deflate = (int (*)(struct isal_zstream *))dlsym(library, "isal_deflate");
  isal.is_there = isal.inflate_init != NULL && isal.inflate_reset != NULL && isal.inflate != NULL &&
                  isal.deflate_init != NULL && isal.deflate_reset != NULL && isal.deflate != NULL;
}

bool smc_has_isal(void) {
  pthread_once(&once, load);
  return isal.is_there;
}

struct smc_inflater {
  struct inflate_state state;
  bool is_damaged;
};

smc_inflater *smc_inflater_make(void) {
  if (!smc_has_isal()) return NULL;
  smc_inflater *inflater = malloc(sizeof *inflater);
  if (inflater != NULL) isal.inflate_init(&inflater->state);
  return inflater;
}

void smc_inflater_free(smc_inflater *inflater) { free(inflater); }

void smc_inflater_begin(smc_inflater *inflater) {
  isal.inflate_reset(&inflater->state);
  inflater->is_damaged = false;
  inflater->state.crc_flag = ISAL_GZIP;
}

smc_status smc_inflate(smc_inflater *inflater, step *s) {
  struct inflate_state *state = &inflater->state;
  state->next_in = (uint8_t *)s->input;
  state->avail_in = (uint32_t)s->input_count;
  state->next_out = s->output;
  state->avail_out = (uint32_t)s->room;
  if (!inflater->is_damaged && isal.inflate(state) < 0) inflater->is_damaged = true;
  s->input = state->next_in;
  s->input_count = state->avail_in;
  s->output = state->next_out;
  s->room = state->avail_out;
  if (!inflater->is_damaged) {
    s->is_over = state->block_state == ISAL_BLOCK_FINISH;
    return SMC_FINE;
  }
  // What is good before the damage may still be in the library's own buffer.
  size_t left = (size_t)(state->tmp_out_valid - state->tmp_out_processed);
  size_t count = left < s->room ? left : s->room;
  memcpy(s->output, state->tmp_out_buffer + state->tmp_out_processed, count);
  state->tmp_out_processed += (int32_t)count;
  s->output += count;
  s->room -= count;
  return count < left ? SMC_FINE : SMC_DAMAGED;
}

struct smc_deflater {
  struct isal_zstream stream;
  uint8_t room[LEVEL_ROOM];
};

smc_deflater *smc_deflater_make(void) {
  if (!smc_has_isal()) return NULL;
  smc_deflater *deflater = malloc(sizeof *deflater);
  if (deflater == NULL) return NULL;
  isal.deflate_init(&deflater->stream);
  smc_deflater_begin(deflater);
  return deflater;
}

void smc_deflater_free(smc_deflater *deflater) { free(deflater); }

void smc_deflater_begin(smc_deflater *deflater) {
  struct isal_zstream *stream = &deflater->stream;
  isal.deflate_reset(stream);
  stream->gzip_flag = IGZIP_GZIP;
  stream->level = LEVEL;
  stream->level_buf = deflater->room;
  stream->level_buf_size = LEVEL_ROOM;
}

bool smc_deflate(smc_deflater *deflater, step *s, smc_aim aim) {
  struct isal_zstream *stream = &deflater->stream;
  stream->next_in = (uint8_t *)s->input;
  stream->avail_in = (uint32_t)s->input_count;
  stream->next_out = s->output;
  stream->avail_out = (uint32_t)s->room;
  stream->flush = aim == SMC_FLUSHES ? SYNC_FLUSH : NO_FLUSH;
  stream->end_of_stream = aim == SMC_ENDS;
  int result = isal.deflate(stream);
  s->input = stream->next_in;
  s->input_count = stream->avail_in;
  s->output = stream->next_out;
  s->room = stream->avail_out;
  s->is_over = s->input_count == 0 && (aim == SMC_ENDS ? stream->internal_state.state == ZSTATE_END : s->room > 0);
  return result == COMP_OK;
}

#else

bool smc_has_isal(void) { return false; }

smc_inflater *smc_inflater_make(void) { return NULL; }
void smc_inflater_free(smc_inflater *inflater) { (void)inflater; }
void smc_inflater_begin(smc_inflater *inflater) { (void)inflater; }
smc_status smc_inflate(smc_inflater *inflater, step *s) {
  (void)inflater;
  (void)s;
  return SMC_DAMAGED;
}

smc_deflater *smc_deflater_make(void) { return NULL; }
void smc_deflater_free(smc_deflater *deflater) { (void)deflater; }
void smc_deflater_begin(smc_deflater *deflater) { (void)deflater; }
bool smc_deflate(smc_deflater *deflater, step *s, smc_aim aim) {
  (void)deflater;
  (void)s;
  (void)aim;
  return false;
}

#endif

// Bytes that cannot be compressed stand in blocks of at most 64 KiB, with 5 bytes more for each.
size_t smc_deflate_bound(size_t count) { return count + count / 8 + 1024; }
