/* Writes file after file into its own folder, 96 MiB at the most, and then waits. Expected: exceededDisk. */
#include "../fixture.h"

#include <fcntl.h>

void misbehave(taskhost_task_t *task) {
    static char block[1 << 20];
    ignore_expiration(task);
    for (int number = 0; number < 96; number += 1) {
        char path[4200];
        snprintf(path, sizeof path, "%s/filling-%d", task->state_directory.bytes, number);
        int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (descriptor >= 0) {
            (void)!write(descriptor, block, sizeof block);
            (void)close(descriptor);
        }
    }
    sleep_forever();
}
