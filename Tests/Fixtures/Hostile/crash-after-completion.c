/* Completes, then crashes. The run has its outcome already; the crash is the worker's own. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    volatile int *volatile nowhere = NULL;
    (void)taskhost_complete(task, 1);
    *nowhere = 1;
}
