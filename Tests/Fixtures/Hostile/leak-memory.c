/* Takes memory and uses it until something stops it. Expected: exceededMemory. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (int megabytes = 0; megabytes < 1024; megabytes += 1) {
        char *block = malloc(1 << 20);
        if (block == NULL) { break; }
        memset(block, 1, 1 << 20);
        /* Used, for all that the compiler knows. */
        __asm__ volatile("" : : "r"(block) : "memory");
    }
    sleep_forever();
}
