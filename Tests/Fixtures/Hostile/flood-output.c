/* Prints 32 MB. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 500; i += 1) {
        if (write(1, block, sizeof block) < 0) { break; }
    }
    (void)taskhost_complete(task, 1);
}
