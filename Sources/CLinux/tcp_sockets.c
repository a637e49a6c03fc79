#include "CLinux.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
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

/* ---- sock_diag(7) ---- */

enum { ESTABLISHED = 1 }; /* TCP_ESTABLISHED of the kernel's tcp_states.h: of the others the user is not always known */

static void name(const address_t *address, __be32 out_bytes[4], __be16 *out_port) {
    if (address->any.sa_family == AF_INET) {
        memcpy(out_bytes, &address->v4.sin_addr, 4);
        *out_port = address->v4.sin_port;
    } else {
        memcpy(out_bytes, &address->v6.sin6_addr, 16);
        *out_port = address->v6.sin6_port;
    }
}

/* 0 with the socket that has these ends, -ENOENT when there is none, or -errno. */
static int find(int netlink, const address_t *own, const address_t *other, uint32_t number, struct inet_diag_msg *out) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    request.head.nlmsg_flags = NLM_F_REQUEST; /* one socket, not a dump */
    request.head.nlmsg_seq = number;
    request.body.sdiag_family = (uint8_t)own->any.sa_family;
    request.body.sdiag_protocol = IPPROTO_TCP;
    request.body.idiag_states = UINT32_MAX;
    request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    name(own, request.body.id.idiag_src, &request.body.id.idiag_sport);
    name(other, request.body.id.idiag_dst, &request.body.id.idiag_dport);
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    if (sendto(netlink, &request, sizeof request, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) { return -errno; }
    /* The answer is there when sendto has returned. Others may have sent messages as well. */
    for (;;) {
        union {
            struct nlmsghdr head;
            char bytes[1024];
        } reply;
        struct sockaddr_nl source;
        socklen_t length = sizeof source;
        ssize_t count = recvfrom(netlink, &reply, sizeof reply, MSG_DONTWAIT, (struct sockaddr *)&source, &length);
        if (count < 0) {
            if (errno == EINTR) { continue; }
            return -errno;
        }
        if (length != sizeof source || source.nl_pid != 0 || (size_t)count < sizeof reply.head
            || reply.head.nlmsg_seq != number) {
            continue;
        }
        if (reply.head.nlmsg_type == NLMSG_ERROR) {
            struct nlmsgerr error;
            if ((size_t)count < NLMSG_HDRLEN + sizeof error) { return -EPROTO; }
            memcpy(&error, reply.bytes + NLMSG_HDRLEN, sizeof error);
            return error.error < 0 ? error.error : -EPROTO;
        }
        if (reply.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || (size_t)count < NLMSG_HDRLEN + sizeof *out) { return -EPROTO; }
        memcpy(out, reply.bytes + NLMSG_HDRLEN, sizeof *out);
        return 0;
    }
}

int clinux_tcp_peer_user(int fd, uint32_t *out_user) {
    address_t peer, own;
    socklen_t length = sizeof peer;
    if (getpeername(fd, &peer.any, &length) < 0) { return errno == ENOTCONN ? 0 : -errno; }
    length = sizeof own;
    if (getsockname(fd, &own.any, &length) < 0) { return -errno; }
    if (peer.any.sa_family != AF_INET && peer.any.sa_family != AF_INET6) { return -EAFNOSUPPORT; }
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0) { return errno == EPROTONOSUPPORT || errno == EAFNOSUPPORT ? -EOPNOTSUPP : -errno; }
    struct inet_diag_msg found;
    int result = find(netlink, &peer, &own, 1, &found);
    if (result == 0) {
        *out_user = found.idiag_uid;
        result = found.idiag_state == ESTABLISHED;
    } else if (result == -ENOENT) {
        /* A kernel without the module says the same of every socket: it has to find this end. */
        result = find(netlink, &own, &peer, 2, &found) == 0 ? 0 : -EOPNOTSUPP;
    } else if (result == -EINVAL || result == -EPERM || result == -EACCES) {
        result = -EOPNOTSUPP;
    }
    close(netlink);
    return result;
}
