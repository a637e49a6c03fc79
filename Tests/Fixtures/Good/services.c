/*
 * An application that calls the services of taskhost_scheduling.h on command: by the lines of $STATE/launch while it
 * launches, by the lines of its payload in a run. It prints a line for everything that comes back. `in-thread COMMAND`
 * runs a command on a separate thread and waits for it; `beside COMMAND` does not wait.
 * With SERVICES_RUN_MAIN it keeps the main thread for its own loop.
 */
#include "../fixture.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "taskhost_scheduling.h"

static const taskhost_launch_t *launched;
static const taskhost_scheduling_t *scheduling;
static const taskhost_lifecycle_t *lifecycle;
static atomic_int launching;
/* Its callbacks take their time. */
static bool lingers;

static void say(const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0) { return; }
    if (length > (int)sizeof line - 2) { length = sizeof line - 2; }
    line[length] = '\n';
    ssize_t written = write(1, line, (size_t)length + 1);
    (void)written;
}

static const char *thread(void) { return syscall(SYS_gettid) == getpid() ? "main" : "other"; }

static taskhost_bytes_t bytes(const char *text) { return (taskhost_bytes_t){text, strlen(text)}; }

static uint64_t microseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Runs that were started and are to be ended by an expiration. */
static void expired(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    say("run expired %" PRIu32, reason);
    (void)taskhost_complete(task, 0);
    taskhost_release(task);
}

/* Says that it was called, and leaves the run as it is. */
static void noticed(void *context, uint32_t reason) {
    (void)context;
    say("run noticed %" PRIu32, reason);
}

/* A task that is used after its end, without a reference. */
static taskhost_task_t *kept;

static void perform(taskhost_task_t *task, char *line);

static void handle(taskhost_task_t *task) {
    taskhost_bytes_t title = {0}, subtitle = {0};
    int32_t titled = scheduling->title(task, &title, &subtitle);
    say("run %s titled %" PRId32 " [%s] [%s] settings %s", task->identifier.bytes, titled,
        title.bytes ? title.bytes : "", subtitle.bytes ? subtitle.bytes : "", task->settings.bytes);
    char *commands = strdup(task->payload.bytes), *rest = commands;
    bool completes = true;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (strcmp(line, "stay") == 0) {
            completes = false;
            taskhost_set_expiration_handler(task, expired, taskhost_retain(task));
        } else if (strcmp(line, "stay-whatever-comes") == 0) {
            completes = false;
            kept = taskhost_retain(task);
            taskhost_set_expiration_handler(task, noticed, NULL);
            say("staying");
        } else {
            perform(task, line);
        }
    }
    free(commands);
    if (completes) { (void)taskhost_complete(task, 1); }
}

static void handle_again(taskhost_task_t *task) {
    say("the new handler ran %s", task->identifier.bytes);
    (void)taskhost_complete(task, 1);
}

static void show(void *context, const taskhost_request_t *request) {
    say("pending %s kind %" PRIu32 " flags %" PRIu32 " earliest %" PRId64 " [%s] [%s] resources %" PRIu32 " %s",
        request->identifier.bytes, request->kind, request->flags, request->earliest, request->title.bytes,
        request->subtitle.bytes, request->resources, (const char *)context);
}

static void network_changed(uint32_t network) { say("network %" PRIu32, network); }
static void suspension_ended(void) { say("continues"); }

static void assertion_expired(void *context) {
    uint64_t id = *(uint64_t *)context;
    say("assertion %" PRIu64 " expired on %s", id, thread());
    say("ended %" PRId32, lifecycle->end_assertion(id));
}

/* Works until it is asked to stop. */
static atomic_int finished;
static void activity(void *context, int32_t expired) {
    say("activity %s expired %" PRId32 " on %s", (const char *)context, expired, thread());
    if (expired) {
        finished = 1;
    } else {
        while (!finished) { sleep_milliseconds(1); }
    }
    say("activity over %" PRId32, expired);
}

