/* A fleet's traffic in plain C and libpq: the statements that taskhost sends, from one thread, with no runs between them.
 * fleet work --database TEXT --seconds N [--claim N] [--identifiers N]   claims so many at once while it completes as many, on two
 *     connections as a host
 * fleet submit --database TEXT --seconds N [--connections N] [--rate N] [--identifiers N]   submits: at a rate, each with its
 *     number and time as payload, or as many as go
 * fleet wake --database TEXT --seconds N   from a submission until another session that was woken has claimed it
 * fleet notice --database TEXT --seconds N   from NOTIFY until another session that listens has heard of it */
#include "measure.h"

#include <libpq-fe.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>

enum { MOST = 256 };
static volatile sig_atomic_t is_over;
static void end(int number) { (void)number, is_over = 1; }

static PGconn *open_connection(const char *text) {
    PGconn *connection = PQconnectdb(text);
    if (PQstatus(connection) != CONNECTION_OK) {
        fputs(PQerrorMessage(connection), stderr);
        exit(1);
    }
    require_that(PQsetnonblocking(connection, 1) == 0, "nonblocking");
    return connection;
}

static void fail(PGconn *connection) {
    fputs(PQerrorMessage(connection), stderr);
    exit(1);
}

/* The value of the statement's first column, for the caller to free. */
static char *ask(PGconn *connection, const char *sql) {
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) { fail(connection); }
    char *text = strdup(PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return text;
}

static void send_statement(PGconn *connection, const char *sql, int count, const char *const *values, int is_pipelined) {
    if (PQsendQueryParams(connection, sql, count, NULL, values, NULL, NULL, 0) != 1) { fail(connection); }
    if (is_pipelined && PQpipelineSync(connection) != 1) { fail(connection); }
    if (PQflush(connection) < 0) { fail(connection); }
}

/* The next result with rows of a pipeline; NULL: it has not come yet. */
static PGresult *take_rows(PGconn *connection, long *unanswered) {
    while (*unanswered > 0 && !PQisBusy(connection)) {
        PGresult *result = PQgetResult(connection);
        if (result == NULL) { continue; }
        switch (PQresultStatus(result)) {
        case PGRES_TUPLES_OK: return result;
        case PGRES_PIPELINE_SYNC: (*unanswered)--; break;
        default: fail(connection);
        }
        PQclear(result);
    }
    return NULL;
}

