/*
 * An application of two tasks that share what the process remembers: `increment` counts, `report` logs the count. It
 * writes the states it goes through, and its end, as lines of $STATE/lifecycle. Expected: succeeded.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "taskhost.h"

static atomic_int count;
static char lifecycle[4200];

static void note(const char *line) {
    int descriptor = open(lifecycle, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) { return; }
    ssize_t written = write(descriptor, line, strlen(line));
    (void)written;
    (void)close(descriptor);
}

static void increment(taskhost_task_t *task) {
    atomic_fetch_add(&count, 1);
    (void)taskhost_complete(task, 1);
}

static void report(taskhost_task_t *task) {
    char line[32];
    snprintf(line, sizeof line, "count %d", atomic_load(&count));
    taskhost_log(task, TASKHOST_LOG_INFO, line);
    (void)taskhost_complete(task, 1);
}

static int32_t launch(const taskhost_launch_t *launch) {
    snprintf(lifecycle, sizeof lifecycle, "%s/lifecycle", launch->state_directory.bytes);
    note("launched\n");
    if (launch->register_handler(launch->registry, "org.taskhost.fixtures.counter.increment", increment) != 0) {
        return 1;
    }
    return launch->register_handler(launch->registry, "org.taskhost.fixtures.counter.report", report);
}

static void state_changed(uint32_t state) {
    char line[32];
    snprintf(line, sizeof line, "state %u\n", (unsigned)state);
    note(line);
}

static void will_terminate(void) { note("terminating\n"); }

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .state_changed = state_changed,
    .will_terminate = will_terminate,
};
