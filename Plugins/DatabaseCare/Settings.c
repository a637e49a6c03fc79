#include "Care.h"

#include <stdio.h>
#include <string.h>

/* Copies `value` with a leading variable replaced; false when the result is too long or holds a NUL. */
static bool expand(const taskhost_task_t *task, const char *value, int length, char *out_path) {
    const struct {
        const char *name;
        taskhost_bytes_t folder;
    } variables[] = {
        {"$STATE", task->state_directory},
        {"$CACHE", task->cache_directory},
        {"$MANIFEST", task->manifest_directory},
    };
    if (length <= 0 || strlen(value) != (size_t)length) { return false; }
    const char *folder = "";
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i += 1) {
        size_t name = strlen(variables[i].name);
        if (strncmp(value, variables[i].name, name) == 0 && (value[name] == '/' || value[name] == 0)) {
            folder = variables[i].folder.bytes == NULL ? "" : variables[i].folder.bytes;
            value += name;
            break;
        }
    }
    int written = snprintf(out_path, CARE_PATH, "%s%s", folder, value);
    return written > 0 && written < CARE_PATH;
}

static bool read_path(care_t *care, sqlite3_stmt *row, int column, const char *key, char *out_path) {
    if (sqlite3_column_type(row, column) != SQLITE_TEXT) {
        care_log(care, TASKHOST_LOG_ERROR, "settings: \"%s\" is missing; give the path of a file", key);
        return false;
    }
    const char *value = (const char *)sqlite3_column_text(row, column);
    if (!expand(care->task, value, sqlite3_column_bytes(row, column), out_path) || out_path[0] != '/') {
        care_log(care, TASKHOST_LOG_ERROR, "settings: \"%s\" must be an absolute path of less than %d bytes", key,
                 CARE_PATH);
        return false;
    }
    return true;
}

static bool read_row(care_t *care, sqlite3_stmt *row) {
    care_settings_t *settings = &care->settings;
    if (!read_path(care, row, 0, "database", settings->database) ||
        !read_path(care, row, 1, "backup", settings->backup)) {
        return false;
    }
    if (strcmp(settings->database, settings->backup) == 0) {
        care_log(care, TASKHOST_LOG_ERROR, "settings: \"backup\" is the database itself; give another path");
        return false;
    }
    settings->keep = 1;
    if (sqlite3_column_type(row, 2) != SQLITE_NULL) {
        sqlite3_int64 keep = sqlite3_column_int64(row, 2);
        if (sqlite3_column_type(row, 2) != SQLITE_INTEGER || keep < 1 || keep > CARE_MAXIMUM_KEEP) {
            care_log(care, TASKHOST_LOG_ERROR, "settings: \"keep\" must be a whole number from 1 to %d",
                     CARE_MAXIMUM_KEEP);
            return false;
        }
        settings->keep = (int)keep;
    }
    settings->create_if_missing = sqlite3_column_int(row, 3) != 0;
    return true;
}

/* SQLite reads JSON already: its functions over an empty database in memory save a parser. */
bool care_read_settings(care_t *care) {
    sqlite3 *memory = NULL;
    sqlite3_stmt *row = NULL;
    taskhost_bytes_t json = care->task->settings;
    bool is_good = false;
    int code = sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_prepare_v2(memory,
                                  "SELECT json_extract(?1, '$.database'), json_extract(?1, '$.backup'), "
                                  "json_extract(?1, '$.keep'), json_extract(?1, '$.createIfMissing')",
                                  -1, &row, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_bind_text64(row, 1, json.bytes, json.length, SQLITE_STATIC, SQLITE_UTF8);
    }
    if (code == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW) {
        is_good = read_row(care, row);
    } else {
        care_log(care, TASKHOST_LOG_ERROR, "settings: %s", sqlite3_errmsg(memory));
    }
    sqlite3_finalize(row);
    sqlite3_close(memory);
    return is_good;
}
