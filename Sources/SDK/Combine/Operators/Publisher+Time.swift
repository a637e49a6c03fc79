extension Publisher {
    /// Values after which there was none for a time. The upstream's end comes at once, and drops a value that waits; so does
    /// what the subscriber has not asked for by then.
    /// - Parameters:
    ///   - dueTime: how long it must be quiet.
    ///   - scheduler: whose time it is, and where values and the end come.
    ///   - options: for the scheduler.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { Debouncing($0).debounce(self, for: dueTime, scheduler, options) }
    }

    /// At most one value in a time: the first one at once, then one at the end of each time in which there was any. The
    /// upstream's end comes after a value that waits. What is not asked for is dropped.
    /// - Parameters:
    ///   - interval: the least time between values.
    ///   - scheduler: whose time it is, and where values and the end come.
    ///   - latest: whether it is the newest value of that time; otherwise the first one.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher {
            Throttling<Output, Failure, S.SchedulerTimeType>($0).throttle(
                self, for: interval, scheduler, isLatest: latest)
        }
    }

    /// Values and the end later.
    /// - Parameters:
    ///   - interval: how much later.
    ///   - tolerance: how much more it may be; nil for the scheduler's least.
    ///   - scheduler: whose time it is, and where values and the end come.
    ///   - options: for the scheduler.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher {
            Rescheduling($0).reschedule(
                self,
                schedule: { action in
                    scheduler.schedule(
                        after: scheduler.now.advanced(by: interval),
                        tolerance: tolerance ?? scheduler.minimumTolerance, options: options, action)
                })
        }
    }

    /// Ends when there is no value for a time, counted from the subscription and from each value.
    /// - Parameters:
    ///   - interval: the time.
    ///   - scheduler: whose time it is, and where values and the end come.
    ///   - options: for the scheduler.
    ///   - customError: how it fails then; nil to finish.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { next in
            let line = Rescheduling(next)
            line.reschedule(
                self, schedule: { scheduler.schedule(options: options, $0) },
                arrived: { [weak line] in
                    guard let arrivals = line?.arrivals else { return }
                    scheduler.schedule(
                        after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance,
                        options: options
                    ) {
                        guard let line, line.isOpen, line.arrivals == arrivals else { return }
                        line.end(customError.map { .failure($0()) } ?? .finished)
                    }
                })
        }
    }

    /// Values and the end on a queue, an operation queue or a run loop.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher {
            Rescheduling($0).reschedule(self, schedule: { scheduler.schedule(options: options, $0) })
        }
    }

    /// Attaches, asks for values and cancels on a queue, an operation queue or a run loop.
    public func subscribe<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { next in
            scheduler.schedule(options: options) {
                self.receive(
                    subscriber: AnySubscriber(
                        receiveSubscription: { upstream in
                            next.receive(
                                subscription: Remote(upstream) { scheduler.schedule(options: options, $0) })
                        }, receiveValue: { next.receive($0) }, receiveCompletion: { next.receive(completion: $0) }))
            }
        }
    }
}

/// A subscription that is used elsewhere.
private final class Remote: Subscription {
    private let upstream: any Subscription
    private let schedule: (@escaping () -> Void) -> Void

    init(_ upstream: any Subscription, _ schedule: @escaping (@escaping () -> Void) -> Void) {
        self.upstream = upstream
        self.schedule = schedule
    }

    func request(_ demand: Subscribers.Demand) { schedule { [upstream] in upstream.request(demand) } }
    func cancel() { schedule { [upstream] in upstream.cancel() } }
}
