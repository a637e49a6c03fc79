#include "CLinux.h"
#include <errno.h>
#include <sys/epoll.h>
#include <time.h>

_Static_assert(CLINUX_IN == EPOLLIN && CLINUX_PRI == EPOLLPRI && CLINUX_OUT == EPOLLOUT, "epoll bits");
_Static_assert(CLINUX_ERR == EPOLLERR && CLINUX_HUP == EPOLLHUP, "epoll bits");

int clinux_epoll_create(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int epoll, int operation, int fd, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data.u64 = key};
    return epoll_ctl(epoll, operation, fd, &event) < 0 ? -errno : 0;
}
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t key) {
    return control(epoll, EPOLL_CTL_ADD, fd, events, key);
}
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t key) {
    return control(epoll, EPOLL_CTL_MOD, fd, events, key);
}
int clinux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, clinux_event_t *events, int capacity, int64_t timeout_ns) {
    struct epoll_event ready[128];
    if (capacity > 128) { capacity = 128; }
    struct timespec span = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    int count = epoll_pwait2(epoll, ready, capacity, timeout_ns < 0 ? NULL : &span, NULL);
    if (count < 0 && errno == ENOSYS) { /* before Linux 5.11: milliseconds, rounded up so that nothing fires early */
        int64_t milliseconds = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;
        count = epoll_wait(epoll, ready, capacity, milliseconds > 86400000 ? 86400000 : (int)milliseconds);
    }
    if (count < 0) { return errno == EINTR ? 0 : -errno; }
    for (int i = 0; i < count; i++) {
        events[i].key = ready[i].data.u64;
        events[i].events = ready[i].events;
    }
    return count;
}
