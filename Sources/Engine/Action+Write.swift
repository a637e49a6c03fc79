package import TaskModel

extension Action {
    /// What has to be remembered.
    package enum Write: Sendable, BitwiseCopyable, Equatable {
        /// A new run.
        case insert(RunHandle)
        /// That it expired.
        case markExpired(RunHandle)
        /// Its end.
        case finish(RunHandle)
        /// That the run is suspended from now on, or continues.
        case pause(RunHandle)
        case resume(RunHandle)
        /// That the application is terminated, with its worker's assertions.
        ///
        /// - Parameters:
        ///   - callback: the callback in progress; nil: none.
        ///   - took: how long that had taken, or how long it had been in the background.
        case terminated(WorkerHandle, TerminationReason, callback: ApplicationCallback?, took: TimeSpan?)
    }
}
