/*
 * taskhost_scheduling.h - services for applications: task requests, application state, background time.
 *
 * Found with get_extension() of taskhost.h by the names below. The rules of taskhost.h hold: every struct carries its
 * size and version and grows at its end only, memory that the plugin passes in is copied before the call returns, and
 * "[any thread]" functions may be called from any thread, launch() included.
 *
 * Compiles as C99, C11, C17, C++11 and C++20.
 */
#ifndef TASKHOST_SCHEDULING_H
#define TASKHOST_SCHEDULING_H

#include "taskhost.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#endif

/* ---- Task requests ------------------------------------------------------------------------------------------ */

#define TASKHOST_SCHEDULING_EXTENSION "taskhost.scheduling/1"

/* taskhost_request_t.flags */
#define TASKHOST_REQUEST_HAS_EARLIEST 1u     /* `earliest` counts */
#define TASKHOST_REQUEST_NEEDS_NETWORK 2u
#define TASKHOST_REQUEST_NEEDS_POWER 4u
#define TASKHOST_REQUEST_FAILS_AT_ONCE 8u    /* continued processing: do not queue (strategy .fail) */

/* What submit() returns beside TASKHOST_OK: the codes of BGTaskScheduler.Error. */
#define TASKHOST_SUBMIT_UNAVAILABLE 1
#define TASKHOST_SUBMIT_TOO_MANY_PENDING 2
#define TASKHOST_SUBMIT_NOT_PERMITTED 3
#define TASKHOST_SUBMIT_IMMEDIATE_RUN_INELIGIBLE 4

/* A request to run a task once. The same identifier replaces a pending request. */
typedef struct taskhost_request {
    uint32_t struct_size;
    uint32_t abi_version;
    taskhost_bytes_t identifier;
    uint32_t kind;      /* TASKHOST_KIND_... */
    uint32_t flags;     /* TASKHOST_REQUEST_... */
    int64_t earliest;   /* nanoseconds since 1970-01-01T00:00:00Z */
    taskhost_bytes_t title;    /* continued processing; at most 256 bytes are kept */
    taskhost_bytes_t subtitle;
    uint32_t resources; /* BGContinuedProcessingTaskRequest.Resources */
    uint32_t reserved;  /* 0 */
} taskhost_request_t;

/* One identifier of the manifest. Continued processing may end in ".*" and then matches any one further part. */
typedef struct taskhost_permitted {
    taskhost_bytes_t identifier;
    uint32_t kind;
    uint32_t reserved;
} taskhost_permitted_t;

/* Called for each pending request; `request` is valid during the call. */
typedef void (*taskhost_pending_fn)(void *TASKHOST_NULLABLE context,
                                    const taskhost_request_t *TASKHOST_NONNULL request);

/* taskhost_scheduling_t.flags */
#define TASKHOST_SCHEDULING_STRICT 1u /* misuse ends the process, as on iOS; otherwise it is reported */

