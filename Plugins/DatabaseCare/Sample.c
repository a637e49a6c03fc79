#include "Care.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A station that measured every ten minutes for a week: real rows for the example to look after. */
static const char sample[] =
    "BEGIN;"
    "CREATE TABLE station(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE reading(station INTEGER NOT NULL REFERENCES station(id), taken INTEGER NOT NULL, celsius REAL NOT "
    "NULL, PRIMARY KEY(station, taken)) WITHOUT ROWID;"
    "CREATE INDEX reading_by_time ON reading(taken);"
    "INSERT INTO station(name) VALUES ('cellar'), ('attic'), ('garden');"
    "WITH RECURSIVE slot(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM slot WHERE n < 1007)"
    "INSERT INTO reading SELECT id, 1700000000 + n * 600, 4.0 * id + (n * 37 % 144) / 16.0 FROM station, slot;"
    "COMMIT;";

/* Made under another name and then renamed: whoever looks sees a whole database or none. */
care_result_t care_create_sample(care_t *care) {
    char partial[CARE_PATH + 16];
    snprintf(partial, sizeof partial, "%s.partial", care->settings.database);
    care_remove(partial);
    sqlite3 *database = NULL;
    int code = sqlite3_open_v2(partial, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    care_result_t result;
    if (code == SQLITE_OK) {
        result = care_execute(care, database, sample);
    } else {
        result = CARE_FAILED;
        care_log(care, TASKHOST_LOG_ERROR, "%s: cannot be made: %s", partial, sqlite3_errstr(code));
    }
    sqlite3_close(database);
    if (result == CARE_DONE && rename(partial, care->settings.database) != 0) {
        care_log(care, TASKHOST_LOG_ERROR, "%s: cannot be made: %s", care->settings.database, strerror(errno));
        result = CARE_FAILED;
    }
    if (result == CARE_DONE) {
        care_log(care, TASKHOST_LOG_NOTICE, "%s: was missing; made with sample rows", care->settings.database);
    } else {
        care_remove(partial);
    }
    return result;
}
