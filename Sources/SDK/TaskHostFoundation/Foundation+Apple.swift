/// What Foundation of Linux lacks and code written for iOS uses.

/// The C name of a queue.
public typealias dispatch_queue_t = DispatchQueue

extension UserDefaults {
    /// Stores a value, as `set(_:forKey:)` does.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

/// Gives `ProcessInfo` the initialiser that it has on iOS.
public protocol ProcessInfoCreation {}

extension ProcessInfoCreation where Self: ProcessInfo {
    /// The process, the same object as `processInfo`.
    public init() {
        guard let shared = ProcessInfo.processInfo as? Self else {
            preconditionFailure("ProcessInfo cannot be subclassed")
        }
        self = shared
    }
}

extension ProcessInfo: ProcessInfoCreation {}
