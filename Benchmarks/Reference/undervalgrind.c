/* Lets a host live under valgrind, which refuses calls that it does not know (3.19: pidfd_open, pidfd_send_signal,
 * epoll_pwait2). LD_PRELOAD puts older calls in their place. A wait is rounded up to a millisecond. A process opened here is
 * a descriptor that never becomes readable, with the process's number beside it: the end of a zygote shows at its socket as
 * well. Workers are a zygote's children; it is not under valgrind, and their descriptors come from it. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define CAPACITY 1024
/* By descriptor; 0: it does not stand for a process. */
static pid_t processes[CAPACITY];

static long open_process(pid_t pid) {
    int fd = eventfd(0, EFD_CLOEXEC);
    if (fd >= CAPACITY) {
        close(fd);
        errno = EMFILE;
        return -1;
    }
    if (fd >= 0) { processes[fd] = pid; }
    return fd;
}

long syscall(long number, ...) {
    static long (*real)(long, ...);
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_pidfd_open) { return open_process((pid_t)a); }
    if (number == SYS_pidfd_send_signal && a >= 0 && a < CAPACITY && processes[a] != 0) {
        return kill(processes[a], (int)b);
    }
    if (real == NULL) { real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"); }
    return real(number, a, b, c, d, e, f);
}

/* The number may come back for a descriptor that the zygote sent. */
int close(int fd) {
    static int (*real)(int);
    if (real == NULL) { real = (int (*)(int))dlsym(RTLD_NEXT, "close"); }
    if (fd >= 0 && fd < CAPACITY) { processes[fd] = 0; }
    return real(fd);
}

int epoll_pwait2(
    int epoll, struct epoll_event *events, int capacity, const struct timespec *timeout, const sigset_t *mask) {
    int milliseconds = -1;
    if (timeout != NULL) {
        time_t seconds = timeout->tv_sec < 1000000 ? timeout->tv_sec : 1000000;
        milliseconds = (int)(seconds * 1000 + (timeout->tv_nsec + 999999) / 1000000);
    }
    return epoll_pwait(epoll, events, capacity, milliseconds, mask);
}
