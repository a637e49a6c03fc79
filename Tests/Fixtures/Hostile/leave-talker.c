/*
 * Completes and leaves a child behind that keeps printing numbers, and stores the last one in a file.
 * Expected: succeeded.
 */
#include "../fixture.h"

#include <fcntl.h>

void misbehave(taskhost_task_t *task) {
    char path[4200], line[32];
    snprintf(path, sizeof path, "%s/count", task->state_directory.bytes);
    int count = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (count < 0) { _exit(99); }
    if (fork() == 0) {
        for (int i = 1; i < 30000; i += 1) {
            int length = snprintf(line, sizeof line, "%d\n", i);
            if (write(1, line, (size_t)length) != length) { sleep_forever(); }
            length = snprintf(line, sizeof line, "%d \n", i);
            if (pwrite(count, line, (size_t)length, 0) != length) { _exit(98); }
            sleep_milliseconds(1);
        }
        sleep_forever();
    }
    /* Not before the child has begun. */
    while (lseek(count, 0, SEEK_END) == 0) { sleep_milliseconds(1); }
    (void)taskhost_complete(task, 1);
}
