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

/// Background time as UIKit gives it: handlers on the main thread, and its sentences about misuse.
enum BackgroundTime {
    /// A stretch begun longer ago is noted when its time is up.
    private static let old = Duration.seconds(30)

    static func begin(_ name: String?, _ handler: (() -> Void)?) -> UIBackgroundTaskIdentifier {
        let stretch = Stretch(name: name ?? "Called by the application", handler: handler)
        guard let number = Assertions.begin(stretch.name, expired: { DispatchQueue.main.async { stretch.expire() } })
        else { return .invalid }
        // The main queue is behind us or beside us: the handler looks at the number on the main thread only, and an
        // expiration that comes first finds nothing to end.
        stretch.number.withLock { $0 = number }
        return UIBackgroundTaskIdentifier(rawValue: number)
    }

    static func end(_ identifier: UIBackgroundTaskIdentifier) {
        guard identifier != .invalid, !Assertions.end(identifier.rawValue) else { return }
        let number = identifier.rawValue
        Diagnostic.write(
            "Can't end BackgroundTask: no background task exists with identifier \(number) "
                + "(0x\(String(number, radix: 16))), or it may have already been ended.")
    }

    fileprivate static func isOld(_ begun: ContinuousClock.Instant) -> Bool { begun.duration(to: .now) > old }
}

/// One stretch of background time.
private final class Stretch: @unchecked Sendable {  // the handler is called on the main thread, once
    let name: String
    /// 0 until it is known.
    let number = Mutex(0)
    private let handler: (() -> Void)?
    private let begun = ContinuousClock.now

    init(name: String, handler: (() -> Void)?) {
        self.name = name
        self.handler = handler
    }

    func expire() {
        let number = number.withLock { $0 }
        guard number == 0 || Assertions.isOpen(number) else { return }
        if BackgroundTime.isOld(begun) {
            Diagnostic.write(
                "Background Task \(number) (\"\(name)\"), was created over 30 seconds ago. In applications running in the "
                    + "background, this creates a risk of termination. Remember to call "
                    + "UIApplication.endBackgroundTask(_:) for your task in a timely manner to avoid this.")
        }
        handler?()
        guard Assertions.isOpen(number) else { return }
        Diagnostic.write(
            "Background task still not ended after expiration handlers were called: \(number) (\"\(name)\"). This app will "
                + "likely be terminated by the system. Call UIApplication.endBackgroundTask(_:) to avoid this.")
    }
}
