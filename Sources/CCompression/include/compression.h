// Compressed streams of four formats behind one face: zlib or ISA-L, zstd, liblzma and libbz2.

#ifndef STREAMMAP_COMPRESSION_H
#define STREAMMAP_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The libraries.
typedef enum {
  /// gzip, everywhere.
  SMC_ZLIB,
  /// gzip, several times as fast; only where `smc_has_isal`.
  SMC_ISAL,
  SMC_ZSTD,
  /// xz.
  SMC_LZMA,
  /// bzip2.
  SMC_LIBBZ2,
} smc_library;

/// Whether the system has ISA-L, and this code was built with its header. It is loaded when this is asked for the first time.
bool smc_has_isal(void);

typedef enum {
  /// Everything was done that the input and the room for output allow.
  SMC_FINE,
  /// The bytes are not of the format, or a check sum does not hold.
  SMC_DAMAGED,
  /// There is no memory, or the stream asks for more than 128 MiB.
  SMC_NO_MEMORY,
} smc_status;

/// Decompresses the members of a stream, one after the other. (gzip calls them members, zstd frames, the others streams.)
typedef struct smc_decoder smc_decoder;

/// NULL without memory.
smc_decoder *smc_decoder_make(smc_library library);
void smc_decoder_free(smc_decoder *decoder);

/// Decompresses what is at `*input`, at most `*input_count` bytes, to `output`; moves `*input` to the first byte that is left,
/// and counts. It stops where the input is used up or the room is full.
smc_status smc_decode(
    smc_decoder *decoder, const uint8_t **input, size_t *input_count, uint8_t *output, size_t room, size_t *output_count);

/// Whether the input so far ends with the end of a member: a stream may end here.
bool smc_decoder_may_end(const smc_decoder *decoder);

/// Compresses pieces, each to a member of its own.
typedef struct smc_encoder smc_encoder;

/// NULL without memory.
smc_encoder *smc_encoder_make(smc_library library);
void smc_encoder_free(smc_encoder *encoder);

/// The most bytes that a member takes for so many bytes of input.
size_t smc_encoder_bound(const smc_encoder *encoder, size_t count);

/// Writes a member that holds all of the input; gives its length, 0 without memory. The room has to be as large as the bound.
size_t smc_encode(smc_encoder *encoder, const uint8_t *input, size_t count, uint8_t *output, size_t room);

/// Compresses a stream to one member, piece by piece.
typedef struct smc_stream smc_stream;

/// NULL without memory.
smc_stream *smc_stream_make(smc_library library);
void smc_stream_free(smc_stream *stream);

/// Compresses what is at `*input`, `*input_count` bytes, to `output`; moves `*input` to the first byte that is left, and counts.
/// `*is_done` says that everything is written that makes these bytes readable, and, where the stream `ends`, its end. If it is not, the
/// room was full: the next call continues, with what is left.
smc_status smc_stream_encode(
    smc_stream *stream, const uint8_t **input, size_t *input_count, uint8_t *output, size_t room, size_t *output_count,
    bool ends, bool *is_done);

#endif
