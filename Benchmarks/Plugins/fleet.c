/* Handlers of the fleet's rows, each of which does as little as its row needs. */
#include "taskhost.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Completes at once. */
void bench_noop(taskhost_task_t *task) { taskhost_complete(task, 1); }

/* Notes the payload and the time of day in nanoseconds, one line a run, and completes. */
void bench_note(taskhost_task_t *task) {
    static int file = -1;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (file < 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/starts", task->state_directory.bytes);
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    char line[128];
    int length = snprintf(line, sizeof line, "%.*s %lld\n", (int)(task->payload.length < 64 ? task->payload.length : 64),
                          (const char *)task->payload.bytes, (long long)t.tv_sec * 1000000000 + t.tv_nsec);
    taskhost_complete(task, file >= 0 && write(file, line, (size_t)length) == length);
}

/* Works until it is told to stop. */
void bench_long(taskhost_task_t *task) {
    while (!taskhost_should_stop(task)) { usleep(10000); }
    taskhost_complete(task, 0);
}
