/*
 * An application with background transfers. It acts on command: by the lines of $STATE/launch while it launches, by the
 * lines of its payload in a run. It prints a line for each event (in $STATE/trace too, which outlives it), keeps every
 * file as $STATE/SESSION-NUMBER, and acknowledges. When it is called for a session's events it opens that session, and
 * says that it has handled them after the last one.
 *   open ID [FLAGS]        replay ID                invalidate ID      have ID (opens and replays it, unless it is open)
 *   download ID URL [TEXT] upload ID URL FILE       (both begin at once)
 *   continue-upload ID URL FILE (with the last resume data)   Uploads to /dav/ are by PUT.
 *   create ID URL          resume|suspend|cancel|cancel-resumable ID NUMBER     continue ID (with the last resume data)
 *   text ID NUMBER WORD    priority ID NUMBER P     earliest ID NUMBER NANOSECONDS   expect ID NUMBER SEND RECEIVE
 *   answer ID NUMBER KIND [USER PASSWORD]           authorize ORIGIN VALUE        open-by ID PROXY
 *   silent: acknowledges nothing    unhandled: never says that events are handled    slow MILLISECONDS: each event takes so long
 *   open-slowly MILLISECONDS: the call for a session's events takes so long
 *   crash KIND: dies in the first event of that kind               await NUMBER: the run ends when so many have completed
 *   sleep MILLISECONDS              die: is gone at once, as when the kernel kills it
 *   frame HEX: says that to the host, past the worker     forge HEX: that is the last resume data
 * A payload that is an object asks to renew a credential: it is the object's realm, read backwards.
 */
#include "../fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "taskhost_scheduling.h"
#include "taskhost_transfer.h"

typedef struct session {
    char identifier[256];
    uint32_t number;
    bool is_open, is_called;
} session_t;

static const taskhost_launch_t *launched;
static int trace = -1;
static const taskhost_transfer_t *transfers;
static session_t sessions[8];
static atomic_bool silent, unhandled;
static atomic_long slow, opens_slowly;
static atomic_uint crash;
static char resume_data[4096];
static atomic_size_t resume_size;

/* The run that waits for completions. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static taskhost_task_t *waiting;
static unsigned completed, awaited;

static void say(const char *format, ...) {
    char line[6000];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0) { return; }
    if (length > (int)sizeof line - 2) { length = sizeof line - 2; }
    line[length] = '\n';
    ssize_t written = write(1, line, (size_t)length + 1);
    /* Events without a run are in no run's log: $STATE/trace has all of them. */
    if (trace >= 0) { written = write(trace, line, (size_t)length + 1); }
    (void)written;
}

static const char *thread(void) { return syscall(SYS_gettid) == getpid() ? "main" : "other"; }
static const char *text(taskhost_bytes_t bytes) { return bytes.bytes ? bytes.bytes : ""; }
static taskhost_bytes_t bytes(const char *text) { return (taskhost_bytes_t){text, strlen(text)}; }

static session_t *find(const char *identifier) {
    for (size_t i = 0; i < 8; i += 1) {
        if (strcmp(sessions[i].identifier, identifier) == 0) { return &sessions[i]; }
        if (sessions[i].identifier[0] == 0) {
            snprintf(sessions[i].identifier, sizeof sessions[i].identifier, "%s", identifier);
            return &sessions[i];
        }
    }
    say("too many sessions");
    exit(1);
}

/* ---- What is heard ------------------------------------------------------------------------------------------ */

static void know(void *context, const taskhost_known_transfer_t *known) {
    const session_t *session = context;
    say("known %s %" PRIu32 " kind %" PRIu32 " %s %s [%s] suspended %" PRIu32 " received %" PRId64 " sent %" PRId64
        " of %" PRId64 " headers %" PRIu64 " state %" PRIu32, session->identifier, known->number, known->request->kind,
        text(known->request->method), text(known->request->url), text(known->request->text), known->is_suspended,
        known->received, known->sent, known->total, known->request->header_count, known->state);
}

static void keep(const session_t *session, const taskhost_transfer_event_t *event) {
    char path[4500];
    snprintf(path, sizeof path, "%s/%s-%" PRIu32, launched->state_directory.bytes, session->identifier, event->number);
    if (rename(text(event->path), path) == 0) { return; }
    /* It kept it already, and died before it acknowledged. */
    if (errno != ENOENT || access(path, F_OK) != 0) { say("not kept: %s", strerror(errno)); }
}

static void count_completion(void) {
    (void)pthread_mutex_lock(&lock);
    completed += 1;
    taskhost_task_t *task = completed >= awaited ? waiting : NULL;
    if (task) { waiting = NULL; }
    (void)pthread_mutex_unlock(&lock);
    if (task) {
        (void)taskhost_complete(task, 1);
        taskhost_release(task);
    }
}

