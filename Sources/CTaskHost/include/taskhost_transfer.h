/*
 * taskhost_transfer.h - background transfers: downloads and uploads that outlive the application.
 *
 * Found with get_extension() of taskhost.h by the name below. The rules of taskhost.h hold: every struct carries its size and
 * version and grows at its end only, memory that the plugin passes in is copied before the call returns, and "[any thread]"
 * functions may be called from any thread, launch() included.
 *
 * A session is opened by its identifier. The host keeps it, and its transfers, across processes of the application.
 *   1. open() lists the unfinished transfers, with one call of `known` each, and returns the session's number.
 *   2. replay() asks for events. From then on `event` is called, also for transfers that ended while the session was not
 *      open.
 *   3. Acknowledge each event whose `sequence` is not 0 when it has been handled. Unacknowledged events are delivered
 *      again, to the next process that opens the session.
 * When an application is launched or resumed for the events of a session, its event() is called first, with
 * TASKHOST_EVENT_HANDLE_SESSION_EVENTS and the session's identifier as payload; `event` is called for that session when it
 * has returned, and last for TASKHOST_TRANSFER_ALL_TOLD. Then call session_handled(), within 30 seconds of
 * the first, or the process is killed.
 *
 * Compiles as C99, C11, C17, C++11 and C++20.
 */
#ifndef TASKHOST_TRANSFER_H
#define TASKHOST_TRANSFER_H

#include "taskhost.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#endif

#define TASKHOST_TRANSFER_EXTENSION "taskhost.transfer/1"

/* taskhost_transfer_request_t.kind */
#define TASKHOST_TRANSFER_DOWNLOAD 1u
#define TASKHOST_TRANSFER_UPLOAD 2u

/* A result of open() besides TASKHOST_OK and TASKHOST_INVALID: another process of the application has the session, or
 * will have it, because the user has quit the application and this process is ending. */
#define TASKHOST_SESSION_IN_USE (-996)

/* taskhost_session_options_t.flags */
#define TASKHOST_SESSION_DISCRETIONARY 1u       /* its transfers may wait for power, an unmetered network, a window */
#define TASKHOST_SESSION_SENDS_LAUNCH_EVENTS 2u /* the application is launched for its events */
#define TASKHOST_SESSION_ALLOWS_EXPENSIVE 4u    /* a network that costs money is allowed */
#define TASKHOST_SESSION_ALLOWS_CONSTRAINED 8u  /* a network in low-data mode is allowed */
#define TASKHOST_SESSION_ASKS_SERVER_TRUST 16u  /* the challenge of that method is sent once for each host, before the first
                                                 * transfer over TLS, while the application has the session open and runs */

/* A session's configuration. */
typedef struct taskhost_session_options {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t flags;                /* TASKHOST_SESSION_... */
    uint32_t connections_per_host; /* at once; 0: 6 */
    int64_t request_timeout;       /* nanoseconds without any byte, after which an attempt is made anew; 0: 60 seconds */
    int64_t resource_timeout;      /* nanoseconds from its creation, after which a transfer fails; 0: 7 days */
    taskhost_bytes_t proxy;        /* "http://host:port"; empty: the host's own */
} taskhost_session_options_t;

/* One field of a request or of an answer. */
typedef struct taskhost_header {
    taskhost_bytes_t name;
    taskhost_bytes_t value;
} taskhost_header_t;

/* taskhost_transfer_request_t.flags */
#define TASKHOST_TRANSFER_ALLOWS_EXPENSIVE 1u
#define TASKHOST_TRANSFER_ALLOWS_CONSTRAINED 2u

/* taskhost_transfer_request_t.earliest: at once. */
#define TASKHOST_TRANSFER_AT_ONCE INT64_MIN

/* The request for one transfer. */
typedef struct taskhost_transfer_request {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t kind;  /* TASKHOST_TRANSFER_DOWNLOAD or _UPLOAD */
    uint32_t flags; /* TASKHOST_TRANSFER_ALLOWS_... */
    taskhost_bytes_t url;    /* absolute, http or https */
    taskhost_bytes_t method; /* empty: GET for a download, POST for an upload */
    const taskhost_header_t *TASKHOST_NULLABLE headers;
    uint64_t header_count;
    taskhost_bytes_t file;   /* of an upload: the absolute path of the file */
    taskhost_bytes_t text;   /* the application's own text; at most 1024 bytes are kept */
    int64_t earliest;        /* nanoseconds since 1970-01-01T00:00:00Z, or TASKHOST_TRANSFER_AT_ONCE */
    int64_t timeout;         /* nanoseconds without any byte; 0: the session's */
    int64_t expected_send;   /* bytes that the application expects; -1: unknown */
    int64_t expected_receive;
    taskhost_bytes_t sha256;      /* 32 bytes that the file of a download must have as its digest; empty: any */
    taskhost_bytes_t resume_data; /* of a cancelled one, with the same url and file; empty: from the beginning */
    float priority;               /* 0 to 1; 0.5 is usual */
    uint32_t reserved;            /* 0 */
} taskhost_transfer_request_t;

