/* Lets child processes take the memory, each of them little enough. Expected: exceededMemory. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (int i = 0; i < 8; i += 1) {
        if (fork() == 0) {
            /* Volatile: a block that is never read would not be written at all. */
            volatile char *block = malloc(24 << 20);
            for (size_t at = 0; block != NULL && at < 24 << 20; at += 4096) { block[at] = 1; }
            sleep_forever();
        }
    }
    sleep_forever();
}
