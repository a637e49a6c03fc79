/* Hangs while the library is being loaded. Expected: overran (or refused). */
#include "../fixture.h"

__attribute__((constructor)) static void before(void) {
    sleep_forever();
}

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
}