/* Waits for the connections that have something to read. Milliseconds below 0: as long as it takes. */
static void wait_for(PGconn **connections, struct pollfd *polls, int count, int milliseconds) {
    for (int i = 0; i < count; i++) {
        int full = PQflush(connections[i]);
        if (full < 0) { fail(connections[i]); }
        polls[i] = (struct pollfd){.fd = PQsocket(connections[i]), .events = (short)(POLLIN | (full ? POLLOUT : 0))};
    }
    poll(polls, (nfds_t)count, milliseconds);
    for (int i = 0; i < count; i++) {
        if (polls[i].revents & (POLLIN | POLLERR | POLLHUP) && PQconsumeInput(connections[i]) != 1) { fail(connections[i]); }
    }
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void print_rate(long count, int64_t begin) {
    printf("{\"count\": %ld, \"seconds\": %.6f, \"processor\": %.6f}\n", count, (double)(now_ns() - begin) * 1e-9,
           processor_seconds());
}

/* {"prefix1","prefix2",…} as taskhost sorts them: nothing depends on it. */
static char *identifiers(long count) {
    char *text = calloc((size_t)count, 64), *at = text;
    require_that(text != NULL, "memory");
    for (long i = 0; i < count; i++) { at += sprintf(at, "%s\"org.taskhost.bench.fleet.t%ld\"", i ? "," : "{", i + 1); }
    strcpy(at, "}");
    return text;
}

static char *join(PGconn *connection) {
    return ask(connection, "SELECT taskhost.join('reference ' || pg_backend_pid(), 'reference ' || pg_backend_pid(), "
                           "'00000000-0000-4000-8000-000000000001', '1', '{}', '30 s')");
}

static int work(const char *database, int64_t end_time, int argc, char **argv) {
    long at_once = option_number(argc, argv, "--claim", 8);
    char most[32];
    snprintf(most, sizeof most, "%ld", 2 * at_once);
    char *wish = identifiers(option_number(argc, argv, "--identifiers", 64));
    PGconn *both[2] = {open_connection(database), open_connection(database)}, *claims = both[0], *duty = both[1];
    struct pollfd polls[2];
    char *host = join(duty);
    require_that(PQenterPipelineMode(claims) == 1 && PQenterPipelineMode(duty) == 1, "pipelines");
    long held = 0, completed = 0, asked = 0, unanswered = 0;
    int is_empty = 0;
    int64_t begin = now_ns();
    while (!is_over && now_ns() < end_time) {
        if (asked == 0 && held <= at_once && !is_empty) {
            const char *values[] = {host, wish, most, "30000000 microseconds"};
            send_statement(claims, "SELECT key, number, losses, identifier, details, payload, attempt, failures, deferrals"
                                   " FROM taskhost.claim($1, $2, $3, $4)", 4, values, 1);
            asked++;
        }
        wait_for(both, polls, 2, is_empty ? 100 : 1000);
        is_empty = 0;
        PGresult *rows;
        while ((rows = take_rows(claims, &asked)) != NULL) {
            is_empty = PQntuples(rows) == 0;
            for (int i = 0; i < PQntuples(rows); i++) {
                const char *values[] = {host, PQgetvalue(rows, i, 0), PQgetvalue(rows, i, 1), "succeeded"};
                send_statement(duty, "SELECT taskhost.complete($1, $2, $3, $4, '{}', NULL)", 4, values, 1);
                held++, unanswered++;
            }
            PQclear(rows);
        }
        while ((rows = take_rows(duty, &unanswered)) != NULL) {
            completed += PQgetvalue(rows, 0, 0)[0] == 't';
            held--;
            PQclear(rows);
        }
    }
    print_rate(completed, begin);
    return 0;
}

static int submit(const char *database, int64_t end_time, int argc, char **argv) {
    int count = (int)option_number(argc, argv, "--connections", 8);
    long rate = option_number(argc, argv, "--rate", 0), kinds = option_number(argc, argv, "--identifiers", 64);
    require_that(count > 0 && count <= MOST, "so many connections");
    PGconn *connections[MOST];
    struct pollfd polls[MOST];
    int is_busy[MOST] = {0};
    for (int i = 0; i < count; i++) { connections[i] = open_connection(database); }
    long sent = 0, answered = 0, late = 0;
    int64_t begin = now_ns();
    while (!is_over && (now_ns() < end_time || answered < sent)) {
        int64_t now = now_ns();
        for (int i = 0; i < count && now < end_time; i++) {
            if (is_busy[i]) { continue; }
            int64_t due = rate ? begin + sent * 1000000000 / rate : now;
            if (due > now) { break; }
            late += now - due > 20000000;
            /* The time at which it should have been sent: who waits for a connection waits, too. */
            struct timespec wall;
            clock_gettime(CLOCK_REALTIME, &wall);
            char payload[64], identifier[64];
            snprintf(payload, sizeof payload, "%ld %lld", sent,
                     (long long)wall.tv_sec * 1000000000 + wall.tv_nsec - (now - due));
            snprintf(identifier, sizeof identifier, "org.taskhost.bench.fleet.t%ld", sent % kinds + 1);
            const char *values[] = {identifier, payload, NULL, NULL, "{\"kind\":\"processing\",\"origin\":\"person\"}"};
            send_statement(connections[i], "SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, key => $4,"
                                           " details => $5)", 5, values, 0);
            is_busy[i] = 1, sent++;
        }
        wait_for(connections, polls, count, rate ? 1 : 100);
        for (int i = 0; i < count; i++) {
            while (is_busy[i] && !PQisBusy(connections[i])) {
                PGresult *result = PQgetResult(connections[i]);
                if (result == NULL) {
                    is_busy[i] = 0;
                    answered++;
                    break;
                }
                if (PQresultStatus(result) != PGRES_TUPLES_OK) { fail(connections[i]); }
                PQclear(result);
            }
        }
    }
    printf("{\"late\": %ld, \"rate\": ", late);
    print_rate(answered, begin);
    printf("}\n");
    return 0;
}

/* Waits for the end of a statement; returns the result with its rows, for the caller to clear. */
static PGresult *finish(PGconn *connection) {
    struct pollfd polls[1];
    PGresult *rows = NULL, *result;
    for (;;) {
        while (PQisBusy(connection)) { wait_for(&connection, polls, 1, 1000); }
        if ((result = PQgetResult(connection)) == NULL) { return rows; }
        if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) { fail(connection); }
        PQclear(rows);
        rows = result;
    }
}

