package import TaskModel

// A request that is no longer this host's.
extension Scheduler {
    /// The request is another's from now on. One that waits is forgotten; one that runs is forgotten when its run ends, whatever
    /// the outcome, and has no further try: the caller ends the run.
    ///
    /// - Returns: whether there is such a request.
    @discardableResult
    package mutating func withdraw(_ request: RequestHandle, at now: ClockReading) -> Bool {
        observe(now)
        guard let index = requests.index(request) else { return false }
        guard requests[index].phase == .pending else {
            requests[index].flags.insert(.doomed)
            return true
        }
        cancel(index, at: now)
        startReady()
        return true
    }
}
