/*
 * application-harness: plays the worker for one application, with task requests, application states and background time,
 * in one process and without confinement, and a background session without transfers. It keeps to the public headers.
 *
 *   application-harness [OPTION VALUE]... LIBRARY [STEP]...
 *
 *   --permit KIND:IDENTIFIER     an identifier of the manifest (repeat)
 *   --strict 0|1                 misuse ends the process (1)
 *   --resources N                supported resources (0)
 *   --state N                    the application's state at launch (1, inactive)
 *   --folder PATH                the application's folders (/tmp)
 *   --tell 0                     the steps send the first state (1: it is sent before them)
 *   --no-extensions 1            a host that has no extension
 *   --old-host 1                 a host from before complete_later, background fetch and remote notifications
 *   --background SECONDS         background time, of which each look at what is left takes a second; it stops when
 *                                5 seconds are left until `assertions` (29, and stops)
 *   --name NAME, --version V     of the manifest (none)
 *   --scene CLASS                of the manifest (none)
 *   --sdk N                      of the manifest (26)
 *   --mode WORD                  a background mode of the manifest (repeat)
 *   --known URL                  a download of an earlier life (repeat)
 *   --in-use 1                   another process has the session
 *
 * Steps, one after the other, once launch has ended; the main thread is the application's:
 *   run=IDENTIFIER          starts a run         expire=IDENTIFIER/REASON   warns its run
 *   end=IDENTIFIER          waits until it was completed or dropped
 *   state=N                 changes the application's state
 *   text=TEXT               waits until a line that this program prints contains TEXT
 *   code=N                  the next submit is refused with code N
 *   assertions=1            background time is about to end
 *   fetch=NAME              a background fetch    push=PAYLOAD    a remote notification
 *   session=IDENTIFIER      a session's events    told=KIND:NUMBER:VALUE    one of them, as tell_transfer() takes it
 *   terminate=1             the process is about to end
 *
 * Prints a line for everything that happens. Leaves with 0 after the last step, 3 when a wait takes more than 20 seconds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "taskhost.h"
#include "taskhost_scheduling.h"
#include "taskhost_transfer.h"

#define MAXIMUM 32
#define PATIENCE_SECONDS 20

struct run {
    taskhost_task_t task; /* first: the plugin gets its address */
    char identifier[128], id[27];
    taskhost_handler_fn handler;
    int references;
    bool in_use, completed, ended, expired, called;
    uint32_t reason;
    taskhost_expiration_fn on_expiration;
    void *context;
};
struct request {
    char identifier[128], title[128], subtitle[128];
    taskhost_request_t request;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct run runs[MAXIMUM];
static struct request requests[MAXIMUM];
static int request_count;
static struct { char identifier[128]; taskhost_handler_fn handler; } handlers[MAXIMUM];
static int handler_count;
static taskhost_permitted_t permitted[MAXIMUM];
static int permitted_count;
static char *said[4096];
static int said_count;
static uint32_t state = TASKHOST_STATE_INACTIVE;
static int next_code;
static bool has_extensions = true, is_telling = true;
static char *folder = "/tmp";

static _Noreturn void leave(int status) {
    fflush(NULL);
    _exit(status);
}

/* Prints a line and remembers it for the steps that wait for one. The lock is held. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *line = NULL;
    if (vasprintf(&line, format, arguments) < 0 || said_count == 4096) { leave(70); }
    va_end(arguments);
    puts(line);
    fflush(stdout);
    said[said_count++] = line;
    pthread_cond_broadcast(&changed);
}

static taskhost_bytes_t text(const char *value) {
    taskhost_bytes_t bytes = {value, value == NULL ? 0 : strlen(value)};
    return bytes;
}

/* ---- The services of every run ---- */

static struct run *run_of(taskhost_task_t *task) { return (struct run *)task; }

static taskhost_task_t *host_retain(taskhost_task_t *task) {
    pthread_mutex_lock(&lock);
    run_of(task)->references += 1;
    pthread_mutex_unlock(&lock);
    return task;
}

static void host_release(taskhost_task_t *task) {
    pthread_mutex_lock(&lock);
    struct run *run = run_of(task);
    run->references -= 1;
    if (run->references < 0) { say("over-released %s", run->identifier); }
    if (run->references == 0) {
        if (!run->completed) { say("unreported %s", run->identifier); }
        run->ended = true;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
}

static int32_t host_complete(taskhost_task_t *task, int32_t success) {
    pthread_mutex_lock(&lock);
    struct run *run = run_of(task);
    bool first = !run->completed;
    run->completed = true;
    if (first) {
        say("completed %s %s", run->identifier, success ? "success" : "failure");
    } else {
        say("completed-twice %s", run->identifier);
    }
    pthread_mutex_unlock(&lock);
    return first ? TASKHOST_OK : TASKHOST_ALREADY_COMPLETED;
}

static int32_t host_complete_later(taskhost_task_t *task, double seconds) {
    pthread_mutex_lock(&lock);
    struct run *run = run_of(task);
    bool first = !run->completed, good = seconds >= 1 && seconds <= 604800;
    if (first && good) {
        run->completed = true;
        say("deferred %s %g", run->identifier, seconds);
    } else {
        say("%s %s", first ? "refused-deferral" : "completed-twice", run->identifier);
    }
    pthread_mutex_unlock(&lock);
    return !first ? TASKHOST_ALREADY_COMPLETED : good ? TASKHOST_OK : TASKHOST_INVALID;
}

static int32_t host_should_stop(taskhost_task_t *task) { return run_of(task)->expired; }
static double host_time_remaining(taskhost_task_t *task) { (void)task; return 30; }
static uint32_t host_expiration_reason(taskhost_task_t *task) { return run_of(task)->reason; }

static void host_set_expiration_handler(taskhost_task_t *task, taskhost_expiration_fn handler, void *context) {
    pthread_mutex_lock(&lock);
    struct run *run = run_of(task);
    run->on_expiration = handler;
    run->context = context;
    bool now = handler != NULL && run->expired && !run->called && !run->completed;
    run->called = run->called || now;
    uint32_t reason = run->reason;
    pthread_mutex_unlock(&lock);
    if (now) { handler(context, reason); }
}

static int32_t host_progress(taskhost_task_t *task, int64_t completed, int64_t total, const char *words) {
    pthread_mutex_lock(&lock);
    say("progress %s %" PRId64 "/%" PRId64 "%s%s", run_of(task)->identifier, completed, total,
        words == NULL ? "" : " ", words == NULL ? "" : words);
    pthread_mutex_unlock(&lock);
    return TASKHOST_OK;
}

static void host_log(taskhost_task_t *task, uint32_t level, const char *line, uint64_t length) {
    pthread_mutex_lock(&lock);
    say("log %s %" PRIu32 " %.*s", run_of(task)->identifier, level, (int)length, line);
    pthread_mutex_unlock(&lock);
}

/* ---- Task requests ---- */

static double seconds_until(int64_t date) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)date / 1e9 - (double)now.tv_sec - (double)now.tv_nsec / 1e9;
}