static void submit(char *words, uint64_t capacity) {
    char identifier[512] = "", title[512] = "", subtitle[512] = "";
    uint32_t kind = 0, flags = 0, resources = 0;
    int64_t earliest = 0;
    (void)sscanf(
        words, "%511s %" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNu32 " %511s %511s", identifier, &kind, &flags, &earliest,
        &resources, title, subtitle);
    taskhost_request_t request = {
        .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION, .identifier = bytes(identifier),
        .kind = kind, .flags = flags, .earliest = earliest, .title = bytes(title), .subtitle = bytes(subtitle),
        .resources = resources,
    };
    char reason[256] = "untouched";
    uint64_t began = microseconds();
    int32_t code = scheduling->submit(&request, capacity > 0 ? reason : NULL, capacity);
    say("submitted %s code %" PRId32 " reason [%s] in %" PRIu64 " us", identifier, code, reason,
        microseconds() - began);
}

static void *perform_beside(void *line) {
    perform(NULL, line);
    free(line);
    return NULL;
}

static bool is(const char *line, const char *command, char **words) {
    size_t length = strlen(command);
    if (strncmp(line, command, length) != 0 || (line[length] != 0 && line[length] != ' ')) { return false; }
    *words = (char *)line + length + (line[length] == ' ');
    return true;
}

static void perform(taskhost_task_t *task, char *line) {
    char *words;
    pthread_t other;
    if (is(line, "in-thread", &words)) {
        if (pthread_create(&other, NULL, perform_beside, strdup(words)) == 0) { (void)pthread_join(other, NULL); }
    } else if (is(line, "beside", &words)) {
        if (pthread_create(&other, NULL, perform_beside, strdup(words)) == 0) { (void)pthread_detach(other); }
    } else if (is(line, "submit", &words)) {
        submit(words, 256);
    } else if (is(line, "submit-briefly", &words)) {
        submit(words, 8);
    } else if (is(line, "submit-silently", &words)) {
        submit(words, 0);
    } else if (is(line, "submit-small", &words)) {
        struct { uint32_t size, version; } small = {8, TASKHOST_ABI_VERSION};
        char reason[256] = "";
        int32_t code = scheduling->submit((const taskhost_request_t *)(const void *)&small, reason, sizeof reason);
        say("small code %" PRId32 " [%s]", code, reason);
    } else if (is(line, "cancel", &words)) {
        scheduling->cancel(words);
        say("cancelled");
    } else if (is(line, "cancel-all", &words)) {
        scheduling->cancel(NULL);
        say("cancelled all");
    } else if (is(line, "pending", &words)) {
        scheduling->pending(show, "shown");
        say("listed");
    } else if (is(line, "report", &words)) {
        scheduling->report(words);
    } else if (is(line, "register", &words)) {
        say("registered %" PRId32, scheduling->register_handler(words, handle));
    } else if (is(line, "register-again", &words)) {
        say("registered %" PRId32, scheduling->register_handler(words, handle_again));
    } else if (is(line, "register-at-launch", &words)) {
        say("registered %" PRId32, launched->register_handler(launched->registry, words, handle));
    } else if (is(line, "permitted", &words)) {
        for (uint64_t i = 0; i < scheduling->permitted_count; i += 1) {
            say("permits %s kind %" PRIu32, scheduling->permitted[i].identifier.bytes, scheduling->permitted[i].kind);
        }
        say("flags %" PRIu32 " resources %" PRIu32, scheduling->flags, scheduling->supported_resources);
    } else if (is(line, "update-title", &words)) {
        char *title = strsep(&words, "|");
        say("updated %" PRId32, task ? scheduling->update_title(task, title, words ? words : "") : -1);
    } else if (is(line, "state", &words)) {
        say("in state %" PRIu32 " refresh %" PRIu32 " remaining %g", lifecycle->state(),
            lifecycle->background_refresh(), lifecycle->background_time_remaining());
    } else if (is(line, "begin", &words)) {
        uint64_t *id = malloc(sizeof *id);
        *id = lifecycle->begin_assertion(words, assertion_expired, id);
        say("began %" PRIu64, *id);
    } else if (is(line, "begin-silently", &words)) {
        say("began %" PRIu64, lifecycle->begin_assertion(words[0] ? words : NULL, NULL, NULL));
    } else if (is(line, "perform", &words)) {
        say("performing %" PRId32, lifecycle->perform_expiring_activity(words, activity, "context"));
    } else if (is(line, "finish-activity", &words)) {
        finished = 1;
    } else if (is(line, "linger", &words)) {
        lingers = true;
    } else if (is(line, "open", &words)) {
        say("open %" PRIu32, lifecycle->open_assertions());
    } else if (is(line, "fetch-interval", &words)) {
        say("interval %" PRId32, lifecycle->set_minimum_fetch_interval(strtod(words, NULL)));
    } else if (is(line, "watch", &words)) {
        int32_t network = lifecycle->watch_network(network_changed);
        say("watching %" PRId32 " %" PRId32, network, lifecycle->watch_suspension(suspension_ended));
    } else if (is(line, "complete-event", &words)) {
        say("event %" PRId32, task ? lifecycle->complete_event(task, (uint32_t)strtoul(words, NULL, 10)) : -1);
    } else if (is(line, "begin-many", &words)) {
        int held = 0;
        while (lifecycle->begin_assertion(NULL, NULL, NULL) != 0) { held += 1; }
        say("began %d in all", held);
    } else if (is(line, "end", &words)) {
        say("ended %" PRId32, lifecycle->end_assertion(strtoull(words, NULL, 10)));
    } else if (is(line, "progress-to", &words)) {
        int64_t most = strtoll(words, NULL, 10);
        for (int64_t done = 1; done <= most; done += 1) { (void)taskhost_progress(task, done, most, "so far"); }
    } else if (is(line, "print", &words)) {
        /* Without an end of line: it stays in the C library's buffer. */
        (void)printf("%s", words);
    } else if (is(line, "keep", &words)) {
        kept = task;
    } else if (is(line, "complete-kept", &words)) {
        say("kept %" PRId32, taskhost_complete(kept, 0));
    } else if (is(line, "expect-kept", &words)) {
        taskhost_set_expiration_handler(kept, noticed, NULL);
        say("expected");
    } else if (is(line, "extension", &words)) {
        say("extension %s", launched->host->get_extension(words) ? "found" : "missing");
    } else if (is(line, "sleep", &words)) {
        sleep_milliseconds(strtol(words, NULL, 10));
    } else if (line[0] != 0) {
        say("no such command: %s", line);
    }
}

