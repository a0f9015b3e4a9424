#ifndef STREAMMAP_LEVELS_H
#define STREAMMAP_LEVELS_H

// As the formats' own tools have them.
enum { GZIP_LEVEL = 6, ZSTD_LEVEL = 3, XZ_LEVEL = 6, BZIP2_LEVEL = 9 };

#endif