static void hear(void *context, const taskhost_transfer_event_t *event) {
    session_t *session = context;
    char head[320];
    snprintf(head, sizeof head, "%s %" PRIu32 " #%" PRIu64, session->identifier, event->number, event->sequence);
    switch (event->kind) {
    case TASKHOST_TRANSFER_PROGRESS:
        say("progress %s received %" PRId64 " of %" PRId64 " sent %" PRId64 " of %" PRId64, head, event->received,
            event->expected_receive, event->sent, event->expected_send);
        break;
    case TASKHOST_TRANSFER_WAITS_FOR_CONNECTIVITY: say("waits %s", head); break;
    case TASKHOST_TRANSFER_RESUMED:
        say("resumed %s at %" PRId64 " of %" PRId64, head, event->received, event->expected_receive);
        break;
    case TASKHOST_TRANSFER_RESPONSE:
        say("response %s status %" PRIu32 " %s headers %" PRIu64, head, event->status, text(event->url),
            event->header_count);
        break;
    case TASKHOST_TRANSFER_DELAYED: say("delayed %s", head); break;
    case TASKHOST_TRANSFER_CHALLENGE:
        say("challenge %s method %" PRIu32 " of %s:%" PRIu32 " realm [%s] failures %" PRIu32, head,
            event->challenge->method, text(event->challenge->host), event->challenge->port,
            text(event->challenge->realm), event->challenge->failures);
        break;
    case TASKHOST_TRANSFER_DOWNLOADED:
    case TASKHOST_TRANSFER_ANSWERED:
        say("%s %s on %s", event->kind == TASKHOST_TRANSFER_DOWNLOADED ? "downloaded" : "answered", head, thread());
        if (crash != event->kind) { keep(session, event); }
        break;
    case TASKHOST_TRANSFER_COMPLETED:
        say("completed %s error %" PRId32 " reason %" PRId32 " status %" PRIu32 " received %" PRId64 " sent %" PRId64
            " resumable %d [%s] expected %" PRId64 " and %" PRId64, head, event->error, (int32_t)event->cancel_reason,
            event->status, event->received, event->sent, event->data.length > 0, text(event->sentence),
            event->expected_receive, event->expected_send);
        break;
    case TASKHOST_TRANSFER_RESUME_DATA:
        say("resume-data %s of %" PRIu64, head, event->data.length);
        if (event->data.length <= sizeof resume_data) {
            memcpy(resume_data, text(event->data), event->data.length);
            resume_size = event->data.length;
        }
        break;
    case TASKHOST_TRANSFER_ALL_TOLD: say("all-told %s", head); break;
    default: say("unknown %s kind %" PRIu32, head, event->kind);
    }
    if (crash == event->kind) { abort(); }
    if (slow > 0) { sleep_milliseconds(slow); }
    if (event->sequence != 0 && !silent) { (void)transfers->acknowledge(event->session, event->sequence); }
    if (event->kind == TASKHOST_TRANSFER_COMPLETED) { count_completion(); }
    if (event->kind == TASKHOST_TRANSFER_ALL_TOLD && session->is_called && !unhandled) {
        session->is_called = false;
        say("handled %s %" PRId32, session->identifier, transfers->session_handled(session->identifier));
    }
}

/* ---- What it does ------------------------------------------------------------------------------------------- */

static void open_session(session_t *session, uint32_t flags, const char *proxy) {
    taskhost_session_options_t options = {
        .struct_size = sizeof options, .abi_version = TASKHOST_ABI_VERSION, .flags = flags, .proxy = bytes(proxy)};
    char reason[512] = "";
    uint32_t next = 0;
    const int32_t status = transfers->open(
        session->identifier, &options, know, hear, session, &session->number, &next, reason, sizeof reason);
    session->is_open = session->is_open || status == TASKHOST_OK;
    say("opened %s status %" PRId32 " next %" PRIu32 " [%s] as %" PRIu32, session->identifier, status, next, reason,
        session->number);
}

static void transfer(
    const session_t *session, uint32_t kind, const char *url, const char *more, bool begins, bool resumed) {
    const taskhost_header_t header = {bytes("X-Fixture"), bytes("transfers")};
    taskhost_transfer_request_t request = {
        .struct_size = sizeof request, .abi_version = TASKHOST_ABI_VERSION, .kind = kind,
        .flags = TASKHOST_TRANSFER_ALLOWS_EXPENSIVE | TASKHOST_TRANSFER_ALLOWS_CONSTRAINED, .url = bytes(url),
        .headers = &header, .header_count = 1, .earliest = TASKHOST_TRANSFER_AT_ONCE, .expected_send = -1,
        .expected_receive = -1, .priority = 0.5f};
    if (kind == TASKHOST_TRANSFER_UPLOAD) { request.file = bytes(more); } else { request.text = bytes(more); }
    if (strstr(url, "/dav/") != NULL) { request.method = bytes("PUT"); }
    if (resumed) { request.resume_data = (taskhost_bytes_t){resume_data, resume_size}; }
    uint32_t number = 0;
    char reason[512] = "";
    const int32_t status = transfers->create(session->number, &request, &number, reason, sizeof reason);
    say("created %s %" PRIu32 " status %" PRId32 " [%s]", session->identifier, number, status, reason);
    if (begins && status == TASKHOST_OK) { (void)transfers->resume(session->number, number); }
}

