public import BackgroundTasks

extension BGTask {
    /// Defers the run: it ends as `deferred`, and its request waits again for at least `seconds`. It uses up no try. From
    /// the tenth deferral in a row on, the pause is no shorter than the one after a failure. A completion like
    /// `setTaskCompleted`: the first call of either counts. May be called on any thread.
    /// - Parameter seconds: 1 to 604,800, which are seven days.
    /// - Returns: false when the run continues: for other numbers, as the run's diagnostics say, and under a host without
    ///   deferrals; also when it was completed before.
    @discardableResult
    public func setTaskDeferred(for seconds: TimeInterval) -> Bool {
        work?.complete(later: seconds) ?? true
    }
}
