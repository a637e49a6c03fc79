/*
 * A plugin of ABI version 1 that uses every part of the interface and nothing else: no C library, no later header.
 * libFrozenV1.so was built from it once, for x86_64 and for aarch64, and is never built again: every later host must run that
 * file. The command, from the root of the repository:
 *
 *   cc -Os -std=c11 -fPIC -shared -nostdlib -fvisibility=hidden -fno-stack-protector -fno-builtin \
 *      -fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables \
 *      -Wl,--build-id=none,-z,noseparate-code,-s -I Sources/CTaskHost/include \
 *      -o Tests/Fixtures/AbiFrozen/libFrozenV1.so Tests/Fixtures/AbiFrozen/frozen.c
 *
 * and for aarch64/libFrozenV1.so, with SYSROOT as Tools/arm64/sysroot.sh makes it,
 *
 *   clang --target=aarch64-linux-gnu --sysroot=SYSROOT -fuse-ld=lld -Os -std=c11 -fPIC -shared -nostdlib -fvisibility=hidden \
 *      -fno-stack-protector -fno-builtin -fno-asynchronous-unwind-tables -Wl,--build-id=none,-z,noseparate-code,-s \
 *      -I Sources/CTaskHost/include -o Tests/Fixtures/AbiFrozen/aarch64/libFrozenV1.so Tests/Fixtures/AbiFrozen/frozen.c
 *
 * Each run succeeds when everything answered as the header says; else its log names the first thing that did not.
 */
#include "taskhost.h"

TASKHOST_EXPORT void frozen(taskhost_task_t *task);

static uint64_t application_length;
static const taskhost_host_t *launch_host;

static void expired(void *context, uint32_t reason) { *(volatile uint32_t *)context = reason; }

static const char *first_fault(taskhost_task_t *task) {
    static uint32_t seen;
    const taskhost_host_t *host = task->host;
    if (task->struct_size < 152 || task->abi_version < 1) { return "task: size or version"; }
    if (host->struct_size < 88 || host->abi_version < 1) { return "host: size or version"; }
    if (task->identifier.length == 0 || task->identifier.bytes[task->identifier.length] != 0) { return "identifier"; }
    if (task->run.length != 26) { return "run"; }
    if (task->settings.length < 2 || task->settings.bytes[0] != '{') { return "settings"; }
    if (task->state_directory.length == 0 || task->cache_directory.length == 0) { return "state or cache directory"; }
    if (task->manifest_directory.length == 0) { return "manifest directory"; }
    if (task->deadline == 0 || task->attempt == 0 || task->kind == 0 || task->plugin_data != 0) { return "numbers"; }
    if (host->retain(task) != task) { return "retain"; }
    host->release(task);
    if (host->should_stop(task) != 0) { return "should_stop"; }
    if (!(host->time_remaining(task) > 0)) { return "time_remaining"; }
    if (host->expiration_reason(task) != TASKHOST_REASON_NONE) { return "expiration_reason"; }
    host->set_expiration_handler(task, expired, &seen);
    host->set_expiration_handler(task, 0, 0);
    if (host->progress(task, 1, 2, "half") != TASKHOST_OK) { return "progress"; }
    if (host->progress(task, -1, 2, 0) != TASKHOST_INVALID) { return "progress of less than nothing"; }
    if (host->get_extension("org.taskhost.fixtures.none/1") != 0) { return "get_extension"; }
    task->plugin_data = &seen;
    return 0;
}

void frozen(taskhost_task_t *task) {
    const char *fault = first_fault(task);
    taskhost_log(task, fault == 0 ? TASKHOST_LOG_INFO : TASKHOST_LOG_ERROR, fault == 0 ? "version 1 is whole" : fault);
    (void)task->host->complete(task, fault == 0);
}

static void registered(taskhost_task_t *task) {
    if (application_length == 0 || launch_host == 0 || launch_host->abi_version < 1) {
        taskhost_log(task, TASKHOST_LOG_ERROR, "launch");
        (void)task->host->complete(task, 0);
        return;
    }
    frozen(task);
}

static int32_t launch(const taskhost_launch_t *launch) {
    if (launch->struct_size < 96 || launch->abi_version < 1) { return 1; }
    application_length = launch->application.length;
    launch_host = launch->host;
    return launch->register_handler(launch->registry, "org.taskhost.fixtures.frozen.registered", registered);
}

static void state_changed(uint32_t state) { (void)state; }
static void will_terminate(void) {}

const taskhost_application_t taskhost_application_v1 = {
    .struct_size = sizeof(taskhost_application_t),
    .abi_version = 1,
    .launch = launch,
    .state_changed = state_changed,
    .will_terminate = will_terminate,
};