/* Commands whose first word is no session. */
static bool is_setting(const char *command) {
    static const char *const settings[] = {"slow", "open-slowly", "crash", "sleep", "await", "authorize", "frame",
                                           "forge"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i += 1) {
        if (strcmp(command, settings[i]) == 0) { return true; }
    }
    return false;
}

static size_t unhex(const char *digits, char *bytes, size_t capacity) {
    size_t count = 0;
    unsigned byte = 0;
    while (count < capacity && sscanf(digits + 2 * count, "%2x", &byte) == 1) {
        bytes[count] = (char)byte;
        count += 1;
    }
    return count;
}

static void perform(taskhost_task_t *task, const char *line) {
    char command[64] = "", identifier[256] = "", first[4200] = "", second[4200] = "", third[256] = "";
    (void)sscanf(line, "%63s %255s %4199s %4199s %255s", command, identifier, first, second, third);
    if (command[0] == 0) { return; }
        session_t *session = identifier[0] && !is_setting(command) ? find(identifier) : &sessions[0];
    const uint32_t number = (uint32_t)strtoul(first, NULL, 10);
    int32_t status = TASKHOST_OK;
    if (strcmp(command, "open") == 0) {
        open_session(session, first[0] ? number : 14, "");
    } else if (strcmp(command, "open-by") == 0) {
        open_session(session, 14, first);
    } else if (strcmp(command, "have") == 0) {
        if (!session->is_open) {
            open_session(session, 14, "");
            status = transfers->replay(session->number);
        }
    } else if (strcmp(command, "replay") == 0) {
        status = transfers->replay(session->number);
    } else if (strcmp(command, "invalidate") == 0) {
        status = transfers->invalidate(session->number);
        session->is_open = false;
    } else if (strcmp(command, "download") == 0) {
        transfer(session, TASKHOST_TRANSFER_DOWNLOAD, first, second, true, false);
    } else if (strcmp(command, "continue") == 0) {
        transfer(session, TASKHOST_TRANSFER_DOWNLOAD, first, "resumed", true, true);
    } else if (strcmp(command, "create") == 0) {
        transfer(session, TASKHOST_TRANSFER_DOWNLOAD, first, second, false, false);
    } else if (strcmp(command, "upload") == 0) {
        transfer(session, TASKHOST_TRANSFER_UPLOAD, first, second, true, false);
    } else if (strcmp(command, "continue-upload") == 0) {
        transfer(session, TASKHOST_TRANSFER_UPLOAD, first, second, true, true);
    } else if (strcmp(command, "resume") == 0) {
        status = transfers->resume(session->number, number);
    } else if (strcmp(command, "suspend") == 0) {
        status = transfers->suspend(session->number, number);
    } else if (strcmp(command, "cancel") == 0) {
        status = transfers->cancel(session->number, number, 0);
    } else if (strcmp(command, "cancel-resumable") == 0) {
        status = transfers->cancel(session->number, number, 1);
    } else if (strcmp(command, "text") == 0) {
        status = transfers->set_text(session->number, number, second);
    } else if (strcmp(command, "priority") == 0) {
        status = transfers->set_priority(session->number, number, strtof(second, NULL));
    } else if (strcmp(command, "earliest") == 0) {
        status = transfers->set_earliest(session->number, number, strtoll(second, NULL, 10));
    } else if (strcmp(command, "expect") == 0) {
        status = transfers->set_expected(
            session->number, number, strtoll(second, NULL, 10), strtoll(third, NULL, 10));
    } else if (strcmp(command, "answer") == 0) {
        char user[256] = "", password[256] = "";
        (void)sscanf(line, "%*s %*s %*s %*s %255s %255s", user, password);
        const taskhost_transfer_answer_t answer = {
            .struct_size = sizeof answer, .abi_version = TASKHOST_ABI_VERSION,
            .kind = (uint32_t)strtoul(second, NULL, 10), .user = bytes(user), .password = bytes(password)};
        status = transfers->answer(session->number, number, &answer);
    } else if (strcmp(command, "authorize") == 0) {
        status = transfers->set_authorization(identifier, first);
    } else if (strcmp(command, "silent") == 0) {
        silent = true;
    } else if (strcmp(command, "unhandled") == 0) {
        unhandled = true;
    } else if (strcmp(command, "slow") == 0) {
        slow = strtol(identifier, NULL, 10);
    } else if (strcmp(command, "open-slowly") == 0) {
        opens_slowly = strtol(identifier, NULL, 10);
    } else if (strcmp(command, "crash") == 0) {
        crash = (unsigned)strtoul(identifier, NULL, 10);
    } else if (strcmp(command, "frame") == 0) {
        char frame[2048];
        const size_t size = unhex(line + strlen("frame "), frame, sizeof frame);
        say("frame of %zu: %zd", size, send(WIRE, frame, size, MSG_NOSIGNAL));
    } else if (strcmp(command, "forge") == 0) {
        resume_size = unhex(line + strlen("forge "), resume_data, sizeof resume_data);
    } else if (strcmp(command, "die") == 0) {
        (void)raise(SIGKILL);
    } else if (strcmp(command, "sleep") == 0) {
        sleep_milliseconds(strtol(identifier, NULL, 10));
    } else if (strcmp(command, "await") == 0 && task) {
        (void)pthread_mutex_lock(&lock);
        awaited = (unsigned)strtoul(identifier, NULL, 10);
        if (completed < awaited) { waiting = taskhost_retain(task); }
        (void)pthread_mutex_unlock(&lock);
    } else {
        say("no such command: %s", line);
    }
    if (status != TASKHOST_OK) { say("%s status %" PRId32, command, status); }
}

