#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "compression.h"
#include "isal.h"
#include "step.h"

// What a stream may ask for at most: `xz -9` takes 65 MiB, `zstd --long` 128 MiB.
enum { MOST_MEMORY_LOG = 27 };

struct smc_decoder {
  smc_library library;
  bool is_inside;       // of a member
  bool has_had_member;  // so zeros may follow, as from a tape
  union {
    z_stream gzip;
    smc_inflater *isal;
    ZSTD_DCtx *zstd;
    lzma_stream xz;
    bz_stream bzip2;
  };
  bool is_open;  // whether the library holds memory
};

static smc_status open_member(smc_decoder *d) {
  switch (d->library) {
    case SMC_ZLIB:
      if (d->is_open) return inflateReset(&d->gzip) == Z_OK ? SMC_FINE : SMC_NO_MEMORY;
      // 16 more than the window's size means gzip.
      if (inflateInit2(&d->gzip, 15 + 16) != Z_OK) return SMC_NO_MEMORY;
      break;
    case SMC_ISAL:
      if (!d->is_open) d->isal = smc_inflater_make();
      if (d->isal == NULL) return SMC_NO_MEMORY;
      smc_inflater_begin(d->isal);
      break;
    case SMC_ZSTD:
      if (d->is_open) return SMC_FINE;
      d->zstd = ZSTD_createDCtx();
      if (d->zstd == NULL) return SMC_NO_MEMORY;
      ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, MOST_MEMORY_LOG);
      break;
    case SMC_LZMA:
      // It takes the memory of an earlier stream over.
      if (lzma_stream_decoder(&d->xz, (uint64_t)1 << MOST_MEMORY_LOG, 0) != LZMA_OK) return SMC_NO_MEMORY;
      break;
    case SMC_LIBBZ2:
      if (d->is_open) BZ2_bzDecompressEnd(&d->bzip2);
      d->is_open = false;
      d->bzip2 = (bz_stream){0};
      if (BZ2_bzDecompressInit(&d->bzip2, 0, 0) != BZ_OK) return SMC_NO_MEMORY;
      break;
  }
  d->is_open = true;
  return SMC_FINE;
}

smc_decoder *smc_decoder_make(smc_library library) {
  smc_decoder *d = calloc(1, sizeof *d);
  if (d == NULL) return NULL;
  d->library = library;
  if (library == SMC_LZMA) d->xz = (lzma_stream)LZMA_STREAM_INIT;
  return d;
}

void smc_decoder_free(smc_decoder *d) {
  if (d == NULL) return;
  if (d->is_open) {
    switch (d->library) {
      case SMC_ZLIB: inflateEnd(&d->gzip); break;
      case SMC_ISAL: smc_inflater_free(d->isal); break;
      case SMC_ZSTD: ZSTD_freeDCtx(d->zstd); break;
      case SMC_LZMA: lzma_end(&d->xz); break;
      case SMC_LIBBZ2: BZ2_bzDecompressEnd(&d->bzip2); break;
    }
  }
  free(d);
}

static smc_status zlib_step(smc_decoder *d, step *s) {
  z_stream *z = &d->gzip;
  z->next_in = (Bytef *)s->input;
  z->avail_in = (uInt)s->input_count;
  z->next_out = s->output;
  z->avail_out = (uInt)s->room;
  int result = inflate(z, Z_NO_FLUSH);
  s->input = z->next_in;
  s->input_count = z->avail_in;
  s->output = z->next_out;
  s->room = z->avail_out;
  s->is_over = result == Z_STREAM_END;
  if (result == Z_MEM_ERROR) return SMC_NO_MEMORY;
  // A buffer error says that nothing more can be done now.
  return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR ? SMC_FINE : SMC_DAMAGED;
}

static smc_status zstd_step(smc_decoder *d, step *s) {
  ZSTD_inBuffer input = {s->input, s->input_count, 0};
  ZSTD_outBuffer output = {s->output, s->room, 0};
  size_t result = ZSTD_decompressStream(d->zstd, &output, &input);
  s->input += input.pos;
  s->input_count -= input.pos;
  s->output += output.pos;
  s->room -= output.pos;
  if (ZSTD_isError(result)) {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
      case ZSTD_error_frameParameter_windowTooLarge: return SMC_NO_MEMORY;
      default: return SMC_DAMAGED;
    }
  }
  s->is_over = result == 0;
  return SMC_FINE;
}

static smc_status xz_step(smc_decoder *d, step *s) {
  lzma_stream *x = &d->xz;
  x->next_in = s->input;
  x->avail_in = s->input_count;
  x->next_out = s->output;
  x->avail_out = s->room;
  lzma_ret result = lzma_code(x, LZMA_RUN);
  s->input = x->next_in;
  s->input_count = x->avail_in;
  s->output = x->next_out;
  s->room = x->avail_out;
  s->is_over = result == LZMA_STREAM_END;
  if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR) return SMC_NO_MEMORY;
  return result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR ? SMC_FINE : SMC_DAMAGED;
}

static smc_status bzip2_step(smc_decoder *d, step *s) {
  bz_stream *b = &d->bzip2;
  b->next_in = (char *)s->input;
  b->avail_in = (unsigned)s->input_count;
  b->next_out = (char *)s->output;
  b->avail_out = (unsigned)s->room;
  int result = BZ2_bzDecompress(b);
  s->input = (const uint8_t *)b->next_in;
  s->input_count = b->avail_in;
  s->output = (uint8_t *)b->next_out;
  s->room = b->avail_out;
  s->is_over = result == BZ_STREAM_END;
  if (result == BZ_MEM_ERROR) return SMC_NO_MEMORY;
  return result == BZ_OK || result == BZ_STREAM_END ? SMC_FINE : SMC_DAMAGED;
}

static smc_status take_step(smc_decoder *d, step *s) {
  switch (d->library) {
    case SMC_ZLIB: return zlib_step(d, s);
    case SMC_ISAL: return smc_inflate(d->isal, s);
    case SMC_ZSTD: return zstd_step(d, s);
    case SMC_LZMA: return xz_step(d, s);
    case SMC_LIBBZ2: return bzip2_step(d, s);
  }
  return SMC_DAMAGED;
}

smc_status smc_decode(
    smc_decoder *d, const uint8_t **input, size_t *input_count, uint8_t *output, size_t room, size_t *output_count) {
  static const size_t MOST = (size_t)1 << 30;
  step s = {*input, *input_count, output, room < MOST ? room : MOST, false};
  if (s.input_count > MOST) s.input_count = MOST;
  size_t left_out = *input_count - s.input_count;
  smc_status status = SMC_FINE;
  while (status == SMC_FINE) {
    if (!d->is_inside) {
      while (d->has_had_member && s.input_count > 0 && *s.input == 0) {
        s.input++;
        s.input_count--;
      }
      if (s.input_count == 0) break;
      status = open_member(d);
      if (status != SMC_FINE) break;
      d->is_inside = true;
    }
    // Without input there may still be output to come.
    const uint8_t *before = s.input;
    size_t room_before = s.room;
    if (s.room == 0) break;
    status = take_step(d, &s);
    if (status == SMC_FINE && s.is_over) {
      d->is_inside = false;
      d->has_had_member = true;
      s.is_over = false;
      continue;
    }
    if (s.input == before && s.room == room_before) break;
  }
  *input = s.input;
  *input_count = s.input_count + left_out;
  *output_count = (size_t)(s.output - output);
  return status;
}

bool smc_decoder_may_end(const smc_decoder *d) { return !d->is_inside && d->has_had_member; }
