import Record
import TaskModel

/// What hosts, submitters and the database noted of one simulation. Times are microseconds since 1970 by the machine's clock, which
/// is the database's, too.
struct CrowdHistory {
    /// What somebody asked for. Its number is its payload.
    struct Submission {
        var number: Int
        var identifier: String
        var labels: [String: String] = [:]
        var earliest: Int64 = 0
        var dedupe: String?
        var policy = "allow"
        /// The request that the database said it has in for it; nil: no answer was heard.
        var key: ULID?
    }

    /// What a host can run.
    struct Member {
        var identifiers: Set<String>
        var labels: [String: String]
        var most: Int
        /// In microseconds.
        var lease: Int64
    }

    /// A row of taskhost.request at the end.
    struct Request {
        var key: ULID
        var state: String
        var number: Int64
        var outcome: String
    }

    /// A row of taskhost.run.
    struct Run {
        var token: ClaimToken
        /// nil: the request went back unharmed, or for another try.
        var outcome: String?
        var accepted: Bool
    }

    /// A version of a row of taskhost.request, as a trigger saw it; in the order of their transactions for each request.
    struct Change {
        var key: ULID
        var number: Int64
        var holder: Int64?
        var leased = false
        var quarantined = false
        var ended = false
        var free: Int64
        var claimed: Int64?
        var losses = 0
        var payload: String

        var token: ClaimToken { ClaimToken(key: key, number: number) }
    }

    /// A host's engine began a run.
    struct Start {
        var token: ClaimToken
        var host: Int
        var payload: String
        var time: Int64
        /// nil: its host died.
        var end: Int64?
    }

    /// A host heard that a lease lasts until then.
    struct Belief {
        var token: ClaimToken
        var end: Int64
    }

    /// A host heard what became of an end that it had said.
    struct Answer {
        var token: ClaimToken
        var isLast: Bool
        var isAccepted: Bool
    }

    var submissions: [Submission] = []
    var members: [Member] = []
    /// The hosts of the numbers that the database gave.
    var lives: [Int64: Int] = [:]
    /// Numbers of hosts that have not heard all answers.
    var deaf: Set<Int64> = []
    var requests: [Request] = []
    var runs: [Run] = []
    var changes: [Change] = []
    var starts: [Start] = []
    var beliefs: [Belief] = []
    var answers: [Answer] = []
    /// Claims that came to a host that drained from before it was asked until after it was answered.
    var drained: [ClaimToken] = []
    /// What engines, schedulers and ledgers found of themselves.
    var disorders: [String] = []
    /// What the database refused.
    var refusals: [String] = []

    static func microseconds(_ time: Timestamp) -> Int64 { time.nanoseconds / 1000 }
}
