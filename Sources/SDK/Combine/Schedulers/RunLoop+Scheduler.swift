import TaskHostFoundation

extension RunLoop: Scheduler {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    /// The present time.
    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    /// Nothing.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    /// Runs a closure in a turn of the run loop.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        perform { action.body() }
    }

    /// Runs a closure in a turn of the run loop in its default mode, at a time or later.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Action(body: action)
        start(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.body() }, tolerance)
    }

    /// Runs a closure in turns of the run loop in its default mode, at a time or later and again, until the result is cancelled
    /// or released.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let action = Action(body: action)
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in action.body() }
        start(timer, tolerance)
        return AnyCancellable { timer.invalidate() }
    }

    private func start(_ timer: Timer, _ tolerance: SchedulerTimeType.Stride) {
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
    }
}
