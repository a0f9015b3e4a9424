#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "compression.h"
#include "isal.h"
#include "levels.h"

// What is added to a member of gzip that `deflateBound` may not count.
enum { GZIP_MARGIN = 64 };

struct smc_encoder {
  smc_library library;
  union {
    z_stream gzip;
    smc_deflater *isal;
    ZSTD_CCtx *zstd;
  };
};

smc_encoder *smc_encoder_make(smc_library library) {
  smc_encoder *e = calloc(1, sizeof *e);
  if (e == NULL) return NULL;
  e->library = library;
  bool is_made = true;
  if (library == SMC_ZLIB) is_made = deflateInit2(&e->gzip, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  if (library == SMC_ISAL) is_made = (e->isal = smc_deflater_make()) != NULL;
  if (library == SMC_ZSTD) is_made = (e->zstd = ZSTD_createCCtx()) != NULL;
  if (is_made) return e;
  free(e);
  return NULL;
}

void smc_encoder_free(smc_encoder *e) {
  if (e == NULL) return;
  if (e->library == SMC_ZLIB) deflateEnd(&e->gzip);
  if (e->library == SMC_ISAL) smc_deflater_free(e->isal);
  if (e->library == SMC_ZSTD) ZSTD_freeCCtx(e->zstd);
  free(e);
}

size_t smc_encoder_bound(const smc_encoder *e, size_t count) {
  switch (e->library) {
    case SMC_ZLIB: return deflateBound((z_stream *)&e->gzip, count) + GZIP_MARGIN;
    case SMC_ISAL: return smc_deflate_bound(count);
    case SMC_ZSTD: return ZSTD_compressBound(count);
    case SMC_LZMA: return lzma_stream_buffer_bound(count);
    case SMC_LIBBZ2: return count + count / 100 + 600;
  }
  return 0;
}

size_t smc_encode(smc_encoder *e, const uint8_t *input, size_t count, uint8_t *output, size_t room) {
  switch (e->library) {
    case SMC_ZLIB: {
      z_stream *z = &e->gzip;
      if (deflateReset(z) != Z_OK) return 0;
      z->next_in = (Bytef *)input;
      z->avail_in = (uInt)count;
      z->next_out = output;
      z->avail_out = (uInt)room;
      return deflate(z, Z_FINISH) == Z_STREAM_END ? room - z->avail_out : 0;
    }
    case SMC_ISAL: {
      smc_deflater_begin(e->isal);
      step s = {input, count, output, room, false};
      return smc_deflate(e->isal, &s, SMC_ENDS) && s.is_over ? room - s.room : 0;
    }
    case SMC_ZSTD: {
      // A frame with a check sum, as from the tool.
      ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
      ZSTD_CCtx_setParameter(e->zstd, ZSTD_c_checksumFlag, 1);
      size_t length = ZSTD_compress2(e->zstd, output, room, input, count);
      return ZSTD_isError(length) ? 0 : length;
    }
    case SMC_LZMA: {
      // A dictionary that is larger than the piece is of no use, and takes four times the memory.
      lzma_options_lzma options;
      if (lzma_lzma_preset(&options, XZ_LEVEL)) return 0;
      if (count < options.dict_size) options.dict_size = count < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)count;
      lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
      size_t length = 0;
      lzma_ret result = lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC64, NULL, input, count, output, &length, room);
      return result == LZMA_OK ? length : 0;
    }
    case SMC_LIBBZ2: {
      unsigned length = (unsigned)room;
      int result = BZ2_bzBuffToBuffCompress((char *)output, &length, (char *)input, (unsigned)count, BZIP2_LEVEL, 0, 0);
      return result == BZ_OK ? length : 0;
    }
  }
  return 0;
}
