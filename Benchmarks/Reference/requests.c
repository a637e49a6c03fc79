/* Durable submissions in plain C: the rows of taskhost's requests into SQLite, so many in one commit, with the same
 * durability (write-ahead log, synchronous = FULL).
 * requests [--requests N] [--batch N] --database FILE */
#include "measure.h"

#include <sqlite3.h>

static sqlite3 *database;

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    require_that(code == SQLITE_OK, sql);
    return statement;
}

static void step(sqlite3_stmt *statement, const char *what) {
    require_that(sqlite3_step(statement) == SQLITE_DONE, what);
    sqlite3_reset(statement);
}

static void open_record(const char *path) {
    /* As taskhost sets it: one thread, no statistics, a log that is overwritten and never shortened. */
    int keep = 1;
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    require_that(sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK, path);
    const char *setup =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;"
        "CREATE TABLE requests (id INTEGER PRIMARY KEY, submitted INTEGER NOT NULL, kind INTEGER NOT NULL,"
        "origin INTEGER NOT NULL, attempt INTEGER NOT NULL, earliest INTEGER, power INTEGER NOT NULL,"
        "network INTEGER NOT NULL, strategy INTEGER NOT NULL, resources INTEGER NOT NULL, not_before INTEGER,"
        "scheduled INTEGER, run INTEGER, title TEXT, subtitle TEXT, payload BLOB)";
    require_that(sqlite3_exec(database, setup, NULL, NULL, NULL) == SQLITE_OK, "setting up the database");
    require_that(sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keep) == SQLITE_OK, "the log");
}

int main(int argc, char **argv) {
    long count = option_number(argc, argv, "--requests", 1000), batch = option_number(argc, argv, "--batch", 1);
    open_record(option(argc, argv, "--database", "requests.sqlite"));
    sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
    /* Replaces, as a submission of the same identifier does. What is not bound is NULL. */
    sqlite3_stmt *put = prepare(
        "REPLACE INTO requests (id, submitted, kind, origin, attempt, earliest, power, network, strategy, resources)"
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    int64_t submitted = 1772366400000000000, date = submitted + 86400000000000;
    int64_t start = now_ns();
    for (long done = 0; done < count;) {
        step(begin, "begin");
        for (long i = 0; i < batch && done < count; i++) {
            done++;
            submitted += 1000;
            sqlite3_bind_int64(put, 1, done);
            sqlite3_bind_int64(put, 2, submitted);
            sqlite3_bind_int64(put, 3, done % 11 == 1 ? 1 : 2);
            sqlite3_bind_int64(put, 4, 1);
            sqlite3_bind_int64(put, 5, 1);
            sqlite3_bind_int64(put, 6, date);
            sqlite3_bind_int64(put, 7, done % 3 == 1);
            sqlite3_bind_int64(put, 8, done % 3 == 2);
            sqlite3_bind_int64(put, 9, 1);
            sqlite3_bind_int64(put, 10, 0);
            step(put, "put");
        }
        step(commit, "commit");
    }
    double seconds = (double)(now_ns() - start) * 1e-9;
    printf("{\"requests\": %ld, \"batch\": %ld, \"perSecond\": %.3f}\n", count, batch, (double)count / seconds);
    return 0;
}
