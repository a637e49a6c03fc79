/* An application without a launch callback. Expected: refused. */
#include "../fixture.h"

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
};
