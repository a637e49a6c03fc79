/* A small application: launched, it is there; its one task completes at once. */
#include "taskhost.h"

static int32_t launch(const taskhost_launch_t *launch) {
    (void)launch;
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};

TASKHOST_EXPORT void bench_once(taskhost_task_t *task);
void bench_once(taskhost_task_t *task) { taskhost_complete(task, 1); }
