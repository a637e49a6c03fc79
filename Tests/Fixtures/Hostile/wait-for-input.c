/* A thread of it waits for input that never comes, and so holds that stream's lock. Expected: succeeded. */
#include "../fixture.h"

#include <pthread.h>
#include <stdio.h>

static void *wait_for_input(void *argument) {
    char line[16];
    (void)fgets(line, sizeof line, argument);
    return NULL;
}

void misbehave(taskhost_task_t *task) {
    int ends[2];
    pthread_t thread;
    FILE *input;
    if (pipe(ends) != 0 || (input = fdopen(ends[0], "r")) == NULL) { _exit(99); }
    if (pthread_create(&thread, NULL, wait_for_input, input) != 0) { _exit(98); }
    while (ftrylockfile(input) == 0) {
        funlockfile(input);
        sleep_milliseconds(1);
    }
    printf("printed without a line's end");
    (void)taskhost_complete(task, 1);
}
