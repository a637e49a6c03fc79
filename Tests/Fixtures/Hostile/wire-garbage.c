/* Writes bytes on the wire that are no frame. Expected: exited (or crashed). */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    unsigned char garbage[64];
    memset(garbage, 0xa5, sizeof garbage);
    ignore_expiration(task);
    (void)send(WIRE, garbage, sizeof garbage, 0);
    sleep_forever();
}
