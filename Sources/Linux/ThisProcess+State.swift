import CLinux
import Glibc
package import TaskModel

// What belongs to the process as a whole.
extension ThisProcess {
    /// Threads of this process.
    package static var threads: Int { ProcessStatus(of: getpid())?.threads ?? 0 }
    /// The calling thread blocks a signal that can be blocked.
    package static var blocksSignals: Bool { clinux_blocked_signals() == 1 }
    /// How many descriptors are open; 0 if unknown.
    package static var openDescriptors: Int { Int(max(0, clinux_open_descriptors())) }
    /// Pages that were mapped when they were touched, without a read of the disk (getrusage(2)).
    package static var pageFaults: Int {
        var usage = rusage()
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)  // fails for bad pointers alone
        return usage.ru_minflt
    }
    /// Bytes allocated by malloc, in all threads; 0: unknown.
    package static var heapInUse: UInt64 { clinux_heap_in_use() }
    /// What new files lack of their modes. For a moment it is another.
    package static var fileModeMask: UInt32 {
        let mask = umask(0o077)
        _ = umask(mask)
        return mask
    }

    /// Becomes the program of that path, with these arguments and variables (execve(2)). Returns only when it failed.
    package static func execute(_ words: [String], environment: [String]) -> Errno {
        let texts = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        _ = unsafe execve(words[0], texts, variables)
        return Errno(errno)
    }

    /// What ps shows of the process that confines a program and is not confined itself.
    package static let brokerName = "taskhost-broker"

    /// What ps shows of it, up to 15 bytes; a program has its file's name otherwise.
    package static func setName(_ name: String) { _ = unsafe clinux_set_name(name) }

    package static func setFileModeMask(_ mask: UInt32) { _ = umask(mask) }

    /// Raises the soft limit of descriptors as far as possible, up to `most`; returns the new limit.
    @discardableResult
    package static func raiseDescriptorLimit(to most: Int32) -> Int32 {
        var limit = limitOfDescriptors
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most)))
        _ = unsafe setrlimit(openFiles, &limit)
        return descriptorLimit
    }

    /// The soft limit of descriptors, no higher than `most`.
    package static func lowerDescriptorLimit(to most: Int32) {
        var limit = limitOfDescriptors
        limit.rlim_cur = min(limit.rlim_cur, rlim_t(most))
        _ = unsafe setrlimit(openFiles, &limit)  // a soft limit can always be lowered
    }

    /// How long the calling thread, and those and the processes that it starts from now on, keep a processor that others wait for.
    ///
    /// Who keeps it for a shorter time waits for less time after waking, and gets no smaller share: the kernel's deadline for its next
    /// slice is nearer (EEVDF; sched_setattr(2)). From 0.1 to 100 ms; from Linux 6.12 on, before which nothing changes. Real-time and idle policies
    /// stay as they are. No right is needed.
    package static func setSlice(_ slice: TimeSpan) {
        // Without it taskhost is late at times, and no less correct.
        _ = clinux_set_slice(UInt64(clamping: slice.nanoseconds))
    }

    /// That of a thread of any process; nil: the kernel has one for all, there is no such thread, or its policy has none.
    package static func slice(of thread: Int32) -> TimeSpan? {
        let nanoseconds = clinux_slice(thread)
        return nanoseconds > 0 ? TimeSpan(nanoseconds: nanoseconds) : nil
    }

    /// How many descriptors it may have: the soft limit.
    package static var descriptorLimit: Int32 { Int32(clamping: limitOfDescriptors.rlim_cur) }

    private static var openFiles: __rlimit_resource_t { __rlimit_resource_t(UInt32(CLINUX_LIMIT_OPEN_FILES)) }
    static var limitOfDescriptors: rlimit {
        var limit = rlimit()
        _ = unsafe getrlimit(openFiles, &limit)  // fails for bad pointers alone
        return limit
    }

    /// Makes a folder its working folder.
    package static func enter(_ folder: String) throws(SystemError) {
        if unsafe chdir(folder) != 0 { throw SystemError("chdir", code: errno, object: folder) }
    }
}
