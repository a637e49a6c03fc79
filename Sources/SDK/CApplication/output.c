#include "CApplication.h"

#include <stdio.h>
#include <time.h>

static void flush(FILE *stream) {
    struct timespec pause = {.tv_nsec = 100000};
    for (int tries = 0; ftrylockfile(stream) != 0; tries += 1) {
        if (tries == 100) return;
        nanosleep(&pause, NULL);
    }
    fflush_unlocked(stream);
    funlockfile(stream);
}

void taskhost_sdk_flush_output(void) {
    flush(stdout);
    flush(stderr);
}
