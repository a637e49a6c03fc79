/* Closes every descriptor and computes for ever. Expected: exited (or crashed or overran). */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)close_range(0, ~0u, 0);
    burn_forever();
}
