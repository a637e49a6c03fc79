/*
 * Asks for its pending requests ten thousand times behind the library's back: no caller waits for an answer.
 * Expected: exited (or crashed).
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (uint32_t ticket = 1; ticket <= 10000; ticket += 1) {
        /* kind (pendingRequests), version, 2 bytes of nothing, length, ticket, nothing. */
        unsigned char frame[16] = {43, 1, 0, 0, 16, 0, 0, 0};
        memcpy(frame + 8, &ticket, 4);
        (void)send(WIRE, frame, sizeof frame, MSG_NOSIGNAL);
    }
    sleep_forever();
}
