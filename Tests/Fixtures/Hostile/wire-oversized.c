/* Sends a frame that is longer than any may be. Expected: exited (or crashed). */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[180 * 1024] = {34, 1};
    uint32_t length = sizeof frame;
    memcpy(frame + 4, &length, 4);
    ignore_expiration(task);
    (void)send(WIRE, frame, sizeof frame, 0);
    sleep_forever();
}
