/* Throws a C++ exception across the interface. It must end the worker, not unwind through it. Expected: crashed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    throw 42;
}
