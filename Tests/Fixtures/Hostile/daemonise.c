/*
 * Leaves a daemon behind, forked twice and in a new session, and returns without completing. Expected:
 * unreported.
 */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    if (fork() == 0) {
        (void)setsid();
        if (fork() == 0) { sleep_forever(); }
        _exit(0);
    }
    (void)task;
}
