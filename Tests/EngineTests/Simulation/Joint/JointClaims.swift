import Record
import TaskModel
import TestSupport

/// The claims of the joint host in one life of it.
struct JointClaims {
    /// A claim whose request the scheduler has.
    struct Entered {
        var claim: Claim
        /// How its last run has ended.
        var outcome: Outcome?
        /// When it was no longer this host's.
        var lost: Instant?
    }

    var ledger = ClaimLedger()
    /// nil: no host is there.
    var store: MemoryClaims?
    /// By the identities that the scheduler has for them.
    var entered: [Int64: Entered] = [:]
    /// Claims of tasks that have entered already: they wait their turn.
    var queue: [Claim] = []
    /// Ends that are told once the turn is durable.
    var ends: [(turn: UInt64, token: ClaimToken, end: ClaimEnd)] = []
    /// Told, and not answered.
    var said: [ClaimToken: ClaimEnd] = [:]
    /// Tasks of which the host takes nothing until then.
    var refused: [String: Instant] = [:]
    /// The host dies at this moment, whatever it holds.
    var isDying = false
    var wish = ClaimWish.none
    var most = 0

    /// The claim that waits for nothing any more.
    var next: Claim? { queue.first { entered[Self.identity(of: $0)] == nil } }

    // MARK: Names

    static func identifier(of task: TaskIndex) -> String { "com.example.task.\(task.number)" }

    static func task(of claim: Claim) -> TaskIndex {
        TaskIndex(number: claim.request.identifier.split(separator: ".").last.flatMap { UInt32($0) } ?? 0)
    }

    /// The fleet's requests of a task have one identity, so that they run one after the other, and none takes the place of the
    /// host's own.
    static func identity(of claim: Claim) -> Int64 { Int64(task(of: claim).number) * 100 + 90 }
    static func isClaimed(_ identity: Int64) -> Bool { identity % 100 == 90 }
}
