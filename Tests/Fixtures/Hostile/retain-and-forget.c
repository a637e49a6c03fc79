/* Returns with a reference that it never drops, and never completes. Expected: overran. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)taskhost_retain(task);
}
