/* An application that asks for no callback. */
#include "../fixture.h"

static int32_t launch(const taskhost_launch_t *launch) { return launch->host == NULL; }

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
};
