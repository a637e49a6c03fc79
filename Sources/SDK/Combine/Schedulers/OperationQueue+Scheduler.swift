import TaskHostFoundation

extension OperationQueue: Scheduler {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    /// The present time.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Nothing.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure as an operation.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        addOperation { action.body() }
    }

    /// Runs a closure as an operation that is added at a time or later.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Action(body: action)
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + date.date.timeIntervalSinceNow) {
            self.addOperation { action.body() }
        }
    }

    /// Runs a closure as operations that are added at a time or later and again, until the result is cancelled or released.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let action = Action(body: action)
        let source = DispatchSource.makeTimerSource()
        source.setEventHandler { self.addOperation { action.body() } }
        source.schedule(
            wallDeadline: .now() + date.date.timeIntervalSinceNow, repeating: interval.timeInterval,
            leeway: DispatchQueue.SchedulerTimeType.Stride.seconds(tolerance.timeInterval).timeInterval)
        source.resume()
        return AnyCancellable { source.cancel() }
    }
}
