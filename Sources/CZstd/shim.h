// `CCompression` includes the headers of libzstd. This module says only where they are.
