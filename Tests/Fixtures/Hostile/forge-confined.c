/* Says again and again what its confinement is. Expected: crashed. */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    static unsigned char frame[6487] = {40, 1};
    uint32_t length = sizeof frame;
    ignore_expiration(task);
    memcpy(frame + 4, &length, 4);
    /* Landlock, seccomp, a user of its own; then sixteen limits of 400 bytes that were not enforced. */
    uint32_t count = 16, size = 400;
    memcpy(frame + 19, &count, 4);
    for (uint32_t i = 0; i < count; i += 1) {
        memcpy(frame + 23 + i * (size + 4), &size, 4);
        memset(frame + 27 + i * (size + 4), 'x', size);
    }
    struct timespec start, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 100; i += 1) { (void)send(WIRE, frame, sizeof frame, MSG_NOSIGNAL); }
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec < 5);
    sleep_forever();
}
