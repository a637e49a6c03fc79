/*
 * harness: a host of a few hundred lines, in one process and without confinement, that runs one plugin once. It keeps
 * to taskhost.h and knows nothing else of taskhost: so it proves that the header alone describes the interface.
 *
 *   harness [OPTION VALUE]... LIBRARY SYMBOL            calls a handler (way 2)
 *   harness [OPTION VALUE]... LIBRARY --task IDENTIFIER launches the application and runs that task (way 3); it knows
 *                                                       the tasks that differ from it in their last label alone
 *
 *   --settings JSON  --payload TEXT  --state DIR  --cache DIR  --manifest DIR
 *   --wall SECONDS   --grace SECONDS                     the budget (10 and 2)
 *   --expire-after-lines N                               expires when the plugin has logged or progressed N times
 *   --expire-after-looks N                               expires when it has asked should_stop N times
 *
 * Prints a line for everything that happens and `outcome WORD` at the end; exits as `taskhost run` would.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taskhost.h"

#define MAXIMUM_REGISTERED 16

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t references;
    bool completed, success, deferred, returned, warned;
    bool is_calling; /* the expiration handler runs, on `caller` */
    bool called;     /* it was called, which happens once */
    pthread_t caller;
    taskhost_expiration_fn handler;
    void *context;
    uint64_t expired_at, completed_at;
    int lines, expire_after_lines;
    int expire_after_looks;
    struct {
        char identifier[128];
        taskhost_handler_fn handler;
    } registered[MAXIMUM_REGISTERED];
    int registered_count;
    const char *wanted_task;
    bool launching;
} run = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Apart from the rest: read without the lock. */
static atomic_bool has_expired, was_watched;
static atomic_int looks;
static uint64_t deadline;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static _Noreturn void end(const char *outcome, int status) {
    if (run.expired_at != 0 && run.completed_at > run.expired_at) {
        say("reaction-microseconds %" PRIu64, (run.completed_at - run.expired_at) / 1000);
    }
    say("outcome %s", outcome);
    _exit(status);
}

/* ---- The services ---- */

static taskhost_task_t *host_retain(taskhost_task_t *task) {
    pthread_mutex_lock(&run.lock);
    run.references += 1;
    pthread_mutex_unlock(&run.lock);
    return task;
}

static void host_release(taskhost_task_t *task) {
    (void)task;
    pthread_mutex_lock(&run.lock);
    if (run.references == 0) {
        say("diagnostic the task was released more often than it was retained");
    } else {
        run.references -= 1;
    }
    pthread_cond_broadcast(&run.changed);
    pthread_mutex_unlock(&run.lock);
}

static int32_t finish(bool success, bool deferred) {
    pthread_mutex_lock(&run.lock);
    bool first = !run.completed;
    if (first) {
        run.completed = true;
        run.success = success;
        run.deferred = deferred;
        run.completed_at = now();
        pthread_cond_broadcast(&run.changed);
    } else {
        say("diagnostic setTaskCompleted was called more than once");
    }
    pthread_mutex_unlock(&run.lock);
    return first ? TASKHOST_OK : TASKHOST_ALREADY_COMPLETED;
}

static int32_t host_complete(taskhost_task_t *task, int32_t success) {
    (void)task;
    return finish(success != 0, false);
}

static int32_t host_complete_later(taskhost_task_t *task, double seconds) {
    (void)task;
    if (seconds >= 1 && seconds <= 604800) { return finish(false, true); }
    pthread_mutex_lock(&run.lock);
    bool is_over = run.completed;
    if (!is_over) { say("diagnostic a wish to be called again later was refused"); }
    pthread_mutex_unlock(&run.lock);
    return is_over ? TASKHOST_ALREADY_COMPLETED : TASKHOST_INVALID;
}

static double host_time_remaining(taskhost_task_t *task) {
    (void)task;
    uint64_t time = now();
    return time >= deadline ? 0 : (double)(deadline - time) / 1e9;
}

/* Calls the handler without the lock; the lock is held before and after. */
static void call_expiration_handler(void) {
    taskhost_expiration_fn handler = run.handler;
    void *context = run.context;
    if (handler == NULL || run.called || run.completed) { return; }
    run.called = run.is_calling = true;
    run.caller = pthread_self();
    run.references += 1;
    pthread_mutex_unlock(&run.lock);
    handler(context, TASKHOST_REASON_BUDGET);
    pthread_mutex_lock(&run.lock);
    run.references -= 1;
    run.is_calling = false;
    pthread_cond_broadcast(&run.changed);
}

static void host_set_expiration_handler(taskhost_task_t *task, taskhost_expiration_fn handler, void *context) {
    (void)task;
    pthread_mutex_lock(&run.lock);
    while (run.is_calling && !pthread_equal(run.caller, pthread_self())) {
        pthread_cond_wait(&run.changed, &run.lock);
    }
    run.handler = handler;
    run.context = context;
    if (run.warned) { call_expiration_handler(); }
    pthread_mutex_unlock(&run.lock);
}