static int32_t scheduling_register(const char *identifier, taskhost_handler_fn handler) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < handler_count && strcmp(handlers[i].identifier, identifier) != 0) { i += 1; }
    if (i == MAXIMUM) { leave(70); }
    if (i == handler_count) { handler_count += 1; }
    snprintf(handlers[i].identifier, 128, "%s", identifier);
    handlers[i].handler = handler;
    say("registered %s", identifier);
    pthread_mutex_unlock(&lock);
    return TASKHOST_OK;
}

static int32_t launch_register(void *registry, const char *identifier, taskhost_handler_fn handler) {
    (void)registry;
    for (int i = 0; i < permitted_count; i += 1) {
        if (strcmp(permitted[i].identifier.bytes, identifier) == 0) { return scheduling_register(identifier, handler); }
    }
    return TASKHOST_UNKNOWN;
}

static uint32_t kind_of(const char *identifier);

static int32_t scheduling_submit(const taskhost_request_t *request, char *reason, uint64_t capacity) {
    pthread_mutex_lock(&lock);
    int code = next_code;
    next_code = 0;
    if (kind_of(request->identifier.bytes) == 0) {
        code = 3;
        snprintf(reason, capacity, "no manifest permits it");
    } else if (code != 0) {
        snprintf(reason, capacity, "refused by script; try code 0");
        say("refused %s", request->identifier.bytes);
    } else {
        int i = 0;
        while (i < request_count && strcmp(requests[i].identifier, request->identifier.bytes) != 0) { i += 1; }
        if (i == MAXIMUM) { leave(70); }
        if (i == request_count) { request_count += 1; }
        struct request *kept = &requests[i];
        snprintf(kept->identifier, 128, "%s", request->identifier.bytes);
        snprintf(kept->title, 128, "%.*s", (int)request->title.length, request->title.bytes);
        snprintf(kept->subtitle, 128, "%.*s", (int)request->subtitle.length, request->subtitle.bytes);
        kept->request = *request;
        kept->request.identifier = text(kept->identifier);
        kept->request.title = text(kept->title);
        kept->request.subtitle = text(kept->subtitle);
        say("submitted %s kind=%" PRIu32 " flags=%" PRIu32 " in=%.0f title=%s resources=%" PRIu32, kept->identifier,
            request->kind, request->flags,
            request->flags & TASKHOST_REQUEST_HAS_EARLIEST ? seconds_until(request->earliest) : 0,
            kept->title, request->resources);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static void scheduling_cancel(const char *identifier) {
    pthread_mutex_lock(&lock);
    int kept = 0;
    for (int i = 0; i < request_count; i += 1) {
        if (identifier == NULL || strcmp(requests[i].identifier, identifier) == 0) { continue; }
        requests[kept] = requests[i];
        requests[kept].request.identifier = text(requests[kept].identifier);
        requests[kept].request.title = text(requests[kept].title);
        requests[kept].request.subtitle = text(requests[kept].subtitle);
        kept += 1;
    }
    request_count = kept;
    say("cancelled %s", identifier == NULL ? "all" : identifier);
    pthread_mutex_unlock(&lock);
}

static void scheduling_pending(taskhost_pending_fn each, void *context) {
    static _Thread_local struct request listed[MAXIMUM]; /* what `each` calls takes the lock */
    pthread_mutex_lock(&lock);
    int listed_count = request_count;
    memcpy(listed, requests, sizeof listed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < listed_count; i += 1) { each(context, &listed[i].request); }
}

static void scheduling_report(const char *sentence) {
    pthread_mutex_lock(&lock);
    say("report %s", sentence);
    pthread_mutex_unlock(&lock);
}

static int32_t scheduling_update_title(taskhost_task_t *task, const char *title, const char *subtitle) {
    pthread_mutex_lock(&lock);
    say("title %s %s|%s", run_of(task)->identifier, title, subtitle);
    pthread_mutex_unlock(&lock);
    return TASKHOST_OK;
}

static taskhost_scheduling_t scheduling = {
    .struct_size = sizeof(taskhost_scheduling_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .flags = TASKHOST_SCHEDULING_STRICT,
    .permitted = permitted,
    .register_handler = scheduling_register,
    .submit = scheduling_submit,
    .cancel = scheduling_cancel,
    .pending = scheduling_pending,
    .report = scheduling_report,
    .update_title = scheduling_update_title,
};

#include "application-harness-lifecycle.h"

static taskhost_bytes_t modes[MAXIMUM];
static taskhost_information_t information = {
    .struct_size = sizeof(taskhost_information_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .background_modes = modes,
    .memory = 512ull << 20,
    .sdk = 26,
};

static void notifications_note(const char *sentence) {
    pthread_mutex_lock(&lock);
    say("note %s", sentence);
    pthread_mutex_unlock(&lock);
}
static const taskhost_notifications_t notifications = {
    .struct_size = sizeof(taskhost_notifications_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .note = notifications_note,
};

#include "application-harness-transfers.h"

static const void *host_get_extension(const char *name) {
    if (has_extensions && strcmp(name, TASKHOST_TRANSFER_EXTENSION) == 0) { return &transfers; }
    if (has_extensions && strcmp(name, TASKHOST_SCHEDULING_EXTENSION) == 0) { return &scheduling; }
    if (has_extensions && strcmp(name, TASKHOST_LIFECYCLE_EXTENSION) == 0) { return &lifecycle; }
    if (has_extensions && strcmp(name, TASKHOST_INFORMATION_EXTENSION) == 0) { return &information; }
    if (has_extensions && strcmp(name, TASKHOST_NOTIFICATIONS_EXTENSION) == 0) { return &notifications; }
    return NULL;
}

static taskhost_host_t host = {
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

/* ---- Steps ---- */

static uint32_t kind_of(const char *identifier) {
    for (int i = 0; i < permitted_count; i += 1) {
        const char *pattern = permitted[i].identifier.bytes;
        size_t length = permitted[i].identifier.length;
        if (strcmp(pattern, identifier) == 0) { return permitted[i].kind; }
        if (pattern[length - 1] == '*' && strncmp(pattern, identifier, length - 1) == 0) { return permitted[i].kind; }
    }
    return 0;
}

static void *run_handler(void *argument) {
    struct run *run = argument;
    run->handler(&run->task);
    host_release(&run->task);
    return NULL;
}

static struct run *make_run(const char *identifier, uint32_t kind, const char *payload) {
    struct run *run = NULL;
    for (int i = 0; i < MAXIMUM && run == NULL; i += 1) {
        if (!runs[i].in_use) { run = &runs[i]; }
    }
    if (run == NULL) { leave(70); }
    snprintf(run->identifier, 128, "%s", identifier);
    snprintf(run->id, 27, "01ARZ3NDEKTSV4RRFFQ69G5F%02d", (int)(run - runs));
    run->in_use = true;
    run->references = 1;
    run->task = (taskhost_task_t){
        .struct_size = sizeof(taskhost_task_t),
        .abi_version = TASKHOST_ABI_VERSION,
        .host = &host,
        .identifier = text(run->identifier),
        .run = text(run->id),
        .settings = text("{\"size\":3}"),
        .payload = text(payload),
        .state_directory = text(folder),
        .cache_directory = text(folder),
        .manifest_directory = text(folder),
        .kind = kind,
        .attempt = 2,
    };
    return run;
}

static void start_run(const char *identifier) {
    taskhost_handler_fn handler = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < handler_count; i += 1) {
        if (strcmp(handlers[i].identifier, identifier) == 0) { handler = handlers[i].handler; }
    }
    pthread_mutex_unlock(&lock);
    if (handler == NULL) {
        printf("no handler for %s\n", identifier);
        leave(17);
    }
    struct run *run = make_run(identifier, kind_of(identifier), "payload");
    run->handler = handler;
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_handler, run) != 0) { leave(70); }
    pthread_detach(thread);
}

/* The newest run of an identifier. */
static struct run *newest(const char *identifier) {
    for (int i = MAXIMUM - 1; i >= 0; i -= 1) {
        if (runs[i].in_use && strcmp(runs[i].identifier, identifier) == 0) { return &runs[i]; }
    }
    printf("no run of %s\n", identifier);
    leave(70);
}

static void expire(char *argument) {
    char *slash = strchr(argument, '/');
    uint32_t reason = TASKHOST_REASON_BUDGET;
    if (slash != NULL) {
        *slash = 0;
        reason = (uint32_t)atoi(slash + 1);
    }
    struct run *run = newest(argument);
    pthread_mutex_lock(&lock);
    run->expired = true;
    run->reason = reason;
    say("expired %s", run->identifier);
    taskhost_expiration_fn handler = run->completed || run->called ? NULL : run->on_expiration;
    void *context = run->context;
    run->called = run->called || handler != NULL;
    if (handler == NULL && !run->completed) {
        run->completed = true;
        say("no-expiration-handler %s", run->identifier);
    }
    pthread_mutex_unlock(&lock);
    if (handler != NULL) { handler(context, reason); }
}

static void wait_for(const char *identifier, const char *words) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_SECONDS;
    pthread_mutex_lock(&lock);
    for (;;) {
        bool found = identifier != NULL && (newest(identifier)->ended || newest(identifier)->completed);
        for (int i = 0; i < said_count && words != NULL; i += 1) { found = found || strstr(said[i], words) != NULL; }
        if (found) { break; }
        if (pthread_cond_timedwait(&changed, &lock, &until) != 0) {
            printf("waited in vain for %s\n", identifier == NULL ? words : identifier);
            leave(3);
        }
    }
    pthread_mutex_unlock(&lock);
}

static const taskhost_application_t *application;
static char **steps;

static void change_state(uint32_t new) {
    pthread_mutex_lock(&lock);
    state = new;
    background_left = background_time;
    is_warned = false;
    pthread_mutex_unlock(&lock);
    if (application->state_changed != NULL) { application->state_changed(new); }
}

static void call_event(uint32_t kind, const char *payload) {
    bool is_fetch = kind == TASKHOST_EVENT_PERFORM_FETCH;
    struct run *run =
        make_run(is_fetch ? "com.ex.app:fetch" : "com.ex.app:push",
                 is_fetch ? TASKHOST_KIND_BACKGROUND_FETCH : TASKHOST_KIND_REMOTE_NOTIFICATION, payload);
    taskhost_event_t event = {
        .struct_size = sizeof(taskhost_event_t),
        .abi_version = TASKHOST_ABI_VERSION,
        .kind = kind,
        .state = state,
        .task = &run->task,
        .payload = run->task.payload,
    };
    application->event(&event);
    host_release(&run->task);
}

static void call_for_session(const char *identifier) {
    const taskhost_event_t event = {
        .struct_size = sizeof(taskhost_event_t), .abi_version = TASKHOST_ABI_VERSION,
        .kind = TASKHOST_EVENT_HANDLE_SESSION_EVENTS, .state = state, .payload = text(identifier)};
    application->event(&event);
}

static void *take_steps(void *unused) {
    (void)unused;
    if (is_telling) { change_state(state); }
    for (; *steps != NULL; steps += 1) {
        char *value = strchr(*steps, '=');
        if (value == NULL) { leave(64); }
        *value++ = 0;
        if (strcmp(*steps, "run") == 0) { start_run(value); }
        else if (strcmp(*steps, "end") == 0) { wait_for(value, NULL); }
        else if (strcmp(*steps, "text") == 0) { wait_for(NULL, value); }
        else if (strcmp(*steps, "expire") == 0) { expire(value); }
        else if (strcmp(*steps, "code") == 0) { next_code = atoi(value); }
        else if (strcmp(*steps, "terminate") == 0) { application->will_terminate(); }
        else if (strcmp(*steps, "state") == 0) { change_state((uint32_t)atoi(value)); }
        else if (strcmp(*steps, "assertions") == 0) { warn_assertions(); }
        else if (strcmp(*steps, "fetch") == 0) { call_event(TASKHOST_EVENT_PERFORM_FETCH, ""); }
        else if (strcmp(*steps, "push") == 0) { call_event(TASKHOST_EVENT_REMOTE_NOTIFICATION, value); }
        else if (strcmp(*steps, "session") == 0) { call_for_session(value); }
        else if (strcmp(*steps, "told") == 0) { tell_transfer(value); }
        else { leave(64); }
    }
    leave(0);
}

int main(int count, char **arguments) {
    int i = 1;
    for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
        const char *option = arguments[i];
        char *value = arguments[i + 1];
        if (strcmp(option, "--permit") == 0 && permitted_count < MAXIMUM && value[0] != 0 && value[1] == ':') {
            permitted[permitted_count].kind = (uint32_t)(value[0] - '0');
            permitted[permitted_count++].identifier = text(value + 2);
        }
        else if (strcmp(option, "--strict") == 0) { scheduling.flags = (uint32_t)atoi(value); }
        else if (strcmp(option, "--resources") == 0) { scheduling.supported_resources = (uint32_t)atoi(value); }
        else if (strcmp(option, "--state") == 0) { state = (uint32_t)atoi(value); }
        else if (strcmp(option, "--folder") == 0) { folder = value; }
        else if (strcmp(option, "--tell") == 0) { is_telling = atoi(value) != 0; }
        else if (strcmp(option, "--no-extensions") == 0) { has_extensions = false; }
        else if (strcmp(option, "--old-host") == 0) {
            host.struct_size = offsetof(taskhost_host_t, complete_later);
            lifecycle.struct_size = offsetof(taskhost_lifecycle_t, perform_expiring_activity);
        }
        else if (strcmp(option, "--background") == 0) {
            background_time = atof(value);
            background_step = 1;
        }
        else if (strcmp(option, "--name") == 0) { information.name = text(value); }
        else if (strcmp(option, "--version") == 0) { information.version = text(value); }
        else if (strcmp(option, "--scene") == 0) { information.scene = text(value); }
        else if (strcmp(option, "--sdk") == 0) { information.sdk = (uint32_t)atoi(value); }
        else if (strcmp(option, "--mode") == 0 && information.background_mode_count < MAXIMUM) {
            modes[information.background_mode_count++] = text(value);
        }
        else if (strcmp(option, "--known") == 0 && known_count < MAXIMUM) { known_transfers[known_count++] = value; }
        else if (strcmp(option, "--known-state") == 0 && known_count > 0) {
            known_states[known_count - 1] = (uint32_t)atoi(value);
        }
        else if (strcmp(option, "--in-use") == 0) { is_session_in_use = atoi(value) != 0; }
        else { leave(64); }
    }
    scheduling.permitted_count = (uint64_t)permitted_count;
    if (i == count) { leave(64); }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);

    void *library = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { printf("%s\n", dlerror()); leave(17); }
    application = dlsym(library, TASKHOST_APPLICATION_SYMBOL);
    if (application == NULL) { printf("%s\n", dlerror()); leave(17); }
    static taskhost_launch_t launch = {
        .struct_size = sizeof(taskhost_launch_t),
        .abi_version = TASKHOST_ABI_VERSION,
        .host = &host,
        .registry = &launch,
        .register_handler = launch_register,
    };
    launch.application = text("com.ex.app");
    launch.state_directory = launch.cache_directory = launch.manifest_directory = text(folder);
    int32_t status = application->launch(&launch);
    printf("launched %d\n", status);
    if (status != 0) { leave(17); }
    steps = &arguments[i + 1];
    pthread_t thread;
    if (pthread_create(&thread, NULL, take_steps, NULL) != 0) { leave(70); }
    if (application->run_main != NULL) {
        application->run_main();
        leave(70);
    }
    pthread_join(thread, NULL);
}
