/*
 * Looks for the host's database and for the folders of other applications, beside and above its own. Succeeds only
 * when that is refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <fcntl.h>

void misbehave(taskhost_task_t *task) {
    static const char *const paths[] = {"/..", "/../..", "/../../taskhost.db", "/../../../taskhost.db"};
    int breaches = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i += 1) {
        char path[4200];
        snprintf(path, sizeof path, "%s%s", task->state_directory.bytes, paths[i]);
        int descriptor = open(path, O_RDONLY);
        breaches += unless_refused(task, descriptor < 0, paths[i]);
        if (descriptor >= 0) { (void)close(descriptor); }
    }
    report(task, breaches);
}
