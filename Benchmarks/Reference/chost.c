/* The path of a run in plain C, as short as it can be while keeping the same promise: a request is recorded before the
 * handler is called, an outcome before the requester learns of it.
 *
 * One epoll host with its requester inside, two forked workers on SEQPACKET sockets that call a C symbol and answer, one
 * SQLite file: a row inserted when a run is submitted, updated when it has ended, one transaction per turn.
 *
 * chost [--runs N] [--in-flight K] [--unanswered PER_WORKER] [--persistence none|normal|full] [--database FILE]
 *       [--library FILE --symbol NAME] [--locking normal|exclusive]
 * Prints the document that `taskhost run --repeat --json` prints. */
#include "measure.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, PAYLOAD = 48 };

struct frame {
    uint64_t run;
    uint32_t kind, length;
    char payload[PAYLOAD];
};
_Static_assert(sizeof(struct frame) == 64, "frames have 64 bytes");

typedef int32_t (*handler_fn)(const void *payload, uint32_t length);

struct worker {
    int socket;
    pid_t pid;
    long unanswered;
};

static struct worker workers[WORKERS];
static sqlite3 *database;
static sqlite3_stmt *begin_statement, *commit_statement, *insert_statement, *update_statement;

/* ---- Workers ---- */

static void work(int socket, handler_fn handler) {
    struct frame frame;
    for (;;) {
        ssize_t length = recv(socket, &frame, sizeof frame, 0);
        if (length <= 0) { _exit(0); }
        frame.kind = (uint32_t)handler(frame.payload, frame.length);
        if (send(socket, &frame, sizeof frame, MSG_NOSIGNAL) < 0) { _exit(0); }
    }
}

static void start_workers(handler_fn handler) {
    for (int i = 0; i < WORKERS; i++) {
        int pair[2];
        require_that(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
        pid_t pid = fork();
        require_that(pid >= 0, "fork");
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (int j = 0; j < i; j++) { close(workers[j].socket); }
            close(pair[0]);
            work(pair[1], handler);
        }
        close(pair[1]);
        workers[i] = (struct worker){.socket = pair[0], .pid = pid};
    }
}

/* ---- The record ---- */

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    require_that(code == SQLITE_OK, sql);
    return statement;
}

static void step(sqlite3_stmt *statement, const char *what) {
    require_that(sqlite3_step(statement) == SQLITE_DONE, what);
    sqlite3_reset(statement);
}