typedef struct taskhost_scheduling {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t flags;
    uint32_t supported_resources;
    /* The manifest's permissions; valid as long as the process. */
    const taskhost_permitted_t *TASKHOST_NULLABLE permitted;
    uint64_t permitted_count;

    /* Registers the handler of one identifier. [any thread] As register_handler() at launch, but at any time, and for a
     * concrete identifier of a permitted one that ends in ".*"; one for the permitted identifier itself serves all
     * without their own. It replaces a registered handler. TASKHOST_UNKNOWN when the manifest permits no such
     * identifier, TASKHOST_INVALID beyond 3840 concrete ones. */
    int32_t (*TASKHOST_NONNULL register_handler)(const char *TASKHOST_NONNULL identifier,
                                                 taskhost_handler_fn TASKHOST_NONNULL handler);

    /* Submits a request and returns when it is on disk. [any thread] TASKHOST_OK or TASKHOST_SUBMIT_...; then at most
     * `capacity` bytes, the final NUL included, of a sentence that says what to do are written to `reason`. */
    int32_t (*TASKHOST_NONNULL submit)(const taskhost_request_t *TASKHOST_NONNULL request,
                                       char *TASKHOST_NULLABLE reason, uint64_t capacity);

    /* Cancels the pending request of that identifier, or all of the application's (NULL). [any thread] Returns when
     * that is on disk. Runs continue, and so do the manifest's schedules: their times are not requests of the
     * application. Unknown identifiers are not an error. */
    void (*TASKHOST_NONNULL cancel)(const char *TASKHOST_NULLABLE identifier);

    /* Calls `each` for every pending request of the application, on the calling thread, before it returns. [any thread] */
    void (*TASKHOST_NONNULL pending)(taskhost_pending_fn TASKHOST_NONNULL each, void *TASKHOST_NULLABLE context);

    /* Notes a misuse in the host's journal, and in the run's diagnostics while one is in progress. [any thread] */
    void (*TASKHOST_NONNULL report)(const char *TASKHOST_NONNULL sentence);

    /* Changes the displayed texts of a continued-processing run. [any thread] TASKHOST_INVALID for a task of another
     * kind. */
    int32_t (*TASKHOST_NONNULL update_title)(taskhost_task_t *TASKHOST_NONNULL task, const char *TASKHOST_NONNULL title,
                                             const char *TASKHOST_NONNULL subtitle);

    /* Stores the title and subtitle that the run's request came with; updates do not change them. [any thread] Valid
     * until the task's last reference is released. TASKHOST_INVALID for a task of another kind. */
    int32_t (*TASKHOST_NONNULL title)(taskhost_task_t *TASKHOST_NONNULL task, taskhost_bytes_t *TASKHOST_NONNULL title,
                                      taskhost_bytes_t *TASKHOST_NONNULL subtitle);
} taskhost_scheduling_t;

/* ---- Application state and background time ------------------------------------------------------------------- */

#define TASKHOST_LIFECYCLE_EXTENSION "taskhost.lifecycle/1"

/* background_refresh() */
#define TASKHOST_REFRESH_RESTRICTED 0u
#define TASKHOST_REFRESH_DENIED 1u
#define TASKHOST_REFRESH_AVAILABLE 2u

/* Called once, on a thread of the worker, shortly before background time ends. */
typedef void (*taskhost_assertion_fn)(void *TASKHOST_NULLABLE context);

/* Work that may take as long as there is background time: see perform_expiring_activity(). */
typedef void (*taskhost_activity_fn)(void *TASKHOST_NULLABLE context, int32_t expired);

/* The result of a fetch or a remote notification, as in UIBackgroundFetchResult. */
#define TASKHOST_FETCH_NEW_DATA 0u
#define TASKHOST_FETCH_NO_DATA 1u
#define TASKHOST_FETCH_FAILED 2u

/* The machine's way to other machines, for watch_network(). */
#define TASKHOST_NETWORK_UNKNOWN 0u     /* the host does not observe it */
#define TASKHOST_NETWORK_NONE 1u        /* no default route, or a captive portal before it */
#define TASKHOST_NETWORK_CONSTRAINED 2u /* it is metered or slow */
#define TASKHOST_NETWORK_OK 3u

/* Called with the machine's network, on a thread of the worker: once soon, and after each change. */
typedef void (*taskhost_network_fn)(uint32_t network);

/* set_minimum_fetch_interval(): as often as the host sees fit. */
#define TASKHOST_FETCH_INTERVAL_MINIMUM 0.0

