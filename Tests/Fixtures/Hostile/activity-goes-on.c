/*
 * Its expiring activity continues, even when it is asked to stop. Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;

static void work(void *context, int32_t expired) {
    (void)context;
    if (!expired) { sleep_forever(); }
}

static void handle(taskhost_task_t *task) {
    (void)taskhost_complete(task, lifecycle->perform_expiring_activity("for ever", work, NULL) == TASKHOST_OK);
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.activity-goes-on", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
