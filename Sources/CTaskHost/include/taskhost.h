/*
 * taskhost.h: the plugin interface of taskhost, ABI version 1.
 *
 * A plugin is a shared library. A JSON manifest says which of its symbols handles which task; the host loads the
 * library in a confined process of its own (a worker) and calls the symbol. The plugin links nothing of taskhost:
 * every service reaches it through the function table `task->host`.
 *
 * Three ways in, from least to most:
 *   1. A foreign function: the manifest names any exported C function and its signature. No plugin code, no header.
 *   2. A symbol:           void my_handler(taskhost_task_t *task);                          (taskhost_handler_fn)
 *   3. An application:     const taskhost_application_t taskhost_application_v1 = { ... };  registers handlers at launch.
 *
 * Conventions
 *   - Every struct begins with struct_size and abi_version. Read no further than struct_size bytes. Structs grow at
 *     their end only; a version-1 plugin runs under every later host.
 *   - Strings are UTF-8, have a length, and are NUL-terminated as well. A missing string has bytes == NULL, length 0.
 *   - "[any thread]" marks a function that may be called at any time from any thread, signal handlers excepted.
 *   - Memory that the host lends stays valid until the task's last reference is released, unless said otherwise.
 *     Memory that the plugin passes in is copied before the call returns.
 *   - A task stays valid after its completion, for as long as a reference is held: every function may still be called,
 *     complete() returns TASKHOST_ALREADY_COMPLETED, progress and log lines may be dropped.
 *   - No exception, longjmp or Swift error may cross this interface: the worker ends if one tries.
 *
 * Compiles as C99, C11, C17, C++11 and C++20.
 */
#ifndef TASKHOST_H
#define TASKHOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TASKHOST_ABI_VERSION 1u

#if defined(__clang__)
#define TASKHOST_NULLABLE _Nullable
#define TASKHOST_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define TASKHOST_NULLABLE
#define TASKHOST_NONNULL
#endif

/* Put before the definition of an exported symbol when the library is built with -fvisibility=hidden. */
#if defined(__GNUC__)
#define TASKHOST_EXPORT __attribute__((visibility("default")))
#else
#define TASKHOST_EXPORT
#endif

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* What kind of task runs (taskhost_task_t.kind). Treat an unknown value as processing. */
#define TASKHOST_KIND_APP_REFRESH 1u
#define TASKHOST_KIND_PROCESSING 2u
#define TASKHOST_KIND_CONTINUED_PROCESSING 3u
#define TASKHOST_KIND_HEALTH_RESEARCH 4u
#define TASKHOST_KIND_BACKGROUND_FETCH 5u
#define TASKHOST_KIND_REMOTE_NOTIFICATION 6u

/* Why a run expires. Numbers are never reused; treat an unknown one as TASKHOST_REASON_BUDGET. */
#define TASKHOST_REASON_NONE 0u
#define TASKHOST_REASON_BUDGET 1u
#define TASKHOST_REASON_POWER_LOST 2u
#define TASKHOST_REASON_NETWORK_LOST 3u
#define TASKHOST_REASON_USER_ACTIVE 4u
#define TASKHOST_REASON_MEMORY_PRESSURE 5u
#define TASKHOST_REASON_THERMAL 6u
#define TASKHOST_REASON_USER_CANCELLED 7u
#define TASKHOST_REASON_HOST_STOPPING 8u
#define TASKHOST_REASON_APPLICATION_TERMINATED 9u
#define TASKHOST_REASON_SIMULATED 10u
#define TASKHOST_REASON_NO_PROGRESS 11u
#define TASKHOST_REASON_DISK_LOW 12u
#define TASKHOST_REASON_WINDOW_CLOSED 13u
#define TASKHOST_REASON_SUPERSEDED 14u
#define TASKHOST_REASON_LEASE_LOST 15u