/* taskhost_known_transfer_t.state. */
#define TASKHOST_KNOWN_RUNNING 0u   /* it was resumed, whether it runs or waits */
#define TASKHOST_KNOWN_SUSPENDED 1u /* it was not resumed */
#define TASKHOST_KNOWN_CANCELING 2u /* it was cancelled, and its end follows */
#define TASKHOST_KNOWN_COMPLETED 3u /* it is over, with events still to come */

/* A transfer of an earlier process of the application. Valid during the call. */
typedef struct taskhost_known_transfer {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t number;
    uint32_t is_suspended; /* it was not resumed */
    int64_t received;      /* bytes */
    int64_t sent;
    int64_t total; /* bytes of the body that is received, or of the file that is sent; -1: unknown */
    const taskhost_transfer_request_t *TASKHOST_NONNULL request;
    uint32_t state; /* TASKHOST_KNOWN_...; there if struct_size says so */
    uint32_t reserved;
} taskhost_known_transfer_t;

typedef void (*taskhost_known_transfer_fn)(void *TASKHOST_NULLABLE context,
                                           const taskhost_known_transfer_t *TASKHOST_NONNULL transfer);

/* taskhost_transfer_event_t.kind. For an unknown one, do nothing but acknowledge it. */
#define TASKHOST_TRANSFER_PROGRESS 1u               /* received, expected_receive, sent, expected_send */
#define TASKHOST_TRANSFER_WAITS_FOR_CONNECTIVITY 2u
#define TASKHOST_TRANSFER_RESUMED 3u                /* received, expected_receive: it continues its partial file */
#define TASKHOST_TRANSFER_RESPONSE 4u               /* status, url, headers */
#define TASKHOST_TRANSFER_DELAYED 5u                /* its date has come: call answer() */
#define TASKHOST_TRANSFER_CHALLENGE 6u              /* challenge: call answer() */
#define TASKHOST_TRANSFER_DOWNLOADED 7u             /* path: the file, which is the application's until it acknowledges */
#define TASKHOST_TRANSFER_ANSWERED 8u               /* path: the body of an upload's response, likewise */
#define TASKHOST_TRANSFER_COMPLETED 9u              /* all but path and challenge; `error` 0: it succeeded,
                                                     * and what was expected is what came; else what was known of it */
#define TASKHOST_TRANSFER_RESUME_DATA 10u           /* data: requested by a cancellation; empty: there are none */
#define TASKHOST_TRANSFER_INFORMATIONAL 12u         /* status (1xx), url, headers: an answer before the final one */
#define TASKHOST_TRANSFER_ALL_TOLD 11u              /* number 0: all events for which it was launched are delivered */

/* taskhost_transfer_challenge_t.method */
#define TASKHOST_CHALLENGE_BASIC 1u
#define TASKHOST_CHALLENGE_DIGEST 2u
#define TASKHOST_CHALLENGE_BEARER 3u
#define TASKHOST_CHALLENGE_CLIENT_CERTIFICATE 4u
#define TASKHOST_CHALLENGE_SERVER_TRUST 5u

/* A challenge: for credentials, or about trust. */
typedef struct taskhost_transfer_challenge {
    uint32_t method; /* TASKHOST_CHALLENGE_... */
    uint32_t port;
    uint32_t is_secure; /* https */
    uint32_t is_proxy;
    uint32_t failures; /* credentials that were tried before */
    uint32_t reserved;
    taskhost_bytes_t host;
    taskhost_bytes_t realm;
} taskhost_transfer_challenge_t;

/* taskhost_transfer_event_t.cancel_reason: only the application cancelled it. */
#define TASKHOST_CANCEL_REASON_NONE UINT32_MAX
#define TASKHOST_CANCEL_REASON_USER_FORCE_QUIT 0u
#define TASKHOST_CANCEL_REASON_UPDATES_DISABLED 1u
#define TASKHOST_CANCEL_REASON_RESOURCES 2u

