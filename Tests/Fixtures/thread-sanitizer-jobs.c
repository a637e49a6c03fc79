/* Of the application harness, under the thread sanitizer. A job of Swift's concurrency passes from one thread to the next through
 * functions of libdispatch that the sanitizer does not know, and the runtime does not tell it: what was written before a
 * continuation was resumed seems to race with what reads it behind the await. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "race:runJobInEstablishedExecutorContext\n"; }