/* Levels of log(). */
#define TASKHOST_LOG_DEBUG 0u
#define TASKHOST_LOG_INFO 1u
#define TASKHOST_LOG_NOTICE 2u
#define TASKHOST_LOG_WARNING 3u
#define TASKHOST_LOG_ERROR 4u

/* What host functions return. */
#define TASKHOST_OK 0
#define TASKHOST_ALREADY_COMPLETED 1 /* the run has an outcome already; the call did nothing */
#define TASKHOST_INVALID 2           /* an argument is out of its documented range; the call did nothing */
#define TASKHOST_UNKNOWN 3           /* no such identifier in this application's manifest */

/* Bytes that the other side owns. `bytes` is NUL-terminated beyond `length`. */
typedef struct taskhost_bytes {
    const char *TASKHOST_NULLABLE bytes;
    uint64_t length;
} taskhost_bytes_t;

typedef struct taskhost_task taskhost_task_t;
typedef struct taskhost_host taskhost_host_t;

/* A handler of way 2 (named by the manifest) or 3 (registered at launch). Called on a thread of its own, never
 * concurrently for one run. It may return at once and complete later, from any thread, if it retained the task. When
 * the last reference is released without completion the run ends as `unreported`. */
typedef void (*taskhost_handler_fn)(taskhost_task_t *TASKHOST_NONNULL task);

/* An expiration handler: called at most once per run, on a thread of the worker's own, while the handler may still be
 * working. It should make the handler stop soon; the run is killed when its grace has passed. */
typedef void (*taskhost_expiration_fn)(void *TASKHOST_NULLABLE context, uint32_t reason);

/* ---- The task ----------------------------------------------------------------------------------------------- */

/* One run of one task. Owned by the host, reference-counted; the handler borrows it until it returns. */
struct taskhost_task {
    uint32_t struct_size;
    uint32_t abi_version;
    const taskhost_host_t *TASKHOST_NONNULL host; /* the services; the same for every task of a process */
    taskhost_bytes_t identifier;                  /* the task's identifier, as the manifest spells it */
    taskhost_bytes_t run;                         /* the run's id, a ULID of 26 characters */
    taskhost_bytes_t settings;                    /* JSON text: the manifest's `settings`, or the caller's override,
                                                   * as it stands: $STATE etc. are not replaced */
    taskhost_bytes_t payload;                     /* what the caller passed along; may hold any bytes */
    taskhost_bytes_t state_directory;             /* $STATE: kept from run to run, writable */
    taskhost_bytes_t cache_directory;             /* $CACHE: writable, may be emptied between runs */
    taskhost_bytes_t manifest_directory;          /* $MANIFEST: readable if the permissions say so */
    uint64_t deadline;                            /* end of the budget, its grace included: the moment of the kill, as
                                                   * it was at the start; time_remaining() knows of changes.
                                                   * CLOCK_MONOTONIC nanoseconds */
    uint32_t kind;                                /* TASKHOST_KIND_... */
    uint32_t attempt;                             /* 1 for the first try */
    void *TASKHOST_NULLABLE plugin_data;          /* the plugin's own, NULL at first; the host never touches it */
};

/* ---- The services ------------------------------------------------------------------------------------------- */

struct taskhost_host {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Adds a reference. [any thread] Balance it with release. Returns the task. */
    taskhost_task_t *TASKHOST_NONNULL (*TASKHOST_NONNULL retain)(taskhost_task_t *TASKHOST_NONNULL task);

    /* Drops a reference. [any thread] The task must not be used by this owner afterwards. */
    void (*TASKHOST_NONNULL release)(taskhost_task_t *TASKHOST_NONNULL task);

    /* setTaskCompleted: ends the run, `success` non-zero for success. [any thread] The first call wins; a later one
     * returns TASKHOST_ALREADY_COMPLETED and is noted as a diagnostic of the run. */
    int32_t (*TASKHOST_NONNULL complete)(taskhost_task_t *TASKHOST_NONNULL task, int32_t success);

