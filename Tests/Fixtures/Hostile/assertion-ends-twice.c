/*
 * Ends an assertion twice, and others that were never begun. Succeeds when that did nothing. Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;

static void handle(taskhost_task_t *task) {
    uint64_t kept = lifecycle->begin_assertion("kept", NULL, NULL), ended = lifecycle->begin_assertion("ended", NULL, NULL);
    bool is_good = lifecycle->end_assertion(ended) == TASKHOST_OK;
    const uint64_t numbers[] = {ended, ended, ended + 1, 0, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i += 1) {
        is_good = is_good && lifecycle->end_assertion(numbers[i]) == TASKHOST_UNKNOWN;
    }
    is_good = is_good && lifecycle->open_assertions() == 1 && lifecycle->end_assertion(kept) == TASKHOST_OK;
    (void)taskhost_complete(task, is_good);
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.assertion-ends-twice", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
