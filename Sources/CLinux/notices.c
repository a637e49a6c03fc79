#include "CLinuxNotices.h"
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Linux 6.6: the listener is woken on the processor of the caller, which then waits anyway. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

/* From Linux 5.19 on a signal does not interrupt a call that waits for its answer, unless it kills. */
static long install(const struct sock_fprog *program) {
    const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    long listener = syscall(
        SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, program);
    return listener < 0 && errno == EINVAL ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program) : listener;
}

void clinux_notices_hurry(int listener) {
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
}

int clinux_listen(const uint64_t *instructions, unsigned count) {
    struct sock_fprog program = {
        .len = (unsigned short)count,
        .filter = (struct sock_filter *)(uintptr_t)instructions,
    };
    if (count == 0 || count > BPF_MAXINSNS) { return -EINVAL; }
    long listener = install(&program);
    return listener < 0 ? -errno : (int)listener;
}

void clinux_allow_tracing(int process) { prctl(PR_SET_PTRACER, (unsigned long)process, 0, 0, 0); }

/* In the child, which shares the parent's descriptors until it executes: the listener needs no way to the parent. */
static void be_watched(
    const char *path, char *const *words, char *const *variables, const struct sock_fprog *program, int ruleset,
    int told) {
    const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) { signal(signals[i], SIG_DFL); }
    long listener = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
            || (ruleset >= 0 && clinux_landlock_restrict(ruleset, 0) < 0)
        ? -1
        : install(program);
    int answer = listener < 0 ? -errno : (int)listener;
    if (write(told, &answer, sizeof answer) != sizeof answer || answer < 0) { _exit(125); }
    execve(path, words, variables);
    int failed = errno;
    dprintf(STDERR_FILENO, "taskhost-worker: %s cannot be executed: %s\n", path, strerror(failed));
    _exit(failed == ENOENT ? 127 : 126);
}

int clinux_watched_spawn(
    const char *path, char *const *words, char *const *variables, const uint64_t *instructions, unsigned count,
    int ruleset, int *out_listener, int *out_handle) {
    struct sock_fprog program = {
        .len = (unsigned short)count,
        .filter = (struct sock_filter *)(uintptr_t)instructions,
    };
    int ends[2], handle = -1, answer = -EPROTO;
    if (count == 0 || count > BPF_MAXINSNS) { return -EINVAL; }
    if (pipe2(ends, O_CLOEXEC) < 0) { return -errno; }
    struct clone_args arguments = {
        .flags = CLONE_FILES | CLONE_PIDFD,
        .pidfd = (uint64_t)(uintptr_t)&handle,
        .exit_signal = SIGCHLD,
    };
    long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0) { be_watched(path, words, variables, &program, ruleset, ends[1]); }
    int failed = pid < 0 ? -errno : 0;
    if (!failed) {
        /* Its end, if it dies before it says anything: this process holds the pipe's other end as well. */
        struct pollfd waits[] = {{.fd = ends[0], .events = POLLIN}, {.fd = handle, .events = POLLIN}};
        while (poll(waits, 2, -1) < 0 && errno == EINTR) {}
        if (!(waits[0].revents & POLLIN) || read(ends[0], &answer, sizeof answer) != sizeof answer) { answer = -EPROTO; }
        if (answer < 0) {
            failed = answer;
            kill((pid_t)pid, SIGKILL);
            while (waitpid((pid_t)pid, NULL, 0) < 0 && errno == EINTR) {}
            close(handle);
        }
    }
    close(ends[0]);
    close(ends[1]);
    if (failed) { return failed; }
    *out_listener = answer;
    *out_handle = handle;
    return (int)pid;
}

int clinux_notice_receive(int listener, clinux_notice_t *out) {
    struct seccomp_notif notice;
    memset(&notice, 0, sizeof notice); /* the kernel refuses one that is not empty */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0) { return -errno; }
    out->id = notice.id;
    out->thread = (int32_t)notice.pid;
    out->number = notice.data.nr;
    for (int i = 0; i < 6; i++) { out->arguments[i] = notice.data.args[i]; }
    return 0;
}