static uint32_t host_expiration_reason(taskhost_task_t *task) {
    (void)task;
    return atomic_load(&has_expired) ? TASKHOST_REASON_BUDGET : TASKHOST_REASON_NONE;
}

static void *expire_apart(void *unused) {
    (void)unused;
    pthread_mutex_lock(&run.lock);
    call_expiration_handler();
    pthread_mutex_unlock(&run.lock);
    return NULL;
}

/* The warning; the lock is held. */
static void expire(void) {
    if (run.warned || run.completed) { return; }
    run.warned = true;
    run.expired_at = now();
    atomic_store(&has_expired, true);
    say("expired");
    if (run.handler == NULL && !atomic_load(&was_watched)) {
        say("diagnostic no expiration handler was set");
        end("failed", 1);
    }
    pthread_t thread;
    if (run.handler != NULL) {
        if (pthread_create(&thread, NULL, expire_apart, NULL) != 0) { end("refused", 17); }
        pthread_detach(thread);
    }
}

static int32_t host_should_stop(taskhost_task_t *task) {
    (void)task;
    atomic_store(&was_watched, true);
    if (run.expire_after_looks > 0 && atomic_fetch_add(&looks, 1) + 1 == run.expire_after_looks) {
        pthread_mutex_lock(&run.lock);
        expire();
        pthread_mutex_unlock(&run.lock);
    }
    return atomic_load(&has_expired);
}

static void count_line(void) {
    pthread_mutex_lock(&run.lock);
    run.lines += 1;
    /* Here, not on the main thread: the plugin is to see it at its very next look. */
    if (run.lines == run.expire_after_lines) { expire(); }
    pthread_cond_broadcast(&run.changed);
    pthread_mutex_unlock(&run.lock);
}

static int32_t host_progress(taskhost_task_t *task, int64_t completed, int64_t total, const char *text) {
    (void)task;
    if (completed < 0 || total < 0) { return TASKHOST_INVALID; }
    say("progress %" PRId64 " %" PRId64 " %s", completed, total, text == NULL ? "" : text);
    count_line();
    return TASKHOST_OK;
}

static void host_log(taskhost_task_t *task, uint32_t level, const char *text, uint64_t length) {
    (void)task;
    say("log %" PRIu32 " %.*s", level, (int)(length > 4096 ? 4096 : length), text);
    count_line();
}

static const void *host_get_extension(const char *name) {
    (void)name;
    return NULL;
}

