/* Keeps a reference, and drops it from another thread without completing. Expected: unreported. */
#include "../fixture.h"

#include <pthread.h>

static void *forget(void *context) {
    sleep_milliseconds(50);
    taskhost_release(context);
    return NULL;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, forget, taskhost_retain(task)) == 0) { (void)pthread_detach(thread); }
}
