/* Works for a good part of its budget and completes before the warning. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    while (taskhost_time_remaining(task) > 1.2) { sleep_milliseconds(10); }
    (void)taskhost_complete(task, 1);
}
