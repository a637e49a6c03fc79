/*
 * Has no expiration handler, and reports success after the warning: by then the run has failed already. Expected:
 * failed.
 */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    while (taskhost_time_remaining(task) > 0.2) { sleep_milliseconds(10); }
    (void)taskhost_complete(task, 1);
}
