/*
 * Starts a shell, from the file system and from a file in memory. Succeeds only when that is refused. Expected:
 * succeeded.
 */
#include "../fixture.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static bool is_run(const char *path, int descriptor) {
    pid_t child = fork();
    if (child < 0) { return false; }
    if (child == 0) {
        char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"exit 0", NULL};
        char *environment[] = {NULL};
        if (path != NULL) {
            (void)execve(path, arguments, environment);
        } else {
            (void)fexecve(descriptor, arguments, environment);
        }
        _exit(1);
    }
    int status = 1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void misbehave(taskhost_task_t *task) {
    int breaches = unless_refused(task, !is_run("/bin/sh", -1), "/bin/sh");
    int memory = (int)syscall(SYS_memfd_create, "shell", 0);
    breaches += unless_refused(task, memory < 0, "memfd_create");
    int shell = open("/bin/sh", O_RDONLY);
    if (memory >= 0 && shell >= 0 && sendfile(memory, shell, NULL, 16 << 20) > 0) {
        breaches += unless_refused(task, !is_run(NULL, memory), "a shell in memory");
    }
    report(task, breaches);
}
