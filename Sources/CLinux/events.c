#include "CLinuxEvents.h"

#include <errno.h>
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* ---- netlink ---- */

int clinux_netlink_open(int protocol, uint32_t groups)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (fd < 0) {
        return -errno;
    }
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int code = errno;
        close(fd);
        return -code;
    }
    return fd;
}

int clinux_netlink_port(int socket, uint32_t *out_port)
{
    struct sockaddr_nl address = {0};
    socklen_t length = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &length) < 0) {
        return -errno;
    }
    *out_port = address.nl_pid;
    return 0;
}

int clinux_netlink_join(int socket, uint32_t group)
{
    return setsockopt(socket, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) < 0 ? -errno : 0;
}

int clinux_netlink_take_only(int socket, uint16_t first, uint16_t second)
{
    /* The type is in the machine's byte order, which a filter reads as the network's (netlink(7)). */
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_type)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(first), 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(second), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0 ? -errno : 0;
}

int clinux_netlink_filter_dumps(int socket)
{
    int on = 1;
    return setsockopt(socket, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on) < 0 ? -errno : 0;
}

int clinux_netlink_send(int socket, const void *bytes, size_t length)
{
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent = sendto(socket, bytes, length, MSG_NOSIGNAL, (struct sockaddr *)&kernel, sizeof kernel);
    return sent < 0 ? -errno : (int)sent;
}

int clinux_netlink_receive(int socket, void *bytes, size_t length, uint32_t *out_port)
{
    struct sockaddr_nl sender = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &part, .msg_iovlen = 1};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, 0);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -errno;
    }
    *out_port = sender.nl_pid;
    return message.msg_flags & MSG_TRUNC ? -EMSGSIZE : (int)received;
}

/* ---- clocks ---- */

/* As far away as the kernel takes it (KTIME_MAX is 292 years): only the cancellation is of interest. */
static int arm(int fd)
{
    struct itimerspec far = {.it_value = {.tv_sec = INT64_C(1) << 33}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &far, 0) < 0 ? -errno : 0;
}

int clinux_clock_watch(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    int armed = arm(fd);
    if (armed < 0) {
        close(fd);
        return armed;
    }
    return fd;
}

int clinux_clock_watch_read(int fd)
{
    uint64_t ticks;
    if (read(fd, &ticks, sizeof ticks) >= 0 || errno != ECANCELED) {
        return 0;
    }
    int armed = arm(fd);
    /* -ECANCELED: the clock was set once more before the timer was armed, which it is nevertheless. */
    return armed < 0 && armed != -ECANCELED ? armed : 1;
}
