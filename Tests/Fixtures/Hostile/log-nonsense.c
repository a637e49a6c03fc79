/*
 * Logs what a terminal or a reader could trip over: line breaks, escapes, NULs, broken UTF-8, nothing, a level that
 * does not exist, a text that is far too long. Expected: succeeded.
 */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    static char lengthy[1 << 20];
    memset(lengthy, 'y', sizeof lengthy);
    task->host->log(task, TASKHOST_LOG_INFO, "one\nrun finished: succeeded\r\n", 29);
    task->host->log(task, TASKHOST_LOG_INFO, "\033[2J\033]0;title\007\x7f", 15);
    task->host->log(task, TASKHOST_LOG_INFO, "a\0b", 3);
    task->host->log(task, TASKHOST_LOG_INFO, "\xff\xfe\xc3", 3);
    task->host->log(task, TASKHOST_LOG_INFO, "", 0);
    task->host->log(task, 4000000000u, "level", 5);
    task->host->log(task, TASKHOST_LOG_INFO, lengthy, sizeof lengthy);
    int refused = taskhost_progress(task, -1, 10, NULL) == TASKHOST_INVALID &&
                  taskhost_progress(task, 1, -10, NULL) == TASKHOST_INVALID;
    (void)taskhost_progress(task, INT64_MAX, 1, "beyond\nthe end \xff");
    (void)taskhost_complete(task, refused);
}
