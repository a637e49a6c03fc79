/*
 * Asks for times that there are not, then for one that there is, and then again and again. The first that is good counts.
 * Expected: deferred.
 */
#include <math.h>

#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    const double bad[] = {NAN, 0, -1, 0.999, 8 * 86400.0, INFINITY, -INFINITY};
    for (int round = 0; round < 100; round += 1) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i += 1) {
            if (taskhost_complete_later(task, bad[i]) != TASKHOST_INVALID) { __builtin_trap(); }
        }
    }
    if (taskhost_complete_later(task, 3600) != TASKHOST_OK) { __builtin_trap(); }
    bool is_good = taskhost_complete_later(task, 1) == TASKHOST_ALREADY_COMPLETED &&
                   taskhost_complete_later(task, NAN) == TASKHOST_ALREADY_COMPLETED &&
                   taskhost_complete(task, 1) == TASKHOST_ALREADY_COMPLETED;
    if (!is_good) { __builtin_trap(); }
}