int clinux_notice_is_waiting(int listener, uint64_t id) {
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

static int answer(int listener, const struct seccomp_notif_resp *response) {
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response) < 0 ? -errno : 0;
}

int clinux_notice_continue(int listener, uint64_t id) {
    struct seccomp_notif_resp response = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    return answer(listener, &response);
}

int clinux_notice_refuse(int listener, uint64_t id, int code) {
    struct seccomp_notif_resp response = {.id = id, .error = -code};
    return answer(listener, &response);
}

int64_t clinux_peek(int process, uint64_t address, void *out, size_t size) {
    struct iovec here = {.iov_base = out, .iov_len = size};
    struct iovec there = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
    ssize_t length = process_vm_readv(process, &here, 1, &there, 1, 0);
    return length < 0 ? -errno : length;
}

static void ignore_it(int number) {}

int clinux_outlive_signal(int number) {
    struct sigaction action = {.sa_handler = ignore_it, .sa_flags = SA_RESTART};
    return sigaction(number, &action, NULL) < 0 ? -errno : 0;
}

void clinux_die_by_signal(int number) {
    const struct rlimit none = {0, 0};
    sigset_t one;
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

int clinux_notice_answer(int listener, uint64_t id, int64_t value) {
    struct seccomp_notif_resp response = {.id = id, .val = value};
    return answer(listener, &response);
}

int clinux_notice_give(int listener, uint64_t id, int fd, int target, int closes_on_exec) {
    struct seccomp_notif_addfd given = {
        .id = id,
        .flags = target >= 0 ? SECCOMP_ADDFD_FLAG_SETFD : 0,
        .srcfd = (uint32_t)fd,
        .newfd = target >= 0 ? (uint32_t)target : 0,
        .newfd_flags = closes_on_exec ? O_CLOEXEC : 0,
    };
    int number = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given);
    return number < 0 ? -errno : number;
}

/* ---- sockets ---- */

/* A copy of another process's descriptor, CLOEXEC. */
static int copy_of(int process, int fd) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) { return -errno; }
    int copy = (int)syscall(SYS_pidfd_getfd, handle, fd, 0);
    int result = copy < 0 ? -errno : copy;
    close(handle);
    return result;
}

static int get(int fd, int option, int *out) {
    socklen_t length = sizeof *out;
    return getsockopt(fd, SOL_SOCKET, option, out, &length);
}

int clinux_socket_facts(int process, int fd, clinux_socket_facts_t *out) {
    int copy = copy_of(process, fd);
    if (copy < 0) { return copy; }
    int failed = get(copy, SO_DOMAIN, &out->domain) < 0 || get(copy, SO_TYPE, &out->type) < 0
            || get(copy, SO_PROTOCOL, &out->protocol) < 0 || (out->flags = fcntl(copy, F_GETFL)) < 0
        ? -errno : 0;
    close(copy);
    return failed;
}

int clinux_echo_connect(int process, int fd, const void *address, unsigned length) {
    int copy = copy_of(process, fd), domain = 0, type = 0, protocol = 0;
    if (copy < 0) { return copy; }
    int result = get(copy, SO_DOMAIN, &domain) < 0 || get(copy, SO_TYPE, &type) < 0 || get(copy, SO_PROTOCOL, &protocol) < 0
        ? -errno
        : type != SOCK_DGRAM || (domain != AF_INET && domain != AF_INET6)
                || (protocol != IPPROTO_ICMP && protocol != IPPROTO_ICMPV6)
            ? -EACCES
        : connect(copy, address, (socklen_t)length) < 0 ? -errno : 0;
    close(copy);
    return result;
}

int clinux_echo_socket(int domain) {
    int fd = socket(domain, SOCK_DGRAM | SOCK_CLOEXEC, domain == AF_INET6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
    return fd < 0 ? -errno : fd;
}

int clinux_message_socket(void) {
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return fd < 0 ? -errno : fd;
}

int clinux_set_nonblocking(int fd, int is_set) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) { return -errno; }
    return fcntl(fd, F_SETFL, is_set ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) < 0 ? -errno : 0;
}
