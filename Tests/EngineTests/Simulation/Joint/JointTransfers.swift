import TaskModel
import TestSupport
import Transfers

/// What happens to transfers and their sessions around the joint host.
enum TransferHappening {
    /// A process opens its application's sessions: because it was asked to handle their events, or by itself.
    case opening(WorkerHandle, isAsked: Bool)
    /// A process makes transfers, and changes some.
    case wishes(WorkerHandle)
    /// A process has handled a transfer's events, up to there; or answers what it was asked.
    case acknowledgement(WorkerHandle, transfer: Int64)
    case answer(WorkerHandle, transfer: Int64)
    /// It calls the completion handler of a session's events.
    case handled(WorkerHandle, session: Int64)
    /// What the transfer process reports of an attempt of this life of it.
    case report(transfer: Int64, attempt: Int)
    case loss
}

/// A transfer as the host's composition and the world around it know it.
struct JointTransfer {
    enum Phase {
        case idle
        /// The policy lets it begin, which is not on record yet.
        case decided
        case goesOn
        /// The transfer process is asked to stop it.
        case stopping
    }

    /// As this life of the host made or found it, with its state and its attempts since.
    var new: BackgroundTransfer
    var handle: TransferHandle
    var expires: Instant
    var phase = Phase.idle
    var isWhole = false
    /// Numbers its attempts: a report of an earlier one means nothing.
    var attempt = 0
    var isHeld = false
    var asks = false
    var isAskTold = false
    var wasAsked = false
    /// The policy ended it while an attempt ran, which is stopped first.
    var decided: (error: TransferError, reason: TransferCancelReason?)?
    /// What is, or will be, on record.
    var end: TransferEnd?

    var id: Int64 { new.id }
    var session: Int64 { new.session }
    /// As far as the policy knows: one that it ended no longer counts.
    var isUnderWay: Bool { phase != .idle && decided == nil }
}

/// A session as the host's composition knows it.
struct JointSession {
    let id: Int64
    let application: ApplicationIndex
    var new: NewSession
    var handle: SessionHandle
    var next: UInt32 = 1
    var opener: WorkerHandle?
    /// Its opener was not asked to.
    var isOwnWish = false
    var awaitsHandling = false
    var isHandled: WorkerHandle?
    /// Ends that are not acknowledged, in their order, and how many of them the opener received.
    var ends: [Int64] = []
    var told = 0
}

/// All of them, and what applications remember beyond the lives of hosts.
struct JointTransfers {
    var limits = TransferLimits()
    var transfers: [Int64: JointTransfer] = [:]
    var byHandle: [TransferHandle: Int64] = [:]
    var sessions: [Int64: JointSession] = [:]
    var bySession: [SessionHandle: Int64] = [:]
    /// Sessions whose applications the engine is to resume or launch; those that a process handles.
    var wanted: [ApplicationIndex: [Int64]] = [:]
    var handling: [WorkerHandle: Set<Int64>] = [:]
    var lastOrder: Int64 = 0
    var lastID: Int64 = 0
    /// Quit, and no user has asked for anything of theirs since.
    var isQuit: Set<ApplicationIndex> = []
    /// Those that the record has as quit, and the user learned so.
    var quitForGood: Set<ApplicationIndex> = []
    /// Processes that were there as it was quit.
    var leaving: Set<WorkerHandle> = []
    /// A user has run something of theirs since.
    var isLaunched: Set<ApplicationIndex> = []

    // What the outside knows, whatever host reported it.
    /// The made ones whose turn was reported as durable: they must never be missing.
    var promised: Set<Int64> = []
    /// The order and error with which their ends were reported.
    var told: [Int64: TransferEnd] = [:]
    /// Acknowledged, and that is durable.
    var delivered: Set<Int64> = []

    struct Count {
        var made = 0
        var begun = 0
        var withdrawn = 0
        var ended = 0
        var told = 0
        var again = 0
        var wakes = 0
        var late = 0
        var quits = 0
        var questions = 0
        var losses = 0

        static func += (a: inout Count, b: Count) {
            a.made += b.made
            a.begun += b.begun
            a.withdrawn += b.withdrawn
            a.ended += b.ended
            a.told += b.told
            a.again += b.again
            a.wakes += b.wakes
            a.late += b.late
            a.quits += b.quits
            a.questions += b.questions
            a.losses += b.losses
        }
    }
}

/// What a turn does for transfers once it is durable.
enum TransferEffect {
    case begin(Int64)
    case made(Int64)
    case delivered(Int64)
    case talk(session: Int64)
    case quit(ApplicationIndex)
    case opened(ApplicationIndex)
}
