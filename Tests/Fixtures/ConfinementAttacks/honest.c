#include "actions.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>

/* Ends an action whose step failed: the errno says why, and 254 that there is none. */
#define MUST(condition) do { if (!(condition)) { return errno ? errno : ATTACK_BROKEN; } } while (0)

ACTION(work_in_folder) {
    char one[512], two[512], folder[512];
    snprintf(one, sizeof one, "%s/one", first);
    snprintf(two, sizeof two, "%s/two", first);
    snprintf(folder, sizeof folder, "%s/folder", first);
    int fd = open(one, O_RDWR | O_CREAT | O_TRUNC, 0600);
    MUST(fd >= 0);
    MUST(write(fd, "hello", 5) == 5);
    MUST(fsync(fd) == 0 && fdatasync(fd) == 0 && ftruncate(fd, 3) == 0);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    MUST(fcntl(fd, F_SETLK, &lock) == 0);
    MUST(fchmod(fd, 0600) == 0);
    MUST(close(fd) == 0);
    MUST(rename(one, two) == 0);
    MUST(symlink("two", one) == 0 && access(one, R_OK) == 0);
    MUST(unlink(one) == 0 && unlink(two) == 0);
    MUST(mkdir(folder, 0700) == 0 && rmdir(folder) == 0);
    MUST(mkfifo(folder, 0600) == 0 && unlink(folder) == 0);
    return 0;
}
/* Landlock had no right for this at first. */
ACTION(rename_between_folders) {
    char one[512], two[512], folder[512];
    snprintf(one, sizeof one, "%s/one", first);
    snprintf(folder, sizeof folder, "%s/folder", first);
    snprintf(two, sizeof two, "%s/folder/two", first);
    int fd = open(one, O_RDWR | O_CREAT, 0600);
    MUST(fd >= 0);
    MUST(mkdir(folder, 0700) == 0);
    return TRY(rename(one, two));
}
ACTION(append_to_file) {
    int fd = open(first, O_WRONLY | O_APPEND);
    MUST(fd >= 0);
    MUST(write(fd, "x", 1) == 1);
    return 0;
}

typedef int (*sqlite_open_t)(const char *, void **);
typedef int (*sqlite_exec_t)(void *, const char *, void *, void *, char **);
ACTION(use_sqlite) {
    char path[512];
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL);
    sqlite_open_t open_database = (sqlite_open_t)dlsym(library, "sqlite3_open");
    sqlite_exec_t execute = (sqlite_exec_t)dlsym(library, "sqlite3_exec");
    void *database;
    snprintf(path, sizeof path, "%s/work.db", first);
    MUST(open_database(path, &database) == 0);
    static const char *const statements[] = {
        "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA mmap_size=1048576",
        "CREATE TABLE t(a, b)", "BEGIN", "INSERT INTO t VALUES(1, randomblob(100000))", "COMMIT",
        "CREATE INDEX i ON t(a)", "SELECT count(*), max(length(b)) FROM t", "PRAGMA wal_checkpoint(TRUNCATE)",
        "VACUUM", "PRAGMA integrity_check",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        MUST(execute(database, statements[i], NULL, NULL, NULL) == 0);
    }
    return 0;
}

