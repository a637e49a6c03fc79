#include "CLinuxCrash.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Everything below `on_crash` is async-signal-safe: no allocation, no lock that may be held, no lasting wait. */

enum {
    STACK_SIZE = 64 << 10,
    MOST_FRAMES = 16,
    MOST_UNWOUND = 48,
    MOST_CALLERS = 16,
    LONGEST_PATH = 255,
    HEADER = 16,
    LONGEST_FRAME = HEADER + 24 + MOST_FRAMES * (12 + LONGEST_PATH),
    /* The C library's buffer of stdout; a pipe that takes anything takes this much without blocking (pipe(7)). */
    MOST_REST = 4096,
    UNWINDING_NS = 200000000,
};
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

static _Thread_local uint64_t thread_run = CLINUX_NO_RUN;
uint64_t clinux_set_thread_run(uint64_t run) {
    uint64_t before = thread_run;
    thread_run = run;
    return before;
}

static struct {
    pid_t pid; /* 0: not armed */
    int wire;
    uint8_t kind, version;
    char library[LONGEST_PATH + 1];
} armed;
static _Atomic(pid_t) reporter;
static volatile int first_signal;
static unsigned char frame[LONGEST_FRAME];
static size_t used;

static void put(const void *bytes, size_t count) {
    memcpy(frame + used, bytes, count);
    used += count;
}
static void put32(uint32_t value) { put(&value, sizeof value); }
static void put64(uint64_t value) { put(&value, sizeof value); }

static void begin_frame(int signal, const siginfo_t *info) {
    /* The kernel raised it, with a fault address; otherwise si_addr has no meaning (sigaction(2)). */
    int has_address = info->si_code > 0 && info->si_code != SI_KERNEL && signal != SIGABRT && signal != SIGSYS;
    memset(frame, 0, HEADER);
    frame[0] = armed.kind;
    frame[1] = armed.version;
    used = 8;
    put64(thread_run);
    put32((uint32_t)signal);
    put32((uint32_t)info->si_code);
    frame[used++] = (unsigned char)has_address;
    put64(has_address ? (uint64_t)(uintptr_t)info->si_addr : 0);
}
static void send_frame(void) {
    uint32_t length = (uint32_t)used;
    memcpy(frame + 4, &length, sizeof length);
    (void)send(armed.wire, frame, used, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* The file that an address was mapped from, and the address in it. NULL: this executable's own code. */
static const char *place(void *address, uint64_t *offset) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
    struct dl_find_object found;
    *offset = (uint64_t)(uintptr_t)address;
    if (_dl_find_object(address, &found) != 0 || found.dlfo_link_map == NULL) { return ""; }
    *offset -= (uint64_t)found.dlfo_link_map->l_addr;
    const char *name = found.dlfo_link_map->l_name;
    if (name == NULL || name[0] == 0) { return NULL; }
    return strncmp(name, "/proc/self/fd/", 14) == 0 ? armed.library : name;
#else
    /* Nothing there finds an object without a lock. */
    *offset = (uint64_t)(uintptr_t)address;
    return "";
#endif
}

static void *program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return (void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (void *)context->uc_mcontext.pc;
#else
    return NULL;
#endif
}
/* Where a call that has just been made returns to: without its signature, which aarch64 keeps above the 48 bits of an address. */
static void *return_address(const ucontext_t *context) {
#if defined(__x86_64__)
    return *(void **)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (void *)(context->uc_mcontext.regs[30] & 0xffffffffffff);
#else
    return NULL;
#endif
}

static void put_frames(const ucontext_t *context) {
    void *found[MOST_UNWOUND], *here = program_counter(context);
    int count = backtrace(found, MOST_UNWOUND), first = 0;
    while (first < count && found[first] != here) { first++; }
    if (first + 1 >= count) {
        /* A jump to an address without code cannot be unwound: its caller left its return address. */
        found[0] = here;
        found[1] = return_address(context);
        first = 0;
        count = 2;
    }
    size_t counted = used;
    uint32_t written = 0;
    put32(0);
    for (int i = first; i < count && written < MOST_FRAMES; i++) {
        uint64_t offset;
        const char *path = place(found[i], &offset);
        if (path == NULL) { break; /* the worker that called the plugin */ }
        uint32_t length = (uint32_t)strnlen(path, LONGEST_PATH);
        put64(offset);
        put32(length);
        put(path, length);
        written++;
    }
    memcpy(frame + counted, &written, sizeof written);
}

int clinux_callers(clinux_code_place_t *places, int most) {
    void *found[MOST_CALLERS];
    int count = backtrace(found, MOST_CALLERS), written = 0;
    for (int i = 0; i < count && written < most; i++) {
        uint64_t offset;
        const char *path = place(found[i], &offset);
        /* The worker's own frames: those that the plugin called, and those that called the plugin. */
        if (path == NULL && written > 0) { break; }
        if (path != NULL) { places[written++] = (clinux_code_place_t){path, offset}; }
    }
    return written;
}

/* Without this a deadlock in the unwinder would be the end of the run's budget instead of a crash. */
static void die_soon(int signal) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal};
    struct itimerspec when = {.it_value = {.tv_nsec = UNWINDING_NS}};
    int timer; /* the kernel's own timer_t */
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0) {
        (void)syscall(SYS_timer_settime, timer, 0, &when, NULL);
    }
}

