#include "CLinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address_t;

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

static socklen_t address_of(const uint8_t bytes[16], int port, address_t *out) {
    memset(out, 0, sizeof *out);
    if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons((uint16_t)port);
        memcpy(&out->v4.sin_addr, bytes + sizeof mapped, 4);
        return sizeof out->v4;
    }
    out->v6.sin6_family = AF_INET6;
    out->v6.sin6_port = htons((uint16_t)port);
    memcpy(&out->v6.sin6_addr, bytes, 16);
    return sizeof out->v6;
}

int clinux_tcp_listen(const uint8_t bytes[16], int port, int backlog) {
    address_t address;
    socklen_t length = address_of(bytes, port, &address);
    int on = 1;
    int fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) { return -errno; }
    /* Connections of a process that has ended keep the port otherwise. They inherit TCP_NODELAY (tcp(7)). */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0
        || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0
        || (address.any.sa_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0)
        || bind(fd, &address.any, length) < 0 || listen(fd, backlog) < 0) {
        int result = -errno;
        close(fd);
        return result;
    }
    return fd;
}

int clinux_tcp_port(int fd) {
    address_t address;
    socklen_t length = sizeof address;
    if (getsockname(fd, &address.any, &length) < 0) { return -errno; }
    return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

static void print(const address_t *address, char out[48]) {
    if (address->any.sa_family == AF_INET) {
        snprintf(out, 48, "%08X:%04X", address->v4.sin_addr.s_addr, ntohs(address->v4.sin_port));
        return;
    }
    uint32_t words[4];
    memcpy(words, &address->v6.sin6_addr, sizeof words);
    snprintf(out, 48, "%08X%08X%08X%08X:%04X", words[0], words[1], words[2], words[3], ntohs(address->v6.sin6_port));
}

int clinux_tcp_names(int fd, char out_peer[48], char out_own[48]) {
    address_t peer, own;
    socklen_t length = sizeof peer;
    if (getpeername(fd, &peer.any, &length) < 0) { return -errno; }
    length = sizeof own;
    if (getsockname(fd, &own.any, &length) < 0) { return -errno; }
    if (peer.any.sa_family != AF_INET && peer.any.sa_family != AF_INET6) { return -EAFNOSUPPORT; }
    print(&peer, out_peer);
    print(&own, out_own);
    return peer.any.sa_family == AF_INET ? 4 : 6;
}
