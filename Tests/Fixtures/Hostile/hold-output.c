/* Keeps the lock of standard output for ever, in a thread. Expected: succeeded. */
#include "../fixture.h"

#include <pthread.h>
#include <stdio.h>

static void *hold_output(void *argument) {
    flockfile(argument);
    sleep_forever();
    return NULL;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, hold_output, stdout) != 0) { _exit(98); }
    while (ftrylockfile(stdout) == 0) {
        funlockfile(stdout);
        sleep_milliseconds(1);
    }
    (void)taskhost_complete(task, 1);
}
