// gzip by ISA-L, which takes a fraction of zlib's time. It is loaded when the program runs, so a program needs no more to start, and uses it
// where the system has it.

#ifndef STREAMMAP_ISAL_H
#define STREAMMAP_ISAL_H

#include "compression.h"
#include "step.h"

typedef struct smc_inflater smc_inflater;

/// NULL without memory, or without the library.
smc_inflater *smc_inflater_make(void);
void smc_inflater_free(smc_inflater *inflater);
void smc_inflater_begin(smc_inflater *inflater);
smc_status smc_inflate(smc_inflater *inflater, step *s);

typedef enum { SMC_CONTINUES, SMC_FLUSHES, SMC_ENDS } smc_aim;

typedef struct smc_deflater smc_deflater;

/// NULL without memory, or without the library.
smc_deflater *smc_deflater_make(void);
void smc_deflater_free(smc_deflater *deflater);
void smc_deflater_begin(smc_deflater *deflater);
/// False if something is wrong.
bool smc_deflate(smc_deflater *deflater, step *s, smc_aim aim);
/// The most bytes that a member takes for so many bytes of input.
size_t smc_deflate_bound(size_t count);

#endif
