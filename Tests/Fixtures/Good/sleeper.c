/* Returns at once, and completes when it expires: the whole budget passes without a processor. Expected: expired. */
#include "taskhost.h"

TASKHOST_EXPORT void sleeper(taskhost_task_t *task);

static void finish(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    char line[] = "expired, reason 00";
    line[sizeof line - 3] = (char)('0' + reason / 10 % 10);
    line[sizeof line - 2] = (char)('0' + reason % 10);
    taskhost_log(task, TASKHOST_LOG_INFO, line);
    (void)taskhost_complete(task, 0);
    taskhost_release(task);
}

void sleeper(taskhost_task_t *task) {
    (void)taskhost_progress(task, 0, 0, "asleep");
    taskhost_set_expiration_handler(task, finish, taskhost_retain(task));
}
