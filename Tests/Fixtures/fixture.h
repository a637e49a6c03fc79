/* What the fixtures share. */
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

/* A run without an expiration handler is completed as failed at the warning. With this one it goes on to the kill. */
static inline void ignore_expiration(taskhost_task_t *task) { taskhost_set_expiration_handler(task, nothing, NULL); }

/* Until a kill. */
static inline void sleep_forever(void) {
    for (;;) { pause(); }
}

/* Until a kill, on the processor. */
static inline void burn_forever(void) {
    for (volatile uint64_t i = 0;; i += 1) {}
}

static inline void sleep_milliseconds(long milliseconds) {
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
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
