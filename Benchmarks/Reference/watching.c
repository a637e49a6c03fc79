/* The least that a watcher can do: starts a program, is told of its calls of openat(2) by seccomp_unotify(2), reads the path from
 * its memory, and has the kernel go on: watching PROGRAM [ARGUMENT…] */
#include "measure.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif

int main(int argc, char **argv) {
    require_that(argc > 1, "a program");
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    int told[2], handle = -1, listener = -1;
    require_that(pipe(told) == 0, "pipe");
    struct clone_args arguments = {
        .flags = CLONE_FILES | CLONE_PIDFD, .pidfd = (uint64_t)(uintptr_t)&handle, .exit_signal = SIGCHLD};
    long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    require_that(pid >= 0, "clone3");
    if (pid == 0) {
        int fd = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
            ? -1 : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
        if (write(told[1], &fd, sizeof fd) != sizeof fd || fd < 0) { _exit(1); }
        execv(argv[1], argv + 1);
        _exit(127);
    }
    require_that(read(told[0], &listener, sizeof listener) == sizeof listener && listener >= 0, "seccomp");
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, 1UL); /* SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP */
    for (;;) {
        struct pollfd waits[] = {{.fd = listener, .events = POLLIN}, {.fd = handle, .events = POLLIN}};
        require_that(poll(waits, 2, -1) > 0, "poll");
        if (!(waits[0].revents & POLLIN)) { break; }
        struct seccomp_notif notice = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0) { continue; }
        char path[4096];
        uint64_t address = notice.data.args[1];
        size_t size = 4096 - address % 4096;
        struct iovec here = {.iov_base = path, .iov_len = size};
        struct iovec there = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};
        require_that(process_vm_readv((pid_t)notice.pid, &here, 1, &there, 1, 0) > 0, "process_vm_readv");
        struct seccomp_notif_resp answer = {.id = notice.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        require_that(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) == 0 || errno == ENOENT, "answer");
    }
    int status = 0;
    require_that(waitpid((pid_t)pid, &status, 0) == pid, "waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
