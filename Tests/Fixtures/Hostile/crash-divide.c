/* Divides by zero. Machines that do not trap on that get the signal from raise(). Expected: crashed. */
#include "../fixture.h"

#include <signal.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    volatile int zero = 0, one = 1;
    zero = one / zero;
    raise(SIGFPE);
}