    /* 1 once the run has expired, else 0. [any thread] Cheap: poll it freely. A handler that has called it needs no
     * expiration handler: taskhost assumes that it watches for its end. */
    int32_t (*TASKHOST_NONNULL should_stop)(taskhost_task_t *TASKHOST_NONNULL task);

    /* Seconds until the budget ends, never negative. [any thread] */
    double (*TASKHOST_NONNULL time_remaining)(taskhost_task_t *TASKHOST_NONNULL task);

    /* Sets, replaces or (NULL) removes the expiration handler. [any thread] When the run has expired already, and no
     * handler was called yet, the new handler is called at once, on the calling thread. A run that expires with no
     * handler, and that never called should_stop, is completed as failed. When it returns, the handler set before is
     * not running and will not be called again: it waits for a call in progress on another thread (not for one on the
     * calling thread). So `context` must stay valid until the handler has been replaced or removed, or else until the
     * task's last reference is released; a call in progress counts as a reference. Hold no lock that the handler
     * takes. */
    void (*TASKHOST_NONNULL set_expiration_handler)(taskhost_task_t *TASKHOST_NONNULL task,
                                                    taskhost_expiration_fn TASKHOST_NULLABLE handler,
                                                    void *TASKHOST_NULLABLE context);

    /* Why the run expired, TASKHOST_REASON_NONE while it has not. [any thread] */
    uint32_t (*TASKHOST_NONNULL expiration_reason)(taskhost_task_t *TASKHOST_NONNULL task);

    /* Reports progress to watchers: `completed` of `total` units (total 0: unknown), with a short text or NULL. [any
     * thread] At most about ten a second are forwarded; the last one always is. At most 256 bytes of text are kept.
     * TASKHOST_INVALID for negative numbers. */
    int32_t (*TASKHOST_NONNULL progress)(taskhost_task_t *TASKHOST_NONNULL task, int64_t completed, int64_t total,
                                         const char *TASKHOST_NULLABLE text);

    /* Writes one line to the run's log. [any thread] `length` bytes of UTF-8; at most 4096 are kept. A level out of
     * range counts as TASKHOST_LOG_INFO. */
    void (*TASKHOST_NONNULL log)(taskhost_task_t *TASKHOST_NONNULL task, uint32_t level,
                                 const char *TASKHOST_NONNULL text, uint64_t length);

    /* A further service by name: "taskhost.scheduling/1", "taskhost.lifecycle/1", "taskhost.information/1" and
     * "taskhost.notifications/1" are those of taskhost_scheduling.h, "taskhost.transfer/1" is that of taskhost_transfer.h.
     * [any thread] NULL when this host has none of that name. The result stays valid until the process ends. */
    const void *TASKHOST_NULLABLE (*TASKHOST_NONNULL get_extension)(const char *TASKHOST_NONNULL name);

    /* Defers the run: it ends as `deferred`. Its request waits again, for at least that many seconds, and uses up no
     * try; a run without a request just ends. [any thread] A completion like complete(): the first call of either wins.
     * TASKHOST_INVALID for less than 1 second, more than 7 days (604800) and NaN: the run continues, and its
     * diagnostics say so. From the tenth deferral in a row on, the pause is no shorter than the one after a failure.
     * Hosts before this one have no such member, and a smaller struct_size: use taskhost_complete_later(). */
    int32_t (*TASKHOST_NONNULL complete_later)(taskhost_task_t *TASKHOST_NONNULL task, double seconds);
};

/* ---- The application (way 3) -------------------------------------------------------------------------------- */

/* Application states, as passed to state_changed. */
#define TASKHOST_STATE_NOT_RUNNING 0u
#define TASKHOST_STATE_INACTIVE 1u
#define TASKHOST_STATE_ACTIVE 2u
#define TASKHOST_STATE_BACKGROUND 3u
#define TASKHOST_STATE_SUSPENDED 4u

/* The argument of launch(): the place to register handlers. Valid until the process ends; `register_handler` works
 * during launch() only; that of taskhost_scheduling.h at any time. */
