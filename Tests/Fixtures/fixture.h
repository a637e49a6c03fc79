/*
 * What the fixtures share.
 *
 * A fixture must be harmless where nothing stops it: a host in development may run it as root and unconfined.
 * An attack asks for something with arguments that change nothing if it is let through; what it takes is bounded; and
 * no process of it lives longer than MAXIMUM_LIFE seconds.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taskhost.h"

#ifdef __cplusplus
extern "C"
#endif
/* The handler that hostile manifests name. */
TASKHOST_EXPORT void misbehave(taskhost_task_t *task);

/* The descriptor of a worker's wire. */
#define WIRE 3

static inline void nothing(void *context, uint32_t reason) {
    (void)context;
    (void)reason;
}

/* A run without an expiration handler is completed as failed at the warning. With this one it continues to the kill. */
static inline void ignore_expiration(taskhost_task_t *task) { taskhost_set_expiration_handler(task, nothing, NULL); }

/* For ever, as far as a test can see. */
#define MAXIMUM_LIFE 120

/* Until a kill. */
static inline void sleep_forever(void) {
    for (int seconds = 0; seconds < MAXIMUM_LIFE; seconds += 1) {
        struct timespec second = {1, 0};
        (void)nanosleep(&second, NULL);
    }
    _exit(99);
}

/* Until a kill, on the processor. */
static inline void burn_forever(void) {
    struct timespec start, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (volatile uint32_t i = 0; i < 1u << 24; i += 1) {}
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - start.tv_sec < MAXIMUM_LIFE);
    _exit(99);
}

static inline void sleep_milliseconds(long milliseconds) {
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

/* For attacks that fail either way, because of their arguments: whether it was for lack of permission. */
static inline bool is_forbidden(long result) {
    return result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS);
}

/* For attacks: notes whether one was refused. Returns 1 when it was not. */
static inline int unless_refused(taskhost_task_t *task, bool is_refused, const char *attack) {
    char line[256];
    snprintf(line, sizeof line, "%s: %s", attack, is_refused ? "refused" : "NOT REFUSED");
    taskhost_log(task, is_refused ? TASKHOST_LOG_INFO : TASKHOST_LOG_ERROR, line);
    return is_refused ? 0 : 1;
}

/* For attacks: succeeds only when all of them were refused. */
static inline void report(taskhost_task_t *task, int breaches) { (void)taskhost_complete(task, breaches == 0); }

#endif
