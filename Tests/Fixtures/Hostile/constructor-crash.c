/* Crashes while the library is being loaded. Expected: crashed (or refused). */
#include "../fixture.h"

__attribute__((constructor)) static void before(void) {
    __builtin_trap();
}

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
}
