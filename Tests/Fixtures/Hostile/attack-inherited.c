/*
 * Looks through the descriptors that it was born with for files and folders of the host. Succeeds only when that is
 * refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <sys/stat.h>

void misbehave(taskhost_task_t *task) {
    int breaches = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor += 1) {
        struct stat status;
        if (fstat(descriptor, &status) != 0) { continue; }
        bool is_file = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode);
        char attack[32];
        snprintf(attack, sizeof attack, "descriptor %d", descriptor);
        breaches += unless_refused(task, !is_file, attack);
    }
    report(task, breaches);
}
