/* Frames that no worker sends, for libraries that forge them on the wire. */
#pragma once
#include "fixture.h"

#include <sys/socket.h>

/* Writes the frame again and again for five seconds, and then waits to be killed. Its second word becomes its length. */
static inline void forge_for_ever(taskhost_task_t *task, unsigned char *frame, uint32_t length) {
    struct timespec start, now;
    ignore_expiration(task);
    memcpy(frame + 4, &length, 4);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 100; i += 1) { (void)send(WIRE, frame, length, MSG_NOSIGNAL); }
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec < 5);
    sleep_forever();
}

/* A report of Landlock, seccomp and a separate user; then sixteen limits of 400 bytes that were not enforced. */
enum { FORGED_CONFINEMENT = 6487 };
static inline void forge_confinement(unsigned char *frame) {
    uint32_t count = 16, size = 400;
    memcpy(frame + 19, &count, 4);
    for (uint32_t i = 0; i < count; i += 1) {
        memcpy(frame + 23 + i * (size + 4), &size, 4);
        memset(frame + 27 + i * (size + 4), 'x', size);
    }
}
