/*
 * Stops itself, which leaves the wire unread, and has a child ask for the pending requests without a pause. Expected:
 * crashed.
 */
#include "../fixture.h"

#include <signal.h>
#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    if (fork() == 0) {
        sleep_milliseconds(100);
        for (uint32_t ticket = 1;; ticket += 1) {
            /* kind (pendingRequests), version, 2 bytes of nothing, length, ticket, nothing. */
            unsigned char frame[16] = {43, 1, 0, 0, 16, 0, 0, 0};
            memcpy(frame + 8, &ticket, 4);
            if (send(WIRE, frame, sizeof frame, MSG_NOSIGNAL) < 0) { _exit(0); }
        }
    }
    (void)raise(SIGSTOP);
    sleep_forever();
}
