/* Asks should_stop, and completes when it says so. Expected: expired. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    while (!taskhost_should_stop(task)) { sleep_milliseconds(5); }
    (void)taskhost_complete(task, taskhost_expiration_reason(task) == TASKHOST_REASON_BUDGET);
}
