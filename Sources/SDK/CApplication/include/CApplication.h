/*
 * The application symbol that every plugin made with the Swift SDK exports, and what it calls. Linked into the plugin.
 * And the unfair lock, which Swift cannot ask the kernel for.
 */
#ifndef TASKHOST_CAPPLICATION_H
#define TASKHOST_CAPPLICATION_H

#include <stdbool.h>

#include "taskhost.h"

/* Defined by the Swift module TaskHostRuntime. */
int32_t taskhost_sdk_launch(const taskhost_launch_t *_Nonnull launch);
void taskhost_sdk_state_changed(uint32_t state);
void taskhost_sdk_will_terminate(void);
void taskhost_sdk_run_main(void);
void taskhost_sdk_event(const taskhost_event_t *_Nonnull event);

/* Calls the plugin's own main(). Returns what it returns, or TASKHOST_UNKNOWN when the plugin has none. */
int32_t taskhost_sdk_call_main(void);

/* Writes out what the C library holds back of stdout and stderr, before the process ends. A stream whose lock another thread
 * keeps for longer than 10 ms is left as it is, as are all other streams: a thread may wait for input in one for ever. */
void taskhost_sdk_flush_output(void);

/* Makes the linker take this module's object, and the exported symbol with it, from a static library too. */
void taskhost_sdk_link(void);

/* Makes an object of a Swift class with the init() that its class `base` declares and it may override, for a base whose
 * init() Swift does not let others call: it is not marked as required. The address of that initializer, in the form that
 * allocates, tells which member of the class it is. The caller gets the reference. NULL when the base has no such member. */
void *_Nullable taskhost_sdk_make_object(const void *_Nonnull class_, const void *_Nonnull base,
                                         const void *_Nonnull base_init);

/*
 * Observed progress. When the library is mapped, members of Foundation's class Progress are replaced by functions of the module
 * TaskHostFoundation, which announce a change. These are the members as Foundation has them.
 */
typedef enum { TASKHOST_COUNT_COMPLETED, TASKHOST_COUNT_TOTAL } taskhost_count_t;
typedef enum {
    TASKHOST_FLAG_CANCELLED,
    TASKHOST_FLAG_PAUSED,
    TASKHOST_FLAG_CANCELLABLE,
    TASKHOST_FLAG_PAUSABLE
} taskhost_flag_t;
void taskhost_sdk_set_count(const void *_Nonnull object, taskhost_count_t which, int64_t value);
void taskhost_sdk_set_flag(const void *_Nonnull object, taskhost_flag_t which, bool value);
void taskhost_sdk_add_child(const void *_Nonnull object, const void *_Nonnull child, int64_t units);
void taskhost_sdk_resign(const void *_Nonnull object);
/* `value` is where an `Any?` lies, `key` where a ProgressUserInfoKey does. */
void taskhost_sdk_set_info(const void *_Nonnull object, const void *_Nonnull value, const void *_Nonnull key);
/* Replaces the members of another class too: of a subclass of Progress that is none of the plugin's. */
void taskhost_sdk_announce_changes(const void *_Nonnull class_);

/*
 * A lock in one word: the id of the thread that holds it, and a bit while others may be waiting. 0 is unlocked. Whoever
 * comes first gets it, not who has waited longest.
 */
/* Waits for the lock. False, at once, when the calling thread holds it. */
bool taskhost_sdk_unfair_lock(uint32_t *_Nonnull word);
/* Takes the lock unless a thread holds it. */
bool taskhost_sdk_unfair_try(uint32_t *_Nonnull word);
/* Gives the lock back. False, with nothing changed, when the calling thread does not hold it. */
bool taskhost_sdk_unfair_unlock(uint32_t *_Nonnull word);
/* Whether the calling thread holds the lock. */
bool taskhost_sdk_unfair_is_mine(const uint32_t *_Nonnull word);

#endif