static void open_record(const char *path, const char *persistence, const char *locking) {
    char setup[512];
    require_that(sqlite3_open_v2(path, &database,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK,
                 path);
    snprintf(setup, sizeof setup,
             "PRAGMA locking_mode=%s; PRAGMA journal_mode=WAL; PRAGMA synchronous=%s;"
             "CREATE TABLE run (id INTEGER PRIMARY KEY, payload BLOB, state INTEGER);",
             locking, persistence);
    require_that(sqlite3_exec(database, setup, NULL, NULL, NULL) == SQLITE_OK, "setting up the database");
    begin_statement = prepare("BEGIN");
    commit_statement = prepare("COMMIT");
    insert_statement = prepare("INSERT INTO run VALUES (?1, ?2, 0)");
    update_statement = prepare("UPDATE run SET state = ?2 WHERE id = ?1");
}

static void record_request(uint64_t run, const char *payload) {
    sqlite3_bind_int64(insert_statement, 1, (sqlite3_int64)run);
    sqlite3_bind_blob(insert_statement, 2, payload, PAYLOAD, SQLITE_STATIC);
    step(insert_statement, "insert");
}

static void record_outcome(uint64_t run, uint32_t outcome) {
    sqlite3_bind_int64(update_statement, 1, (sqlite3_int64)run);
    sqlite3_bind_int64(update_statement, 2, outcome);
    step(update_statement, "update");
}

/* ---- The host ---- */

/* Reads every answer that is there, so that one commit carries them all. Returns how many. */
static long read_until_dry(struct worker *worker, struct frame *answers, long room) {
    long count = 0;
    while (count < room) {
        ssize_t length = recv(worker->socket, &answers[count], sizeof answers[count], MSG_DONTWAIT);
        if (length < 0 && errno == EAGAIN) { break; }
        require_that(length == sizeof answers[count], "a worker ended");
        worker->unanswered--;
        count++;
    }
    return count;
}

/* Gives recorded runs from number `begin` on to workers that may take more. Returns the first that has to wait. */
static long start_runs(long begin, long end, long unanswered, const char *payload) {
    struct frame frame = {.length = PAYLOAD, .kind = 1};
    memcpy(frame.payload, payload, PAYLOAD);
    while (begin < end) {
        struct worker *idlest = &workers[0];
        for (int i = 1; i < WORKERS; i++) {
            if (workers[i].unanswered < idlest->unanswered) { idlest = &workers[i]; }
        }
        if (idlest->unanswered >= unanswered) { break; }
        frame.run = (uint64_t)begin++;
        require_that(send(idlest->socket, &frame, sizeof frame, MSG_NOSIGNAL) == sizeof frame, "send");
        idlest->unanswered++;
    }
    return begin;
}

int main(int argc, char **argv) {
    long runs = option_number(argc, argv, "--runs", 2000), in_flight = option_number(argc, argv, "--in-flight", 1);
    long unanswered = option_number(argc, argv, "--unanswered", 4);
    const char *persistence = option(argc, argv, "--persistence", "full");
    const char *library = option(argc, argv, "--library", NULL);
    int durable = strcmp(persistence, "none") != 0;
    require_that(runs > 0 && in_flight > 0 && unanswered > 0 && library != NULL, "usage: see the head of chost.c");

    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    require_that(handle != NULL, library);
    handler_fn handler = (handler_fn)dlsym(handle, option(argc, argv, "--symbol", "bench_plain"));
    require_that(handler != NULL, "dlsym");
    start_workers(handler);
    if (durable) {
        open_record(option(argc, argv, "--database", "chost.sqlite"), persistence,
                    option(argc, argv, "--locking", "normal"));
    }

    int epoll = epoll_create1(EPOLL_CLOEXEC);
    require_that(epoll >= 0, "epoll_create1");
    for (int i = 0; i < WORKERS; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &workers[i]};
        require_that(epoll_ctl(epoll, EPOLL_CTL_ADD, workers[i].socket, &event) == 0, "epoll_ctl");
    }

    char payload[PAYLOAD] = "a payload";
    int64_t *begun = calloc((size_t)runs, sizeof *begun), *samples = calloc((size_t)runs, sizeof *samples);
    struct frame *answers = calloc((size_t)in_flight, sizeof *answers);
    require_that(begun && samples && answers, "calloc");
    long submitted = 0, recorded = 0, started = 0, ended = 0, succeeded = 0, turns = 0;
    int64_t begin = now_ns();
    /* The requester's side: the first requests. Later ones follow each outcome it learns of. */
    for (; submitted < runs && submitted < in_flight; submitted++) { begun[submitted] = now_ns(); }

    while (ended < runs) {
        /* Requests that wait need no event to be worth a turn. */
        struct epoll_event events[WORKERS];
        int ready = epoll_wait(epoll, events, WORKERS, recorded < submitted ? 0 : -1);
        require_that(ready >= 0 || errno == EINTR, "epoll_wait");
        long answered = 0;
        for (int i = 0; i < ready; i++) {
            answered += read_until_dry(events[i].data.ptr, answers + answered, in_flight - answered);
        }

        turns++;
        if (durable && (answered > 0 || recorded < submitted)) {
            step(begin_statement, "BEGIN");
            for (long i = 0; i < answered; i++) { record_outcome(answers[i].run, answers[i].kind); }
            for (; recorded < submitted; recorded++) { record_request((uint64_t)recorded, payload); }
            step(commit_statement, "COMMIT");
        }
        recorded = submitted;

        started = start_runs(started, recorded, unanswered, payload);
        /* The requester learns of the outcomes and asks for more. */
        for (long i = 0; i < answered; i++) {
            int64_t time = now_ns();
            samples[ended++] = time - begun[answers[i].run];
            succeeded += answers[i].kind == 1;
            if (submitted < runs) { begun[submitted++] = time; }
        }
    }
    double seconds = (double)(now_ns() - begin) * 1e-9;

    for (int i = 0; i < WORKERS; i++) {
        close(workers[i].socket);
        waitpid(workers[i].pid, NULL, 0);
    }
    if (durable) {
        sqlite3_stmt *count = prepare("SELECT count(*) FROM run WHERE state = 1");
        require_that(sqlite3_step(count) == SQLITE_ROW && sqlite3_column_int64(count, 0) == runs, "the record");
    }
    printf("{\"summary\": {\"runs\": %ld, \"wallTime\": %.9f, \"runsPerSecond\": %.3f, \"turns\": %ld, \"latency\": ", runs,
           seconds, (double)runs / seconds, turns);
    print_samples(samples, runs);
    printf(", \"outcomes\": {\"succeeded\": %ld}}}\n", succeeded);
    return 0;
}
