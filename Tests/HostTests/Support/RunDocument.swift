import Foundation
import TaskModel

/// A run as the command line prints it.
struct RunDocument: Decodable, Equatable {
    struct Event: Decodable, Equatable {
        var event: String
        var at: String
        var because: String?
    }

    var run: String
    var identifier: String
    var application: String
    var attempt: Int
    var outcome: String?
    var reason: String?
    var submittedAt: String
    var startedAt: String?
    var expiredAt: String?
    var endedAt: String?
    var wallTime: Double?
    var cpuTime: Double?
    var peakMemory: Int?
    var signal: Int32?
    var exitStatus: Int32?
    var degraded: [String]
    var diagnostics: [String]
    /// What it waits for before it is launched.
    var gate: String?
    /// `show` alone prints these.
    var confinement: String?
    var memoryAtStart: Int?
    var events: [Event]?

    /// The keys that every run has, and `result`.
    static let keys: Set = [
        "run", "identifier", "application", "attempt", "outcome", "reason", "submittedAt", "startedAt", "expiredAt",
        "endedAt", "wallTime", "cpuTime", "peakMemory", "signal", "exitStatus", "degraded", "diagnostics", "result",
        "gate", "frozenTime", "pauses", "origin", "kind", "state", "budget", "warnsAt", "endsAt", "lastLine",
        "unlikeItself", "wroteErrors",
    ]

    /// What `run` and `history` print.
    struct List: Decodable {
        var runs: [RunDocument]
    }

    /// The exit status of `taskhost run` for each outcome.
    static let exitStatuses = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0.name, $0.exitStatus) })
}
