/* Reads, traces and limits its parent. Succeeds only when that is refused. Expected: succeeded. */
#include "../fixture.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>

void misbehave(taskhost_task_t *task) {
    pid_t parent = getppid() > 0 ? getppid() : 1;
    char path[64], byte;
    struct iovec local = {&byte, 1}, remote = {(void *)task->host, 1};
    int breaches = unless_refused(task, is_forbidden(ptrace(PTRACE_SEIZE, parent, (void *)1, NULL)), "ptrace");
    breaches += unless_refused(
        task, process_vm_readv(parent, &local, 1, &remote, 1, 0) < 0 && errno != EFAULT, "process_vm_readv");
    static const char *const files[] = {"mem", "environ", "maps", "fd", "root"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i += 1) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)parent, files[i]);
        int descriptor = open(path, O_RDONLY);
        breaches += unless_refused(task, descriptor < 0, path);
        if (descriptor >= 0) { (void)close(descriptor); }
    }
    struct rlimit limit;
    breaches += unless_refused(task, prlimit(parent, RLIMIT_CORE, NULL, &limit) != 0, "prlimit");
    int priority = getpriority(PRIO_PROCESS, (id_t)parent);
    breaches += unless_refused(task, setpriority(PRIO_PROCESS, (id_t)parent, priority) != 0, "renice");
    report(task, breaches);
}
