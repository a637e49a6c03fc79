/*
 * Changes its own library and manifest, so that the next run would do something else. Succeeds only when that is
 * refused. Expected: succeeded.
 */
#include "../fixture.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

void misbehave(taskhost_task_t *task) {
    Dl_info self;
    int breaches = 0;
    /* Loaded through a descriptor, it may not even know its name. */
    if (dladdr((void *)(uintptr_t)&misbehave, &self) != 0 && self.dli_fname != NULL) {
        int descriptor = open(self.dli_fname, O_WRONLY);
        breaches += unless_refused(task, descriptor < 0, "writing to its library");
        breaches += unless_refused(task, chmod(self.dli_fname, 0755) != 0, "chmod of its library");
    }
    char path[4200];
    snprintf(path, sizeof path, "%s/libhostile-attack-own-library.so", task->manifest_directory.bytes);
    breaches += unless_refused(task, open(path, O_WRONLY) < 0, "writing to the library beside its manifest");
    /* To more than any file system takes: nothing is truncated where that is allowed. */
    breaches += unless_refused(task, is_forbidden(truncate(path, INT64_MAX)), "truncating it");
    snprintf(path, sizeof path, "%s/hostile.planted.json", task->manifest_directory.bytes);
    breaches += unless_refused(task, open(path, O_WRONLY | O_CREAT, 0644) < 0, "planting a manifest");
    (void)unlink(path);
    report(task, breaches);
}
