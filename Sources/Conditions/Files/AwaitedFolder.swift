import Linux
import TaskModel

/// A folder with files that tasks or others wait for, and the result of its last scan.
struct AwaitedFolder<Waiter: Hashable> {
    /// After the last change of a group, and after the first, however many follow.
    private static var settling: TimeSpan { .milliseconds(50) }
    private static var patience: TimeSpan { .milliseconds(500) }
    /// After a scan that failed.
    private static var pause: TimeSpan { .seconds(60) }

    let path: String
    var waiters: Set<Waiter>
    var watches: [FolderLook.Watch] = []
    /// Of the last complete scan with their places in its result, and of the one in progress.
    private var patterns: [FilePattern: Int] = [:]
    private var asked: [FilePattern] = []
    private var found: [FolderLook.Found] = []
    private var fault: String?
    /// The first scan is complete.
    private var isKnown = false
    private(set) var isLooking = false
    /// What has to happen until the result is later than the last waiter that joined.
    private enum Lag {
        case scanToBegin, scanToEnd, none
    }
    private var lag = Lag.scanToBegin
    /// Since when, and when last, something changed; `distantFuture`: nothing has.
    private var first = Instant.distantFuture
    private var last = Instant.distantFuture
    private var notBefore = Instant(nanoseconds: 0)

    init(path: String, waiters: Set<Waiter>) {
        self.path = path
        self.waiters = waiters
    }

    /// When to scan it; `distantFuture`: when something changes.
    var deadline: Instant {
        guard !isLooking, first != .distantFuture else { return .distantFuture }
        return max(min(last + Self.settling, first + Self.patience), notBefore)
    }

    /// It has to be scanned.
    mutating func touch(at now: Instant) {
        if first == .distantFuture { first = now }
        last = now
    }

    /// Somebody waits for it, or in another way: a scan that is older, or in progress, says nothing of what they expect.
    mutating func join(at now: Instant) {
        lag = .scanToBegin
        touch(at: now)
    }

    /// Whether the result is of a scan that began after the last waiter had joined.
    var isCurrent: Bool { lag == .none }

    /// A scan is not possible now.
    mutating func putOff(at now: Instant) { notBefore = now + Self.pause }

    /// A scan begins.
    mutating func begin(_ look: FolderLook) {
        isLooking = true
        if lag == .scanToBegin { lag = .scanToEnd }
        asked = look.patterns
        first = .distantFuture
        last = .distantFuture
    }

    /// The scan in progress is no longer needed.
    mutating func drop() { isLooking = false }

    /// Stores the result of a scan. Scans take a twentieth of the time at most.
    mutating func end(_ answer: FolderLook.Answer, at now: Instant) {
        isLooking = false
        if lag == .scanToEnd { lag = .none }
        patterns = Dictionary(zip(asked, asked.indices)) { first, _ in first }
        asked = []
        found = answer.found
        fault = answer.fault
        isKnown = true
        let took = min(answer.took.nanoseconds, Self.pause.nanoseconds)
        notBefore = now + TimeSpan(nanoseconds: took * 20)
        guard answer.fault != nil else { return }
        putOff(at: now)
        touch(at: now)
    }

    /// The last scan's result for a pattern; nil: there was no scan.
    func found(_ pattern: FilePattern) -> (found: FolderLook.Found, fault: String?)? {
        guard isKnown, let index = patterns[pattern], index < found.count else { return nil }
        return (found[index], fault)
    }

    /// Whether an event of a watch may matter.
    func isConcerned(by event: InotifyEvent) -> Bool {
        let name = Array(event.name.utf8)
        // Bytes that are not UTF-8 appear as this character.
        let isUnclear = event.name.contains("\u{FFFD}")
        let isMeant = { (pattern: FilePattern) in isUnclear || pattern.matches(name) }
        return watches.contains { watch in
            guard watch.number == event.watch, !name.isEmpty else { return watch.number == event.watch }
            if let awaited = watch.awaited { return awaited == event.name }
            return patterns.keys.contains(where: isMeant) || asked.contains(where: isMeant)
        }
    }
}
