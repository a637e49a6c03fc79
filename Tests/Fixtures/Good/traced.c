/* Prints its run's place in a trace, and whether a NUL follows it.
 * Expected: succeeded, with a host that sends no traces as well. */
#include <stdio.h>

#include "taskhost_scheduling.h"

TASKHOST_EXPORT void tell_trace(taskhost_task_t *task);

void tell_trace(taskhost_task_t *task) {
    const taskhost_trace_t *trace = task->host->get_extension(TASKHOST_TRACE_EXTENSION);
    taskhost_bytes_t text = {"untouched", 9};
    if (trace == NULL || trace->struct_size < sizeof *trace || trace->traceparent(task, &text) != TASKHOST_OK) {
        (void)taskhost_complete(task, 0);
        return;
    }
    if (text.bytes == NULL) {
        printf("none %llu\n", (unsigned long long)text.length);
    } else {
        printf("%.*s %d\n", (int)text.length, text.bytes, text.bytes[text.length]);
    }
    (void)taskhost_complete(task, 1);
}
