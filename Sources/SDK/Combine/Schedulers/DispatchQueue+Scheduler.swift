import TaskHostFoundation

extension DispatchQueue: Scheduler {
    /// Options for one closure.
    public struct SchedulerOptions {
        /// How urgent it is.
        public var qos: DispatchQoS
        /// How it is run.
        public var flags: DispatchWorkItemFlags
        /// The group that it belongs to.
        public var group: DispatchGroup?
        /// - Parameters:
        ///   - qos: how urgent it is.
        ///   - flags: how it is run.
        ///   - group: the group that it belongs to.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    /// The present time.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    /// Nothing.
    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    /// Runs a closure on the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        let options = options ?? SchedulerOptions()
        async(group: options.group, qos: options.qos, flags: options.flags) { action.body() }
    }

    /// Runs a closure on the queue at a time or later. It belongs to the group of its options until it has run.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Action(body: action)
        let options = options ?? SchedulerOptions()
        options.group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) { [group = options.group] in
            action.body()
            group?.leave()
        }
    }

    /// Runs a closure on the queue at a time or later, and again, until the result is cancelled or released. Of the options
    /// those of one closure, `qos` and `flags`, are used.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let action = Action(body: action)
        let options = options ?? SchedulerOptions()
        let source = DispatchSource.makeTimerSource(queue: self)
        source.setEventHandler(qos: options.qos, flags: options.flags) { action.body() }
        source.schedule(
            deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
        source.resume()
        return AnyCancellable { source.cancel() }
    }
}
