/*
 * Tries connections and prints their results. A line of the payload is a way, a host and a port; to it the errno is
 * added, 0 for success, or -1 for a name without addresses. Expected: succeeded.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "taskhost.h"

TASKHOST_EXPORT void connect_to_all(taskhost_task_t *task);

static int result_of(long result) { return result < 0 ? errno : 0; }

/* By one of the ways, to an address that is known. */
static int try_way(const char *way, const struct sockaddr *address, socklen_t length) {
    bool is_datagram = strncmp(way, "udp", 3) == 0;
    int fd = socket(address->sa_family, is_datagram ? SOCK_DGRAM : SOCK_STREAM, 0);
    if (fd < 0) { return errno; }
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_name = (void *)address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    int result = ENOSYS;
    if (strcmp(way, "tcp") == 0 || strcmp(way, "udp-connect") == 0) { result = result_of(connect(fd, address, length)); }
    if (strcmp(way, "udp-send") == 0) { result = result_of(sendto(fd, "x", 1, 0, address, length)); }
    if (strcmp(way, "udp-message") == 0) { result = result_of(sendmsg(fd, &message, 0)); }
    if (strcmp(way, "fast-open") == 0) { result = result_of(sendto(fd, "x", 1, MSG_FASTOPEN, address, length)); }
    if (strcmp(way, "fast-open-message") == 0) { result = result_of(sendmsg(fd, &message, MSG_FASTOPEN)); }
    close(fd);
    return result;
}

static int try_once(const char *way, const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)atoi(port))};
    if (strncmp(way, "child-", 6) == 0) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) { _exit(try_once(way + 6, host, port)); }
        return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    }
    if (strncmp(way, "name-", 5) == 0) {
        if (getaddrinfo(host, port, &hints, &found) != 0) { return -1; }
        int result = try_way(way + 5, found->ai_addr, found->ai_addrlen);
        freeaddrinfo(found);
        return result;
    }
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) { return try_way(way, (struct sockaddr *)&v4, sizeof v4); }
    if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) { return try_way(way, (struct sockaddr *)&v6, sizeof v6); }
    return -1;
}

void connect_to_all(taskhost_task_t *task) {
    char *text = strndup(task->payload.bytes == NULL ? "" : task->payload.bytes, task->payload.length), *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char way[32], host[128], port[16];
        if (sscanf(line, "%31s %127s %15s", way, host, port) != 3) { continue; }
        int result = try_once(way, host, port);
        dprintf(STDOUT_FILENO, "%s %s %s %d\n", way, host, port, result);
    }
    free(text);
    (void)taskhost_complete(task, true);
}
