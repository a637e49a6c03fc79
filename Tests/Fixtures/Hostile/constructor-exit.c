/* Leaves with _exit(3) while the library is being loaded. Expected: exited (or refused). */
#include "../fixture.h"

__attribute__((constructor)) static void before(void) {
    _exit(3);
}

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
}
