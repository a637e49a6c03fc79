/* How late a timerfd with an absolute time is noticed by epoll, and nothing else.
 * lateness [--samples N] [--shortest MICROSECONDS] [--longest MICROSECONDS] */
#include "measure.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long count = option_number(argc, argv, "--samples", 1000);
    long shortest = option_number(argc, argv, "--shortest", 1000), longest = option_number(argc, argv, "--longest", 10000);
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    require_that(samples != NULL && timer >= 0 && epoll >= 0, "timerfd, epoll");
    require_that(epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) == 0, "epoll_ctl");
    srandom(1);
    for (long i = 0; i < count; i++) {
        int64_t due = now_ns() + 1000 * (shortest + random() % (longest - shortest + 1));
        struct itimerspec time = {.it_value = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000}};
        require_that(timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL) == 0, "timerfd_settime");
        uint64_t expirations;
        do {
            require_that(epoll_wait(epoll, &event, 1, -1) >= 0, "epoll_wait");
        } while (read(timer, &expirations, sizeof expirations) != sizeof expirations);
        samples[i] = now_ns() - due;
    }
    printf("{\"latency\": ");
    print_samples(samples, count);
    printf("}\n");
    return 0;
}
