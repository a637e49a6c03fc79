/* Completes from its expiration handler, as it should. Expected: expired. */
#include "../fixture.h"

static void finish(void *context, uint32_t reason) {
    (void)reason;
    (void)taskhost_complete(context, 0);
    taskhost_release(context);
}

void misbehave(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, finish, taskhost_retain(task));
}