static void *count_up(void *counter) {
    __atomic_add_fetch((int *)counter, 1, __ATOMIC_SEQ_CST);
    return NULL;
}
ACTION(use_threads) {
    pthread_t threads[16];
    int counter = 0;
    for (int i = 0; i < 16; i++) { MUST((errno = pthread_create(&threads[i], NULL, count_up, &counter)) == 0); }
    for (int i = 0; i < 16; i++) { MUST((errno = pthread_join(threads[i], NULL)) == 0); }
    return counter == 16 ? 0 : ATTACK_BROKEN;
}
ACTION(fork_and_wait) {
    int status;
    pid_t pid = fork();
    MUST(pid >= 0);
    if (pid == 0) { _exit(7); }
    MUST(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : ATTACK_BROKEN;
}
/* What "kill(-group)" of the host relies on: a child stays in the worker's group and session. */
ACTION(child_stays_in_group) {
    int status;
    pid_t self = getpid(), pid = fork();
    MUST(pid >= 0);
    if (pid == 0) { _exit(getpgrp() == self && getsid(0) == self ? 0 : ATTACK_BROKEN); }
    MUST(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : ATTACK_BROKEN;
}
ACTION(kill_own_child) {
    int status;
    pid_t pid = fork();
    MUST(pid >= 0);
    if (pid == 0) {
        for (;;) { pause(); }
    }
    if (kill(pid, SIGKILL) < 0) {
        int failed = errno;
        /* Left alone it would outlive the test; it ends with the group. */
        signal(SIGTERM, SIG_IGN);
        kill(0, SIGTERM);
        return failed;
    }
    MUST(waitpid(pid, &status, 0) == pid);
    return WIFSIGNALED(status) ? 0 : ATTACK_BROKEN;
}
ACTION(load_library) {
    void *library = dlopen(first, RTLD_NOW | RTLD_LOCAL);
    MUST(library != NULL);
    return dlsym(library, second) != NULL ? 0 : ATTACK_BROKEN;
}
static volatile sig_atomic_t caught;
static void note(int signal) { caught = signal; }
ACTION(raise_and_catch) {
    struct sigaction action = {.sa_handler = note};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0);
    MUST(raise(SIGUSR1) == 0);
    MUST(kill(getpid(), SIGUSR1) == 0);
    return caught == SIGUSR1 ? 0 : ATTACK_BROKEN;
}
ACTION(read_clocks) {
    struct timespec now, least = {0, 1000};
    char zone[64];
    time_t seconds = time(NULL);
    struct tm parts;
    MUST(clock_gettime(CLOCK_BOOTTIME, &now) == 0 && nanosleep(&least, NULL) == 0);
    tzset();
    MUST(localtime_r(&seconds, &parts) != NULL && strftime(zone, sizeof zone, "%Z", &parts) > 0);
    return 0;
}
/* A zone by name is read from /usr/share/zoneinfo. */
ACTION(read_zone) {
    struct tm parts;
    time_t winter = 1704067200;
    setenv("TZ", "Asia/Tokyo", 1);
    tzset();
    MUST(localtime_r(&winter, &parts) != NULL);
    return parts.tm_hour == 9 ? 0 : ATTACK_BROKEN;
}
ACTION(get_random) {
    char bytes[32];
    int fd = open("/dev/urandom", O_RDONLY);
    MUST(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    MUST(fd >= 0 && read(fd, bytes, sizeof bytes) == sizeof bytes);
    return 0;
}
ACTION(wait_for_events) {
    struct epoll_event event = {.events = EPOLLIN};
    struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
    uint64_t count = 1;
    sigset_t set;
    int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0), number = eventfd(0, 0);
    MUST(epoll >= 0 && timer >= 0 && number >= 0);
    MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) == 0);
    MUST(timerfd_settime(timer, 0, &soon, NULL) == 0);
    MUST(epoll_wait(epoll, &event, 1, 5000) == 1);
    MUST(write(number, &count, sizeof count) == sizeof count && read(number, &count, sizeof count) == sizeof count);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    MUST(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    MUST(signalfd(-1, &set, 0) >= 0);
    struct timespec span = {0, 1000};
    MUST(ppoll(NULL, 0, &span, NULL) == 0);
    return 0;
}
ACTION(pass_messages) {
    int pair[2];
    char out[2][8] = {"one", "two"}, in[2][8];
    struct iovec parts[2] = {{out[0], 8}, {out[1], 8}}, spaces[2] = {{in[0], 8}, {in[1], 8}};
    struct mmsghdr sent[2] = {{.msg_hdr = {.msg_iov = &parts[0], .msg_iovlen = 1}},
                              {.msg_hdr = {.msg_iov = &parts[1], .msg_iovlen = 1}}};
    struct mmsghdr received[2] = {{.msg_hdr = {.msg_iov = &spaces[0], .msg_iovlen = 1}},
                                  {.msg_hdr = {.msg_iov = &spaces[1], .msg_iovlen = 1}}};
    MUST(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
    MUST(sendmmsg(pair[0], sent, 2, MSG_DONTWAIT | MSG_NOSIGNAL) == 2);
    MUST(recvmmsg(pair[1], received, 2, MSG_DONTWAIT, NULL) == 2);
    MUST(sendmsg(pair[0], &sent[0].msg_hdr, MSG_NOSIGNAL) == 8);
    MUST(recvmsg(pair[1], &received[0].msg_hdr, 0) == 8);
    return strcmp(in[1], "two") == 0 ? 0 : ATTACK_BROKEN;
}
/* The probe listens at the other end of the wire. */
ACTION(use_wire) {
    char reply[8];
    struct pollfd wire = {.fd = 3, .events = POLLIN};
    MUST(send(3, "?ping", 5, MSG_NOSIGNAL) == 5);
    MUST(poll(&wire, 1, 5000) == 1);
    MUST(recv(3, reply, sizeof reply, 0) == 4);
    return memcmp(reply, "pong", 4) == 0 ? 0 : ATTACK_BROKEN;
}

typedef struct { unsigned abi, count; void **arguments; void *result; unsigned bytes, flags; } call_t;
typedef void *(*closure_alloc_t)(size_t, void **);
typedef int (*prepare_call_t)(call_t *, int, unsigned, void *, void **);
typedef int (*prepare_closure_t)(void *, call_t *, void (*)(call_t *, void *, void **, void *), void *, void *);
static void answer(call_t *call, void *result, void **arguments, void *context) { *(long *)result = 42; }
ACTION(use_closure) {
    /* FFI_DEFAULT_ABI: FFI_UNIX64 on x86-64, FFI_SYSV on arm64 */
#if defined(__x86_64__)
    const int abi = 2;
#else
    const int abi = 1;
#endif
    call_t call;
    void *code;
    void *library = dlopen("libffi.so.8", RTLD_NOW);
    MUST(library != NULL);
    closure_alloc_t alloc = (closure_alloc_t)dlsym(library, "ffi_closure_alloc");
    prepare_call_t prepare = (prepare_call_t)dlsym(library, "ffi_prep_cif");
    prepare_closure_t prepare_closure = (prepare_closure_t)dlsym(library, "ffi_prep_closure_loc");
    void *integer = dlsym(library, "ffi_type_sint64");
    void *closure = alloc(256, &code);
    MUST(closure != NULL);
    MUST(prepare(&call, abi, 0, integer, NULL) == 0);
    MUST(prepare_closure(closure, &call, answer, NULL, code) == 0);
    return ((long (*)(void))code)() == 42 ? 0 : ATTACK_BROKEN;
}
ACTION(map_code) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(page != MAP_FAILED);
    MUST(mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
    return 0;
}
ACTION(resolve_name) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_INET}, *found;
    int failed = getaddrinfo(first, NULL, &hints, &found);
    return failed == 0 ? 0 : ATTACK_BROKEN;
}
ACTION(check_descriptors) {
    struct stat null, log, other;
    MUST(fstat(0, &null) == 0 && S_ISCHR(null.st_mode));
    MUST(fstat(1, &log) == 0 && S_ISFIFO(log.st_mode));
    MUST(fstat(2, &other) == 0 && log.st_ino == other.st_ino);
    MUST(fstat(3, &other) == 0 && S_ISSOCK(other.st_mode));
    MUST(fstat(4, &other) == 0 && S_ISREG(other.st_mode));
    for (int fd = 5; fd < 256; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) { return ATTACK_BROKEN; }
    }
    MUST(write(1, "to the log\n", 11) == 11);
    return 0;
}
ACTION(check_surroundings) {
    extern char **environ;
    char folder[512];
    mode_t mask = umask(0);
    MUST(getcwd(folder, sizeof folder) != NULL);
    if (mask != 077 || strcmp(folder, first) != 0 || strcmp(getenv("HOME"), first) != 0) { return ATTACK_BROKEN; }
    for (char **entry = environ; *entry != NULL; entry++) {
        if (strncmp(*entry, "LD_", 3) == 0 || strstr(*entry, "SECRET") != NULL) { return ATTACK_BROKEN; }
    }
    return 0;
}
ACTION(check_limits) {
    struct rlimit limit;
    MUST(getrlimit(RLIMIT_CORE, &limit) == 0);
    if (limit.rlim_max != 0) { return ATTACK_BROKEN; }
    MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (limit.rlim_max != 256 || limit.rlim_cur != 256) { return ATTACK_BROKEN; }
    return 0;
}
ACTION(fault) {
    *(volatile int *)8 = 1;
    return 0;
}
ACTION(abort_process) { abort(); }
static int deeper(volatile int *depth) {
    volatile char frame[1 << 16];
    frame[0] = 1;
    return *depth < 0 ? 0 : (*depth += 1, deeper(depth) + frame[0]);
}
ACTION(overrun_stack) {
    volatile int depth = 0;
    return deeper(&depth);
}

const action_t honest_actions[] = {
    {"work", work_in_folder}, {"renameBetween", rename_between_folders}, {"appendFile", append_to_file}, {"sqlite", use_sqlite}, {"threads", use_threads},
    {"fork", fork_and_wait}, {"group", child_stays_in_group}, {"killChild", kill_own_child}, {"dlopen", load_library},
    {"raise", raise_and_catch}, {"clocks", read_clocks}, {"zone", read_zone}, {"random", get_random},
    {"events", wait_for_events}, {"messages", pass_messages}, {"wire", use_wire}, {"closure", use_closure},
    {"mapCode", map_code}, {"resolve", resolve_name}, {"descriptors", check_descriptors},
    {"surroundings", check_surroundings}, {"limits", check_limits}, {"fault", fault}, {"abort", abort_process},
    {"overrunStack", overrun_stack},
    {NULL, NULL},
};
