/* Reports progress a million times. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    for (int64_t i = 1; i <= 1000000; i += 1) { (void)taskhost_progress(task, i, 1000000, "flooding"); }
    (void)taskhost_complete(task, 1);
}
