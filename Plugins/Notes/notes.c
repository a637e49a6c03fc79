/*
 * Notes: an application in C with a life of its own, for `make demo-lifecycle`. What it is called for becomes a line of
 * $STATE/life. When it leaves the foreground it begins background time for an upload that takes longer than there is, and gives
 * it up when it is warned. Its task exports pages, each of which takes 50 ms.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taskhost.h"
#include "taskhost_scheduling.h"

#define PAGES 60

static char life_path[4200];
static const taskhost_lifecycle_t *lifecycle;
static uint64_t upload;
static int was_seen;

/* A line is one write, so that lines of several threads do not mix. */
static void note(const char *word) {
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", word);
    int file = open(life_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) { return; }
    (void)!write(file, line, (size_t)length);
    (void)close(file);
}

/* On a thread of the worker's own. What is not ended here ends the application. */
static void upload_expired(void *context) {
    (void)context;
    note("upload expired");
    (void)lifecycle->end_assertion(upload);
}

static void event(const taskhost_event_t *event) {
    switch (event->kind) {
    case TASKHOST_EVENT_DID_BECOME_ACTIVE:
        was_seen = 1;
        note("didBecomeActive");
        break;
    case TASKHOST_EVENT_WILL_RESIGN_ACTIVE: note("willResignActive"); break;
    case TASKHOST_EVENT_WILL_ENTER_FOREGROUND: note("willEnterForeground"); break;
    case TASKHOST_EVENT_WILL_TERMINATE: note("willTerminate"); break;
    case TASKHOST_EVENT_DID_ENTER_BACKGROUND:
        note("didEnterBackground");
        /* Launched in the background, it has nothing to upload. */
        if (was_seen) { upload = lifecycle->begin_assertion("upload", upload_expired, NULL); }
        was_seen = 0;
        break;
    default: break;
    }
}

static void export_pages(taskhost_task_t *task) {
    note("export begins");
    int page = 0;
    for (; page < PAGES && !taskhost_should_stop(task); page += 1) {
        const struct timespec pause = {.tv_sec = 0, .tv_nsec = 50 * 1000 * 1000};
        (void)nanosleep(&pause, NULL);
        (void)taskhost_progress(task, page + 1, PAGES, "pages");
    }
    note(page == PAGES ? "export ends" : "export expired");
    (void)taskhost_complete(task, page == PAGES);
}

static int32_t launch(const taskhost_launch_t *launch) {
    (void)snprintf(life_path, sizeof life_path, "%s/life", launch->state_directory.bytes);
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    if (lifecycle == NULL) { return 1; }
    note("launch");
    return launch->register_handler(launch->registry, "org.taskhost.examples.notes.export", export_pages);
}

TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .event = event,
};
