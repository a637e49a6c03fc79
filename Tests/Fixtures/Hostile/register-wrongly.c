/*
 * Registers an unknown task, its own task twice, and one more after launch. Succeeds when each of these was refused
 * with the code that the header promises. Expected: succeeded.
 */
#include "../fixture.h"

#define OWN_TASK "org.taskhost.hostile.register-wrongly"

static const taskhost_launch_t *launched;
static int faults;

static void handle(taskhost_task_t *task) {
    faults += launched->register_handler(launched->registry, OWN_TASK, handle) != TASKHOST_INVALID;
    (void)taskhost_complete(task, faults == 0);
}

static int32_t launch(const taskhost_launch_t *launch) {
    launched = launch;
    faults += launch->register_handler(launch->registry, "org.example.unknown", handle) != TASKHOST_UNKNOWN;
    faults += launch->register_handler(launch->registry, OWN_TASK, handle) != TASKHOST_OK;
    faults += launch->register_handler(launch->registry, OWN_TASK, handle) != TASKHOST_INVALID;
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
