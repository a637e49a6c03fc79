/* Has no expiration handler when its budget ends. Expected: failed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    (void)task;
    sleep_forever();
}
