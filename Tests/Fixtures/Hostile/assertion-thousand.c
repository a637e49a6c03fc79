/*
 * Begins assertions until it gets no more, or is ended for it. Expected: interrupted.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;

static void handle(taskhost_task_t *task) {
    ignore_expiration(task);
    while (lifecycle->begin_assertion("one more", NULL, NULL) != 0) {}
    sleep_forever();
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.assertion-thousand", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
