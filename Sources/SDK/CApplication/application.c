#include "CApplication.h"

#include <stddef.h>

TASKHOST_EXPORT const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = taskhost_sdk_launch,
    .state_changed = taskhost_sdk_state_changed,
    .will_terminate = taskhost_sdk_will_terminate,
    .run_main = taskhost_sdk_run_main,
    .event = taskhost_sdk_event,
};

/* What the compiler makes of `@main`. Hidden: bound when the plugin is linked, so that the worker's own main() can never
 * be taken for it. Weak: a plugin may have none. */
extern int main(int count, char **arguments) __attribute__((weak, visibility("hidden")));

int32_t taskhost_sdk_call_main(void) {
    static char name[] = "application";
    static char *arguments[] = {name, NULL};
    int (*entry)(int, char **) = main;
    return entry == NULL ? TASKHOST_UNKNOWN : entry(1, arguments);
}

void taskhost_sdk_link(void) {}
