/*
 * Submits requests that are refused, from as many threads as there may be questions, without a pause. Expected: crashed (or
 * overran).
 */
#include "../fixture.h"

#include <pthread.h>

#include "taskhost_scheduling.h"

static const taskhost_scheduling_t *scheduling;

static void *submit(void *unused) {
    taskhost_request_t request = {
        .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION,
        .identifier = {"org.example.unknown", strlen("org.example.unknown")}, .kind = TASKHOST_KIND_PROCESSING,
    };
    for (;;) { (void)scheduling->submit(&request, NULL, 0); }
    return unused;
}

void misbehave(taskhost_task_t *task) {
    pthread_t thread;
    ignore_expiration(task);
    scheduling = task->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
    for (int i = 0; i < 63; i += 1) {
        if (pthread_create(&thread, NULL, submit, NULL) != 0) { break; }
    }
    sleep_forever();
}
