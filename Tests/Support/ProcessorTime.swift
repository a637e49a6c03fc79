import Glibc

/// Nanoseconds that this thread has run: steadier than the clock on a busy machine.
package var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
