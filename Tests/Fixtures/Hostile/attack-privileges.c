/*
 * Changes its identity: root, a new namespace, a new root folder. Succeeds only when that is refused.
 * Expected: succeeded.
 */
#include "../fixture.h"

#include <sched.h>
#include <sys/mount.h>

void misbehave(taskhost_task_t *task) {
    int breaches = unless_refused(task, getuid() != 0, "being root");
    breaches += unless_refused(task, setresuid(0, 0, 0) != 0, "becoming root");
    breaches += unless_refused(task, unshare(CLONE_NEWUSER) != 0, "a user namespace");
    breaches += unless_refused(task, chroot("/") != 0, "chroot");
    breaches += unless_refused(task, is_forbidden(mount("none", "/", "no-such-file-system", 0, NULL)), "mount");
    report(task, breaches);
}
