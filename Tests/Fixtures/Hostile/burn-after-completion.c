/* Completes, and leaves a thread that keeps computing. Expected: succeeded. */
#include "../fixture.h"

#include <pthread.h>

static void *burn(void *unused) {
    burn_forever();
    return unused;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    int code = pthread_create(&thread, NULL, burn, NULL);
    (void)taskhost_complete(task, code == 0);
}
