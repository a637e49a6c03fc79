#include "CLinux.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef PR_GET_TID_ADDRESS
#define PR_GET_TID_ADDRESS 40
#endif

/* The Swift runtime, Foundation, libdispatch and Swift programs keep the id of a thread in variables of the thread once
 * they have asked for it, and do not notice a fork. In the child the main thread would go on under its parent's id: the
 * owner that it writes into a lock is then somebody else, and whoever waits for that lock (a lazy global that two threads
 * ask for at once is enough) spins with it for ever, for the kernel refuses both (futex(2), FUTEX_LOCK_PI and
 * FUTEX_UNLOCK_PI). The variables have no names that could be looked up, so they are known by what they hold, in these
 * libraries and this program alone. libdispatch's main queue bears the id of the thread that it belongs to as well. */
struct renewal {
    pid_t old, now;
};
static void renew(pid_t *words, size_t size, const struct renewal *renewal) {
    for (size_t word = 0; word < size / sizeof *words; word++) {
        if (words[word] == renewal->old) { words[word] = renewal->now; }
    }
}
static int renew_thread_id(struct dl_phdr_info *info, size_t size, void *context) {
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash != NULL ? slash + 1 : info->dlpi_name;
    int keeps = *name == 0 || strncmp(name, "libswift", 8) == 0 || strncmp(name, "libFoundation", 13) == 0
        || strncmp(name, "lib_Foundation", 14) == 0 || strncmp(name, "libdispatch", 11) == 0;
    if (!keeps || size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data) { return 0; }
    if (info->dlpi_tls_data == NULL) { return 0; }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_TLS) { continue; }
        renew(info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz, context);
    }
    return 0;
}
static void renew_thread_ids(pid_t old) {
    struct renewal renewal = {.old = old, .now = (pid_t)syscall(SYS_gettid)};
    dl_iterate_phdr(renew_thread_id, &renewal);
    /* What dispatch_get_main_queue() gives (<dispatch/queue.h>); 64 bytes hold its state. */
    void *main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
    if (main_queue != NULL) { renew(main_queue, 64, &renewal); }
}

/* glibc keeps the thread id in the thread's descriptor and hands its address to the kernel at start
 * (set_tid_address); its own fork() passes the same address with CLONE_CHILD_SETTID. A raw clone3 has to do likewise,
 * else raise() and abort() in the child signal the parent's id. */
static int fork_into(int cgroup, int tid) {
    int *tid_address = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &tid_address) == 0 && tid_address != NULL && *tid_address == tid) {
        struct clone_args arguments = {
            .flags = CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | (cgroup >= 0 ? CLONE_INTO_CGROUP : 0),
            .child_tid = (uint64_t)(uintptr_t)tid_address,
            .exit_signal = SIGCHLD,
            .cgroup = cgroup >= 0 ? (uint64_t)cgroup : 0,
        };
        long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
        if (pid >= 0) { return (int)pid; }
        if (errno != ENOSYS && errno != EPERM) { return -errno; }
    }
    /* A kernel without the call, or without CONFIG_CHECKPOINT_RESTORE: the caller places the child by hand. */
    if (cgroup >= 0) { return -EOPNOTSUPP; }
    pid_t pid = fork();
    return pid < 0 ? -errno : pid;
}
int clinux_fork(int cgroup) {
    pid_t tid = (pid_t)syscall(SYS_gettid);
    int pid = fork_into(cgroup, tid);
    if (pid == 0) { renew_thread_ids(tid); }
    return pid;
}

int clinux_pidfd_open(int pid) {
    long fd = syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : (int)fd;
}
int clinux_pidfd_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

