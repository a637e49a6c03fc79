/* Calls abort(). Expected: crashed. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    abort();
}
