/*
 * Closes every descriptor, completes and returns: no more frames reach the host. Expected: exited (or
 * crashed or overran).
 */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)close_range(0, ~0u, 0);
    (void)taskhost_complete(task, 1);
}
