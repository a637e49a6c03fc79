/*
 * Begins two assertions, one without a name and without a handler, and ends neither. Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;

static void expired(void *context) { (void)context; }

static void handle(taskhost_task_t *task) {
    uint64_t first = lifecycle->begin_assertion("uploading the holiday", expired, NULL);
    uint64_t second = lifecycle->begin_assertion(NULL, NULL, NULL);
    (void)taskhost_complete(task, first != 0 && second != 0 && lifecycle->open_assertions() == 2);
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.assertion-leaks", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
