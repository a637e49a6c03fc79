/* An application that does not do what it should, once one of its tasks says so. */
#include "../fixture.h"

#include <stdatomic.h>

#include "taskhost_scheduling.h"

static const taskhost_lifecycle_t *lifecycle;
static atomic_int blocks;

/* From now on the application does not return from didEnterBackground. Expected: succeeded. */
static void block(taskhost_task_t *task) {
    atomic_store(&blocks, 1);
    (void)taskhost_complete(task, 1);
}

__attribute__((noinline)) static void save_draft(void) { (void)lifecycle->begin_assertion("save", NULL, NULL); }
__attribute__((noinline)) static void count_words(void) { (void)lifecycle->begin_assertion(NULL, NULL, NULL); }

/* Begins two assertions, and ends none of them. Expected: succeeded. */
static void leak(taskhost_task_t *task) {
    save_draft();
    count_words();
    (void)taskhost_complete(task, 1);
}

/* Works until it is asked to stop. Expected: any outcome. */
static void work(taskhost_task_t *task) {
    printf("working\n");
    (void)fflush(stdout);
    while (!taskhost_should_stop(task)) { sleep_milliseconds(2); }
    (void)taskhost_complete(task, 1);
}

static void state_changed(uint32_t state) {
    if (state == TASKHOST_STATE_BACKGROUND && atomic_load(&blocks)) { sleep_milliseconds(MAXIMUM_LIFE * 1000); }
}

static int32_t launch(const taskhost_launch_t *launch) {
    lifecycle = launch->host->get_extension(TASKHOST_LIFECYCLE_EXTENSION);
    if (lifecycle == NULL) { return 1; }
    const struct { const char *name; taskhost_handler_fn handler; } tasks[] = {
        {"org.taskhost.fixtures.careless.block", block}, {"org.taskhost.fixtures.careless.leak", leak},
        {"org.taskhost.fixtures.careless.work", work},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i += 1) {
        int32_t status = launch->register_handler(launch->registry, tasks[i].name, tasks[i].handler);
        if (status != TASKHOST_OK) { return status; }
    }
    return 0;
}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = TASKHOST_ABI_VERSION,
    .launch = launch,
    .state_changed = state_changed,
};
