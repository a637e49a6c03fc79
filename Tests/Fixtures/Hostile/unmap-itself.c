/* Unmaps its own code and so pulls the ground from under itself. Expected: crashed. */
#include "../fixture.h"

#include <sys/mman.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    uintptr_t page = (uintptr_t)&misbehave & ~(uintptr_t)4095;
    (void)munmap((void *)page, 4096);
}
