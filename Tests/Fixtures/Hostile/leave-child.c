/* Completes and leaves a child behind that keeps writing to the run's output. Expected: succeeded. */
#include "../fixture.h"

void misbehave(taskhost_task_t *task) {
    if (fork() == 0) {
        (void)setsid();
        for (int i = 0; i < MAXIMUM_LIFE * 20; i += 1) {
            if (write(1, "still here\n", 11) < 0) { sleep_forever(); }
            sleep_milliseconds(50);
        }
        _exit(99);
    }
    (void)taskhost_complete(task, 1);
}
