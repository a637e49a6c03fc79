/* Its launch never returns. Expected: overran (or refused). */
#include "../fixture.h"

static int32_t launch(const taskhost_launch_t *launch) {
    (void)launch;
    sleep_forever();
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