static int32_t launch(const taskhost_launch_t *launch) {
    launched = launch;
    scheduling = launch->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    if (scheduling == NULL || lifecycle == NULL) { return 1; }
    char path[4200];
    snprintf(path, sizeof path, "%s/launch", launch->state_directory.bytes);
    FILE *script = fopen(path, "re");
    char line[1024];
    launching = 1;
    while (script != NULL && fgets(line, sizeof line, script) != NULL) {
        line[strcspn(line, "\n")] = 0;
        perform(NULL, line);
    }
    if (script != NULL) { (void)fclose(script); }
    launching = 0;
    say("launched on %s", thread());
    return 0;
}

static void state_changed(uint32_t state) {
    say("changed to %" PRIu32 " while %" PRIu32 " on %s%s", state, lifecycle->state(), thread(),
        launching ? " in launch" : "");
}

static void will_terminate(void) { say("terminating on %s", thread()); }

static const char *const events[] = {
    [TASKHOST_EVENT_DID_BECOME_ACTIVE] = "didBecomeActive",
    [TASKHOST_EVENT_WILL_RESIGN_ACTIVE] = "willResignActive",
    [TASKHOST_EVENT_DID_ENTER_BACKGROUND] = "didEnterBackground",
    [TASKHOST_EVENT_WILL_ENTER_FOREGROUND] = "willEnterForeground",
    [TASKHOST_EVENT_WILL_TERMINATE] = "willTerminate",
    [TASKHOST_EVENT_PERFORM_FETCH] = "performFetch",
    [TASKHOST_EVENT_REMOTE_NOTIFICATION] = "didReceiveRemoteNotification",
};

/* A fetch or a remote notification performs the lines of its payload. */
static void event(const taskhost_event_t *event) {
    say("event %s in %" PRIu32 " of %" PRIu32 " bytes on %s", events[event->kind], event->state, event->struct_size,
        thread());
    if (lingers) {
        sleep_milliseconds(100);
        say("lingered");
    }
    if (event->task == NULL) { return; }
    char *commands = strdup(event->task->payload.bytes), *rest = commands;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) { perform(event->task, line); }
    free(commands);
}

#ifdef SERVICES_RUN_MAIN
static void run_main(void) {
    say("running main on %s", thread());
    sleep_forever();
}
#endif

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .state_changed = state_changed,
    .will_terminate = will_terminate,
#ifdef SERVICES_RUN_MAIN
    .run_main = run_main,
#endif
    .event = event,
};
