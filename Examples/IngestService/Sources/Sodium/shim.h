// libsodium of the system, which StreamMap's mapping files need, too: SHA-256 for tokens.
#include <sodium.h>
