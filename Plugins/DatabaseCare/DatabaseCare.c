/*
 * DatabaseCare: looks after a SQLite database. Checks its integrity, refreshes the statistics of its query planner
 * (ANALYZE) and makes an online backup, while other programs go on using it.
 *
 * Settings: {"database": "path", "backup": "path", "keep": 3, "createIfMissing": false}
 *
 * Expiration stops it within milliseconds, in two ways that are both needed. SQLite asks the progress handler, and that
 * asks should_stop(), while a statement computes; but the integrity check is one long step to the statement machine,
 * and notices nothing but sqlite3_interrupt(). That is called by the expiration handler.
 */
#include "Care.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TASKHOST_EXPORT void database_care(taskhost_task_t *task);

/* Errors that the integrity check reports before it gives up. */
#define MAXIMUM_FAULTS 10
/* Instructions of SQLite's machine between two looks at should_stop: a fraction of a millisecond. */
#define PROGRESS_INSTRUCTIONS 1000

void care_log(care_t *care, uint32_t level, const char *format, ...) {
    char line[CARE_PATH + 512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    taskhost_log(care->task, level, line);
}

bool care_should_stop(care_t *care) { return taskhost_should_stop(care->task) != 0; }

care_result_t care_outcome(care_t *care, sqlite3 *database, const char *doing) {
    int code = sqlite3_errcode(database);
    if (code == SQLITE_INTERRUPT || care_should_stop(care)) { return CARE_EXPIRED; }
    care_log(care, TASKHOST_LOG_ERROR, "%s: %s", doing, sqlite3_errmsg(database));
    return CARE_FAILED;
}

void care_remove(const char *path) {
    char journal[CARE_PATH + 32];
    snprintf(journal, sizeof journal, "%s-journal", path);
    unlink(path);
    unlink(journal);
}

care_result_t care_execute(care_t *care, sqlite3 *database, const char *sql) {
    if (care_should_stop(care)) { return CARE_EXPIRED; }
    return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK ? CARE_DONE : care_outcome(care, database, sql);
}

/* [any thread] Called by SQLite while it computes; non-zero interrupts it. */
static int stop_when_expired(void *context) { return care_should_stop(context); }

/* Called by SQLite when another program holds the database; zero gives up. */
static int wait_for_others(void *context, int tries) {
    if (tries >= CARE_BUSY_TRIES || care_should_stop(context)) { return 0; }
    usleep(CARE_BUSY_PAUSE_MICROSECONDS);
    return 1;
}

/* [a thread of the host's] Ends the statement that runs. The lock keeps the connection open meanwhile. */
static void interrupt(void *context, uint32_t reason) {
    care_t *care = context;
    (void)reason;
    pthread_mutex_lock(&care->lock);
    if (care->database != NULL) { sqlite3_interrupt(care->database); }
    pthread_mutex_unlock(&care->lock);
}

static care_result_t open_database(care_t *care) {
    const char *path = care->settings.database;
    if (access(path, F_OK) != 0) {
        if (errno != ENOENT || !care->settings.create_if_missing) {
            care_log(care, TASKHOST_LOG_ERROR,
                     "%s: cannot be opened: %s; correct \"database\" in the settings, or let it be made with "
                     "\"createIfMissing\": true", path, strerror(errno));
            return CARE_FAILED;
        }
        care_result_t result = care_create_sample(care);
        if (result != CARE_DONE) { return result; }
    }
    sqlite3 *database = NULL;
    int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK) {
        care_log(care, TASKHOST_LOG_ERROR, "%s: %s", path, sqlite3_errstr(code));
        sqlite3_close(database);
        return CARE_FAILED;
    }
    sqlite3_progress_handler(database, PROGRESS_INSTRUCTIONS, stop_when_expired, care);
    sqlite3_busy_handler(database, wait_for_others, care);
    pthread_mutex_lock(&care->lock);
    care->database = database;
    pthread_mutex_unlock(&care->lock);
    return CARE_DONE;
}

