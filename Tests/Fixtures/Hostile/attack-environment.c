/*
 * Looks into its environment for what the host should have kept to itself. Succeeds only when that is refused. A
 * test puts TASKHOST_HOSTILE_SECRET into the host's environment. Expected: succeeded.
 */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    static const char *const names[] = {
        "TASKHOST_HOSTILE_SECRET", "LD_PRELOAD", "LD_LIBRARY_PATH", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET",
    };
    int breaches = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 1) {
        breaches += unless_refused(task, getenv(names[i]) == NULL, names[i]);
    }
    report(task, breaches);
}
