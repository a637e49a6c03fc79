/*
 * Its expiration handler never returns, so that the next one, which would end both assertions, is never called.
 * Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;

static uint64_t held[2];

static void block(void *context) {
    (void)context;
    sleep_forever();
}

static void end_both(void *context) {
    (void)context;
    for (int i = 0; i < 2; i += 1) { (void)lifecycle->end_assertion(held[i]); }
}

static void handle(taskhost_task_t *task) {
    held[0] = lifecycle->begin_assertion("blocking", block, NULL);
    held[1] = lifecycle->begin_assertion("behind it", end_both, NULL);
    (void)taskhost_complete(task, held[0] != 0 && held[1] != 0);
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.assertion-handler-blocks", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
