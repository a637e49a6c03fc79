import Linux

/// The end of everything below this process, which has one thread.
enum TreeEnd {
    /// Five seconds in all: a process that the kernel does not let die is then left to it.
    private static let sweeps = 250
    private static let sweepMilliseconds: Int32 = 20

    /// Kills and reaps every descendant, and waits for the ends of those that end their own trees.
    ///
    /// - Parameters:
    ///   - keepers: have heard of it; nothing below them is killed from here.
    ///   - signals: a `SignalQueue` of SIGCHLD.
    static func endDescendants(sparing keepers: Set<Int32> = [], signals: Int32) {
        for _ in 0..<sweeps {
            for process in Descendants(of: ThisProcess.pid, sparing: keepers).living {
                ProcessHandle.signal(pid: process.pid, .SIGKILL)
            }
            while ProcessEnd.reapNext() != nil {}
            guard ProcessEnd.hasChildren else { return }
            _ = Descriptor.ready([signals], within: sweepMilliseconds)
            SignalQueue.clear(signals)
        }
    }
}
