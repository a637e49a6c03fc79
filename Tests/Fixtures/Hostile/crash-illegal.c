/* Runs an illegal instruction. Expected: crashed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    __builtin_trap();
}
