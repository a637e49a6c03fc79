/* Keeps things in its folders; how much, in MiB or in files, is the payload's number. */
#include "../fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

static char block[1 << 20];

static int amount(taskhost_task_t *task) { return task->payload.bytes == NULL ? 0 : atoi((const char *)task->payload.bytes); }

static int put(taskhost_task_t *task, const char *name, int number, size_t size) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s-%d", task->state_directory.bytes, name, number);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (descriptor < 0) { return -1; }
    ssize_t written = size == 0 ? 0 : write(descriptor, block, size);
    (void)close(descriptor);
    return written == (ssize_t)size ? 0 : -1;
}

/* Expected: succeeded. */
TASKHOST_EXPORT void keeper_keep(taskhost_task_t *task);
void keeper_keep(taskhost_task_t *task) {
    for (int number = 0; number < amount(task); number += 1) { (void)put(task, "kept", number, sizeof block); }
    (void)taskhost_complete(task, 1);
}

/* Empty files. Expected: succeeded. */
TASKHOST_EXPORT void keeper_scatter(taskhost_task_t *task);
void keeper_scatter(taskhost_task_t *task) {
    for (int number = 0; number < amount(task); number += 1) { (void)put(task, "scattered", number, 0); }
    (void)taskhost_complete(task, 1);
}

/* Removes what was kept. Expected: succeeded. */
TASKHOST_EXPORT void keeper_clean(taskhost_task_t *task);
void keeper_clean(taskhost_task_t *task) {
    for (int number = 0; number < 1000; number += 1) {
        char path[4200];
        snprintf(path, sizeof path, "%s/kept-%d", task->state_directory.bytes, number);
        (void)unlink(path);
    }
    (void)taskhost_complete(task, 1);
}

/* Writes whatever the disk takes, for ever, and does not heed the warning; 256 MiB at the most. */
TASKHOST_EXPORT void keeper_fill(taskhost_task_t *task);
void keeper_fill(taskhost_task_t *task) {
    ignore_expiration(task);
    int written = 0;
    taskhost_log(task, TASKHOST_LOG_INFO, "filling");
    for (int life = 0; life < MAXIMUM_LIFE * 100; life += 1) {
        while (written < 256 && put(task, "filled", written, sizeof block) == 0) { written += 1; }
        (void)put(task, "filled", 1000, 4096);
        sleep_milliseconds(10);
    }
}

/* The same, until it is warned. Expected: expired. */
TASKHOST_EXPORT void keeper_heed(taskhost_task_t *task);
void keeper_heed(taskhost_task_t *task) {
    int written = 0;
    while (!taskhost_should_stop(task)) {
        if (written < 256 && put(task, "filled", written, sizeof block) == 0) { written += 1; }
        sleep_milliseconds(5);
    }
    (void)taskhost_complete(task, 1);
}

/* A line each tenth of a second, as many as the payload says. Expected: succeeded. */
TASKHOST_EXPORT void keeper_tick(taskhost_task_t *task);
void keeper_tick(taskhost_task_t *task) {
    for (int number = 0; number < amount(task) && !taskhost_should_stop(task); number += 1) {
        printf("tick %d\n", number);
        (void)fflush(stdout);
        sleep_milliseconds(100);
    }
    (void)taskhost_complete(task, 1);
}
