/* Plays the kernel for the host and what it starts: stands before the C library's calls and lets the n-th use of one of them
 * fail, or do less than it was asked for, once. It is preloaded; the programs know nothing of it.
 *
 * TASKHOST_PLAY names a file of `struct play`. Its first line says what is to fail: role, call, use (1: the first) and errno (0:
 * do less), such as `host fsync 3 5`. All processes of one life map it and count their calls there. A library of a test's own
 * process has no such file: there `player_fail` and `player_fired` are the calling thread's. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
#define CALL(result, name, parameters, arguments) AT_##name,
#define SHORT(name, parameters, fd, bytes, length, arguments, fewer) AT_##name,
#define CODE(name, parameters, arguments) AT_##name,
#define PLACE(result, name, parameters, arguments) AT_##name,
#define OTHER(name) AT_##name,
#define NUMBER(name) AT_##name,
#include "calls.h"
    CALLS
};
static const char *const names[] = {
#define CALL(result, name, parameters, arguments) #name,
#define SHORT(name, parameters, fd, bytes, length, arguments, fewer) #name,
#define CODE(name, parameters, arguments) #name,
#define PLACE(result, name, parameters, arguments) #name,
#define OTHER(name) #name,
#define NUMBER(name) #name,
#include "calls.h"
};

enum { HOST, ZYGOTE, WORKER, TRANSFER, ROLES };
static const char *const roles[] = {"host", "zygote", "worker", "transfer"};

/* Rows of 64 bytes. KernelPlayer.swift reads it. */
struct play {
    char plan[64];
    char place[448]; /* where the call came from that failed; empty: none has */
    struct {
        char name[32];
        _Atomic uint64_t uses[ROLES];
    } calls[CALLS];
};

static struct play *play;
static char passed[2][1024]; /* variables that make a program be played */
static int role, planned_role = -1, planned_call = -1, planned_error;
static uint64_t planned_use;
static _Thread_local struct { int call, error, fired; uint64_t left; } own = {.call = -1};

static int call_named(const char *name) {
    for (int call = 0; call < CALLS; call++) {
        if (strcmp(names[call], name) == 0) { return call; }
    }
    return -1;
}

int player_fail(const char *name, uint64_t use, int error) {
    own.fired = 0;
    own.error = error;
    own.left = use;
    own.call = call_named(name);
    return own.call < 0 ? -1 : 0;
}
int player_fired(void) { own.call = -1; return own.fired; }

static void note_place(void) {
    void *frames[24];
    int count = backtrace(frames, 24);
    char *end = play->place;
    for (int i = 2; i < count; i++) {
        Dl_info info;
        if (dladdr(frames[i], &info) == 0 || info.dli_fname == NULL) { continue; }
        const char *slash = strrchr(info.dli_fname, '/');
        size_t left = (size_t)(play->place + sizeof play->place - end);
        int n = snprintf(end, left, "%s+0x%lx ", slash ? slash + 1 : info.dli_fname,
            (unsigned long)((char *)frames[i] - (char *)info.dli_fbase - 1));
        if (n < 0 || (size_t)n >= left) { break; }
        end += n;
    }
    if (play->place[0] == 0) { strcpy(play->place, "somewhere"); }
}

/* Counts a use. -1: it is to be done; else the errno of its failure, 0: it is to do less. */
static int failure(int call) {
    if (own.call == call && --own.left == 0) {
        own.call = -1;
        own.fired = 1;
        return own.error;
    }
    if (play == NULL) { return -1; }
    uint64_t use = atomic_fetch_add_explicit(&play->calls[call].uses[role], 1, memory_order_relaxed) + 1;
    if (call != planned_call || role != planned_role || use != planned_use) { return -1; }
    int code = errno;
    note_place();
    errno = code;
    return planned_error;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TASKHOST_PLAY"), *name = program_invocation_short_name;
    void *frame;
    if (path == NULL) { return; }
    if (strcmp(name, "taskhost") == 0) { role = HOST; }
    else if (strcmp(name, "taskhost-worker") == 0) { role = ZYGOTE; }
    else if (strcmp(name, "taskhost-transfer") == 0) { role = TRANSFER; }
    else { return; }
    (void)backtrace(&frame, 1); /* which loads a library the first time */
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0) { return; }
    struct play *mapped = mmap(NULL, sizeof *play, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped == MAP_FAILED) { return; }
    for (int call = 0; call < CALLS; call++) { strcpy(mapped->calls[call].name, names[call]); }
    char wanted[16], what[32];
    if (sscanf(mapped->plan, "%15s %31s %lu %d", wanted, what, &planned_use, &planned_error) == 4) {
        planned_call = call_named(what);
        for (int each = 0; each < ROLES; each++) {
            if (strcmp(roles[each], wanted) == 0) { planned_role = each; }
        }
    }
    snprintf(passed[0], sizeof passed[0], "LD_PRELOAD=%s", getenv("LD_PRELOAD"));
    snprintf(passed[1], sizeof passed[1], "TASKHOST_PLAY=%s", path);
    play = mapped;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
#define REAL(name) static __typeof__(&name) real; if (real == NULL) { real = (__typeof__(&name))next(#name); }

/* Disks fill and fail for files alone, and the kernel does less with files, pipes and streams alone. */
static int applies(int error, int fd, size_t length) {
    struct stat facts;
    int kind = 0, is_of_disk = error == ENOSPC || error == EDQUOT || error == EIO;
    socklen_t size = sizeof kind;
    if (error != 0 && !is_of_disk) { return error > 0; }
    if (length < 2 || syscall(SYS_newfstatat, fd, "", &facts, AT_EMPTY_PATH) < 0) { return 0; }
    if (S_ISREG(facts.st_mode)) { return 1; }
    if (is_of_disk) { return 0; }
    if (S_ISFIFO(facts.st_mode)) { return 1; }
    return S_ISSOCK(facts.st_mode) && syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_STREAM;
}

