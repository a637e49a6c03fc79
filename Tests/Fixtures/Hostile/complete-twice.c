/* Completes with success, then with failure: the first call counts. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
    if (taskhost_complete(task, 0) != TASKHOST_ALREADY_COMPLETED) { __builtin_trap(); }
}
