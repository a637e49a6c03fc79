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
    private struct Stretches {
        /// Those that were begun and not ended, by number.
        var open: [Int: Stretch] = [:]
        /// A handler is being called.
        var isCalling = false
    }
    private static let stretches = Mutex(Stretches())

    static func begin(_ name: String?, _ handler: (() -> Void)?) -> UIBackgroundTaskIdentifier {
        let stretch = Stretch(name: name, handler: handler)
        var number = 0
        let hasTime = Assertions.begin(
            name,
            begun: { given in
                number = given
                stretches.withLock { $0.open[given] = stretch }
            }, expired: { number in MainThread.run { expire(number) } })
        if hasTime != nil { return UIBackgroundTaskIdentifier(rawValue: number) }
        stretches.withLock { $0.open[number] = nil }
        return .invalid
    }

    static func end(_ identifier: UIBackgroundTaskIdentifier) {
        guard identifier != .invalid else { return }
        let number = identifier.rawValue
        guard stretches.withLock({ $0.open.removeValue(forKey: number) }) != nil else {
            return Diagnostic.write(
                "Can't end BackgroundTask: no background task exists with identifier \(number) "
                    + "(0x\(String(number, radix: 16))), or it may have already been ended.")
        }
        _ = Assertions.end(number)
        // It may have begun after the last call, and was the last one that could have had another.
        reportLeaks()
    }

    /// None is open any more.
    static func forget() { stretches.withLock { $0.open.removeAll() } }

    /// On the main thread: the host calls for one stretch after the other, and waits for each.
    private static func expire(_ number: Int) {
        let stretch = stretches.withLock { all -> Stretch? in
            guard let stretch = all.open[number], !stretch.isExpired else { return nil }
            all.open[number]?.isExpired = true
            all.isCalling = true
            return stretch
        }
        guard let stretch else { return }
        if stretch.begun.duration(to: .now) > old {
            Diagnostic.write(
                "Background Task \(number) (\(stretch.title)), was created over 30 seconds ago. In applications running in "
                    + "the background, this creates a risk of termination. Remember to call "
                    + "UIApplication.endBackgroundTask(_:) for your task in a timely manner to avoid this.")
        }
        stretch.handler?()
        stretches.withLock { $0.isCalling = false }
        reportLeaks()
    }

    /// Once every handler was called: one may end what another one was called for.
    private static func reportLeaks() {
        let leaks = stretches.withLock { all -> [(Int, Stretch)] in
            guard !all.isCalling, all.open.values.allSatisfy(\.isExpired) else { return [] }
            defer { for number in all.open.keys { all.open[number]?.isReported = true } }
            return all.open.filter { !$0.value.isReported }.sorted { $0.key < $1.key }
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
