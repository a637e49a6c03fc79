/* Returns at once with a reference, and completes from another thread later. Expected: succeeded. */
#include "../fixture.h"

#include <pthread.h>

static void *finish(void *context) {
    taskhost_task_t *task = context;
    sleep_milliseconds(100);
    (void)taskhost_complete(task, 1);
    taskhost_release(task);
    return NULL;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, finish, taskhost_retain(task)) == 0) { (void)pthread_detach(thread); }
}