#define CALL(result, name, parameters, arguments) \
    result name parameters { \
        REAL(name) \
        int error = failure(AT_##name); \
        if (error > 0) { errno = error; return (result)-1; } \
        return real arguments; \
    }
#define SHORT(name, parameters, fd, bytes, length, arguments, fewer) \
    ssize_t name parameters { \
        REAL(name) \
        int error = failure(AT_##name); \
        if (!applies(error, fd, length)) { return real arguments; } \
        if (error == 0) { return real fewer; } \
        errno = error; \
        return -1; \
    }
#define CODE(name, parameters, arguments) \
    int name parameters { \
        REAL(name) \
        int error = failure(AT_##name); \
        return error > 0 ? error : real arguments; \
    }
#define PLACE(result, name, parameters, arguments) \
    result name parameters { \
        REAL(name) \
        int error = failure(AT_##name); \
        if (error > 0) { errno = error; return NULL; } \
        return real arguments; \
    }
#include "calls.h"

/* ---- calls whose arguments vary: as many as there can be are passed on ---- */

#define VARIED(result, name, first_type, second_type, call) \
    result name(first_type first, second_type second, ...) { \
        REAL(name) \
        va_list list; \
        va_start(list, second); \
        unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long); \
        va_end(list); \
        int error = failure(call); \
        if (error > 0) { errno = error; return (result)-1; } \
        return real(first, second, a, b, c); \
    }
VARIED(int, open, const char *, int, AT_open)
VARIED(int, open64, const char *, int, AT_open)
VARIED(int, ioctl, int, unsigned long, AT_ioctl)

static int kind_of_fcntl(int command) {
    switch (command) {
    case F_SETLK: case F_SETLKW: case F_GETLK: case F_OFD_SETLK: case F_OFD_GETLK: return AT_lock;
    case F_DUPFD: case F_DUPFD_CLOEXEC: return AT_duplicate;
    default: return AT_fcntl;
    }
}
VARIED(int, fcntl, int, int, kind_of_fcntl(second))
VARIED(int, fcntl64, int, int, kind_of_fcntl(second))

#define VARIED_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name) \
        va_list list; \
        va_start(list, flags); \
        unsigned long mode = va_arg(list, unsigned long); \
        va_end(list); \
        int error = failure(AT_openat); \
        if (error > 0) { errno = error; return -1; } \
        return real(folder, path, flags, mode); \
    }
VARIED_AT(openat)
VARIED_AT(openat64)

int prctl(int option, ...) {
    REAL(prctl)
    va_list list;
    va_start(list, option);
    unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long);
    unsigned long d = va_arg(list, unsigned long);
    va_end(list);
    int error = failure(AT_prctl);
    if (error > 0) { errno = error; return -1; }
    return real(option, a, b, c, d);
}

static int call_numbered(long number) {
    switch (number) {
#define NUMBER(name) case SYS_##name: return AT_##name;
#include "calls.h"
    default: return -1;
    }
}
long syscall(long number, ...) {
    REAL(syscall)
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    int call = call_numbered(number);
    int error = call < 0 ? -1 : failure(call);
    if (error > 0) { errno = error; return -1; }
    long result = real(number, a, b, c, d, e, f);
    if (number == SYS_clone3 && result == 0 && role == ZYGOTE) { role = WORKER; }
    return result;
}

/* ---- calls with their own effects ---- */

/* Linux frees the number whatever close says (close(2)). */
int close(int fd) {
    REAL(close)
    int error = failure(AT_close), result = real(fd);
    if (error > 0 && result == 0) { errno = error; return -1; }
    return result;
}

void *mmap(void *where, size_t length, int rights, int flags, int fd, off_t at) {
    REAL(mmap)
    int error = failure(AT_mmap);
    if (error > 0) { errno = error; return MAP_FAILED; }
    return real(where, length, rights, flags, fd, at);
}
void *mmap64(void *where, size_t length, int rights, int flags, int fd, off_t at) {
    REAL(mmap64)
    int error = failure(AT_mmap);
    if (error > 0) { errno = error; return MAP_FAILED; }
    return real(where, length, rights, flags, fd, at);
}

pid_t fork(void) {
    REAL(fork)
    int error = failure(AT_fork);
    if (error > 0) { errno = error; return -1; }
    pid_t pid = real();
    if (pid == 0 && role == ZYGOTE) { role = WORKER; }
    return pid;
}

/* What is started is played as well, however clean an environment it is given. */
static char **with_play(char *const given[]) {
    static _Thread_local char *all[512];
    int count = 0;
    for (; given[count] != NULL && count < 500; count++) { all[count] = given[count]; }
    for (int i = 0; i < 2; i++) { all[count++] = passed[i]; }
    all[count] = NULL;
    return all;
}
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
    char *const words[], char *const variables[]) {
    REAL(posix_spawn)
    int error = failure(AT_posix_spawn);
    if (error > 0) { return error; }
    return real(pid, path, actions, how, words, play == NULL ? (char **)variables : with_play(variables));
}
int execve(const char *path, char *const words[], char *const variables[]) {
    REAL(execve)
    int error = failure(AT_execve);
    if (error > 0) { errno = error; return -1; }
    return real(path, words, play == NULL ? (char **)variables : with_play(variables));
}
