/* Completes, and then asks for another time: it has none. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
    if (taskhost_complete_later(task, 60) != TASKHOST_ALREADY_COMPLETED) { __builtin_trap(); }
}
