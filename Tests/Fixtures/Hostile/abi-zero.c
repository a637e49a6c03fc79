/* An application of ABI version 0, as a forgotten initialiser leaves it. Expected: refused. */
#include "../fixture.h"

static int32_t launch(const taskhost_launch_t *launch) {
    (void)launch;
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .launch = launch,
};