/* The text of a key of an object. */
static void member(const char *object, const char *key, char *value, size_t size) {
    char start[64];
    snprintf(start, sizeof start, "\"%s\":\"", key);
    const char *found = strstr(object, start);
    value[0] = 0;
    if (found != NULL) { snprintf(value, size, "%.*s", (int)strcspn(found + strlen(start), "\""), found + strlen(start)); }
}

static void renew(taskhost_task_t *task) {
    char realm[256], origin[512], value[512] = "Bearer ";
    member(text(task->payload), "realm", realm, sizeof realm);
    member(text(task->payload), "origin", origin, sizeof origin);
    const size_t length = strlen(realm);
    for (size_t i = 0; i < length; i += 1) { value[7 + i] = realm[length - 1 - i]; }
    say("renews for %s: status %" PRId32, origin, transfers->set_authorization(origin, value));
    (void)taskhost_complete(task, 1);
}

static void handle(taskhost_task_t *task) {
    ignore_expiration(task);
    if (text(task->payload)[0] == '{') { return renew(task); }
    char *commands = strdup(text(task->payload)), *rest = commands;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) { perform(task, line); }
    free(commands);
    (void)pthread_mutex_lock(&lock);
    const bool waits = waiting == task;
    (void)pthread_mutex_unlock(&lock);
    if (!waits) { (void)taskhost_complete(task, 1); }
}

static void perform_script(const char *name) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", launched->state_directory.bytes, name);
    FILE *script = fopen(path, "re");
    char line[9000];
    while (script != NULL && fgets(line, sizeof line, script) != NULL) {
        line[strcspn(line, "\n")] = 0;
        perform(NULL, line);
    }
    if (script != NULL) { (void)fclose(script); }
}

static int32_t launch(const taskhost_launch_t *launch) {
    launched = launch;
    const taskhost_scheduling_t *scheduling = launch->host->get_extension(TASKHOST_SCHEDULING_EXTENSION);
    transfers = launch->host->get_extension(TASKHOST_TRANSFER_EXTENSION);
    if (scheduling == NULL || transfers == NULL) { return 1; }
    for (uint64_t i = 0; i < scheduling->permitted_count; i += 1) {
        const char *identifier = scheduling->permitted[i].identifier.bytes, *word = strrchr(identifier, '.');
        /* A foreign function's, which a handler would be put in place of. */
        if (word != NULL && strcmp(word, ".foreign") == 0) { continue; }
        (void)scheduling->register_handler(identifier, handle);
    }
    char path[4200];
    snprintf(path, sizeof path, "%s/trace", launch->state_directory.bytes);
    trace = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    say("launches");
    perform_script("launch");
    say("launched");
    return 0;
}

static void event(const taskhost_event_t *event) {
    if (event->kind == TASKHOST_EVENT_WILL_TERMINATE) {
        perform_script("terminate");
        say("terminates");
    }
    if (event->kind != TASKHOST_EVENT_HANDLE_SESSION_EVENTS) { return; }
    session_t *session = find(text(event->payload));
    say("handle-events %s in %" PRIu32 " on %s", session->identifier, event->state, thread());
    session->is_called = true;
    if (!session->is_open) {
        open_session(session, 14, "");
        (void)transfers->replay(session->number);
    }
    if (opens_slowly > 0) {
        sleep_milliseconds(opens_slowly);
        say("handle-returns %s", session->identifier);
    }
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .event = event,
};
