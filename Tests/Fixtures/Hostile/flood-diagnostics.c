/* Completes a hundred thousand times: that is one diagnostic, not as many. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    for (int i = 0; i < 100000; i += 1) { (void)taskhost_complete(task, 1); }
}
