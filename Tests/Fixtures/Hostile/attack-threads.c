/* Starts threads until it gets no more. Succeeds only when that happens before there are 4000. Expected: succeeded. */
#include "../fixture.h"

#include <pthread.h>

static void *wait_for_end(void *unused) {
    sleep_forever();
    return unused;
}

void misbehave(taskhost_task_t *task) {
    pthread_attr_t small;
    int count = 0;
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, 16384);
    for (pthread_t thread; count < 4000 && pthread_create(&thread, &small, wait_for_end, NULL) == 0; count += 1) {}
    report(task, unless_refused(task, count < 4000, "4000 threads"));
}
