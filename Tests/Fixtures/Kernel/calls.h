/* The table of calls that the player stands before. A further call is a line here.
 *
 * CALL: fails with -1 and errno. SHORT: the same, and may do less than it was asked for. CODE: returns its error. PLACE: fails
 * with a null pointer. NUMBER: a call that goes through syscall(2). What varies in its arguments is in player.c. */
#ifndef CALL
#define CALL(result, name, parameters, arguments)
#endif
#ifndef SHORT
#define SHORT(name, parameters, fd, bytes, length, arguments, fewer)
#endif
#ifndef CODE
#define CODE(name, parameters, arguments)
#endif
#ifndef PLACE
#define PLACE(result, name, parameters, arguments)
#endif
#ifndef OTHER
#define OTHER(name)
#endif
#ifndef NUMBER
#define NUMBER(name)
#endif

/* ---- bytes ---- */
SHORT(read, (int fd, void *b, size_t n), fd, b, n, (fd, b, n), (fd, b, n / 2))
SHORT(write, (int fd, const void *b, size_t n), fd, b, n, (fd, b, n), (fd, b, n / 2))
SHORT(pread, (int fd, void *b, size_t n, off_t at), fd, b, n, (fd, b, n, at), (fd, b, n / 2, at))
SHORT(pwrite, (int fd, const void *b, size_t n, off_t at), fd, b, n, (fd, b, n, at), (fd, b, n / 2, at))
SHORT(pread64, (int fd, void *b, size_t n, off_t at), fd, b, n, (fd, b, n, at), (fd, b, n / 2, at))
SHORT(pwrite64, (int fd, const void *b, size_t n, off_t at), fd, b, n, (fd, b, n, at), (fd, b, n / 2, at))
SHORT(recv, (int fd, void *b, size_t n, int how), fd, b, n, (fd, b, n, how), (fd, b, n / 2, how))
SHORT(send, (int fd, const void *b, size_t n, int how), fd, b, n, (fd, b, n, how), (fd, b, n / 2, how))
CALL(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count))
CALL(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
CALL(ssize_t, sendfile64, (int out, int in, off64_t *at, size_t n), (out, in, at, n))
CALL(ssize_t, sendfile, (int out, int in, off_t *at, size_t n), (out, in, at, n))
CALL(ssize_t, getrandom, (void *b, size_t n, unsigned flags), (b, n, flags))

/* ---- files ---- */
OTHER(open) OTHER(openat) OTHER(close)
OTHER(lock) OTHER(duplicate) OTHER(fcntl) OTHER(ioctl) OTHER(prctl)
PLACE(DIR *, opendir, (const char *path), (path))
PLACE(DIR *, fdopendir, (int fd), (fd))
PLACE(struct dirent *, readdir, (DIR *folder), (folder))
PLACE(struct dirent64 *, readdir64, (DIR *folder), (folder))
PLACE(FILE *, fopen, (const char *path, const char *mode), (path, mode))
PLACE(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
CALL(off_t, lseek, (int fd, off_t at, int from), (fd, at, from))
CALL(off_t, lseek64, (int fd, off_t at, int from), (fd, at, from))
CALL(int, fsync, (int fd), (fd))
CALL(int, fdatasync, (int fd), (fd))
CALL(int, syncfs, (int fd), (fd))
CALL(int, sync_file_range, (int fd, off_t at, off_t n, unsigned how), (fd, at, n, how))
CALL(int, ftruncate, (int fd, off_t size), (fd, size))
CALL(int, ftruncate64, (int fd, off_t size), (fd, size))
CALL(int, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
CALL(int, fallocate64, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
CODE(posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n))
CALL(int, fstat, (int fd, struct stat *out), (fd, out))
CALL(int, fstat64, (int fd, struct stat64 *out), (fd, out))
CALL(int, stat, (const char *path, struct stat *out), (path, out))
CALL(int, stat64, (const char *path, struct stat64 *out), (path, out))
CALL(int, lstat, (const char *path, struct stat *out), (path, out))
CALL(int, lstat64, (const char *path, struct stat64 *out), (path, out))
CALL(int, fstatat, (int fd, const char *path, struct stat *out, int how), (fd, path, out, how))
CALL(int, statvfs, (const char *path, struct statvfs *out), (path, out))
CALL(int, fstatvfs, (int fd, struct statvfs *out), (fd, out))
CALL(int, access, (const char *path, int mode), (path, mode))
CALL(int, faccessat, (int fd, const char *path, int mode, int how), (fd, path, mode, how))
CALL(int, unlink, (const char *path), (path))
CALL(int, unlinkat, (int fd, const char *path, int how), (fd, path, how))
CALL(int, rename, (const char *from, const char *to), (from, to))
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
CALL(int, linkat, (int a, const char *from, int b, const char *to, int how), (a, from, b, to, how))
CALL(int, link, (const char *from, const char *to), (from, to))
CALL(int, symlink, (const char *to, const char *path), (to, path))
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode))
CALL(int, rmdir, (const char *path), (path))
CALL(int, chmod, (const char *path, mode_t mode), (path, mode))
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode))
CALL(int, fchmodat, (int fd, const char *path, mode_t mode, int how), (fd, path, mode, how))
CALL(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
CALL(int, fchownat, (int fd, const char *path, uid_t user, gid_t group, int how), (fd, path, user, group, how))
CALL(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
CALL(ssize_t, readlink, (const char *path, char *b, size_t n), (path, b, n))
CALL(ssize_t, readlinkat, (int fd, const char *path, char *b, size_t n), (fd, path, b, n))
CALL(int, memfd_create, (const char *name, unsigned flags), (name, flags))
CALL(int, dup2, (int from, int to), (from, to))
CALL(int, pipe2, (int fds[2], int flags), (fds, flags))

/* ---- waiting ---- */
CALL(int, epoll_create1, (int flags), (flags))
CALL(int, epoll_ctl, (int epoll, int what, int fd, struct epoll_event *event), (epoll, what, fd, event))
CALL(int, epoll_wait, (int epoll, struct epoll_event *events, int count, int ms), (epoll, events, count, ms))
CALL(int, epoll_pwait2, (int epoll, struct epoll_event *events, int count, const struct timespec *span, const sigset_t *set),
    (epoll, events, count, span, set))
CALL(int, poll, (struct pollfd *places, nfds_t count, int ms), (places, count, ms))
CALL(int, ppoll, (struct pollfd *places, nfds_t count, const struct timespec *span, const sigset_t *set),
    (places, count, span, set))
CALL(int, eventfd, (unsigned start, int flags), (start, flags))
CALL(int, timerfd_create, (clockid_t clock, int flags), (clock, flags))
CALL(int, timerfd_settime, (int fd, int flags, const struct itimerspec *when, struct itimerspec *old), (fd, flags, when, old))
CALL(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags))
CALL(int, inotify_init1, (int flags), (flags))
CALL(int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask))
CALL(int, inotify_rm_watch, (int fd, int watch), (fd, watch))

