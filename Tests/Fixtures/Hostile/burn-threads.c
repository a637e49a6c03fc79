/* Computes on four threads, far beyond its CPU time. Expected: exceededCPU. */
#include "../fixture.h"

#include <pthread.h>

static void *burn(void *unused) {
    burn_forever();
    return unused;
}

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (int i = 0; i < 3; i += 1) {
        pthread_t thread;
        (void)pthread_create(&thread, NULL, burn, NULL);
    }
    burn_forever();
}