static const taskhost_host_t host = {
    .struct_size = sizeof(taskhost_host_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .retain = host_retain,
    .release = host_release,
    .complete = host_complete,
    .should_stop = host_should_stop,
    .time_remaining = host_time_remaining,
    .set_expiration_handler = host_set_expiration_handler,
    .expiration_reason = host_expiration_reason,
    .progress = host_progress,
    .log = host_log,
    .get_extension = host_get_extension,
    .complete_later = host_complete_later,
};

/* ---- One run ---- */

static taskhost_bytes_t text(const char *value) {
    taskhost_bytes_t bytes = {value, value == NULL ? 0 : strlen(value)};
    return bytes;
}

static taskhost_task_t task = {
    .struct_size = sizeof(taskhost_task_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .host = &host,
    .kind = TASKHOST_KIND_PROCESSING,
    .attempt = 1,
};
static taskhost_handler_fn handler_to_run;

static void *run_handler(void *unused) {
    (void)unused;
    handler_to_run(&task);
    pthread_mutex_lock(&run.lock);
    run.returned = true;
    if (run.references > 0) { run.references -= 1; }
    pthread_cond_broadcast(&run.changed);
    pthread_mutex_unlock(&run.lock);
    return NULL;
}

/* Waits for a change, at most until `time`; the lock is held. */
static void wait_until(uint64_t time) {
    struct timespec until = {(time_t)(time / 1000000000u), (long)(time % 1000000000u)};
    pthread_cond_timedwait(&run.changed, &run.lock, &until);
}

static _Noreturn void supervise(uint64_t warning) {
    pthread_mutex_lock(&run.lock);
    for (;;) {
        uint64_t time = now();
        if (run.completed && (run.returned || time >= deadline) && (run.references == 0 || time >= deadline)) {
            if (!run.returned) { say("diagnostic the handler did not return"); }
            if (run.deferred) { end("deferred", 75); }
            if (run.warned) { end("expired", 10); }
            end(run.success ? "succeeded" : "failed", run.success ? 0 : 1);
        }
        if (!run.completed && run.references == 0) { end("unreported", 15); }
        if (time >= deadline) { end("overran", 11); }
        if (time >= warning) { expire(); }
        wait_until(run.warned || run.completed ? deadline : warning);
    }
}

/* ---- Launching an application ---- */

static int32_t register_handler(void *registry, const char *identifier, taskhost_handler_fn handler) {
    if (registry != &run || !run.launching || run.registered_count == MAXIMUM_REGISTERED) { return TASKHOST_INVALID; }
    const char *last = strrchr(run.wanted_task, '.');
    size_t prefix = last == NULL ? 0 : (size_t)(last - run.wanted_task) + 1;
    if (strncmp(identifier, run.wanted_task, prefix) != 0) { return TASKHOST_UNKNOWN; }
    for (int i = 0; i < run.registered_count; i += 1) {
        if (strcmp(run.registered[i].identifier, identifier) == 0) { return TASKHOST_INVALID; }
    }
    snprintf(run.registered[run.registered_count].identifier, 128, "%s", identifier);
    run.registered[run.registered_count++].handler = handler;
    say("registered %s", identifier);
    return TASKHOST_OK;
}

static taskhost_handler_fn launch(void *library) {
    const taskhost_application_t *application = dlsym(library, TASKHOST_APPLICATION_SYMBOL);
    if (application == NULL) { say("diagnostic no %s", TASKHOST_APPLICATION_SYMBOL); end("refused", 17); }
    if (application->abi_version != TASKHOST_ABI_VERSION || application->struct_size < 16 ||
        application->launch == NULL) {
        say("diagnostic the application has ABI %" PRIu32 ", %" PRIu32 " bytes", application->abi_version,
            application->struct_size);
        end("refused", 17);
    }
    taskhost_launch_t argument = {
        .struct_size = sizeof(taskhost_launch_t),
        .abi_version = TASKHOST_ABI_VERSION,
        .host = &host,
        .application = text("org.taskhost.harness"),
        .state_directory = task.state_directory,
        .cache_directory = task.cache_directory,
        .manifest_directory = task.manifest_directory,
        .registry = &run,
        .register_handler = register_handler,
    };
    run.launching = true;
    int32_t code = application->launch(&argument);
    run.launching = false;
    if (code != 0) { say("diagnostic launch returned %" PRId32, code); end("refused", 17); }
    for (int i = 0; i < run.registered_count; i += 1) {
        if (strcmp(run.registered[i].identifier, run.wanted_task) == 0) { return run.registered[i].handler; }
    }
    say("diagnostic no handler was registered for %s", run.wanted_task);
    end("refused", 17);
}

static _Noreturn void usage(void) {
    fputs("harness [OPTION VALUE]... LIBRARY SYMBOL | LIBRARY --task IDENTIFIER\n", stderr);
    exit(64);
}

int main(int count, char **arguments) {
    double wall = 10, grace = 2;
    task.identifier = text("org.taskhost.harness.task");
    task.run = text("01ARZ3NDEKTSV4RRFFQ69G5FAV");
    task.settings = text("{}");
    task.state_directory = task.cache_directory = task.manifest_directory = text("/nonexistent");
    int i = 1;
    for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
        const char *option = arguments[i], *value = arguments[i + 1];
        if (strcmp(option, "--settings") == 0) { task.settings = text(value); }
        else if (strcmp(option, "--payload") == 0) { task.payload = text(value); }
        else if (strcmp(option, "--state") == 0) { task.state_directory = text(value); }
        else if (strcmp(option, "--cache") == 0) { task.cache_directory = text(value); }
        else if (strcmp(option, "--manifest") == 0) { task.manifest_directory = text(value); }
        else if (strcmp(option, "--wall") == 0) { wall = atof(value); }
        else if (strcmp(option, "--grace") == 0) { grace = atof(value); }
        else if (strcmp(option, "--expire-after-lines") == 0) { run.expire_after_lines = atoi(value); }
        else if (strcmp(option, "--expire-after-looks") == 0) { run.expire_after_looks = atoi(value); }
        else { usage(); }
    }
    if (count - i != 2 && !(count - i == 3 && strcmp(arguments[i + 1], "--task") == 0)) { usage(); }

    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run.changed, &attributes);

    void *library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { say("diagnostic %s", dlerror()); end("refused", 17); }
    if (count - i == 3) {
        run.wanted_task = arguments[i + 2];
        task.identifier = text(run.wanted_task);
        handler_to_run = launch(library);
    } else {
        void *symbol = dlsym(library, arguments[i + 1]);
        if (symbol == NULL) { say("diagnostic %s", dlerror()); end("refused", 17); }
        memcpy(&handler_to_run, &symbol, sizeof symbol);
    }

    uint64_t start = now();
    deadline = task.deadline = start + (uint64_t)(wall * 1e9);
    run.references = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_handler, NULL) != 0) { end("refused", 17); }
    supervise(start + (uint64_t)((wall - grace) * 1e9));
}
