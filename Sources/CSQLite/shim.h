#include <sqlite3.h>

/// Stops SQLite from counting its memory for statistics that nobody reads: the count takes a lock at every allocation, 7 %
/// of the time of a recorded run. For the whole process, and only before SQLite is first used; later it is refused.
static inline int csqlite_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Keeps a connection from copying the log into the file when it is closed.
static inline int csqlite_leave_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Result codes that are expressions: Swift imports none of those. */
static const int CSQLITE_IOERR_WRITE = SQLITE_IOERR_WRITE;
static const int CSQLITE_IOERR_SHMSIZE = SQLITE_IOERR_SHMSIZE;
