/*
 * Three children write log frames without a pause; the worker itself ends, and they continue. Expected: exited.
 */
#include "../fixture.h"

#include <sys/socket.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    for (int child = 0; child < 3; child += 1) {
        if (fork() != 0) { continue; }
        /* kind (log), version, 2 bytes of nothing, length, index, generation; then a level and a text of 11 bytes. */
        unsigned char frame[32] = {37, 1, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 11, 0, 0, 0};
        memset(frame + 21, 'x', 11);
        struct timespec start, now;
        (void)clock_gettime(CLOCK_MONOTONIC, &start);
        do {
            for (int i = 0; i < 1000; i += 1) { (void)send(WIRE, frame, sizeof frame, MSG_NOSIGNAL); }
            (void)clock_gettime(CLOCK_MONOTONIC, &now);
        } while (now.tv_sec - start.tv_sec < 20);
        _exit(0);
    }
    sleep_milliseconds(300);
    _exit(0);
}
