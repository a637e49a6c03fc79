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
    /// Open assertions, by number.
    private static let open = Mutex<[Int: Stretch]>([:])

    static func begin(_ name: String?, _ handler: (() -> Void)?) -> UIBackgroundTaskIdentifier {
        let stretch = Stretch(name: name, handler: handler)
        var number = 0
        let hasTime = Assertions.begin(
            name,
            begun: { given in
                number = given
                open.withLock { $0[given] = stretch }
            }, expired: { number in MainThread.run { expire(number) } })
        if hasTime != nil { return UIBackgroundTaskIdentifier(rawValue: number) }
        open.withLock { $0[number] = nil }
        return .invalid
    }

    static func end(_ identifier: UIBackgroundTaskIdentifier) {
        guard identifier != .invalid else { return }
        let number = identifier.rawValue
        guard open.withLock({ $0.removeValue(forKey: number) }) != nil else {
            return Diagnostic.write(
                "Can't end BackgroundTask: no background task exists with identifier \(number) "
                    + "(0x\(String(number, radix: 16))), or it may have already been ended.")
        }
        _ = Assertions.end(number)
    }

    /// None is open any more.
    static func forget() { open.withLock { $0.removeAll() } }

    /// On the main thread: the host calls for one stretch after the other, and waits for each.
    private static func expire(_ number: Int) {
        let stretch = open.withLock { open in
            defer { open[number]?.isExpired = true }
            return open[number]
        }
        guard let stretch, !stretch.isExpired else { return }
        if stretch.begun.duration(to: .now) > old {
            Diagnostic.write(
                "Background Task \(number) (\(stretch.title)), was created over 30 seconds ago. In applications running in "
                    + "the background, this creates a risk of termination. Remember to call "
                    + "UIApplication.endBackgroundTask(_:) for your task in a timely manner to avoid this.")
        }
        stretch.handler?()
        reportLeaks()
    }

    /// Once every handler was called: one may end what another one was called for.
    private static func reportLeaks() {
        let leaks = open.withLock { open -> [(Int, Stretch)] in
            guard open.values.allSatisfy(\.isExpired) else { return [] }
            defer { for number in open.keys { open[number]?.isReported = true } }
            return open.filter { !$0.value.isReported }.sorted { $0.key < $1.key }
        }
        for (number, stretch) in leaks {
            Diagnostic.write(
                "Background task still not ended after expiration handlers were called: \(number) (\(stretch.title)). "
                    + "This app will likely be terminated by the system. Call UIApplication.endBackgroundTask(_:) to avoid "
                    + "this.")
        }
    }
}

/// One stretch of background time.
private struct Stretch: @unchecked Sendable {  // the handler is called on the main thread, once
    let name: String?
    let handler: (() -> Void)?
    let begun = ContinuousClock.now
    /// Its handler was called, or is being called.
    var isExpired = false
    /// It was reported as not ended.
    var isReported = false

    init(name: String?, handler: (() -> Void)?) {
        self.name = name
        self.handler = handler
    }

    /// Its name in a sentence. For one without a name the host records the calling code.
    var title: String { name.map { "\"\($0)\"" } ?? "without a name" }
}
