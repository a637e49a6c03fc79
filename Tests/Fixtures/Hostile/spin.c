/* Computes for ever and ignores expiration. Expected: overran. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    burn_forever();
}
