/*
 * An application that is called for fetches and remote notifications. Its manifest's `name` says what it does:
 * `<seconds between fetches, or never> <answer: 0 new data, 1 no data, 2 failed; -1 none>`. It prints what it is called for.
 */
#include <float.h>
#include <stdlib.h>

#include "../fixture.h"
#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;
static int answer;

/* For a manifest that has a task as well. Expected: succeeded. */
TASKHOST_EXPORT void events_work(taskhost_task_t *task);
void events_work(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }

static void hear(const taskhost_event_t *event) {
    if (event->task == NULL) { return; }
    printf("event %u %u [%.*s]\n", (unsigned)event->kind, (unsigned)event->state, (int)event->payload.length,
           event->payload.bytes);
    if (answer < 0) {
        (void)taskhost_retain(event->task);
    } else {
        (void)lifecycle->complete_event(event->task, (uint32_t)answer);
    }
}

static int32_t launch(const taskhost_launch_t *launch) {
    const taskhost_information_t *information = launch->host->get_extension(TASKHOST_INFORMATION_EXTENSION);
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    if (information == NULL || lifecycle == NULL || lifecycle->complete_event == NULL) { return 1; }
    char *end = NULL;
    const double seconds = strtod(information->name.bytes, &end);
    const int is_never = end == information->name.bytes;
    answer = atoi(is_never ? strchr(end, ' ') : end);
    return lifecycle->set_minimum_fetch_interval(is_never ? DBL_MAX : seconds);
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .event = hear,
};