static int wake(const char *database, int64_t end_time) {
    static int64_t samples[100000];
    long count = 0;
    PGconn *submitter = open_connection(database), *claims = open_connection(database);
    struct pollfd polls[1];
    char *host = join(claims), *wish = identifiers(64);
    const char *sign[] = {host, "{}", "t"};
    send_statement(claims, "SELECT taskhost.seen($1, $2, $3)", 3, sign, 0);
    PQclear(finish(claims));
    free(ask(claims, "LISTEN taskhost_requests"));
    while (!is_over && now_ns() < end_time && count < 100000) {
        const char *values[] = {"org.taskhost.bench.fleet.t1", "", NULL, NULL, "{\"kind\":\"processing\",\"origin\":\"person\"}"};
        const char *claim[] = {host, wish, "8", "30000000 microseconds"};
        int64_t begin = now_ns();
        send_statement(submitter, "SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, key => $4,"
                                  " details => $5)", 5, values, 0);
        PGnotify *note;
        while ((note = PQnotifies(claims)) == NULL) { wait_for(&claims, polls, 1, 1000); }
        PQfreemem(note);
        send_statement(claims, "SELECT key, number, losses, identifier, details, payload, attempt, failures, deferrals"
                               " FROM taskhost.claim($1, $2, $3, $4)", 4, claim, 0);
        PGresult *rows = finish(claims);
        samples[count++] = now_ns() - begin;
        require_that(PQntuples(rows) == 1, "a claim");
        const char *token[] = {host, PQgetvalue(rows, 0, 0), PQgetvalue(rows, 0, 1), "succeeded"};
        send_statement(claims, "SELECT taskhost.complete($1, $2, $3, $4, '{}', NULL)", 4, token, 0);
        PQclear(finish(claims));
        PQclear(rows);
        PQclear(finish(submitter));
        struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
    }
    print_samples(samples, count);
    printf("\n");
    return 0;
}

static int notice(const char *database, int64_t end_time) {
    static int64_t samples[100000];
    long count = 0;
    PGconn *speaker = open_connection(database), *listener = open_connection(database);
    struct pollfd polls[1];
    free(ask(listener, "LISTEN taskhost_bench"));
    while (!is_over && now_ns() < end_time && count < 100000) {
        int64_t begin = now_ns();
        send_statement(speaker, "NOTIFY taskhost_bench", 0, NULL, 0);
        PGnotify *note;
        while ((note = PQnotifies(listener)) == NULL) { wait_for(&listener, polls, 1, 1000); }
        samples[count++] = now_ns() - begin;
        PQfreemem(note);
        PGresult *result;
        while ((result = PQgetResult(speaker)) != NULL) { PQclear(result); }
        struct timespec pause = {.tv_nsec = 20000000};
        nanosleep(&pause, NULL);
    }
    print_samples(samples, count);
    printf("\n");
    return 0;
}

int main(int argc, char **argv) {
    const char *database = option(argc, argv, "--database", "");
    int64_t end_time = now_ns() + option_number(argc, argv, "--seconds", 10) * 1000000000;
    signal(SIGTERM, end);
    if (argc > 1 && strcmp(argv[1], "work") == 0) { return work(database, end_time, argc, argv); }
    if (argc > 1 && strcmp(argv[1], "submit") == 0) { return submit(database, end_time, argc, argv); }
    if (argc > 1 && strcmp(argv[1], "wake") == 0) { return wake(database, end_time); }
    if (argc > 1 && strcmp(argv[1], "notice") == 0) { return notice(database, end_time); }
    fputs("which; fleet; name work, submit, wake or notice\n", stderr);
    return 2;
}