/* An event of a transfer. Valid during the call; members that its kind does not name are 0 or empty. */
typedef struct taskhost_transfer_event {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t session;
    uint32_t number;        /* of the transfer; 0: it is the session's */
    uint64_t sequence;      /* to acknowledge; 0: none */
    uint32_t kind;          /* TASKHOST_TRANSFER_... */
    int32_t error;          /* a code of NSURLErrorDomain, such as -1001; 0: none */
    uint32_t cancel_reason; /* TASKHOST_CANCEL_REASON_... */
    uint32_t status;        /* of HTTP; 0: no server has answered */
    int64_t received;       /* bytes */
    int64_t expected_receive; /* -1: unknown */
    int64_t sent;
    int64_t expected_send;
    taskhost_bytes_t path;
    taskhost_bytes_t url;      /* that answered */
    taskhost_bytes_t sentence; /* for display */
    taskhost_bytes_t data;     /* resume data */
    const taskhost_header_t *TASKHOST_NULLABLE headers;
    uint64_t header_count;
    const taskhost_transfer_challenge_t *TASKHOST_NULLABLE challenge;
} taskhost_transfer_event_t;

/* Called on a thread of the worker, one event after another; it may block. */
typedef void (*taskhost_transfer_event_fn)(void *TASKHOST_NULLABLE context,
                                           const taskhost_transfer_event_t *TASKHOST_NONNULL event);

/* taskhost_transfer_answer_t.kind */
#define TASKHOST_ANSWER_CREDENTIAL 1u   /* user and password; of a bearer challenge the password is the token */
#define TASKHOST_ANSWER_USE_DEFAULT 2u  /* the default handling */
#define TASKHOST_ANSWER_REJECT_SPACE 3u /* ask about the next protection space, if there is one */
#define TASKHOST_ANSWER_CANCEL 4u       /* cancels the transfer */
#define TASKHOST_ANSWER_PROCEED 5u      /* of a delayed transfer: continue, with `request` if there is one */
#define TASKHOST_ANSWER_UNASKED 6u      /* of a delayed transfer: continue, and do not ask again in this session until it is
                                         * opened anew: the application has no answer of its own */

/* The application's answer. */
typedef struct taskhost_transfer_answer {
    uint32_t struct_size;
    uint32_t abi_version;
    uint32_t kind; /* TASKHOST_ANSWER_... */
    uint32_t reserved;
    taskhost_bytes_t user;
    taskhost_bytes_t password;
    const taskhost_transfer_request_t *TASKHOST_NULLABLE request;
} taskhost_transfer_answer_t;

