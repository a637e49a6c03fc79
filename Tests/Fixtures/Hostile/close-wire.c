/* Closes the wire and sleeps. Expected: exited (or crashed or overran). */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)close(WIRE);
    sleep_forever();
}
