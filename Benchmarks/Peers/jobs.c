/* Jobs that do nothing, for queues that are spoken to from C.
 *
 *   jobs beanstalk submit|work PORT COUNT    puts them, 64 at a time, or takes and deletes them
 *   jobs gearman submit|work PORT COUNT      the same as background jobs of gearmand
 *
 * `work` prints a line when it is ready, and ends with its last job. */
#include <arpa/inet.h>
#include <libgearman/gearman.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../Reference/measure.h"

enum { BATCH = 64, LINE = 512 };

/* beanstalkd: lines of text over TCP (its doc/protocol.txt) */

/* A stream for each direction: one of both may not be sought on. */
struct connection {
    FILE *in, *out;
};

static struct connection beanstalk(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require_that(fd >= 0 && connect(fd, (struct sockaddr *)&place, sizeof place) == 0, "connect");
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection server = {fdopen(fd, "r"), fdopen(dup(fd), "w")};
    require_that(server.in != NULL && server.out != NULL, "fdopen");
    return server;
}

static void expect(struct connection server, const char *word, char line[LINE]) {
    require_that(fgets(line, LINE, server.in) != NULL && strncmp(line, word, strlen(word)) == 0, word);
}

static void beanstalk_submit(int port, long count) {
    struct connection server = beanstalk(port);
    char line[LINE];
    for (long sent = 0; sent < count; sent += BATCH) {
        long now = count - sent < BATCH ? count - sent : BATCH;
        for (long i = 0; i < now; i++) { fputs("put 0 0 60 1\r\nx\r\n", server.out); }
        fflush(server.out);
        for (long i = 0; i < now; i++) { expect(server, "INSERTED", line); }
    }
    fclose(server.out);
    fclose(server.in);
}

static void beanstalk_work(int port, long count) {
    struct connection server = beanstalk(port);
    char line[LINE];
    fputs("reserve\r\n", server.out);
    fflush(server.out);
    puts("ready");
    fflush(stdout);
    for (long done = 1; done <= count; done++) {
        expect(server, "RESERVED", line);
        unsigned long long job;
        require_that(sscanf(line, "RESERVED %llu", &job) == 1, line);
        expect(server, "x", line);
        /* What deletes one asks for the next. */
        fprintf(server.out, done < count ? "delete %llu\r\nreserve\r\n" : "delete %llu\r\n", job);
        fflush(server.out);
        expect(server, "DELETED", line);
    }
    fclose(server.out);
    fclose(server.in);
}

/* gearmand, by its own library */

static void gearman_submit(int port, long count) {
    gearman_client_st *client = gearman_client_create(NULL);
    require_that(client != NULL && gearman_client_add_server(client, "127.0.0.1", (in_port_t)port) == GEARMAN_SUCCESS,
                 "gearman_client_add_server");
    for (long sent = 0; sent < count;) {
        gearman_return_t code;
        for (long i = 0; i < BATCH && sent < count; i++, sent++) {
            char name[32];
            snprintf(name, sizeof name, "%ld", sent);
            gearman_client_add_task_background(client, NULL, NULL, "nothing", name, "x", 1, &code);
            require_that(code == GEARMAN_SUCCESS, "gearman_client_add_task_background");
        }
        require_that(gearman_client_run_tasks(client) == GEARMAN_SUCCESS, "gearman_client_run_tasks");
        gearman_client_task_free_all(client);
    }
    gearman_client_free(client);
}

static gearman_return_t nothing(gearman_job_st *job, void *context) {
    (void)job;
    (void)context;
    return GEARMAN_SUCCESS;
}

static void gearman_work(int port, long count) {
    gearman_worker_st *worker = gearman_worker_create(NULL);
    require_that(worker != NULL && gearman_worker_add_server(worker, "127.0.0.1", (in_port_t)port) == GEARMAN_SUCCESS,
                 "gearman_worker_add_server");
    gearman_function_t function = gearman_function_create(nothing);
    require_that(gearman_worker_define_function(worker, "nothing", 7, function, 0, NULL) == GEARMAN_SUCCESS,
                 "gearman_worker_define_function");
    puts("ready");
    fflush(stdout);
    for (long done = 0; done < count; done++) {
        require_that(gearman_worker_work(worker) == GEARMAN_SUCCESS, "gearman_worker_work");
    }
    gearman_worker_free(worker);
}

int main(int argc, char **argv) {
    if (argc != 5) { return 64; }
    void (*does)(int, long) = NULL;
    if (strcmp(argv[1], "beanstalk") == 0) {
        does = strcmp(argv[2], "work") == 0 ? beanstalk_work : beanstalk_submit;
    } else if (strcmp(argv[1], "gearman") == 0) {
        does = strcmp(argv[2], "work") == 0 ? gearman_work : gearman_submit;
    }
    if (does == NULL) { return 64; }
    does(atoi(argv[3]), atol(argv[4]));
    return 0;
}
