#include "actions.h"
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

/* SIGURG is ignored by default: the victim survives. */
ACTION(kill_victim) { return TRY(kill(targets->victim, SIGURG)); }
ACTION(tgkill_victim) { return TRY(syscall(SYS_tgkill, targets->victim, targets->victim, SIGURG)); }
ACTION(tkill_victim) { return TRY(syscall(SYS_tkill, targets->victim, SIGURG)); }
ACTION(kill_parent) { return TRY(kill(getppid(), SIGURG)); }
ACTION(queue_signal) {
    union sigval value = {0};
    return TRY(sigqueue(targets->victim, SIGURG, value));
}
ACTION(pidfd_signal) {
    int fd = (int)syscall(SYS_pidfd_open, targets->victim, 0);
    return fd < 0 ? errno : TRY(syscall(SYS_pidfd_send_signal, fd, SIGURG, NULL, 0));
}
ACTION(pidfd_take) {
    int fd = (int)syscall(SYS_pidfd_open, targets->victim, 0);
    return fd < 0 ? errno : TRY(syscall(SYS_pidfd_getfd, fd, 0, 0));
}
ACTION(owner_signal) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) { return errno; }
    return TRY(fcntl(pair[0], F_SETOWN, targets->victim));
}
ACTION(owner_signal_kind) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) { return errno; }
    return TRY(fcntl(pair[0], F_SETSIG, SIGSTOP));
}
ACTION(trace) { return TRY(ptrace(PTRACE_SEIZE, targets->victim, NULL, NULL)); }
/* A file-local address is the same in the victim, which was forked from the same program. */
static char marker = 'x';
ACTION(read_memory) {
    char copy;
    struct iovec here = {&copy, 1}, there = {&marker, 1};
    return TRY(process_vm_readv(targets->victim, &here, 1, &there, 1, 0));
}
ACTION(write_memory) {
    char copy = 'x';
    struct iovec here = {&copy, 1}, there = {&marker, 1};
    return TRY(process_vm_writev(targets->victim, &here, 1, &there, 1, 0));
}
ACTION(compare_processes) { return TRY(syscall(SYS_kcmp, getpid(), targets->victim, 1, 0, 0)); }
ACTION(limit_victim) {
    struct rlimit limit;
    if (prlimit(targets->victim, RLIMIT_NOFILE, NULL, &limit) < 0) { return errno; }
    return TRY(prlimit(targets->victim, RLIMIT_NOFILE, &limit, NULL));
}
ACTION(affinity_victim) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0) { return ATTACK_BROKEN; }
    return TRY(sched_setaffinity(targets->victim, sizeof set, &set));
}
ACTION(renice_victim) { return TRY(setpriority(PRIO_PROCESS, (id_t)targets->victim, 1)); }
ACTION(io_priority_victim) { return TRY(syscall(SYS_ioprio_set, 1, targets->victim, 2 << 13 | 4)); }
ACTION(schedule_victim) {
    struct sched_param parameters = {0};
    return TRY(sched_setscheduler(targets->victim, SCHED_BATCH, &parameters));
}
ACTION(move_pages_victim) { return TRY(syscall(SYS_move_pages, targets->victim, 0, NULL, NULL, NULL, 0)); }

ACTION(new_session) {
    /* A leader cannot; its child could. */
    pid_t pid = fork();
    if (pid < 0) { return errno; }
    if (pid == 0) { _exit(TRY(setsid())); }
    int status;
    if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) { return ATTACK_BROKEN; }
    return WEXITSTATUS(status);
}
ACTION(new_group) {
    pid_t pid = fork();
    if (pid < 0) { return errno; }
    if (pid == 0) { _exit(TRY(setpgid(0, 0))); }
    int status;
    if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) { return ATTACK_BROKEN; }
    return WEXITSTATUS(status);
}
static int call_prctl(int option, unsigned long argument) { return TRY(prctl(option, argument, 0, 0, 0)); }
ACTION(outlive_parent) { return call_prctl(PR_SET_PDEATHSIG, 0); }
ACTION(become_subreaper) { return call_prctl(PR_SET_CHILD_SUBREAPER, 1); }
ACTION(become_dumpable) { return call_prctl(PR_SET_DUMPABLE, 1); }
ACTION(allow_tracer) { return call_prctl(PR_SET_PTRACER, (unsigned long)targets->victim); }
ACTION(set_mappings) { return TRY(prctl(PR_SET_MM, PR_SET_MM_BRK, 0x1000, 0, 0)); }
ACTION(securebits) { return call_prctl(PR_SET_SECUREBITS, 0); }
/* The kernel looks at the low half of an option only; a filter must too. */
ACTION(wide_prctl) { return TRY(syscall(SYS_prctl, 0x100000000UL | PR_SET_DUMPABLE, 1, 0, 0, 0)); }

