/* Shuts the wire down in both directions and sleeps. Expected: exited (or crashed or overran). */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)shutdown(WIRE, SHUT_RDWR);
    sleep_forever();
}
