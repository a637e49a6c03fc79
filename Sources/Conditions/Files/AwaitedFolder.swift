import Linux
import TaskModel

/// A folder that tasks wait for files in, and what the last look at it saw.
struct AwaitedFolder {
    /// After the last change of a group, and after the first, however many follow.
    private static let settling = TimeSpan.milliseconds(50)
    private static let patience = TimeSpan.milliseconds(500)
    /// After a look that could not tell.
    private static let pause = TimeSpan.seconds(60)

    let path: String
    var tasks: Set<TaskIndex>
    var watches: [FolderLook.Watch] = []
    /// Of the last complete look, and of the one that is being made.
    private var patterns: [FilePattern] = []
    private var asked: [FilePattern] = []
    private var found: [FolderLook.Found] = []
    private var fault: String?
    /// The first look is complete.
    private var isKnown = false
    private(set) var isLooking = false
    /// Since when, and when last, something changed; `distantFuture`: nothing has.
    private var first = Instant.distantFuture
    private var last = Instant.distantFuture
    private var notBefore = Instant(nanoseconds: 0)

    init(path: String, tasks: Set<TaskIndex>) {
        self.path = path
        self.tasks = tasks
    }

    /// When it is to be looked at; `distantFuture`: once something changes.
    var deadline: Instant {
        guard !isLooking, first != .distantFuture else { return .distantFuture }
        return max(min(last + Self.settling, first + Self.patience), notBefore)
    }

    /// It has to be looked at.
    mutating func touch(at now: Instant) {
        if first == .distantFuture { first = now }
        last = now
    }

    /// A look cannot be made now.
    mutating func putOff(at now: Instant) { notBefore = now + Self.pause }

    /// A look is being made.
    mutating func begin(_ look: FolderLook) {
        isLooking = true
        asked = look.patterns
        first = .distantFuture
        last = .distantFuture
    }

    /// Nobody wants the look any more that is made.
    mutating func drop() { isLooking = false }

    /// Takes what a look saw. Looks take a twentieth of the time at most.
    mutating func end(_ answer: FolderLook.Answer, at now: Instant) {
        isLooking = false
        patterns = asked
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

    /// What the last look saw of a pattern; nil: there was none.
    func found(_ pattern: FilePattern) -> (found: FolderLook.Found, fault: String?)? {
        guard isKnown, let index = patterns.firstIndex(of: pattern), index < found.count else { return nil }
        return (found[index], fault)
    }

    /// Whether what a watch tells may matter.
    func isConcerned(by event: InotifyEvent) -> Bool {
        let name = Array(event.name.utf8)
        // Bytes that are no text are told as this.
        let isUnclear = event.name.contains("\u{FFFD}")
        let isMeant = { (pattern: FilePattern) in isUnclear || pattern.matches(name) }
        return watches.contains { watch in
            guard watch.number == event.watch, !name.isEmpty else { return watch.number == event.watch }
            if let awaited = watch.awaited { return awaited == event.name }
            return patterns.contains(where: isMeant) || asked.contains(where: isMeant)
        }
    }
}
