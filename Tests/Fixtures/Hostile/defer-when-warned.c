/* Asks for another time from its expiration handler, and then completes. Expected: deferred. */
#include "../fixture.h"

static void finish(void *context, uint32_t reason) {
    (void)reason;
    if (taskhost_complete_later(context, 60) != TASKHOST_OK) { __builtin_trap(); }
    if (taskhost_complete(context, 1) != TASKHOST_ALREADY_COMPLETED) { __builtin_trap(); }
    taskhost_release(context);
}

void misbehave(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, finish, taskhost_retain(task));
}
