/* Takes memory and uses it until something stops it. Expected: exceededMemory. */
#include "../fixture.h"

#include <stdlib.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    for (;;) {
        char *block = malloc(1 << 20);
        if (block == NULL) { sleep_forever(); }
        memset(block, 1, 1 << 20);
    }
}
