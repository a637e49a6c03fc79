/* The handlers under measurement: each does as little as its row needs. */
#include "taskhost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Completes at once. */
void bench_noop(taskhost_task_t *task) { taskhost_complete(task, 1); }

/* The same for the reference host, which has no tasks. */
int32_t bench_plain(const void *payload, uint32_t length) {
    (void)payload, (void)length;
    return 1;
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Notes how long after `deadline - grace` it was called, in nanoseconds, one line a run. `context` is the task. */
static void note_lateness(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    uint64_t time = now();
    (void)reason;
    const char *setting = task->settings.bytes ? strstr(task->settings.bytes, "\"graceNanoseconds\"") : NULL;
    const char *number = setting ? strchr(setting, ':') : NULL;
    uint64_t grace = number ? strtoull(number + 1, NULL, 10) : 0;
    char path[4096];
    snprintf(path, sizeof path, "%s/lateness", task->state_directory.bytes);
    FILE *file = fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%lld\n", (long long)(time - (task->deadline - grace)));
        fclose(file);
    }
    taskhost_complete(task, file != NULL);
    taskhost_release(task);
}

/* Does nothing until its expiration handler is called, which notes how late that was. */
void bench_lateness(taskhost_task_t *task) { taskhost_set_expiration_handler(task, note_lateness, taskhost_retain(task)); }

/* Takes no notice of its expiration. */
void bench_overrun(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, NULL, NULL);
    while (!taskhost_should_stop(task)) { usleep(1000); }
    for (volatile unsigned long n = 0;; n++) {}
}

/* Waits, so that its worker can be weighed. */
void bench_idle(taskhost_task_t *task) {
    while (!taskhost_should_stop(task)) { usleep(1000); }
    taskhost_complete(task, 1);
}
