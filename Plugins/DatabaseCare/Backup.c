#include "Care.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Pages copied between two looks at should_stop: a quarter of a megabyte, about a millisecond. */
#define PAGES_A_STEP 64

/* Copies the database to `target` in steps. A change by another program meanwhile is seen by SQLite, which begins the
 * copy again. */
static care_result_t copy(care_t *care, sqlite3 *target) {
    /* A copy that is not finished is thrown away: there is nothing to roll back. */
    care_result_t result = care_execute(care, target, "PRAGMA journal_mode = OFF");
    if (result != CARE_DONE) { return result; }
    sqlite3_backup *backup = sqlite3_backup_init(target, "main", care->database, "main");
    if (backup == NULL) { return care_outcome(care, target, "backup"); }
    int code = SQLITE_OK, waited = 0;
    while ((code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED) && !care_should_stop(care)) {
        code = sqlite3_backup_step(backup, PAGES_A_STEP);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
            if (++waited == CARE_BUSY_TRIES) { break; }
            usleep(CARE_BUSY_PAUSE_MICROSECONDS);
        }
    }
    int pages = sqlite3_backup_pagecount(backup);
    int finished = sqlite3_backup_finish(backup);
    if (code == SQLITE_DONE && finished == SQLITE_OK) {
        care_log(care, TASKHOST_LOG_INFO, "%s: %d pages copied", care->settings.backup, pages);
        return CARE_DONE;
    }
    if (care_should_stop(care)) { return CARE_EXPIRED; }
    care_log(care, TASKHOST_LOG_ERROR, "%s: backup failed: %s", care->settings.backup, sqlite3_errstr(code));
    return CARE_FAILED;
}

/* The name of the backup that is `age` backups older than the newest. */
static void name_backup(const care_t *care, int age, char *out_path, size_t size) {
    if (age == 0) {
        snprintf(out_path, size, "%s", care->settings.backup);
    } else {
        snprintf(out_path, size, "%s.%d", care->settings.backup, age);
    }
}

static bool sync_folder(const char *path) {
    char folder[CARE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) { slash[slash == folder ? 1 : 0] = 0; }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) { return false; }
    bool is_good = fsync(descriptor) == 0;
    close(descriptor);
    return is_good;
}

/* Makes room for the newest backup: name → name.1 → name.2 …; the oldest is replaced. Every step is one rename, so a
 * backup is never missing for longer than the moment before the next rename. */
static care_result_t turn_over(care_t *care, const char *partial) {
    char older[CARE_PATH + 16], newer[CARE_PATH + 16];
    for (int age = care->settings.keep - 1; age > 0; age -= 1) {
        name_backup(care, age, older, sizeof older);
        name_backup(care, age - 1, newer, sizeof newer);
        if (rename(newer, older) != 0 && errno != ENOENT) {
            care_log(care, TASKHOST_LOG_ERROR, "%s: cannot be renamed: %s", newer, strerror(errno));
            return CARE_FAILED;
        }
    }
    if (rename(partial, care->settings.backup) != 0 || !sync_folder(care->settings.backup)) {
        care_log(care, TASKHOST_LOG_ERROR, "%s: %s", care->settings.backup, strerror(errno));
        return CARE_FAILED;
    }
    /* A smaller `keep` than before leaves some behind. */
    for (int age = care->settings.keep; age < CARE_MAXIMUM_KEEP; age += 1) {
        name_backup(care, age, older, sizeof older);
        if (unlink(older) != 0) { break; }
    }
    return CARE_DONE;
}

care_result_t care_back_up(care_t *care) {
    char partial[CARE_PATH + 16];
    snprintf(partial, sizeof partial, "%s.partial", care->settings.backup);
    /* Left by a run that was killed. */
    care_remove(partial);
    sqlite3 *target = NULL;
    int code = sqlite3_open_v2(partial, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    care_result_t result;
    if (code == SQLITE_OK) {
        result = copy(care, target);
    } else {
        result = CARE_FAILED;
        care_log(care, TASKHOST_LOG_ERROR, "%s: cannot be made: %s", partial, sqlite3_errstr(code));
    }
    /* SQLite wrote the copy in one transaction and synchronised it: it is whole, or this run says otherwise. */
    sqlite3_close(target);
    if (result == CARE_DONE) { result = turn_over(care, partial); }
    if (result == CARE_DONE) {
        care_log(care, TASKHOST_LOG_NOTICE, "%s: backed up, %d kept at most", care->settings.backup,
                 care->settings.keep);
    } else {
        care_remove(partial);
    }
    return result;
}
