/* Lets a child process compute: it counts as well. Expected: exceededCPU. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    if (fork() == 0) { burn_forever(); }
    sleep_forever();
}
