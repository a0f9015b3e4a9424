// libpq of the system, PostgreSQL's own client.
#include <libpq-fe.h>
