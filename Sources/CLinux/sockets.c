#include "CLinux.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(CLINUX_DONTWAIT == MSG_DONTWAIT, "message flags");
enum { MAXIMUM_FDS = 128, MAXIMUM_BATCH = 128 };

/* Who does not wait is told of a lack of memory as of a socket that takes, or has, nothing at present: it is tried again. */
static int failure(int flags) {
    return flags & MSG_DONTWAIT && (errno == ENOMEM || errno == ENOBUFS) ? -EAGAIN : -errno;
}

int clinux_seqpacket_pair(int fds[2], int buffer_size) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0) { return -errno; }
    for (int i = 0; i < 2; i++) {
        /* The kernel caps the value at net.core.wmem_max; what it grants is enough for one frame in any case. */
        /* Of a Unix socket only the sender's buffer counts (unix(7)). */
        (void)setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &buffer_size, sizeof buffer_size);
    }
    return 0;
}

int clinux_send(int socket, const void *bytes, size_t length, const int *fds, int count, int flags) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        char space[CMSG_SPACE(sizeof(int) * MAXIMUM_FDS)];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > MAXIMUM_FDS) { return -EINVAL; }
    if (count > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
        memcpy(CMSG_DATA(header), fds, sizeof(int) * (size_t)count);
    }
    ssize_t n;
    do { n = sendmsg(socket, &message, flags | MSG_NOSIGNAL); } while (n < 0 && errno == EINTR);
    return n < 0 ? failure(flags) : (int)n;
}

int clinux_receive(int socket, void *bytes, size_t length, int *out_fds, int capacity, int *out_count, int flags) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    union {
        char space[CMSG_SPACE(sizeof(int) * MAXIMUM_FDS)];
        struct cmsghdr align;
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (capacity > 0) {
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
    }
    ssize_t n;
    do { n = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC); } while (n < 0 && errno == EINTR);
    if (n < 0) { return failure(flags); }
    int count = 0;
    if (capacity > 0) {
        for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h != NULL; h = CMSG_NXTHDR(&message, h)) {
            if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) { continue; }
            int received = (int)((h->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            for (int i = 0; i < received; i++) {
                int fd;
                memcpy(&fd, CMSG_DATA(h) + (size_t)i * sizeof(int), sizeof fd);
                if (count < capacity) { out_fds[count++] = fd; } else { close(fd); }
            }
        }
    }
    if (out_count != NULL) { *out_count = count; }
    return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : (int)n;
}

int clinux_receive_many(int socket, void *bytes, size_t stride, int *lengths, int capacity) {
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    if (capacity > MAXIMUM_BATCH) { capacity = MAXIMUM_BATCH; }
    for (int i = 0; i < capacity; i++) {
        parts[i] = (struct iovec){.iov_base = (char *)bytes + (size_t)i * stride, .iov_len = stride};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    int count;
    do { count = recvmmsg(socket, messages, (unsigned)capacity, MSG_DONTWAIT, NULL); } while (count < 0 && errno == EINTR);
    if (count < 0) { return failure(MSG_DONTWAIT); }
    for (int i = 0; i < count; i++) {
        /* At end of file every message has length 0: stop at the first empty one. */
        if (messages[i].msg_len == 0) { return i; }
        int broken = messages[i].msg_hdr.msg_flags & (MSG_TRUNC | MSG_CTRUNC);
        lengths[i] = broken ? -1 : (int)messages[i].msg_len;
    }
    return count;
}

int clinux_send_many(int socket, const void *bytes, const uint32_t *offsets, const uint32_t *lengths, int count) {
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    if (count > MAXIMUM_BATCH) { count = MAXIMUM_BATCH; }
    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){.iov_base = (char *)bytes + offsets[i], .iov_len = lengths[i]};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    int sent;
    do { sent = sendmmsg(socket, messages, (unsigned)count, MSG_DONTWAIT | MSG_NOSIGNAL); } while (sent < 0 && errno == EINTR);
    return sent < 0 ? failure(MSG_DONTWAIT) : sent;
}
