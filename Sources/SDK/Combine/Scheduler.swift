import TaskHostFoundation

/// Where and when closures run.
public protocol Scheduler {
    /// Options for one closure.
    associatedtype SchedulerOptions
    /// Runs a closure as soon as possible.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
    /// Runs a closure as soon as possible.
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
}

/// Handed to where it runs, called once.
private struct Action: @unchecked Sendable { let body: () -> Void }

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

    /// Runs a closure on the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        let options = options ?? SchedulerOptions()
        async(group: options.group, qos: options.qos, flags: options.flags) { action.body() }
    }
}

extension OperationQueue: Scheduler {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    /// Runs a closure as an operation.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        addOperation { action.body() }
    }
}

extension RunLoop: Scheduler {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    /// Runs a closure in a turn of the run loop.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        perform { action.body() }
    }
}

/// Runs closures at once, on the thread that asks.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// There are no options.
    public struct SchedulerOptions: Sendable {}
    /// The only one.
    public static let shared = ImmediateScheduler()
    /// Runs the closure.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }
}
