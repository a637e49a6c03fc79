/*
 * Ends the thread that runs the handler: it neither returns nor completes. Expected: failed (or unreported or
 * crashed or exited).
 */
#include "../fixture.h"

#include <pthread.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    pthread_exit(NULL);
}
