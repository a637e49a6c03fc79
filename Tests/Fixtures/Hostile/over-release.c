/* Completes, and then drops references that it never had. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
    for (int i = 0; i < 3; i += 1) { taskhost_release(task); }
}