typedef struct taskhost_launch {
    uint32_t struct_size;
    uint32_t abi_version;
    const taskhost_host_t *TASKHOST_NONNULL host;
    taskhost_bytes_t application;        /* the application's identifier */
    taskhost_bytes_t state_directory;
    taskhost_bytes_t cache_directory;
    taskhost_bytes_t manifest_directory;
    void *TASKHOST_NONNULL registry;     /* pass it to register_handler */

    /* Registers the handler of one task of the manifest. [the thread that runs launch, during launch] TASKHOST_UNKNOWN
     * when the manifest has no such task, TASKHOST_INVALID when it has a handler already or launch is over. */
    int32_t (*TASKHOST_NONNULL register_handler)(void *TASKHOST_NONNULL registry,
                                                 const char *TASKHOST_NONNULL identifier,
                                                 taskhost_handler_fn TASKHOST_NONNULL handler);
} taskhost_launch_t;

/* The events of an application (taskhost_event_t.kind), by UIKit's names. Do nothing for an unknown one. */
#define TASKHOST_EVENT_DID_BECOME_ACTIVE 2u
#define TASKHOST_EVENT_WILL_RESIGN_ACTIVE 3u
#define TASKHOST_EVENT_DID_ENTER_BACKGROUND 4u
#define TASKHOST_EVENT_WILL_ENTER_FOREGROUND 5u
#define TASKHOST_EVENT_WILL_TERMINATE 6u
#define TASKHOST_EVENT_PERFORM_FETCH 7u
#define TASKHOST_EVENT_REMOTE_NOTIFICATION 8u
#define TASKHOST_EVENT_HANDLE_SESSION_EVENTS 9u /* of taskhost_transfer.h */

/* The argument of event(), valid during the call. */
typedef struct taskhost_event {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t kind;                         /* TASKHOST_EVENT_... */
    uint32_t state;                        /* the application's state with it: TASKHOST_STATE_... */
    taskhost_task_t *TASKHOST_NULLABLE task; /* of a fetch or a remote notification, else NULL: borrowed until event()
                                              * returns; complete it with complete_event() of taskhost_scheduling.h,
                                              * then or, if it was retained, later */
    taskhost_bytes_t payload;              /* of a remote notification: its JSON text, as in task->payload; of a
                                            * session's events: the session's identifier */
} taskhost_event_t;

/* The data symbol `taskhost_application_v1` that an application exports. Optional members may be NULL. */
typedef struct taskhost_application {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Required. Called once, first, on the main thread: register every handler here. Non-zero refuses every run. */
    int32_t (*TASKHOST_NULLABLE launch)(const taskhost_launch_t *TASKHOST_NONNULL launch);

    /* Optional. The application's state changed. Called on the main thread when run_main is NULL, else on a thread of
     * the worker. It must return within 5 seconds when the new state is the background, or the process is killed. */
    void (*TASKHOST_NULLABLE state_changed)(uint32_t state);

    /* Optional. The process is about to end; has 5 seconds. Same thread as state_changed. Not called before a kill. */
    void (*TASKHOST_NULLABLE will_terminate)(void);

    /* Optional. Takes over the main thread after launch and never returns: for run loops that require it. */
    void (*TASKHOST_NULLABLE run_main)(void);

    /* Optional. Called for the events for which UIKit calls an application's delegate, one at a time. Same thread as
     * state_changed, and after it or will_terminate when they are called for the same event. It must return within 5
     * seconds from DID_ENTER_BACKGROUND and WILL_TERMINATE, as state_changed must, or the process is killed. Earlier
     * hosts do not have this member and do not call it. */
    void (*TASKHOST_NULLABLE event)(const taskhost_event_t *TASKHOST_NONNULL event);
} taskhost_application_t;

#define TASKHOST_APPLICATION_SYMBOL "taskhost_application_v1"

/* Declared for the plugin that defines it: in C++ a const object would stay inside its file without this. */
extern TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1;

