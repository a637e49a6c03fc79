/*
 * Begins another assertion inside an expiration handler, to have more time than there is, and then ends its own. What
 * it got is in the journal. Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;
static const taskhost_notifications_t *notifications;
static uint64_t own;

static void expired(void *context) {
    char line[64];
    (void)context;
    snprintf(line, sizeof line, "begun late: %d", (int)lifecycle->begin_assertion("late", expired, NULL));
    notifications->note(line);
    (void)lifecycle->end_assertion(own);
}

static void handle(taskhost_task_t *task) {
    own = lifecycle->begin_assertion("in time", expired, NULL);
    (void)taskhost_complete(task, own != 0);
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    notifications = launch->host->get_extension(TASKHOST_NOTIFICATIONS_EXTENSION);
    return launch->register_handler(launch->registry, "org.taskhost.hostile.assertion-begins-late", handle);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
