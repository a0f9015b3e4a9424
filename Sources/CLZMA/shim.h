// `CCompression` includes the headers of liblzma. This module says only where they are.
