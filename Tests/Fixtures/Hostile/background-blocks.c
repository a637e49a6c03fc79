/*
 * Its callback for the background never returns: its run would never begin, and it would never be suspended.
 * Expected: interrupted.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static void hear(const taskhost_event_t *event) {
    if (event->kind == TASKHOST_EVENT_DID_ENTER_BACKGROUND) { sleep_forever(); }
}

static void handle(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }

static int32_t launch(const taskhost_launch_t *launch) {
    return launch->register_handler(launch->registry, "org.taskhost.hostile.background-blocks", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .event = hear,
};
