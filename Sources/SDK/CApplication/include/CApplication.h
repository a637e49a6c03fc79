/*
 * The application symbol that every plugin made with the Swift SDK exports, and what it calls. Linked into the plugin.
 */
#ifndef TASKHOST_CAPPLICATION_H
#define TASKHOST_CAPPLICATION_H

#include "taskhost.h"

/* Defined by the Swift module TaskHostRuntime. */
int32_t taskhost_sdk_launch(const taskhost_launch_t *_Nonnull launch);
void taskhost_sdk_state_changed(uint32_t state);
void taskhost_sdk_will_terminate(void);
void taskhost_sdk_run_main(void);

/* Calls the plugin's own main(). Returns what it returns, or TASKHOST_UNKNOWN when the plugin has none. */
int32_t taskhost_sdk_call_main(void);

/* Makes the linker take this module's object, and the exported symbol with it, from a static library too. */
void taskhost_sdk_link(void);

#endif
