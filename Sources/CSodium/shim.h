// libsodium of the system: SHA-256, and HMAC with it, for mapping files.
#include <sodium.h>
