/* Prints its run's claim in a fleet, and whether a NUL follows its key.
 * Expected: succeeded, also for a request of the host's own. */
#include <inttypes.h>
#include <stdio.h>

#include "taskhost_scheduling.h"

TASKHOST_EXPORT void tell_claim(taskhost_task_t *task);

void tell_claim(taskhost_task_t *task) {
    const taskhost_fleet_t *fleet = task->host->get_extension(TASKHOST_FLEET_EXTENSION);
    taskhost_bytes_t key = {"untouched", 9};
    int64_t number = -1;
    if (fleet == NULL || fleet->struct_size < sizeof *fleet || fleet->claim(task, &key, &number) != TASKHOST_OK) {
        (void)taskhost_complete(task, 0);
        return;
    }
    if (key.bytes == NULL) {
        printf("none %" PRIu64 " %" PRId64 "\n", key.length, number);
    } else {
        printf("%.*s %" PRId64 " %d\n", (int)key.length, key.bytes, number, key.bytes[key.length]);
    }
    (void)taskhost_complete(task, 1);
}
