/*
 * Sends signals to its parent and to process 1. Empty ones, which only ask for permission.
 * Succeeds only when that is refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <signal.h>

void misbehave(taskhost_task_t *task) {
    int breaches = unless_refused(task, getppid() < 1 || kill(getppid(), 0) != 0, "its parent");
    breaches += unless_refused(task, kill(1, 0) != 0, "process 1");
    /* It may signal its own process group; the host's must not be that group. */
    breaches += unless_refused(task, getpgid(0) != getpgid(getppid()) || getppid() < 1, "its parent's group");
    report(task, breaches);
}
