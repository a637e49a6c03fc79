import Linux

/// What a program without confinement leaves running: the worker is its parent from then on, and lets it come to its end, for it may
/// be mail on its way to the mailer, which cron would not disturb.
enum LeftProcesses {
    /// What then still runs is ended with the worker's tree. Shorter than the time that a worker has to leave
    /// (`LimitsProfile.lifecycleCallback`).
    private static let patienceMilliseconds: Int32 = 2000

    /// Set once, before any run.
    nonisolated(unsafe) private static var isAdopting = false

    /// Orphans of this process's programs become its children.
    static func adopt() throws(SystemError) {
        try Sandbox.becomeSubreaper()
        unsafe isAdopting = true
    }

    /// Reaps them as long as the program runs, whose own end is left to who waits for it. A worker runs one program (`Isolation.run`).
    static func reap(beside program: Int32) {
        guard unsafe isAdopting else { return }
        _ = DetachedThread.start {
            while let child = ProcessEnd.awaitNext(), child != program { ProcessEnd.reap(child) }
        }
    }

    /// Calls `leave` when they have ended, or after a while.
    static func awaitEnd(_ leave: @escaping @Sendable () -> Never) {
        guard unsafe isAdopting, ProcessEnd.hasChildren else { return }
        let isWaiting = DetachedThread.start {
            while let child = ProcessEnd.awaitNext() { ProcessEnd.reap(child) }
            leave()
        }
        if isWaiting { _ = Descriptor.ready([], within: patienceMilliseconds) }
    }
}