typedef struct taskhost_transfer {
    uint32_t struct_size;
    uint32_t abi_version;

    /* Opens a session, creates it if there is none, and returns when the host has answered. [any thread] `known` (may
     * be NULL) is called before that, on the calling thread. `event` is called with `context` until invalidate().
     * Stores the session's number and the number of the next transfer. `options` may be NULL for those of an ordinary
     * session. TASKHOST_OK; TASKHOST_SESSION_IN_USE when another process of the application has it open, or the user
     * has quit this one; TASKHOST_INVALID for an identifier that is empty or longer than 255 bytes, one that this
     * process has open, and options out of their range. Then at most `capacity` bytes, the final NUL included, of a
     * sentence that says what to do are written to `reason`. */
    int32_t (*TASKHOST_NONNULL open)(const char *TASKHOST_NONNULL identifier,
                                     const taskhost_session_options_t *TASKHOST_NULLABLE options,
                                     taskhost_known_transfer_fn TASKHOST_NULLABLE known,
                                     taskhost_transfer_event_fn TASKHOST_NONNULL event,
                                     void *TASKHOST_NULLABLE context, uint32_t *TASKHOST_NONNULL session,
                                     uint32_t *TASKHOST_NONNULL next, char *TASKHOST_NULLABLE reason,
                                     uint64_t capacity);

    /* Asks for the session's events. [any thread] TASKHOST_UNKNOWN for a session that is not open. */
    int32_t (*TASKHOST_NONNULL replay)(uint32_t session);

    /* Closes a session: `event` is not called for it any more, but a call in progress on another thread may not have
     * returned. [any thread] Its unfinished transfers continue. TASKHOST_UNKNOWN for a session that is not open. */
    int32_t (*TASKHOST_NONNULL invalidate)(uint32_t session);

    /* Creates a transfer, which does nothing before resume(). [any thread] Stores its number. The host reports a fault
     * as TASKHOST_TRANSFER_COMPLETED. TASKHOST_UNKNOWN for a session that is not open: no number. TASKHOST_INVALID, and
     * a sentence as from open(), for a request that is out of its range or too long (8 KiB in all): it has a number,
     * and no events follow. */
    int32_t (*TASKHOST_NONNULL create)(uint32_t session, const taskhost_transfer_request_t *TASKHOST_NONNULL request,
                                       uint32_t *TASKHOST_NONNULL number, char *TASKHOST_NULLABLE reason,
                                       uint64_t capacity);

    /* Starts or continues a transfer; suspends it. [any thread] TASKHOST_UNKNOWN for a session that is not open; an
     * unknown number is not an error, here and below. */
    int32_t (*TASKHOST_NONNULL resume)(uint32_t session, uint32_t number);
    int32_t (*TASKHOST_NONNULL suspend)(uint32_t session, uint32_t number);

    /* Ends a transfer with error -999. [any thread] With `resume_data` not 0, TASKHOST_TRANSFER_RESUME_DATA precedes
     * it. */
    int32_t (*TASKHOST_NONNULL cancel)(uint32_t session, uint32_t number, int32_t resume_data);

    /* Changes the request. [any thread] TASKHOST_INVALID for a priority outside of 0 to 1 and for NaN; numbers of bytes
     * below 0 mean unknown. */
    int32_t (*TASKHOST_NONNULL set_priority)(uint32_t session, uint32_t number, float priority);
    int32_t (*TASKHOST_NONNULL set_text)(uint32_t session, uint32_t number, const char *TASKHOST_NONNULL text);
    int32_t (*TASKHOST_NONNULL set_earliest)(uint32_t session, uint32_t number, int64_t earliest);
    int32_t (*TASKHOST_NONNULL set_expected)(uint32_t session, uint32_t number, int64_t send, int64_t receive);

    /* Answers TASKHOST_TRANSFER_CHALLENGE and TASKHOST_TRANSFER_DELAYED. [any thread] TASKHOST_INVALID for an answer out of
     * its range or longer than 8 KiB: the question stays open. */
    int32_t (*TASKHOST_NONNULL answer)(uint32_t session, uint32_t number,
                                       const taskhost_transfer_answer_t *TASKHOST_NONNULL answer);

    /* The event of that sequence has been handled, and all earlier ones of the session. [any thread] */
    int32_t (*TASKHOST_NONNULL acknowledge)(uint32_t session, uint64_t sequence);

    /* The application is done with TASKHOST_EVENT_HANDLE_SESSION_EVENTS of that session. [any thread] TASKHOST_INVALID for
     * an identifier that is empty or too long. */
    int32_t (*TASKHOST_NONNULL session_handled)(const char *TASKHOST_NONNULL identifier);

    /* The `Authorization` of requests to a server from now on, instead of their own: for the task that the manifest's
     * `renew` names. [any thread] `origin` is "https://host" or "https://host:port"; an empty value removes it. The
     * value is kept only in memory. TASKHOST_INVALID when both together are longer than 8 KiB. */
    int32_t (*TASKHOST_NONNULL set_authorization)(const char *TASKHOST_NONNULL origin,
                                                  const char *TASKHOST_NONNULL value);
} taskhost_transfer_t;

/* ---- Layout: frozen for version 1 --------------------------------------------------------------------------- */

#if UINTPTR_MAX == UINT64_MAX && (defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L))
#if defined(__cplusplus)
#define TASKHOST_LAYOUT(condition, text) static_assert(condition, text)
#else
#define TASKHOST_LAYOUT(condition, text) _Static_assert(condition, text)
#endif
TASKHOST_LAYOUT(sizeof(taskhost_session_options_t) == 48, "taskhost_session_options_t of ABI 1 has 48 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_header_t) == 32, "taskhost_header_t of ABI 1 has 32 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_transfer_request_t) == 168, "taskhost_transfer_request_t of ABI 1 has 168 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_known_transfer_t) == 56, "taskhost_known_transfer_t of ABI 1 has 56 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_transfer_challenge_t) == 56, "taskhost_transfer_challenge_t of ABI 1 has 56 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_transfer_event_t) == 160, "taskhost_transfer_event_t of ABI 1 has 160 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_transfer_answer_t) == 56, "taskhost_transfer_answer_t of ABI 1 has 56 bytes");
TASKHOST_LAYOUT(sizeof(taskhost_transfer_t) == 128, "taskhost_transfer_t of ABI 1 has 128 bytes");
#undef TASKHOST_LAYOUT
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#ifdef __cplusplus
}
#endif
#endif
