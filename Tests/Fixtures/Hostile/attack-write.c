/* Writes, renames and removes outside its own folders. Succeeds only when that is refused. Expected: succeeded. */
#include "../fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

void misbehave(taskhost_task_t *task) {
    int breaches = 0;
    int descriptor = open("/tmp/taskhost-hostile", O_WRONLY | O_CREAT, 0600);
    breaches += unless_refused(task, descriptor < 0, "creating in /tmp");
    breaches += unless_refused(task, rename("/tmp/taskhost-hostile", "/tmp/taskhost-hostile-2") != 0, "renaming in /tmp");
    breaches += unless_refused(task, unlink("/tmp/taskhost-hostile-2") != 0, "removing from /tmp");
    breaches += unless_refused(task, mkdir("/dev/shm/taskhost-hostile", 0700) != 0, "a folder in /dev/shm");
    (void)rmdir("/dev/shm/taskhost-hostile");
    breaches += unless_refused(task, symlink("/etc/shadow", "/tmp/taskhost-hostile-3") != 0, "a link in /tmp");
    (void)unlink("/tmp/taskhost-hostile-3");
    report(task, breaches);
}
