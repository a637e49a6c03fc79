/// One of the things that a request waits for before it may run.
///
/// The cases are in the order of their evaluation and display. The numbers are stored, are unrelated to that order, and are
/// never reused.
package enum Gate: UInt8, NamedCases, Comparable, Sendable, BitwiseCopyable {
    /// Its manifest was removed, or no longer has the task.
    case manifest = 1
    /// The user holds the task, its application or all work back.
    case paused = 28
    /// The user quit the application and has not opened it since.
    case forceQuit = 2
    /// Background refresh is turned off.
    case backgroundRefresh = 3
    /// The machine has not been unlocked since it started.
    case firstUnlock = 4
    /// The machine sleeps, or the user wants the host to act as if it did.
    case sleep = 26
    case earliestBeginDate = 5
    /// The pause after a failed attempt.
    case backoff = 6
    case externalPower = 7
    case batteryLevel = 8
    case lowPowerMode = 9
    case network = 10
    /// The machine is not idle.
    case idle = 11
    case cpuPressure = 12
    case memoryPressure = 13
    case thermal = 14
    /// No window of the configuration is open.
    case window = 27
    /// No file is there that the task waits for.
    case paths = 24
    /// None of its files has changed.
    case changed = 25
    /// The application crashed again and again.
    case quarantine = 15
    /// The application has used up its share of processor time.
    case quota = 16
    /// An earlier run of the same identifier is in progress.
    case overlap = 17
    /// As many runs of its kind as allowed are in progress.
    case kindCapacity = 18
    /// As many runs as the host allows are in progress.
    case capacity = 19
    /// Its manifest or library changed, and a run of the earlier revision is in progress.
    case revision = 20
    /// The host or the machine could not launch it: it waits before the next try.
    case shortage = 22
    /// Interrupted continued processing: its application has to be in the foreground.
    case foreground = 23
    /// The disk is nearly full.
    case diskSpace = 21

    /// Its place in the order, by its number.
    private static let places: [Int] = {
        var places = Array(repeating: 0, count: Int(allCases.map(\.rawValue).max() ?? 0) + 1)
        for (place, gate) in allCases.enumerated() { places[Int(gate.rawValue)] = place }
        return places
    }()

    /// The page's symbol for a gate that has none of its own.
    package static let plainSymbol = "gauge"

    /// The page's symbol for it.
    package var symbol: String { Condition.of(self)?.symbol ?? Self.hostRow(self)?.symbol ?? Self.plainSymbol }

    /// When it is open, for documents and the page: a clause.
    package var meaning: String { Condition.of(self)?.meaning ?? Self.hostRow(self)?.meaning ?? "" }

    /// The row of a gate of the host's own; nil: it is a condition's, whose row is in that table.
    private static func hostRow(_ gate: Gate) -> (symbol: String, meaning: String)? {
        switch gate {
        case .manifest: ("file", "its manifest exists")
        case .paused: ("pause", "the user has not paused the task, its application or all work")
        case .forceQuit: ("cross", "the user has not quit the application since opening it")
        case .earliestBeginDate: ("clock", "the date, or the schedule's time, has come")
        case .backoff:
            ("clock", "the pause after a failed attempt, between two runs, or that its handler asked for, is over")
        case .quarantine: ("shield", "the application has not crashed three times in a row")
        case .quota: (plainSymbol, "it has processor time left, where a quota is configured")
        case .overlap: ("stack", "no earlier run of the identifier is in progress")
        case .kindCapacity: ("stack", "fewer runs of its kind than allowed are in progress")
        case .capacity: ("stack", "fewer runs than allowed are in progress")
        case .revision:
            ("stack", "no run from before the last change of its manifest or library is in progress")
        case .shortage:
            (plainSymbol, "the pause is over after a launch for which the host or the machine lacked a resource")
        case .foreground: ("boxes", "its application is in the foreground")
        default: nil
        }
    }

    /// Evaluated before the other.
    package static func < (a: Gate, b: Gate) -> Bool { places[Int(a.rawValue)] < places[Int(b.rawValue)] }
}
