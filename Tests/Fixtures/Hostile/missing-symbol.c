/* Its manifest names a handler that it does not have. Expected: refused. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
}
