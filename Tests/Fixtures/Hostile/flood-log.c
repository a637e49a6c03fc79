/* Logs 32 MB in lines as long as they may be. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    char line[4096];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 8000; i += 1) { task->host->log(task, TASKHOST_LOG_INFO, line, sizeof line); }
    (void)taskhost_complete(task, 1);
}