/* Runs a clone whose child ends at once. */
static int clone_with(unsigned long flags) {
    long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) { _exit(0); }
    if (pid < 0) { return errno; }
    waitpid((pid_t)pid, NULL, 0);
    return 0;
}
ACTION(clone_user) { return clone_with(CLONE_NEWUSER); }
ACTION(clone_pid) { return clone_with(CLONE_NEWPID); }
ACTION(clone_mount) { return clone_with(CLONE_NEWNS); }
ACTION(clone_parent) { return clone_with(CLONE_PARENT); }
ACTION(clone3_user) {
    struct clone_args arguments = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0) { _exit(0); }
    if (pid < 0) { return errno; }
    waitpid((pid_t)pid, NULL, 0);
    return 0;
}
ACTION(run_program) {
    char *const arguments[] = {(char *)first, NULL};
    pid_t pid = fork();
    if (pid < 0) { return errno; }
    if (pid == 0) {
        execv(first, arguments);
        _exit(errno);
    }
    int status;
    if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) { return ATTACK_BROKEN; }
    return WEXITSTATUS(status);
}
ACTION(run_memory_file) {
    char *const arguments[] = {"x", NULL};
    char bytes[65536];
    int source = open(first, O_RDONLY);
    int copy = (int)syscall(SYS_memfd_create, "x", 0);
    if (copy < 0) { return errno; }
    if (source < 0) { return ATTACK_BROKEN; }
    for (ssize_t n; (n = read(source, bytes, sizeof bytes)) > 0;) {
        if (write(copy, bytes, (size_t)n) != n) { return ATTACK_BROKEN; }
    }
    pid_t pid = fork();
    if (pid < 0) { return errno; }
    if (pid == 0) {
        fexecve(copy, arguments, arguments + 1);
        _exit(errno);
    }
    int status;
    if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) { return ATTACK_BROKEN; }
    return WEXITSTATUS(status);
}
ACTION(raise_limit) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) { return ATTACK_BROKEN; }
    limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
    return TRY(setrlimit(RLIMIT_NOFILE, &limit));
}
ACTION(allow_core) {
    struct rlimit limit = {1 << 20, 1 << 20};
    return TRY(setrlimit(RLIMIT_CORE, &limit));
}
ACTION(exhaust_descriptors) {
    for (int i = 0; i < 4096; i++) {
        if (dup(0) < 0) { return errno; }
    }
    return 0;
}
ACTION(exhaust_processes) {
    /* The children wait for the write end of a pipe to close, which this process's end does. */
    int gate[2], result = 0;
    char byte;
    if (pipe(gate) < 0) { return errno; }
    for (int i = 0; i < 64 && result == 0; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            close(gate[1]);
            _exit((int)read(gate[0], &byte, 1));
        }
        if (pid < 0) { result = errno; }
    }
    close(gate[1]);
    while (wait(NULL) > 0) {}
    return result;
}
ACTION(exhaust_timers) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
    for (int i = 0; i < 8192; i++) {
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0) { return errno; }
    }
    return 0;
}
ACTION(grow_file) {
    int fd = open(first, O_WRONLY | O_CREAT, 0600);
    return fd < 0 ? errno : TRY(pwrite(fd, "x", 1, 64 << 20));
}
ACTION(exhaust_memory) {
    return mmap(NULL, 256 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
}
ACTION(raise_priority) { return TRY(setpriority(PRIO_PROCESS, 0, -5)); }
ACTION(realtime) {
    struct sched_param parameters = {.sched_priority = 1};
    return TRY(sched_setscheduler(0, SCHED_FIFO, &parameters));
}
/* kill(-1) answers 0 even without a target: what counts is whether the signal, which the victim blocks, waits. */
ACTION(kill_all) {
    unsigned long long pending = 0;
    char path[64], line[256];
    if (kill(-1, SIGWINCH) < 0) { return errno; }
    snprintf(path, sizeof path, "/proc/%d/status", targets->victim);
    FILE *file = fopen(path, "r");
    if (file == NULL) { return ATTACK_BROKEN; }
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "ShdPnd: %llx", &pending) == 1) { return pending & 1ULL << (SIGWINCH - 1) ? 0 : EPERM; }
    }
    return ATTACK_BROKEN;
}

const action_t process_actions[] = {
    {"kill", kill_victim}, {"tgkill", tgkill_victim}, {"tkill", tkill_victim}, {"killParent", kill_parent},
    {"sigqueue", queue_signal}, {"pidfdSignal", pidfd_signal}, {"pidfdGetfd", pidfd_take}, {"setown", owner_signal},
    {"setsig", owner_signal_kind}, {"ptrace", trace}, {"readMemory", read_memory}, {"writeMemory", write_memory},
    {"kcmp", compare_processes}, {"prlimit", limit_victim}, {"affinity", affinity_victim},
    {"renice", renice_victim}, {"ioprio", io_priority_victim}, {"scheduler", schedule_victim},
    {"movePages", move_pages_victim}, {"setsid", new_session}, {"setpgid", new_group},
    {"pdeathsig", outlive_parent}, {"subreaper", become_subreaper}, {"dumpable", become_dumpable},
    {"ptracer", allow_tracer}, {"setMM", set_mappings}, {"securebits", securebits}, {"widePrctl", wide_prctl},
    {"cloneUser", clone_user}, {"clonePid", clone_pid}, {"cloneMount", clone_mount}, {"cloneParent", clone_parent},
    {"clone3User", clone3_user}, {"run", run_program}, {"runMemory", run_memory_file}, {"raiseLimit", raise_limit},
    {"allowCore", allow_core}, {"exhaustDescriptors", exhaust_descriptors},
    {"exhaustProcesses", exhaust_processes}, {"exhaustTimers", exhaust_timers}, {"growFile", grow_file},
    {"exhaustMemory", exhaust_memory},
    {"raisePriority", raise_priority}, {"realtime", realtime}, {"killAll", kill_all},
    {NULL, NULL},
};