typedef struct taskhost_lifecycle {
    uint32_t struct_size;
    uint32_t abi_version;

    /* The application's state, TASKHOST_STATE_... [any thread] */
    uint32_t (*TASKHOST_NONNULL state)(void);

    /* Whether the user allows background refresh, according to the host's last message. [any thread] */
    uint32_t (*TASKHOST_NONNULL background_refresh)(void);

    /* Keeps the process from being suspended, or ended, without runs. [any thread] Returns an id that is never 0, or 0
     * when it is known that no background time is left. `expired` (may be NULL) is called when background time is about
     * to end, or turns out to be over; end the assertion in it, or the process is killed. The record of that has `name`
     * (may be NULL; at most 128 bytes are kept) and the calling code. More than 1000 at once end the process. */
    uint64_t (*TASKHOST_NONNULL begin_assertion)(const char *TASKHOST_NULLABLE name,
                                                 taskhost_assertion_fn TASKHOST_NULLABLE expired,
                                                 void *TASKHOST_NULLABLE context);

    /* Ends an assertion. [any thread] Its `expired` is not called any more, but a call in progress on another thread
     * may not have returned. TASKHOST_UNKNOWN for an id that is not, or no longer, one: nothing happens, and the
     * journal says so, unless the id is 0. */
    int32_t (*TASKHOST_NONNULL end_assertion)(uint64_t assertion);

    /* Seconds until the application's background time ends; the largest double while it is in the foreground, the full
     * time while a run is in progress, because it does not count then. [any thread] time_remaining() is the time left
     * to a run. */
    double (*TASKHOST_NONNULL background_time_remaining)(void);

    /* Older hosts lack the members from here on: check struct_size before use. */

    /* Calls `activity` on a thread of its own, with `expired` 0, and holds an assertion named `reason` until it has
     * returned. [any thread] When background time is about to end meanwhile, `activity` is called a second time,
     * concurrently and with `expired` 1: it should make the first return. When there is no time at the start it is
     * called once, with 1. `context` has to stay valid for both calls. TASKHOST_INVALID for an empty reason, and when
     * the process may have no further thread: it is not called. */
    int32_t (*TASKHOST_NULLABLE perform_expiring_activity)(const char *TASKHOST_NONNULL reason,
                                                           taskhost_activity_fn TASKHOST_NONNULL activity,
                                                           void *TASKHOST_NULLABLE context);

    /* How many assertions have not ended. [any thread] */
    uint32_t (*TASKHOST_NULLABLE open_assertions)(void);

    /* The shortest pause between two fetches, in seconds: never at first, and for the largest double. [any thread] The
     * host has its own shortest pause, and may take longer ones. TASKHOST_INVALID for less than 0 and NaN. */
    int32_t (*TASKHOST_NULLABLE set_minimum_fetch_interval)(double seconds);

    /* Completes the task of a fetch or a remote notification with TASKHOST_FETCH_... [any thread] A completion like
     * complete(): the first call of either wins. TASKHOST_INVALID for another kind of task, and another number. */
    int32_t (*TASKHOST_NULLABLE complete_event)(taskhost_task_t *TASKHOST_NONNULL task, uint32_t result);

    /* Asks for the machine's network as the host sees it (`taskhost conditions`), now and after each change until the process
     * ends. [any thread] The first `changed` of the process counts; TASKHOST_INVALID for another one. */
    int32_t (*TASKHOST_NULLABLE watch_network)(taskhost_network_fn TASKHOST_NONNULL changed);

    /* Asks to be told, on a thread of the worker, that the process was suspended and continues: connections of its own may be
     * lost. [any thread] The first `continues` of the process counts; TASKHOST_INVALID for another one. */
    int32_t (*TASKHOST_NULLABLE watch_suspension)(void (*TASKHOST_NONNULL continues)(void));
} taskhost_lifecycle_t;

/* ---- What the manifest says ---------------------------------------------------------------------------------- */

#define TASKHOST_INFORMATION_EXTENSION "taskhost.information/1"

/* The manifest's data about the application, which are in Info.plist on iOS. Valid as long as the process.
 * taskhost_scheduling_t has the permitted identifiers. */
typedef struct taskhost_information {
    uint32_t struct_size;
    uint32_t abi_version;
    taskhost_bytes_t name;    /* `name`; empty when the manifest has none */
    taskhost_bytes_t version; /* `version`; empty when the manifest has none */
    const taskhost_bytes_t *TASKHOST_NULLABLE background_modes; /* the words of `backgroundModes` */
    uint64_t background_mode_count;
    uint64_t memory; /* bytes: the largest memory budget of its tasks, which bounds the whole process tree */
    /* `scene`: the class of the scene delegate with its module; empty when the manifest has none. Earlier hosts do not
     * have this member, and have a smaller struct_size. */
    taskhost_bytes_t scene;
    /* `sdk`: the iOS SDK whose rules hold, 26 or 27. Earlier hosts do not have this member either. */
    uint32_t sdk;
    uint32_t reserved; /* 0 */
} taskhost_information_t;

/* ---- Secrets of a run ---------------------------------------------------------------------------------------- */

#define TASKHOST_SECRETS_EXTENSION "taskhost.secrets/1"

/* The files that the manifest's `secrets` name, as they were when the run started: copies in memory that nobody can change,
 * which are in no environment, record or log. They are the process's until the task's last reference is released; retain the
 * task to use them longer. A copy that the plugin makes (dup, a buffer) is the plugin's. */
