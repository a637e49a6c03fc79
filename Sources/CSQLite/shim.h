#include <sqlite3.h>

/// Stops SQLite from counting its memory for statistics that nobody reads: the count takes a lock at every allocation, 7 %
/// of the time of a recorded run. For the whole process, and only before SQLite is first used; later it is refused.
static inline int csqlite_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