static void convert(int pid, int status, const struct rusage *usage, clinux_exit_t *out) {
    out->pid = pid;
    out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    out->cpu_ns = ((int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000
        + ((int64_t)usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000;
    out->peak_bytes = (uint64_t)usage->ru_maxrss * 1024;
}
int clinux_reap(clinux_exit_t *out_exit) {
    int status;
    struct rusage usage;
    pid_t pid;
    do { pid = wait4(-1, &status, WNOHANG, &usage); } while (pid < 0 && errno == EINTR);
    if (pid <= 0) { return pid < 0 ? -errno : 0; }
    convert(pid, status, &usage, out_exit);
    return 1;
}
int clinux_await_child(void) {
    siginfo_t information;
    int result;
    do { result = waitid(P_ALL, 0, &information, WEXITED | WNOWAIT); } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : information.si_pid;
}
int clinux_wait(int pid, clinux_exit_t *out_exit) {
    int status;
    struct rusage usage;
    pid_t reaped;
    do { reaped = wait4(pid, &status, 0, &usage); } while (reaped < 0 && errno == EINTR);
    if (reaped < 0) { return -errno; }
    convert(pid, status, &usage, out_exit);
    return 0;
}

int clinux_spawn(const char *path, char *const argv[], char *const envp[], const char *folder, const int *fds, int count,
                 int first) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    pid_t pid;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) { return -failed; }
    failed = posix_spawnattr_init(&attributes);
    if (failed) { goto out_actions; }
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (folder) { failed = posix_spawn_file_actions_addchdir_np(&actions, folder); }
    for (int i = 0; i < count && !failed; i++) {
        /* Sources lie above first + count (the caller sees to it), so that no target overwrites a later source. */
        failed = posix_spawn_file_actions_adddup2(&actions, fds[i], first + i);
    }
    if (!failed) { failed = posix_spawn_file_actions_addclosefrom_np(&actions, first + count); }
    if (!failed) { failed = posix_spawn(&pid, path, &actions, &attributes, argv, envp); }
    posix_spawnattr_destroy(&attributes);
out_actions:
    posix_spawn_file_actions_destroy(&actions);
    return failed ? -failed : pid;
}

int clinux_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ? -errno : 0; }
int clinux_set_dumpable(int on) { return prctl(PR_SET_DUMPABLE, on) < 0 ? -errno : 0; }
int clinux_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 ? -errno : 0; }
int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0; }
int clinux_set_limit(int resource, uint64_t value) {
    struct rlimit current, limit = {.rlim_cur = value, .rlim_max = value};
    if (getrlimit((__rlimit_resource_t)resource, &current) < 0) { return -errno; }
    if (current.rlim_max < limit.rlim_max) { limit.rlim_cur = limit.rlim_max = current.rlim_max; }
    return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

int clinux_set_limits(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit current, limit = {.rlim_cur = soft, .rlim_max = hard};
    if (getrlimit((__rlimit_resource_t)resource, &current) < 0) { return -errno; }
    if (setrlimit((__rlimit_resource_t)resource, &limit) == 0) { return 0; }
    if (errno != EPERM) { return -errno; }
    limit.rlim_max = current.rlim_max;
    if (limit.rlim_cur > limit.rlim_max) { limit.rlim_cur = limit.rlim_max; }
    return setrlimit((__rlimit_resource_t)resource, &limit) < 0 ? -errno : 0;
}

/* sched_setattr(2); the C library has no call for it before 2.41. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static int get_attributes(int thread, struct attributes *found) {
    *found = (struct attributes){0};
    if (syscall(SYS_sched_getattr, thread, found, (unsigned)sizeof *found, 0U) < 0) { return -errno; }
    return found->policy == SCHED_OTHER || found->policy == SCHED_BATCH;
}

int clinux_set_slice(uint64_t nanoseconds) {
    struct attributes attributes;
    int is_fair = get_attributes(0, &attributes);
    if (is_fair <= 0) { return is_fair; }
    attributes.runtime = nanoseconds;
    return syscall(SYS_sched_setattr, 0, &attributes, 0U) < 0 ? -errno : 0;
}

int64_t clinux_slice(int thread) {
    struct attributes attributes;
    int is_fair = get_attributes(thread, &attributes);
    return is_fair <= 0 ? is_fair : (int64_t)attributes.runtime;
}

void clinux_line_buffer_stdout(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

static void flush(FILE *stream) {
    struct timespec pause = {.tv_nsec = 100000};
    for (int tries = 0; ftrylockfile(stream) != 0; tries += 1) {
        if (tries == 100) { return; }
        nanosleep(&pause, NULL);
    }
    fflush_unlocked(stream);
    funlockfile(stream);
}
void clinux_flush_output(void) {
    flush(stdout);
    flush(stderr);
}

int clinux_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns) {
    struct timespec span = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    long r = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout_ns < 0 ? NULL : &span, NULL, 0);
    return r < 0 ? -errno : 0;
}
int clinux_futex_wake(uint32_t *word, int count) {
    long r = syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
    return r < 0 ? -errno : (int)r;
}
