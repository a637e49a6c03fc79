/*
 * Calls every function of the host after completion. All of them must answer as the header says. Expected:
 * succeeded.
 */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)taskhost_complete(task, 1);
    (void)taskhost_retain(task);
    (void)taskhost_should_stop(task);
    (void)taskhost_expiration_reason(task);
    (void)taskhost_progress(task, 1, 2, "afterwards");
    taskhost_log(task, TASKHOST_LOG_INFO, "afterwards");
    taskhost_set_expiration_handler(task, nothing, NULL);
    taskhost_set_expiration_handler(task, NULL, NULL);
    bool is_good = taskhost_time_remaining(task) >= 0 && task->host->get_extension("org.example.none/1") == NULL &&
                   taskhost_complete(task, 0) == TASKHOST_ALREADY_COMPLETED && task->identifier.length > 0;
    taskhost_release(task);
    if (!is_good) { __builtin_trap(); }
}
