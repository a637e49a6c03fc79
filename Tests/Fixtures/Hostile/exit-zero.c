/* Leaves with exit(0): an exit status is no completion. Expected: exited. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    exit(0);
}
