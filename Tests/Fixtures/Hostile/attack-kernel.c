/*
 * Reaches for system calls that plugins have no use for and kernels have had trouble with. Succeeds only when that
 * is refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <sys/syscall.h>

void misbehave(taskhost_task_t *task) {
    static const struct {
        const char *name;
        long number;
    } calls[] = {
        {"io_uring_setup", SYS_io_uring_setup}, {"userfaultfd", SYS_userfaultfd}, {"bpf", SYS_bpf},
        {"perf_event_open", SYS_perf_event_open}, {"add_key", SYS_add_key},
        {"fanotify_init", SYS_fanotify_init}, {"open_by_handle_at", SYS_open_by_handle_at}, {"shmget", SYS_shmget},
    };
    int breaches = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i += 1) {
        /* With arguments that make no sense: EFAULT, EINVAL and their like come from a call that was let through. */
        long result = syscall(calls[i].number, -1L, -1L, -1L, -1L, -1L);
        bool is_refused = result < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES);
        breaches += unless_refused(task, is_refused, calls[i].name);
    }
    /* ADDR_NO_RANDOMIZE, for the process and those it would become. */
    long result = syscall(SYS_personality, 0x0040000L);
    breaches += unless_refused(task, result < 0 && (errno == EPERM || errno == ENOSYS), "personality");
    report(task, breaches);
}
