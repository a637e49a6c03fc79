#include "CApplication.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t waiting = UINT32_C(1) << 31;

/* Asked of the kernel each time: a copy kept by the thread would be wrong after fork. */
static uint32_t own_id(void) { return (uint32_t)syscall(SYS_gettid); }

static bool change(uint32_t *word, uint32_t *old, uint32_t new) {
    return __atomic_compare_exchange_n(word, old, new, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

bool taskhost_sdk_unfair_lock(uint32_t *word) {
    const uint32_t me = own_id();
    uint32_t seen = 0;
    if (change(word, &seen, me)) return true;
    if ((seen & ~waiting) == me) return false;
    for (;;) {
        /* Whoever has waited keeps the bit: it cannot know whether it was the only one. */
        if (seen == 0) {
            if (change(word, &seen, me | waiting)) return true;
            continue;
        }
        if (!(seen & waiting) && !change(word, &seen, seen | waiting)) continue;
        /* Returns at once when the word has changed since; a signal or a stray wake only looks again. */
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen | waiting, NULL, NULL, 0);
        seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    }
}

bool taskhost_sdk_unfair_try(uint32_t *word) {
    uint32_t seen = 0;
    return change(word, &seen, own_id());
}

bool taskhost_sdk_unfair_unlock(uint32_t *word) {
    if (!taskhost_sdk_unfair_is_mine(word)) return false;
    /* The word may be gone once it is 0: only its address is used after that, which at worst wakes somebody in vain. */
    if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & waiting)
        syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}

bool taskhost_sdk_unfair_is_mine(const uint32_t *word) {
    return (__atomic_load_n(word, __ATOMIC_RELAXED) & ~waiting) == own_id();
}
