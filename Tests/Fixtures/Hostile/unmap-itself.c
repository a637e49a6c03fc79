/* Unmaps its own code and so pulls the ground from under itself. Expected: crashed. */
#include "../fixture.h"

#include <sys/mman.h>
#include <unistd.h>

void misbehave(taskhost_task_t *task) {
    (void)task;
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)&misbehave & ~(size - 1);
    /* The status is used: a compiler that jumped to munmap would have no way back here. */
    volatile int status = munmap((void *)page, size);
    (void)status;
}
