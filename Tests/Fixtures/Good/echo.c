/* Logs its payload and its settings, and prints the payload on both outputs. Expected: succeeded. */
#include <unistd.h>

#include "taskhost.h"

TASKHOST_EXPORT void echo(taskhost_task_t *task);

static int print(int descriptor, const char *bytes, uint64_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, (size_t)length);
        if (written <= 0) { return 0; }
        bytes += written;
        length -= (uint64_t)written;
    }
    return 1;
}

void echo(taskhost_task_t *task) {
    const char *payload = task->payload.bytes == NULL ? "" : task->payload.bytes;
    task->host->log(task, TASKHOST_LOG_INFO, payload, task->payload.length);
    task->host->log(task, TASKHOST_LOG_NOTICE, task->settings.bytes, task->settings.length);
    int is_printed = print(STDOUT_FILENO, payload, task->payload.length);
    is_printed &= print(STDOUT_FILENO, "\n", 1);
    is_printed &= print(STDERR_FILENO, payload, task->payload.length);
    is_printed &= print(STDERR_FILENO, "\n", 1);
    (void)taskhost_complete(task, is_printed);
}
