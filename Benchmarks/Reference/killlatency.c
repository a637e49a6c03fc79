/* From SIGKILL through a pidfd to the process reaped: killlatency [--samples N]
 * The victim computes on one thread, as a handler does that ignores its expiration. */
#include "measure.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    long count = option_number(argc, argv, "--samples", 200);
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    require_that(samples != NULL, "calloc");
    for (long i = 0; i < count; i++) {
        int ready[2];
        require_that(pipe(ready) == 0, "pipe");
        pid_t pid = fork();
        require_that(pid >= 0, "fork");
        if (pid == 0) {
            if (write(ready[1], "", 1) != 1) { _exit(1); }
            for (volatile unsigned long n = 0;; n++) {}
        }
        char byte;
        int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
        require_that(pidfd >= 0 && read(ready[0], &byte, 1) == 1, "pidfd_open");
        usleep(2000); /* so that it is really computing, not still on its way there */
        struct pollfd exit_event = {.fd = pidfd, .events = POLLIN};
        siginfo_t info;
        int64_t begin = now_ns();
        require_that(syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) == 0, "pidfd_send_signal");
        require_that(poll(&exit_event, 1, -1) == 1, "poll");
        require_that(waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED) == 0, "waitid");
        samples[i] = now_ns() - begin;
        close(pidfd);
        close(ready[0]);
        close(ready[1]);
    }
    printf("{\"latency\": ");
    print_samples(samples, count);
    printf("}\n");
    return 0;
}
