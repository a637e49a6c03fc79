/* Crashes on a separate thread while the handler waits. Expected: crashed. */
#include "../fixture.h"

#include <pthread.h>

static void *crash(void *unused) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
    return unused;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    ignore_expiration(task);
    (void)pthread_create(&thread, NULL, crash, NULL);
    sleep_forever();
}
