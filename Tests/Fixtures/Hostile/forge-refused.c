/* Says again and again that it cannot serve, at length. Expected: crashed. */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[4020] = {33, 1};
    uint32_t length = sizeof frame;
    ignore_expiration(task);
    memcpy(frame + 4, &length, 4);
    uint32_t size = 4000;
    memcpy(frame + 16, &size, 4);
    memset(frame + 20, 'x', size);
    struct timespec start, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 100; i += 1) { (void)send(WIRE, frame, sizeof frame, MSG_NOSIGNAL); }
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec < 5);
    sleep_forever();
}
