/* Runs an illegal instruction: SIGILL on x86-64, SIGTRAP on aarch64, whose compilers make a breakpoint of it. Expected: crashed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    __builtin_trap();
}