/* The next one of its kind ends the process. */
static void let_through(int signal) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    (void)sigaction(signal, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, signal);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void die(int signal) {
    let_through(signal);
    (void)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

/* The C library's buffer is usually the last half of a line. Reading it takes no lock; writing it twice would do no
 * harm. */
static void save_rest_of_output(void) {
    struct pollfd pipe = {.fd = 1, .events = POLLOUT};
    const char *start = stdout->_IO_write_base, *end = stdout->_IO_write_ptr;
    if (start == NULL || end <= start || poll(&pipe, 1, 50) != 1 || !(pipe.revents & POLLOUT)) { return; }
    size_t count = (size_t)(end - start);
    if (count > MOST_REST) { start = end - MOST_REST, count = MOST_REST; }
    (void)!write(1, start, count);
}

static void on_crash(int signal, siginfo_t *info, void *context) {
    pid_t nobody = 0, me = (pid_t)syscall(SYS_gettid);
    /* A child of the plugin dies its own death, without a report. */
    if (armed.pid != getpid()) { return die(signal); }
    if (!atomic_compare_exchange_strong(&reporter, &nobody, me)) {
        /* It crashed in the code below: the report so far counts. */
        if (nobody == me) { return die(first_signal); }
        /* Another thread is at it, and ends the process. */
        struct timespec pause = {.tv_sec = 1};
        (void)nanosleep(&pause, NULL);
        return die(signal);
    }
    first_signal = signal;
    begin_frame(signal, info);
    put32(0);
    send_frame();
    save_rest_of_output();

    let_through(signal);
    die_soon(signal);
    begin_frame(signal, info);
    put_frames(context);
    send_frame();
    die(signal);
}

void clinux_crash_prepare(void) {
    static int is_prepared;
    void *one;
    if (is_prepared) { return; }
    is_prepared = 1;
    /* Loads the unwinder's libraries now. */
    (void)backtrace(&one, 1);
    (void)clinux_crash_stack_begin();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        (void)sigaction(signals[i], &action, NULL);
    }
}

void clinux_crash_arm(int wire, uint8_t kind, uint8_t version, const char *library) {
    clinux_crash_prepare();
    armed.wire = wire;
    armed.kind = kind;
    armed.version = version;
    (void)snprintf(armed.library, sizeof armed.library, "%s", library);
    armed.pid = getpid();
}

/* Not by malloc: a thread's first one makes an arena for it, of several calls and pages. */
void *clinux_crash_stack_begin(void) {
    void *memory = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) { return NULL; }
    stack_t stack = {.ss_sp = memory, .ss_size = STACK_SIZE};
    if (sigaltstack(&stack, NULL) == 0) { return memory; }
    (void)munmap(memory, STACK_SIZE);
    return NULL;
}
void clinux_crash_stack_end(void *memory) {
    stack_t none = {.ss_flags = SS_DISABLE};
    if (memory != NULL && sigaltstack(&none, NULL) == 0) { (void)munmap(memory, STACK_SIZE); }
}
