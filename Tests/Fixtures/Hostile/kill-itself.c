/* Sends itself SIGKILL: must not be mistaken for a kill by the host. Expected: crashed. */
#include "../fixture.h"

#include <signal.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    (void)kill(getpid(), SIGKILL);
    sleep_forever();
}
