/* What the files of DatabaseCare share. None of it is exported: the library has one entry, `database_care`. */
#ifndef DATABASE_CARE_H
#define DATABASE_CARE_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "taskhost.h"

#pragma GCC visibility push(hidden)

/* The longest path a setting may give, its NUL included. */
#define CARE_PATH 4096
/* Backups that can be kept at most. */
#define CARE_MAXIMUM_KEEP 100

/* How long another program may hold the database before the run gives up: 5 s. */
#define CARE_BUSY_TRIES 1000
#define CARE_BUSY_PAUSE_MICROSECONDS 5000

/* How a step of the work ended. */
typedef enum care_result {
    CARE_DONE,
    CARE_EXPIRED, /* the run expired; nothing was left half-done */
    CARE_FAILED,  /* said in the log */
} care_result_t;

/* The manifest's `settings`. Paths may begin with $STATE, $CACHE or $MANIFEST, replaced here. */
typedef struct care_settings {
    char database[CARE_PATH];
    char backup[CARE_PATH];
    int keep; /* backups to keep, the newest included */
    bool create_if_missing;
} care_settings_t;

/* One run. `database` is set under the lock, because the expiration handler reads it from another thread. */
typedef struct care {
    taskhost_task_t *task;
    care_settings_t settings;
    pthread_mutex_t lock;
    sqlite3 *database;
} care_t;

/* Logs a line in printf's manner. */
void care_log(care_t *care, uint32_t level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The run has expired. */
bool care_should_stop(care_t *care);

/* Reads the settings of `care->task`; says in the log what is wrong with them. */
bool care_read_settings(care_t *care);

/* Creates a small database where the settings name one that is missing. */
care_result_t care_create_sample(care_t *care);

/* Copies the database to the settings' backup, and turns older backups over. */
care_result_t care_back_up(care_t *care);

/* Removes a database that was not finished, and its journal. */
void care_remove(const char *path);

/* Runs one statement for its effect. */
care_result_t care_execute(care_t *care, sqlite3 *database, const char *sql);

/* What a failed SQLite call of this run means: expired when it was interrupted, else failed and logged. */
care_result_t care_outcome(care_t *care, sqlite3 *database, const char *doing);

#pragma GCC visibility pop

#endif