static void close_database(care_t *care) {
    pthread_mutex_lock(&care->lock);
    sqlite3 *database = care->database;
    care->database = NULL;
    pthread_mutex_unlock(&care->lock);
    sqlite3_close(database);
}

static care_result_t check_integrity(care_t *care) {
    const char *path = care->settings.database;
    sqlite3_stmt *check = NULL;
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA integrity_check(%d)", MAXIMUM_FAULTS);
    int faults = 0;
    int code = sqlite3_prepare_v2(care->database, sql, -1, &check, NULL);
    if (code == SQLITE_OK) {
        while ((code = sqlite3_step(check)) == SQLITE_ROW) {
            const char *line = (const char *)sqlite3_column_text(check, 0);
            if (line == NULL || strcmp(line, "ok") == 0) { continue; }
            /* An interrupted check ends with rows that blame the interruption on the database. */
            if (care_should_stop(care)) { break; }
            care_log(care, TASKHOST_LOG_ERROR, "%s: damaged: %s", path, line);
            faults += 1;
        }
    }
    care_result_t result = CARE_DONE;
    if (care_should_stop(care)) {
        result = CARE_EXPIRED;
    } else if (faults > 0) {
        care_log(care, TASKHOST_LOG_ERROR, "%s: not backed up, so that sound backups stay; restore one of them", path);
        result = CARE_FAILED;
    } else if (code != SQLITE_DONE) {
        result = care_outcome(care, care->database, path);
    } else {
        care_log(care, TASKHOST_LOG_INFO, "%s: integrity is sound", path);
    }
    sqlite3_finalize(check);
    return result;
}

static care_result_t analyze(care_t *care) {
    care_result_t result = care_execute(care, care->database, "ANALYZE");
    if (result == CARE_DONE) { care_log(care, TASKHOST_LOG_INFO, "%s: analysed", care->settings.database); }
    return result;
}

static care_result_t look_after(care_t *care) {
    /* sqlite3_interrupt() ends the statements under way, and is forgotten when there is none. This one stays under way
     * all along: so an interrupt that comes between two statements ends the next one. */
    sqlite3_stmt *open_end = NULL;
    if (sqlite3_prepare_v2(care->database, "VALUES (1), (2)", -1, &open_end, NULL) != SQLITE_OK ||
        sqlite3_step(open_end) != SQLITE_ROW) {
        care_result_t result = care_outcome(care, care->database, care->settings.database);
        sqlite3_finalize(open_end);
        return result;
    }
    (void)taskhost_progress(care->task, 0, 3, "checking the integrity");
    care_result_t result = check_integrity(care);
    if (result == CARE_DONE) {
        (void)taskhost_progress(care->task, 1, 3, "analysing");
        result = analyze(care);
    }
    if (result == CARE_DONE) {
        (void)taskhost_progress(care->task, 2, 3, "backing up");
        result = care_back_up(care);
    }
    sqlite3_finalize(open_end);
    return result;
}

/* The handler. Works on the calling thread until it is done. */
void database_care(taskhost_task_t *task) {
    care_t *care = calloc(1, sizeof *care);
    if (care == NULL) {
        taskhost_log(task, TASKHOST_LOG_ERROR, "out of memory");
        (void)taskhost_complete(task, 0);
        return;
    }
    care->task = task;
    pthread_mutex_init(&care->lock, NULL);
    taskhost_set_expiration_handler(task, interrupt, care);

    care_result_t result = care_read_settings(care) ? open_database(care) : CARE_FAILED;
    if (result == CARE_DONE) { result = look_after(care); }
    if (result == CARE_DONE) { (void)taskhost_progress(task, 3, 3, "done"); }
    if (result == CARE_EXPIRED) {
        care_log(care, TASKHOST_LOG_NOTICE, "expired (reason %u): the next run begins anew",
                 (unsigned)taskhost_expiration_reason(task));
    }
    (void)taskhost_complete(task, result == CARE_DONE);

    close_database(care);
    /* Waits for a call under way: nobody uses `care` beyond this line. */
    taskhost_set_expiration_handler(task, NULL, NULL);
    pthread_mutex_destroy(&care->lock);
    free(care);
}
