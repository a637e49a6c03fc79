/* Requests at a steady rate over the control socket: from the moment at which one is due until the news of its end.
 *
 *   steady SOCKET PREFIX [--rate 800] [--seconds 10] [--tasks 64]
 *
 * Tasks are PREFIX followed by 1, 2 and so on; one is asked for again when its last run has ended. Eight connections stay open for the
 * submissions, each of which is durable when it is answered, and one for the events. A second goes by before samples count. */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "measure.h"

enum { CONNECTIONS = 8, ROOM = 1 << 16 };

struct stream {
    int fd;
    size_t filled;
    char text[ROOM + 1];
};
static struct stream submissions[CONNECTIONS], events;
static int is_busy[CONNECTIONS];
static int64_t *due;
static long tasks;
static const char *prefix;

static void open_stream(struct stream *stream, const char *path) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    require_that(strlen(path) < sizeof place.sun_path, "the socket's path is too long");
    strcpy(place.sun_path, path);
    stream->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require_that(stream->fd >= 0 && connect(stream->fd, (struct sockaddr *)&place, sizeof place) == 0, path);
}

static void send_text(struct stream *stream, const char *text) {
    require_that(write(stream->fd, text, strlen(text)) == (ssize_t)strlen(text), "write");
}

static void fill(struct stream *stream) {
    ssize_t count = read(stream->fd, stream->text + stream->filled, ROOM - stream->filled);
    require_that(count > 0, "the host closed a connection");
    stream->filled += (size_t)count;
    stream->text[stream->filled] = 0;
}

static void drop(struct stream *stream, size_t count) {
    stream->filled -= count;
    memmove(stream->text, stream->text + count, stream->filled + 1);
}

/* Whether the answer is complete; it is dropped then. */
static int take_answer(struct stream *stream) {
    fill(stream);
    char *head = strstr(stream->text, "\r\n\r\n");
    char *length = strcasestr(stream->text, "content-length:");
    if (head == NULL || length == NULL) { return 0; }
    size_t whole = (size_t)(head - stream->text) + 4 + strtoul(length + 15, NULL, 10);
    if (stream->filled < whole) { return 0; }
    require_that(strncmp(stream->text, "HTTP/1.1 201", 12) == 0, "a request was refused");
    drop(stream, whole);
    return 1;
}

/* The tasks whose runs have ended, by the events that have come whole. */
static void take_events(void (*ended)(long task)) {
    fill(&events);
    char *end;
    while ((end = strstr(events.text, "\n\n")) != NULL) {
        *end = 0;
        char *name = strstr(events.text, "event: run.ended");
        char *task = strstr(events.text, "\"identifier\":\"");
        if (name != NULL && task != NULL && strncmp(task + 14, prefix, strlen(prefix)) == 0) {
            ended(strtol(task + 14 + strlen(prefix), NULL, 10));
        }
        drop(&events, (size_t)(end - events.text) + 2);
    }
}

static int64_t *samples;
static long sampled;
static int64_t counts_from;
static void note(long task) {
    if (task < 1 || task > tasks || due[task] == 0) { return; }
    if (due[task] >= counts_from) { samples[sampled++] = now_ns() - due[task]; }
    due[task] = 0;
}

/* Waits until then for answers and events. */
static void serve(int64_t until) {
    do {
        struct pollfd places[CONNECTIONS + 1] = {{.fd = events.fd, .events = POLLIN}};
        for (int i = 0; i < CONNECTIONS; i++) {
            places[i + 1] = (struct pollfd){.fd = is_busy[i] ? submissions[i].fd : -1, .events = POLLIN};
        }
        int64_t left = until - now_ns();
        if (left < 0) { left = 0; }
        struct timespec span = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        require_that(ppoll(places, CONNECTIONS + 1, &span, NULL) >= 0 || errno == EINTR, "ppoll");
        if (places[0].revents) { take_events(note); }
        for (int i = 0; i < CONNECTIONS; i++) {
            if (places[i + 1].revents && take_answer(&submissions[i])) { is_busy[i] = 0; }
        }
    } while (now_ns() < until);
}

int main(int argc, char **argv) {
    if (argc < 3) { return 64; }
    prefix = argv[2];
    long rate = option_number(argc, argv, "--rate", 800), seconds = option_number(argc, argv, "--seconds", 10);
    tasks = option_number(argc, argv, "--tasks", 64);
    long count = rate * (seconds + 1);
    due = calloc((size_t)tasks + 1, sizeof *due);
    samples = calloc((size_t)count, sizeof *samples);
    require_that(due != NULL && samples != NULL, "calloc");
    open_stream(&events, argv[1]);
    send_text(&events, "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    do { fill(&events); } while (strstr(events.text, "\r\n\r\n") == NULL);
    drop(&events, (size_t)(strstr(events.text, "\r\n\r\n") - events.text) + 4);
    for (int i = 0; i < CONNECTIONS; i++) { open_stream(&submissions[i], argv[1]); }
    int64_t begin = now_ns();
    counts_from = begin + 1000000000;
    long task = 0;
    for (long i = 0; i < count; i++) {
        int64_t moment = begin + i * 1000000000 / rate;
        serve(moment);
        int connection = (int)(i % CONNECTIONS);
        while (is_busy[connection]) { serve(now_ns()); }
        for (long tried = 1; due[task = task % tasks + 1] != 0; tried++) {
            if (tried % tasks == 0) { serve(now_ns() + 100000); }
        }
        char body[256], text[512];
        snprintf(body, sizeof body, "{\"identifier\":\"%s%ld\"}", prefix, task);
        snprintf(text, sizeof text,
                 "POST /v1/requests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 strlen(body), body);
        due[task] = moment;
        is_busy[connection] = 1;
        send_text(&submissions[connection], text);
    }
    /* One that fell behind is slow, and none is left out. */
    int64_t last = now_ns() + 30000000000;
    while (sampled < rate * seconds && now_ns() < last) { serve(now_ns() + 1000000); }
    require_that(sampled == rate * seconds, "some requests did not end within 30 s");
    printf("{\"latency\": ");
    print_samples(samples, sampled);
    printf("}\n");
    return 0;
}