typedef struct taskhost_secrets {
    uint32_t struct_size;
    uint32_t abi_version;

    /* A descriptor to read the secret from, lent: do not close it. -1 when the run has none of that name. [any thread] */
    int32_t (*TASKHOST_NONNULL descriptor)(taskhost_task_t *TASKHOST_NONNULL task, const char *TASKHOST_NONNULL name);

    /* Copies the secret's first `capacity` bytes, without a NUL behind them, and returns its whole length, 1048576 at most.
     * -1 when the run has none of that name. [any thread] `buffer` may be NULL with a capacity of 0. */
    int64_t (*TASKHOST_NONNULL read)(taskhost_task_t *TASKHOST_NONNULL task, const char *TASKHOST_NONNULL name,
                                     void *TASKHOST_NULLABLE buffer, uint64_t capacity);
} taskhost_secrets_t;

/* ---- A run's place in a trace ---------------------------------------------------------------------------------- */

#define TASKHOST_TRACE_EXTENSION "taskhost.trace/1"

/* For spans of the handler's own: with the run's as their parent they join the trace that the host sends of the run. */
typedef struct taskhost_trace {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Stores the run's place as the header `traceparent` of W3C Trace Context has it, 55 characters with a NUL behind them;
     * NULL and 0 when the host sends no traces. [any thread] Valid until the task's last reference is released.
     * TASKHOST_ALREADY_COMPLETED without a reference. */
    int32_t (*TASKHOST_NONNULL traceparent)(taskhost_task_t *TASKHOST_NONNULL task,
                                            taskhost_bytes_t *TASKHOST_NONNULL out_traceparent);
} taskhost_trace_t;

/* ---- A run's claim in a fleet ----------------------------------------------------------------------------------- */

#define TASKHOST_FLEET_EXTENSION "taskhost.fleet/1"

/* Which claim of a fleet's request the run serves. A host that stood still for longer than its lease may go on beside another
 * one that took the request over: whatever the handler changes outside can refuse the claim with the lower number. */
typedef struct taskhost_fleet {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Stores the request's key, 26 characters with a NUL behind them, and the number of this claim of it, 1 or more, which
     * only grows; NULL, 0 and 0 when the request is the host's own. [any thread] The key is valid until the task's last
     * reference is released. TASKHOST_ALREADY_COMPLETED without a reference. */
    int32_t (*TASKHOST_NONNULL claim)(taskhost_task_t *TASKHOST_NONNULL task, taskhost_bytes_t *TASKHOST_NONNULL out_key,
                                      int64_t *TASKHOST_NONNULL out_number);
} taskhost_fleet_t;

/* ---- What a user would be told ------------------------------------------------------------------------------- */

#define TASKHOST_NOTIFICATIONS_EXTENSION "taskhost.notifications/1"

typedef struct taskhost_notifications {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Writes one line to the host's journal: a notification for the application's user, or a request for authorization.
     * Nothing is displayed. [any thread] At most 1024 bytes are kept, and 64 lines of one process. */
    void (*TASKHOST_NONNULL note)(const char *TASKHOST_NONNULL sentence);
} taskhost_notifications_t;

/* ---- Layout: frozen for version 1 --------------------------------------------------------------------------- */

#if UINTPTR_MAX == UINT64_MAX && (defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))
#if defined(__cplusplus)
#define TASKHOST_LAYOUT(condition, text) static_assert(condition, text)
#else
#define TASKHOST_LAYOUT(condition, text) _Static_assert(condition, text)
#endif
TASKHOST_LAYOUT(sizeof(taskhost_request_t) == 80, "taskhost_request_t of ABI 1 has 80 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_permitted_t) == 24, "taskhost_permitted_t of ABI 1 has 24 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_scheduling_t) == 88, "taskhost_scheduling_t of ABI 1 has 88 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_lifecycle_t) == 96, "taskhost_lifecycle_t of ABI 1 has 96 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_information_t) == 88, "taskhost_information_t of ABI 1 has 88 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_notifications_t) == 16, "taskhost_notifications_t of ABI 1 has 16 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_secrets_t) == 24, "taskhost_secrets_t of ABI 1 has 24 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_trace_t) == 16, "taskhost_trace_t of ABI 1 has 16 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_fleet_t) == 16, "taskhost_fleet_t of ABI 1 has 16 bytes");
#undef TASKHOST_LAYOUT
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#ifdef __cplusplus
}
#endif
#endif
