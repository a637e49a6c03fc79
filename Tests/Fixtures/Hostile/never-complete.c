/* Returns without completing. Expected: unreported. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
}
