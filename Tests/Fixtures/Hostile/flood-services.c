/*
 * Reports misuse, asks for notifications, begins and ends assertions and submits nonsense, hundreds of times over.
 * Succeeds when every call returned what the header promises. Expected: succeeded.
 */
#include "../fixture.h"

#include "taskhost_scheduling.h"

#define OWN_TASK "org.taskhost.hostile.flood-services"

void misbehave(taskhost_task_t *task) {
    const taskhost_scheduling_t *scheduling = task->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
    const taskhost_lifecycle_t *lifecycle = task->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    const taskhost_notifications_t *notifications = task->host->get_extension(TASKHOST_NOTIFICATIONS_EXTENSION);
    int faults = scheduling == NULL || lifecycle == NULL || notifications == NULL;
    for (int i = 0; faults == 0 && i < 400; i += 1) {
        scheduling->report("there is nothing to report");
        faults += lifecycle->end_assertion(lifecycle->begin_assertion("flood", NULL, NULL)) != TASKHOST_OK;
        faults += lifecycle->end_assertion(0) != TASKHOST_UNKNOWN;
        faults += lifecycle->end_assertion(1000000 + (uint64_t)i) != TASKHOST_UNKNOWN;
        faults += scheduling->register_handler("org.example.unknown", misbehave) != TASKHOST_UNKNOWN;
        faults += scheduling->update_title(task, "title", "subtitle") != TASKHOST_INVALID;
    }
    for (int i = 0; faults == 0 && i < 100; i += 1) {
        char identifier[64], reason[16];
        snprintf(identifier, sizeof identifier, "org.example.unknown%d", i);
        taskhost_request_t request = {
            .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION,
            .identifier = {identifier, strlen(identifier)}, .kind = TASKHOST_KIND_PROCESSING,
        };
        faults += scheduling->submit(&request, reason, sizeof reason) != TASKHOST_SUBMIT_NOT_PERMITTED;
        scheduling->cancel(identifier);
        notifications->note(identifier);
    }
    (void)taskhost_complete(task, faults == 0);
}
