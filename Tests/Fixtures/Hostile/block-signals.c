/* Blocks and ignores all signals that can be, then sleeps. Expected: overran. */
#include "../fixture.h"

#include <signal.h>

void misbehave(taskhost_task_t *task) {
    sigset_t all;
    ignore_expiration(task);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (int number = 1; number < NSIG; number += 1) { (void)signal(number, SIG_IGN); }
    sleep_forever();
}
