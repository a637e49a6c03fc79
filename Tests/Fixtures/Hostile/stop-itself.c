/* Stops its own process with SIGSTOP, so that nothing in it can answer the warning. Expected: overran. */
#include "../fixture.h"

#include <signal.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)raise(SIGSTOP);
    sleep_forever();
}
