/* An application that lives outside of runs: a thread counts in $STATE/ticks while the process runs, and every state
 * that it gets becomes a line of $STATE/states. */
#include "../fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>

#include "taskhost_scheduling.h"

static char state_directory[4100];
static const taskhost_lifecycle_t *lifecycle;

static int state_file(const char *name, int flags) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", state_directory, name);
    return open(path, flags | O_CREAT, 0600);
}

static void *count(void *context) {
    (void)context;
    int file = state_file("ticks", O_WRONLY);
    for (uint64_t ticks = 1; ticks < MAXIMUM_LIFE * 500; ticks += 1) {
        char text[32];
        int length = snprintf(text, sizeof text, "%020llu", (unsigned long long)ticks);
        if (pwrite(file, text, (size_t)length, 0) < 0) { return NULL; }
        sleep_milliseconds(2);
    }
    _exit(99);
}

static void note(const char *word) {
    int file = state_file("states", O_WRONLY | O_APPEND);
    dprintf(file, "%s\n", word);
    (void)close(file);
}

static void state_changed(uint32_t state) {
    const char *words[] = {"notRunning", "inactive", "active", "background", "suspended"};
    note(state < 5 ? words[state] : "?");
}

static void will_terminate(void) { note("willTerminate"); }

/* Expected: succeeded. */
static void touch(taskhost_task_t *task) { (void)taskhost_complete(task, 1); }

/* Takes a lock on the file or folder that the payload names, and keeps it. Expected: succeeded. */
static void lock(taskhost_task_t *task) {
    int file = open(task->payload.bytes, O_RDWR | O_CREAT, 0600);
    if (file < 0) { file = open(task->payload.bytes, O_RDONLY | O_DIRECTORY); }
    (void)taskhost_complete(task, file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0);
}

/* Continues for as many milliseconds of its own time as the payload says. Expected: succeeded. */
static void work(taskhost_task_t *task) {
    int left = atoi((const char *)task->payload.bytes);
    taskhost_log(task, TASKHOST_LOG_INFO, "working");
    for (; left > 0 && !taskhost_should_stop(task); left -= 1) { sleep_milliseconds(1); }
    (void)taskhost_complete(task, left == 0);
}

/* Begins an assertion and keeps it. Expected: succeeded. */
static void hold(taskhost_task_t *task) {
    (void)taskhost_complete(task, lifecycle->begin_assertion("held", NULL, NULL) != 0);
}

static int32_t launch(const taskhost_launch_t *launch) {
    snprintf(state_directory, sizeof state_directory, "%s", launch->state_directory.bytes);
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    pthread_t thread;
    if (lifecycle == NULL || pthread_create(&thread, NULL, count, NULL) != 0) { return 1; }
    const struct { const char *name; taskhost_handler_fn handler; } tasks[] = {
        {"org.taskhost.fixtures.liver.touch", touch}, {"org.taskhost.fixtures.liver.lock", lock},
        {"org.taskhost.fixtures.liver.work", work}, {"org.taskhost.fixtures.liver.hold", hold},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i += 1) {
        int32_t status = launch->register_handler(launch->registry, tasks[i].name, tasks[i].handler);
        if (status != TASKHOST_OK) { return status; }
    }
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .state_changed = state_changed,
    .will_terminate = will_terminate,
};
