/* Leaves with _exit(7). Expected: exited. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    _exit(7);
}
