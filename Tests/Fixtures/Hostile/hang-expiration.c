/* Its expiration handler never returns; nor does the handler. Expected: overran. */
#include "../fixture.h"

static void hang(void *context, uint32_t reason) {
    (void)context;
    (void)reason;
    sleep_forever();
}

void misbehave(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, hang, NULL);
    sleep_forever();
}
