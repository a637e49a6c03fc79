/* Its will_terminate never returns: the host must not wait for it longer than it promises. Expected: succeeded. */
#include "../fixture.h"

static void handle(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }

static int32_t launch(const taskhost_launch_t *launch) {
    return launch->register_handler(launch->registry, "org.taskhost.hostile.terminate-hangs", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .will_terminate = sleep_forever,
};
