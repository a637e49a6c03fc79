/* Prints the secret "token" as the service copies it and as its descriptor has it, and what it gets for others.
 * Expected: succeeded, without a secret as well. */
#include <stdio.h>
#include <unistd.h>

#include "taskhost_scheduling.h"

TASKHOST_EXPORT void tell_secrets(taskhost_task_t *task);

void tell_secrets(taskhost_task_t *task) {
    const taskhost_secrets_t *secrets = task->host->get_extension(TASKHOST_SECRETS_EXTENSION);
    if (secrets == NULL || secrets->struct_size < sizeof *secrets) {
        (void)taskhost_complete(task, 0);
        return;
    }
    char copied[64] = "", read[64] = "";
    const int64_t length = secrets->read(task, "token", copied, sizeof copied - 1);
    const int32_t descriptor = secrets->descriptor(task, "token");
    if (descriptor >= 0) { (void)pread(descriptor, read, sizeof read - 1, 0); }
    printf("%lld [%s] [%s] %s %s\n", (long long)length, copied, read, secrets->descriptor(task, "other") < 0 ? "none" : "other",
           descriptor >= 0 && pwrite(descriptor, "x", 1, 0) < 0 ? "sealed" : "open");
    (void)taskhost_complete(task, 1);
}
