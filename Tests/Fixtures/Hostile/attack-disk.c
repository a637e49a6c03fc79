/*
 * Writes one enormous file into its own folder. Succeeds only when that is stopped before it has 4 GiB. Expected:
 * succeeded.
 */
#include "../fixture.h"

#include <fcntl.h>

void misbehave(taskhost_task_t *task) {
    static char block[1 << 20];
    char path[4200];
    snprintf(path, sizeof path, "%s/enormous", task->cache_directory.bytes);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool is_refused = descriptor < 0 || pwrite(descriptor, block, sizeof block, 4LL << 30) < 0;
    (void)unlink(path);
    report(task, unless_refused(task, is_refused, "4 GiB"));
}
