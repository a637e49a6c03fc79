/*
 * Every process forks for ever. A counter that all of them share ends it at 2000, for machines that enforce
 * nothing. Expected: overran (or exceededMemory).
 */
#include "../fixture.h"

#include <sys/mman.h>

void misbehave(taskhost_task_t *task) {
    ignore_expiration(task);
    int *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED) { return; }
    while (__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST) < 2000) { (void)fork(); }
    sleep_forever();
}
