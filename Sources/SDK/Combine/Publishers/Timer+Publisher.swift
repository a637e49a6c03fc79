import TaskHostFoundation

extension Timer {
    /// Sends the time again and again, once it is connected.
    public final class TimerPublisher: ConnectablePublisher, @unchecked Sendable {  // the audience has a lock
        /// The time.
        public typealias Output = Date
        /// It does not fail.
        public typealias Failure = Never
        /// The time between two values, in seconds.
        public let interval: TimeInterval
        /// How late a value may be, in seconds; nil for not at all.
        public let tolerance: TimeInterval?
        /// Where the timer runs.
        public let runLoop: RunLoop
        /// In which mode of it.
        public let mode: RunLoop.Mode
        private let audience = Audience<Date, Never>()

        /// - Parameters:
        ///   - interval: the time between two values, in seconds.
        ///   - tolerance: how late a value may be, in seconds; nil for not at all.
        ///   - runLoop: where the timer runs.
        ///   - mode: in which mode of it.
        ///   - options: there are none.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
        }

        /// Attaches a subscriber. Values beyond its demand are dropped.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            audience.add(AnySubscriber(subscriber))
        }

        /// Starts a timer, which runs until the result is cancelled or released.
        public func connect() -> any Cancellable {
            let timer = Timer(timeInterval: interval, repeats: true) { [audience] _ in audience.send(Date()) }
            timer.tolerance = tolerance ?? 0
            runLoop.add(timer, forMode: mode)
            return AnyCancellable { timer.invalidate() }
        }
    }

    /// Sends the time again and again, once it is connected.
    /// - Parameters:
    ///   - interval: the time between two values, in seconds.
    ///   - tolerance: how late a value may be, in seconds; nil for not at all.
    ///   - runLoop: where the timer runs.
    ///   - mode: in which mode of it.
    ///   - options: there are none.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }
}
