/// What Foundation of Linux lacks and code written for iOS uses.

/// The C name of a queue.
public typealias dispatch_queue_t = DispatchQueue

/// Seconds since the reference date.
public typealias CFAbsoluteTime = Double
/// Seconds since the reference date, now.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }

/// Calls `body`. Objects are counted here, and never left to a pool.
@discardableResult
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// Logs objects too, by their descriptions.
@_disfavoredOverload
public func NSLog(_ format: String, _ arguments: Any?...) {
    let text = String(
        format: format, arguments: arguments.map { ($0 as? any CVarArg) ?? $0.map { "\($0)" } ?? "(null)" })
    Foundation.NSLog("%@", text)
}

extension UserDefaults {
    /// Stores a value, as `set(_:forKey:)` does.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
    /// A stored value, as `object(forKey:)` gives it.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
}

extension FileManager {
    /// None: applications share no containers.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension URL {
    /// True: a file that the worker may read needs no further permission.
    public func startAccessingSecurityScopedResource() -> Bool { true }
    /// Does nothing.
    public func stopAccessingSecurityScopedResource() {}
}

extension URLRequest.NetworkServiceType {
    /// Linux makes no difference between kinds of traffic.
    public static var responsiveData: URLRequest.NetworkServiceType { .default }
}

/// Gives `Progress` the initialiser without arguments that it has on iOS.
public protocol ProgressCreation {}

extension ProgressCreation where Self: Progress {
    /// A progress of nothing yet, without a parent.
    public init() {
        guard let progress = Progress(parent: nil, userInfo: nil) as? Self else {
            preconditionFailure("a subclass of Progress is made with init(parent:userInfo:)")
        }
        self = progress
    }
}

extension Progress: ProgressCreation {}

extension Progress {
    private static let description = ProgressUserInfoKey("org.taskhost.localizedDescription")
    private static let additionalDescription = ProgressUserInfoKey("org.taskhost.localizedAdditionalDescription")

    /// A description for display: the value that was set, stored in `userInfo`; otherwise Foundation's, which is empty on
    /// Linux.
    public var localizedDescription: String! {
        get { userInfo[Self.description] as? String ?? self.Foundation::localizedDescription }
        set { setUserInfoObject(newValue, forKey: Self.description) }
    }

    /// A further description for display: the value that was set, stored in `userInfo`; otherwise Foundation's, which is
    /// empty on Linux.
    public var localizedAdditionalDescription: String! {
        get { userInfo[Self.additionalDescription] as? String ?? self.Foundation::localizedAdditionalDescription }
        set { setUserInfoObject(newValue, forKey: Self.additionalDescription) }
    }
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
