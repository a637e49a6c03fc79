/* Leaves with exit(), and then hangs in a function that exit() calls. Expected: overran. */
#include "../fixture.h"

#include <stdlib.h>

static void hang(void) { sleep_forever(); }

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    (void)atexit(hang);
    exit(0);
}
