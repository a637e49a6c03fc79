/* Recurses until the stack is full. Expected: crashed. */
#include "../fixture.h"

static int recurse(volatile int depth) {
    volatile char frame[4096];
    frame[depth % 4096] = (char)depth;
    return recurse(depth + 1) + frame[0];
}

void misbehave(taskhost_task_t *task) {
    (void)task;
    volatile int depth = recurse(0);
    (void)depth;
}
