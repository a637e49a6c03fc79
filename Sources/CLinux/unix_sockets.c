#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

_Static_assert(CLINUX_RDHUP == EPOLLRDHUP, "epoll bits");

static int address_of(const char *path, struct sockaddr_un *out, socklen_t *out_length) {
    size_t length = strlen(path);
    if (length >= sizeof out->sun_path) { return -ENAMETOOLONG; }
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(out->sun_path, path, length);
    *out_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return 0;
}

int clinux_unix_listen(const char *path, unsigned mode, int backlog) {
    struct sockaddr_un address;
    socklen_t length;
    int result = address_of(path, &address, &length);
    if (result < 0) { return result; }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) { return -errno; }
    /* bind(2) gives the file the mode of the socket's own inode, so nobody can connect before a chmod of the file. */
    if (fchmod(fd, mode) < 0 || bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, backlog) < 0) {
        result = -errno;
        close(fd);
        return result;
    }
    return fd;
}

int clinux_unix_name(int fd, char path[108]) {
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) { return -errno; }
    path[0] = 0;
    /* An abstract name begins with a NUL, and a path need not end with one (unix(7)). */
    if (address.sun_family != AF_UNIX || length <= offsetof(struct sockaddr_un, sun_path)) { return 0; }
    size_t size = strnlen(address.sun_path, sizeof address.sun_path - 1);
    memcpy(path, address.sun_path, size);
    path[size] = 0;
    return 0;
}

int clinux_unix_connect_as(const char *path, int type) {
    struct sockaddr_un address;
    socklen_t length;
    int result = address_of(path, &address, &length);
    if (result < 0) { return result; }
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) { return -errno; }
    if (connect(fd, (struct sockaddr *)&address, length) < 0) {
        result = -errno;
        close(fd);
        return result;
    }
    return fd;
}

int clinux_unix_connect(const char *path) { return clinux_unix_connect_as(path, SOCK_STREAM); }

int clinux_unix_connect_within(const char *path, int milliseconds) {
    struct sockaddr_un address;
    socklen_t length;
    int result = address_of(path, &address, &length);
    if (result < 0) { return result; }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) { return -errno; }
    /* A blocking connect waits in the kernel until there is room in the listener's queue, for as long as this says
     * (unix(7), socket(7)). */
    struct timeval patience = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    struct timeval none = {0};
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0) { goto fail; }
    do { result = connect(fd, (struct sockaddr *)&address, length); } while (result < 0 && errno == EINTR);
    if (result < 0) { goto fail; }
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none) < 0 || clinux_make_nonblocking(fd) < 0) { goto fail; }
    return fd;
fail:
    result = -errno;
    close(fd);
    return result;
}

int clinux_datagram_socket(void) {
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return fd < 0 ? -errno : fd;
}

int clinux_send_many_to(
    int fd, const char *path, const void *bytes, const uint32_t *offsets, const uint32_t *lengths, int count) {
    enum { MAXIMUM_BATCH = 128 };
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    struct sockaddr_un address;
    socklen_t length;
    int result = address_of(path, &address, &length);
    if (result < 0) { return result; }
    if (count > MAXIMUM_BATCH) { count = MAXIMUM_BATCH; }
    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){.iov_base = (char *)bytes + offsets[i], .iov_len = lengths[i]};
        messages[i] = (struct mmsghdr){
            .msg_hdr = {.msg_name = &address, .msg_namelen = length, .msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    do { result = sendmmsg(fd, messages, (unsigned)count, MSG_DONTWAIT | MSG_NOSIGNAL); } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int clinux_accept(int listener) {
    int fd;
    do { fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); } while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

int clinux_peer(int socket, clinux_peer_t *out_peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) { return -errno; }
    *out_peer = (clinux_peer_t){.pid = credentials.pid, .user = credentials.uid, .group = credentials.gid};
    return 0;
}

int clinux_make_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}
