#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "compression.h"
#include "isal.h"
#include "levels.h"

struct smc_stream {
  smc_library library;
  union {
    z_stream gzip;
    smc_deflater *isal;
    ZSTD_CCtx *zstd;
    lzma_stream xz;
    bz_stream bzip2;
  };
};

static bool open_stream(smc_stream *s) {
  switch (s->library) {
    case SMC_ZLIB: return deflateInit2(&s->gzip, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    case SMC_ISAL: return (s->isal = smc_deflater_make()) != NULL;
    case SMC_ZSTD:
      s->zstd = ZSTD_createCCtx();
      if (s->zstd == NULL) return false;
      ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
      ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_checksumFlag, 1);
      return true;
    case SMC_LZMA:
      s->xz = (lzma_stream)LZMA_STREAM_INIT;
      return lzma_easy_encoder(&s->xz, XZ_LEVEL, LZMA_CHECK_CRC64) == LZMA_OK;
    case SMC_LIBBZ2: return BZ2_bzCompressInit(&s->bzip2, BZIP2_LEVEL, 0, 0) == BZ_OK;
  }
  return false;
}

smc_stream *smc_stream_make(smc_library library) {
  smc_stream *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->library = library;
  if (open_stream(s)) return s;
  free(s);
  return NULL;
}

void smc_stream_free(smc_stream *s) {
  if (s == NULL) return;
  switch (s->library) {
    case SMC_ZLIB: deflateEnd(&s->gzip); break;
    case SMC_ISAL: smc_deflater_free(s->isal); break;
    case SMC_ZSTD: ZSTD_freeCCtx(s->zstd); break;
    case SMC_LZMA: lzma_end(&s->xz); break;
    case SMC_LIBBZ2: BZ2_bzCompressEnd(&s->bzip2); break;
  }
  free(s);
}

smc_status smc_stream_encode(
    smc_stream *s, const uint8_t **input, size_t *input_count, uint8_t *output, size_t room, size_t *output_count,
    bool ends, bool *is_done) {
  // Most of the libraries count in 32 bits.
  static const size_t MOST = (size_t)1 << 30;
  size_t count = *input_count < MOST ? *input_count : MOST;
  size_t left = count, room_left = room;
  // The last bytes alone are flushed.
  bool is_last = count == *input_count;
  bool is_fine = true;
  *is_done = false;
  switch (s->library) {
    case SMC_ZLIB: {
      z_stream *z = &s->gzip;
      z->next_in = (Bytef *)*input;
      z->avail_in = (uInt)count;
      z->next_out = output;
      z->avail_out = (uInt)room;
      int result = deflate(z, !is_last ? Z_NO_FLUSH : ends ? Z_FINISH : Z_SYNC_FLUSH);
      left = z->avail_in;
      room_left = z->avail_out;
      is_fine = result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
      *is_done = is_last && left == 0 && (ends ? result == Z_STREAM_END : room_left > 0);
      break;
    }
    case SMC_ISAL: {
      step i = {*input, count, output, room, false};
      is_fine = smc_deflate(s->isal, &i, !is_last ? SMC_CONTINUES : ends ? SMC_ENDS : SMC_FLUSHES);
      left = i.input_count;
      room_left = i.room;
      *is_done = is_last && i.is_over;
      break;
    }
    case SMC_ZSTD: {
      ZSTD_inBuffer in = {*input, count, 0};
      ZSTD_outBuffer out = {output, room, 0};
      size_t rest = ZSTD_compressStream2(s->zstd, &out, &in, !is_last ? ZSTD_e_continue : ends ? ZSTD_e_end : ZSTD_e_flush);
      left = count - in.pos;
      room_left = room - out.pos;
      is_fine = !ZSTD_isError(rest);
      *is_done = is_last && is_fine && rest == 0;
      break;
    }
    case SMC_LZMA: {
      lzma_stream *x = &s->xz;
      x->next_in = *input;
      x->avail_in = count;
      x->next_out = output;
      x->avail_out = room;
      lzma_ret result = lzma_code(x, !is_last ? LZMA_RUN : ends ? LZMA_FINISH : LZMA_SYNC_FLUSH);
      left = x->avail_in;
      room_left = x->avail_out;
      is_fine = result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR;
      *is_done = is_last && result == LZMA_STREAM_END;
      break;
    }
    case SMC_LIBBZ2: {
      bz_stream *b = &s->bzip2;
      b->next_in = (char *)*input;
      b->avail_in = (unsigned)count;
      b->next_out = (char *)output;
      b->avail_out = (unsigned)room;
      int result = BZ2_bzCompress(b, !is_last ? BZ_RUN : ends ? BZ_FINISH : BZ_FLUSH);
      left = b->avail_in;
      room_left = b->avail_out;
      is_fine = result >= 0;
      *is_done = is_last && (ends ? result == BZ_STREAM_END : result == BZ_RUN_OK);
      break;
    }
  }
  *input += count - left;
  *input_count -= count - left;
  *output_count = room - room_left;
  return is_fine ? SMC_FINE : SMC_NO_MEMORY;
}
