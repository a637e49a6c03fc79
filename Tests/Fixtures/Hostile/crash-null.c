/* Writes through a null pointer. Expected: crashed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