/* ---- Shorthands --------------------------------------------------------------------------------------------- */

static inline taskhost_task_t *TASKHOST_NONNULL taskhost_retain(taskhost_task_t *TASKHOST_NONNULL task) {
    return task->host->retain(task);
}
static inline void taskhost_release(taskhost_task_t *TASKHOST_NONNULL task) { task->host->release(task); }
static inline int32_t taskhost_complete(taskhost_task_t *TASKHOST_NONNULL task, int32_t success) {
    return task->host->complete(task, success);
}
/* TASKHOST_UNKNOWN under a host without deferrals: the call did nothing, and the run still has to be completed. */
static inline int32_t taskhost_complete_later(taskhost_task_t *TASKHOST_NONNULL task, double seconds) {
    if (task->host->struct_size <= offsetof(taskhost_host_t, complete_later)) { return TASKHOST_UNKNOWN; }
    return task->host->complete_later(task, seconds);
}
static inline int32_t taskhost_should_stop(taskhost_task_t *TASKHOST_NONNULL task) {
    return task->host->should_stop(task);
}
static inline double taskhost_time_remaining(taskhost_task_t *TASKHOST_NONNULL task) {
    return task->host->time_remaining(task);
}
static inline void taskhost_set_expiration_handler(taskhost_task_t *TASKHOST_NONNULL task,
                                                   taskhost_expiration_fn TASKHOST_NULLABLE handler,
                                                   void *TASKHOST_NULLABLE context) {
    task->host->set_expiration_handler(task, handler, context);
}
static inline uint32_t taskhost_expiration_reason(taskhost_task_t *TASKHOST_NONNULL task) {
    return task->host->expiration_reason(task);
}
static inline int32_t taskhost_progress(taskhost_task_t *TASKHOST_NONNULL task, int64_t completed, int64_t total,
                                        const char *TASKHOST_NULLABLE text) {
    return task->host->progress(task, completed, total, text);
}
/* Logs a NUL-terminated text. */
static inline void taskhost_log(taskhost_task_t *TASKHOST_NONNULL task, uint32_t level,
                                const char *TASKHOST_NONNULL text) {
    uint64_t length = 0;
    while (text[length] != 0) { length += 1; }
    task->host->log(task, level, text, length);
}

/* ---- Layout: frozen for version 1 --------------------------------------------------------------------------- */

#if defined(__cplusplus)
#define TASKHOST_LAYOUT(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define TASKHOST_LAYOUT(condition, text) _Static_assert(condition, text)
#else
#define TASKHOST_LAYOUT_NAME2(line) taskhost_layout_##line
#define TASKHOST_LAYOUT_NAME(line) TASKHOST_LAYOUT_NAME2(line)
#define TASKHOST_LAYOUT(condition, text) typedef char TASKHOST_LAYOUT_NAME(__LINE__)[(condition) ? 1 : -1]
#endif
#if UINTPTR_MAX == UINT64_MAX
TASKHOST_LAYOUT(sizeof(taskhost_bytes_t) == 16, "taskhost_bytes_t of ABI 1 has 16 bytes");
TASKHOST_LAYOUT(sizeof(struct taskhost_task) == 152, "taskhost_task_t of ABI 1 has 152 bytes");
TASKHOST_LAYOUT(offsetof(struct taskhost_host, complete_later) == 88, "taskhost_host_t of ABI 1 began with 88 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_launch_t) == 96, "taskhost_launch_t of ABI 1 has 96 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_event_t) == 40, "taskhost_event_t of ABI 1 has 40 bytes");
TASKHOST_LAYOUT(offsetof(taskhost_application_t, event) == 40, "taskhost_application_t of ABI 1 began with 40 bytes");
#endif
#undef TASKHOST_LAYOUT
#undef TASKHOST_LAYOUT_NAME
#undef TASKHOST_LAYOUT_NAME2

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#ifdef __cplusplus
}
#endif
#endif
