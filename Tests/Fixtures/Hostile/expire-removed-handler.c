/* Sets an expiration handler and removes it again. Expected: failed. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    taskhost_set_expiration_handler(task, NULL, NULL);
    sleep_forever();
}
