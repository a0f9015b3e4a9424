// SQLite of the system. The command alone writes with it.
#include <sqlite3.h>