/* ---- sockets ---- */
CALL(int, socket, (int family, int kind, int protocol), (family, kind, protocol))
CALL(int, socketpair, (int family, int kind, int protocol, int fds[2]), (family, kind, protocol, fds))
CALL(int, bind, (int fd, const struct sockaddr *address, socklen_t length), (fd, address, length))
CALL(int, listen, (int fd, int backlog), (fd, backlog))
CALL(int, connect, (int fd, const struct sockaddr *address, socklen_t length), (fd, address, length))
CALL(int, accept4, (int fd, struct sockaddr *address, socklen_t *length, int flags), (fd, address, length, flags))
CALL(int, shutdown, (int fd, int how), (fd, how))
CALL(int, getsockname, (int fd, struct sockaddr *address, socklen_t *length), (fd, address, length))
CALL(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *length), (fd, level, name, value, length))
CALL(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t length), (fd, level, name, value, length))
CALL(ssize_t, sendto, (int fd, const void *b, size_t n, int how, const struct sockaddr *to, socklen_t length),
    (fd, b, n, how, to, length))
CALL(ssize_t, recvfrom, (int fd, void *b, size_t n, int how, struct sockaddr *from, socklen_t *length),
    (fd, b, n, how, from, length))
CALL(ssize_t, sendmsg, (int fd, const struct msghdr *message, int how), (fd, message, how))
CALL(ssize_t, recvmsg, (int fd, struct msghdr *message, int how), (fd, message, how))
CALL(int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned count, int how), (fd, messages, count, how))
CALL(int, recvmmsg, (int fd, struct mmsghdr *messages, unsigned count, int how, struct timespec *span),
    (fd, messages, count, how, span))

/* ---- processes ---- */
OTHER(fork) OTHER(posix_spawn) OTHER(execve) OTHER(mmap)
CODE(pthread_create, (pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *value),
    (thread, how, body, value))
CALL(pid_t, wait4, (pid_t pid, int *status, int how, struct rusage *usage), (pid, status, how, usage))
CALL(pid_t, setsid, (void), ())
CALL(int, setrlimit, (__rlimit_resource_t what, const struct rlimit *limit), (what, limit))
CALL(int, getrlimit, (__rlimit_resource_t what, struct rlimit *limit), (what, limit))
CALL(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old))
CALL(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
CALL(int, sigaltstack, (const stack_t *stack, stack_t *old), (stack, old))
CALL(int, setgroups, (size_t count, const gid_t *groups), (count, groups))
CALL(int, setresuid, (uid_t user, uid_t effective, uid_t saved), (user, effective, saved))
CALL(int, setresgid, (gid_t group, gid_t effective, gid_t saved), (group, effective, saved))
NUMBER(openat2) NUMBER(renameat2) NUMBER(close_range) NUMBER(clone3) NUMBER(pidfd_open) NUMBER(pidfd_send_signal)
NUMBER(capget) NUMBER(capset) NUMBER(seccomp) NUMBER(landlock_create_ruleset) NUMBER(landlock_add_rule)
NUMBER(landlock_restrict_self) NUMBER(bpf) NUMBER(quotactl_fd) NUMBER(unshare)

#undef CALL
#undef SHORT
#undef CODE
#undef PLACE
#undef OTHER
#undef NUMBER
