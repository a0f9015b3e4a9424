// The header as a C file, so that a compiler looks at it by itself; Sources/StreamMapC defines what it declares.

#include "streammap.h"
