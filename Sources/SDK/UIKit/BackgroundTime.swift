internal import CTaskHost
internal import Synchronization
internal import TaskHostRuntime

/// Names one stretch of background time.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name as a number.
    public let rawValue: Int
    /// - Parameter rawValue: the name as a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Names nothing.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The background time that the application has asked for.
enum BackgroundTime {
    private struct Stretch: @unchecked Sendable {  // the handler is called on the main thread, once
        let assertion: UInt64
        let name: String
        var handler: (() -> Void)?
    }
    private struct Stretches {
        var last = 0
        var open: [Int: Stretch] = [:]
    }
    private static let stretches = Mutex(Stretches())

    static func begin(_ name: String?, _ handler: (() -> Void)?) -> UIBackgroundTaskIdentifier {
        guard let lifecycle = ConnectedHost.current?.lifecycle else { return .invalid }
        let name = name ?? "Called by the application"
        // The number comes first: the host may call at once.
        let number = stretches.withLock { stretches in
            stretches.last += 1
            return stretches.last
        }
        let assertion = lifecycle.pointee.begin_assertion(
            name, { context in BackgroundTime.expire(Int(bitPattern: context)) },
            UnsafeMutableRawPointer(bitPattern: number))
        guard assertion != 0 else { return .invalid }
        let stretch = Stretch(assertion: assertion, name: name, handler: handler)
        stretches.withLock { $0.open[number] = stretch }
        return UIBackgroundTaskIdentifier(rawValue: number)
    }

    static func end(_ identifier: UIBackgroundTaskIdentifier) {
        guard identifier != .invalid else { return }
        guard let stretch = stretches.withLock({ $0.open.removeValue(forKey: identifier.rawValue) }) else {
            let number = identifier.rawValue
            Diagnostic.write(
                "Can't end BackgroundTask: no background task exists with identifier \(number) "
                    + "(0x\(String(number, radix: 16))), or it may have already been ended.")
            return
        }
        _ = ConnectedHost.current?.lifecycle?.pointee.end_assertion(stretch.assertion)
    }

    /// Background time is about to end: the handler runs on the main thread, and has to end the stretch.
    private static func expire(_ number: Int) {
        DispatchQueue.main.async {
            let stretch = stretches.withLock { stretches -> Stretch? in
                defer { stretches.open[number]?.handler = nil }
                return stretches.open[number]
            }
            guard let stretch else { return }
            stretch.handler?()
            guard stretches.withLock({ $0.open[number] != nil }) else { return }
            Diagnostic.write(
                "Background task still not ended after expiration handlers were called: \(number) "
                    + "(\"\(stretch.name)\"). This app will likely be terminated by the system. Call "
                    + "UIApplication.endBackgroundTask(_:) to avoid this.")
        }
    }

    static var remaining: TimeInterval {
        ConnectedHost.current?.lifecycle?.pointee.background_time_remaining() ?? .greatestFiniteMagnitude
    }
}
