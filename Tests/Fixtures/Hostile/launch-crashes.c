/* Its launch crashes. Expected: crashed. */
#include "../fixture.h"

static int32_t launch(const taskhost_launch_t *launch) {
    volatile int *volatile nowhere = NULL;
    (void)launch;
    *nowhere = 1;
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
