/*
 * Handlers that say where they are, and then do as they are named. What they log, `started` with the process, the
 * thread and the address of a function of the C library, is the event that a test waits for.
 */
#include "../fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>

static void warned(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    char line[64];
    snprintf(line, sizeof line, "warned %s %u", task->run.bytes, (unsigned)reason);
    taskhost_log(task, TASKHOST_LOG_INFO, line);
}

static void finish(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    warned(context, reason);
    (void)taskhost_complete(task, 0);
    taskhost_release(task);
}

static void announce(taskhost_task_t *task) {
    char line[160];
    snprintf(line, sizeof line, "started %d %ld %p %s", getpid(), syscall(SYS_gettid), (void *)qsort, task->run.bytes);
    taskhost_log(task, TASKHOST_LOG_INFO, line);
}

/* Expected: expired, or whatever its end is made to be. */
TASKHOST_EXPORT void stage_wait(taskhost_task_t *task);
void stage_wait(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, finish, taskhost_retain(task));
    announce(task);
}

/* Expected: overran. */
TASKHOST_EXPORT void stage_spin(taskhost_task_t *task);
void stage_spin(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, warned, taskhost_retain(task));
    announce(task);
    burn_forever();
}

/* Six processes below it. Expected: overran. */
TASKHOST_EXPORT void stage_tree(taskhost_task_t *task);
void stage_tree(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, warned, taskhost_retain(task));
    for (int i = 0; i < 2; i += 1) {
        if (fork() == 0) {
            for (int j = 0; j < 2; j += 1) {
                if (fork() == 0) { sleep_forever(); }
            }
            sleep_forever();
        }
    }
    announce(task);
    sleep_forever();
}

/* Expected: succeeded, after a twentieth of a second on its thread. */
TASKHOST_EXPORT void stage_pass(taskhost_task_t *task);
void stage_pass(taskhost_task_t *task) {
    announce(task);
    sleep_milliseconds(50);
    (void)taskhost_complete(task, 1);
}

/* Leaves 8 MiB behind. Expected: succeeded. */
TASKHOST_EXPORT void stage_leak(taskhost_task_t *task);
void stage_leak(taskhost_task_t *task) {
    const size_t size = 8 << 20;
    /* Volatile: no compiler may find out that it is never read. */
    volatile char *memory = malloc(size);
    for (size_t i = 0; memory != NULL && i < size; i += 1024) { memory[i] = 1; }
    (void)taskhost_complete(task, memory != NULL);
}

/* Expected: crashed. */
TASKHOST_EXPORT void stage_crash(taskhost_task_t *task);
void stage_crash(taskhost_task_t *task) {
    announce(task);
    abort();
}

/* Keeps a line of $STATE/tally with the run and its attempt: proof that it was invoked. Expected: succeeded. */
TASKHOST_EXPORT void stage_tally(taskhost_task_t *task);
void stage_tally(taskhost_task_t *task) {
    char path[4200], line[64];
    snprintf(path, sizeof path, "%s/tally", task->state_directory.bytes);
    int length = snprintf(line, sizeof line, "%s %u\n", task->run.bytes, (unsigned)task->attempt);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int is_kept = file >= 0 && write(file, line, (size_t)length) == length && close(file) == 0;
    (void)taskhost_complete(task, is_kept);
}

/* Calls back from a separate thread, after it has returned: for foreign functions. */
typedef struct { void (*complete)(int32_t); int32_t success; } call_t;
static void *call(void *context) {
    call_t call = *(call_t *)context;
    free(context);
    sleep_milliseconds(20);
    call.complete(call.success);
    return NULL;
}
TASKHOST_EXPORT int32_t stage_call_later(int32_t success, void (*complete)(int32_t));
int32_t stage_call_later(int32_t success, void (*complete)(int32_t)) {
    pthread_t thread;
    call_t *context = malloc(sizeof *context);
    if (context == NULL) { return -1; }
    *context = (call_t){complete, success};
    if (pthread_create(&thread, NULL, call, context) != 0) { return -1; }
    return pthread_detach(thread);
}

/* What a callback says that takes nothing and gives seconds. */
TASKHOST_EXPORT double stage_ask(double (*ask)(void));
double stage_ask(double (*ask)(void)) { return ask(); }

static void say_warned(void *context, uint32_t reason) {
    taskhost_task_t *task = context;
    printf("says that it was warned, %u\n", (unsigned)reason);
    fflush(stdout);
    (void)taskhost_complete(task, 0);
    taskhost_release(task);
}

/* Prints on standard output when it is warned. Expected: expired, or whatever its end is made to be. */
TASKHOST_EXPORT void stage_say(taskhost_task_t *task);
void stage_say(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, say_warned, taskhost_retain(task));
    announce(task);
}

static void tell_when(void *context, uint32_t reason) {
    (void)reason;
    taskhost_task_t *task = context;
    struct timespec now;
    char line[64];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    snprintf(line, sizeof line, "warned at %lld.%03ld", (long long)now.tv_sec, now.tv_nsec / 1000000);
    taskhost_log(task, TASKHOST_LOG_INFO, line);
    (void)taskhost_complete(task, 1);
    taskhost_release(task);
}

/* Logs at what time it was warned. Expected: expired, or whatever its end is made to be. */
TASKHOST_EXPORT void stage_when(taskhost_task_t *task);
void stage_when(taskhost_task_t *task) {
    taskhost_set_expiration_handler(task, tell_when, taskhost_retain(task));
    announce(task);
}
