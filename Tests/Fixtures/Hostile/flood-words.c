/*
 * Writes log frames from three children and from the worker itself, for three seconds, and completes: a process that
 * logs a lot waits, and loses nothing but time. Expected: succeeded.
 */
#include "../fixture.h"

#include <sys/socket.h>

static void flood(void) {
    /* kind (log), version, 2 bytes of nothing, length, index, generation; then a level and a text of 11 bytes. */
    unsigned char frame[32] = {37, 1, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 11, 0, 0, 0};
    memset(frame + 21, 'x', 11);
    struct timespec start, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 100; i += 1) { (void)send(WIRE, frame, sizeof frame, MSG_NOSIGNAL); }
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 3000);
}

void misbehave(taskhost_task_t *task) {
    for (int child = 0; child < 3; child += 1) {
        if (fork() == 0) {
            flood();
            _exit(0);
        }
    }
    flood();
    (void)taskhost_complete(task, 1);
}
