/* Sets its expiration handler after the warning: it is called at once, on the same thread. Expected: expired. */
#include "../fixture.h"

static void finish(void *context, uint32_t reason) {
    (void)reason;
    (void)taskhost_complete(context, 0);
}

void misbehave(taskhost_task_t *task) {
    while (!taskhost_should_stop(task)) { sleep_milliseconds(5); }
    taskhost_set_expiration_handler(task, finish, task);
}
