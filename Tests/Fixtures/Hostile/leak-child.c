/* Lets child processes take the memory, each of them little enough. Expected: exceededMemory. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (int i = 0; i < 8; i += 1) {
        if (fork() == 0) {
            char *block = malloc(24 << 20);
            if (block != NULL) { memset(block, 1, 24 << 20); }
            sleep_forever();
        }
    }
    sleep_forever();
}
