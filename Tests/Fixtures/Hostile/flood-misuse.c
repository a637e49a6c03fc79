/* Reports misuse without a pause. Expected: crashed. */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    /* kind (misuse), version, 2 bytes of nothing, length, nothing; then a sentence of one byte. */
    unsigned char frame[21] = {44, 1, 0, 0, 21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x'};
    for (;;) {
        if (send(WIRE, frame, sizeof frame, MSG_NOSIGNAL) < 0) { break; }
    }
    sleep_forever();
}
