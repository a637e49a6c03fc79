#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RETRY(call) ({ __typeof__(call) r_; do { r_ = (call); } while (r_ < 0 && errno == EINTR); r_ < 0 ? -errno : (int)r_; })

int clinux_openat(int folder, const char *path, int flags, unsigned mode) {
    return RETRY(openat(folder, path, flags | O_CLOEXEC, mode));
}
int clinux_close_range(unsigned first) { return syscall(SYS_close_range, first, ~0u, 0) < 0 ? -errno : 0; }
int clinux_dup_above(int fd, int lowest) { return RETRY(fcntl(fd, F_DUPFD_CLOEXEC, lowest)); }
int clinux_memfd(const char *name) { return RETRY(memfd_create(name, MFD_CLOEXEC)); }
int clinux_sealed(const char *name, const void *bytes, size_t length) {
    int fd = RETRY(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) { return fd; }
    for (size_t done = 0; done < length;) {
        ssize_t n = write(fd, (const char *)bytes + done, length - done);
        if (n < 0 && errno == EINTR) { continue; }
        if (n <= 0) { goto fail; }
        done += (size_t)n;
    }
    if (fchmod(fd, 0444) < 0 || lseek(fd, 0, SEEK_SET) < 0
        || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0) {
        goto fail;
    }
    return fd;
fail:;
    int code = errno;
    close(fd);
    return -code;
}
int clinux_pipe(int fds[2], int nonblocking) {
    if (pipe2(fds, O_CLOEXEC) < 0) { return -errno; }
    if (nonblocking && fcntl(fds[0], F_SETFL, O_NONBLOCK) < 0) { return -errno; }
    return 0;
}

int clinux_eventfd(void) { return RETRY(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int clinux_timerfd(void) { return RETRY(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)); }
int clinux_timerfd_arm(int fd, int64_t relative_ns) {
    struct itimerspec when = {.it_value = {.tv_sec = relative_ns / 1000000000, .tv_nsec = relative_ns % 1000000000}};
    return RETRY(timerfd_settime(fd, 0, &when, NULL));
}

int clinux_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) { sigaddset(&set, signals[i]); }
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) { return -errno; }
    return RETRY(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}
const char *clinux_signal_name(int signal) { return sigabbrev_np(signal); }

int clinux_signalfd_read(int fd) {
    struct signalfd_siginfo info;
    int n = RETRY(read(fd, &info, sizeof info));
    if (n == -EAGAIN) { return 0; }
    return n < 0 ? n : (int)info.ssi_signo;
}

int clinux_tty_size(int fd, struct winsize *out_size) { return ioctl(fd, TIOCGWINSZ, out_size) < 0 ? -errno : 0; }

int clinux_random(void *bytes, size_t length) { return RETRY(getrandom(bytes, length, 0)); }

int64_t clinux_clock_error(void) {
    struct timex clock = {.modes = 0};
    return adjtimex(&clock) < 0 ? -errno : clock.maxerror;
}

int clinux_check_writes(int fd) { return sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE) < 0 ? -errno : 0; }

int clinux_sync_file_system(int fd) { return syncfs(fd) < 0 ? -errno : 0; }
