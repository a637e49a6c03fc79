/* An application that fetches many files, and says how long that took: from before it asks for the first of them until it has
 * been told of the last. */
#include "taskhost.h"
#include "taskhost_scheduling.h"
#include "taskhost_transfer.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const taskhost_transfer_t *transfers;
static taskhost_task_t *waiting;
static atomic_ullong began;
/* Files of which it has not been told. */
static atomic_uint left;
static uint32_t session;
static bool is_open;
/* $STATE/seconds, where it says how long it took. */
static char result[4096];

static unsigned long long now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long long)time.tv_sec * 1000000000ull + (unsigned long long)time.tv_nsec;
}

static taskhost_bytes_t bytes(const char *text) { return (taskhost_bytes_t){text, strlen(text)}; }

static void finish(int32_t success) {
    taskhost_task_t *task = waiting;
    waiting = NULL;
    (void)taskhost_complete(task, success);
    taskhost_release(task);
}

static void hear(void *context, const taskhost_transfer_event_t *event) {
    (void)context;
    if (event->sequence != 0) { (void)transfers->acknowledge(event->session, event->sequence); }
    if (event->kind != TASKHOST_TRANSFER_COMPLETED || atomic_load(&left) == 0) { return; }
    if (event->error != 0 || event->status != 200) {
        printf("failed: %" PRId32 ", status %" PRIu32 "\n", event->error, event->status);
        atomic_store(&left, 0);
        return finish(0);
    }
    if (atomic_fetch_sub(&left, 1) > 1) { return; }
    const double seconds = (double)(now() - atomic_load(&began)) / 1e9;
    char fresh[sizeof result + 8];
    (void)snprintf(fresh, sizeof fresh, "%s.new", result);
    FILE *file = fopen(fresh, "w");
    if (file != NULL) {
        (void)fprintf(file, "%.6f\n", seconds);
        (void)fclose(file);
        (void)rename(fresh, result);
    }
    finish(file != NULL);
}

static bool begin(const char *url) {
    taskhost_transfer_request_t request = {
        .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION, .kind = TASKHOST_TRANSFER_DOWNLOAD,
        .flags = TASKHOST_TRANSFER_ALLOWS_EXPENSIVE | TASKHOST_TRANSFER_ALLOWS_CONSTRAINED, .url = bytes(url),
        .earliest = TASKHOST_TRANSFER_AT_ONCE, .expected_send = -1, .expected_receive = -1, .priority = 0.5f};
    uint32_t number = 0;
    char reason[512] = "";
    if (transfers->create(session, &request, &number, reason, sizeof reason) != TASKHOST_OK) {
        printf("%s: %s\n", url, reason);
        return false;
    }
    return transfers->resume(session, number) == TASKHOST_OK;
}

/* Payload: how many, and a URL to which `/0`, `/1` and so on are added. */
static void fetch(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, NULL, NULL);
    unsigned count = 0;
    char prefix[512] = "", reason[512] = "", url[600];
    if (task->payload.bytes == NULL || sscanf(task->payload.bytes, "%u %511s", &count, prefix) != 2 || count == 0) {
        return (void)taskhost_complete(task, 0);
    }
    waiting = taskhost_retain(task);
    if (!is_open) {
        const taskhost_session_options_t options = {
            .struct_size = sizeof options, .abi_version = TASKHOST_ABI_VERSION, .connections_per_host = 32};
        uint32_t next = 0;
        const int32_t status =
            transfers->open("bench", &options, NULL, hear, NULL, &session, &next, reason, sizeof reason);
        if (status != TASKHOST_OK) {
            printf("no session: %" PRId32 " %s\n", status, reason);
            return finish(0);
        }
        is_open = true;
        (void)transfers->replay(session);
    }
    atomic_store(&left, count);
    atomic_store(&began, now());
    for (unsigned i = 0; i < count; i += 1) {
        (void)snprintf(url, sizeof url, "%s/%u", prefix, i);
        if (!begin(url)) { return finish(0); }
    }
}

static int32_t launch(const taskhost_launch_t *launch) {
    const taskhost_scheduling_t *scheduling = launch->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
    transfers = launch->host->get_extension(TASKHOST_TRANSFER_EXTENSION);
    if (scheduling == NULL || transfers == NULL) { return 1; }
    (void)snprintf(result, sizeof result, "%s/seconds", launch->state_directory.bytes);
    for (uint64_t i = 0; i < scheduling->permitted_count; i += 1) {
        (void)scheduling->register_handler(scheduling->permitted[i].identifier.bytes, fetch);
    }
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t), .abi_version = TASKHOST_ABI_VERSION, .launch = launch};
