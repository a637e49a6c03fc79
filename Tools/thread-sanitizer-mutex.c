// Tells the thread sanitizer of Synchronization.Mutex. Its way without contention is compiled into who uses it, and the sanitizer
// sees it; the other way, by futex(2), lies in the Swift runtime, which is not instrumented, so that what the lock guards is
// reported. `make test-tsan` links this into each program: the two functions stand before the runtime's. To go when the
// runtime tells the sanitizer itself.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context))

typedef __attribute__((swiftcall)) void lock_fn(uint32_t thread, SELF void *mutex);
typedef __attribute__((swiftcall)) void unlock_fn(SELF void *mutex);

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Of the runtime: a program that loads Swift libraries has it behind none of its own, where RTLD_NEXT would look.
static void *find(const char *name) {
    void *runtime = dlopen("libswiftSynchronization.so", RTLD_LAZY | RTLD_NOLOAD);
    void *function = runtime == NULL ? NULL : dlsym(runtime, name);
    if (function == NULL) { abort(); }
    return function;
}

lock_fn taskhost_lock __asm__(LOCK);
unlock_fn taskhost_unlock __asm__(UNLOCK);

__attribute__((swiftcall)) void taskhost_lock(uint32_t thread, SELF void *mutex) {
    static lock_fn *runtime;
    lock_fn *lock = __atomic_load_n(&runtime, __ATOMIC_ACQUIRE);
    if (lock == NULL) {
        lock = (lock_fn *)find(LOCK);
        __atomic_store_n(&runtime, lock, __ATOMIC_RELEASE);
    }
    lock(thread, mutex);
    if (__tsan_acquire != NULL) { __tsan_acquire(mutex); }
}

__attribute__((swiftcall)) void taskhost_unlock(SELF void *mutex) {
    static unlock_fn *runtime;
    unlock_fn *unlock = __atomic_load_n(&runtime, __ATOMIC_ACQUIRE);
    if (unlock == NULL) {
        unlock = (unlock_fn *)find(UNLOCK);
        __atomic_store_n(&runtime, unlock, __ATOMIC_RELEASE);
    }
    if (__tsan_release != NULL) { __tsan_release(mutex); }
    unlock(mutex);
}
