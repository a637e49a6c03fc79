import Engine
import Scheduling
import TaskModel

/// What will happen around the joint host.
enum JointHappening {
    // Users, applications and the machine.
    case submission
    case request(task: TaskIndex)
    case person
    /// A user holds something back, or resumes it.
    case pause
    case leaving(application: ApplicationIndex)
    case conditions
    case change
    case clockJump
    /// The machine begins, or ceases, to lack something for every launch.
    case famine(begins: Bool)
    case reload
    // Workers.
    case ready(WorkerHandle)
    case refusal(WorkerHandle)
    case death(WorkerHandle, signal: Int32)
    /// The host or the machine loses it, or cannot launch it.
    case loss(WorkerHandle, Shortage)
    case completion(WorkerHandle, RunHandle, success: Bool)
    case progress(WorkerHandle, RunHandle, Int64)
    case assertions(WorkerHandle, UInt32)
    /// Its application's callback has returned for so many states.
    case callback(WorkerHandle, UInt32)
    case transfer(TransferHappening)
    case claim(ClaimHappening)
}

/// A request as the outside knows it: accepted, and not settled yet.
struct JointRequest {
    var request: TaskRequest
    var task: TaskIndex
    /// Tries that failed, of those that count.
    var failures: UInt32 = 0
    /// How often in a row its handler asked for another time, and for which one in the run that has ended.
    var deferrals: UInt8 = 0
    var deferral: Deferral?
    /// No run before this, in this life of the host.
    var pauseEnd = Instant(nanoseconds: 0)
    /// When its run began, on the calendar.
    var began = Timestamp(nanoseconds: 0)
    /// Continued processing that was interrupted.
    var needsForeground = false
    /// A user runs it at once.
    var isForced = false
    /// It has begun once: its date does not count for further tries.
    var hasStarted = false
    /// Its application was quit while it ran.
    var isDoomed = false
    /// A later run of its identity has begun beside it.
    var isOvertaken = false
    /// It was expired for the loss of a condition.
    var lost: Reason?
    /// What its launches lacked, in a row.
    var tally: ShortageTally?
    /// Of the run that has ended: its handler was invoked; its library hung.
    var hasBegun = false
    var isHung = false
    var handle: RequestHandle
    var run: RunHandle?

    init(request: TaskRequest, task: TaskIndex, handle: RequestHandle) {
        self.request = request
        self.task = task
        self.handle = handle
    }

    /// How its run ended.
    mutating func note(_ slot: RunSlot, at now: ClockReading) {
        hasBegun = slot.started != nil
        isHung = slot.isHung
        deferral = slot.outcome == .deferred ? slot.deferral : nil
        guard slot.outcome == .interrupted, slot.reason != .hostStopping, let shortage = slot.shortage else {
            tally = nil
            return
        }
        if tally == nil {
            tally = ShortageTally(shortage, at: now.instant)
        } else {
            tally?.add(shortage, at: now.instant)
        }
    }
}

struct JointRun {
    /// nil: a user's run, no request.
    var identity: Int64?
    var task: TaskIndex
    /// The longest that it may run by the manifests of its time.
    var budget: TimeSpan
    var worker: WorkerHandle?
    var started: Instant?
    var isFinished = false
    /// Its request, if that is done with it.
    var done: JointHost.Submitted?
    /// What its handler does: after so long it completes; nil: never.
    var work: TimeSpan?
    var success = true
    var crashes = false
    /// It answers the warning after so long; nil: never.
    var answer: TimeSpan?
}

final class JointWorker {
    let application: ApplicationIndex
    /// It was made ahead, and no run has taken it.
    var isSpare: Bool
    var isReady = false
    var isKilled = false
    var isGone = false
    var isFrozen = false
    /// Its application has another revision by now.
    var isOutdated = false
    var runs: Set<RunHandle> = []
    var states: [ApplicationState] = []
    var cpu = TimeSpan.zero
    init(application: ApplicationIndex, isSpare: Bool) {
        self.application = application
        self.isSpare = isSpare
    }
}

/// How the store is in one life of the host.
enum JointMood: CaseIterable {
    /// As one that writes a file.
    case prompt
    /// Each turn is durable some turns later, written in order or not.
    case late
    /// From some turn on nothing becomes durable.
    case stalls
    /// It breaks in the middle of a turn.
    case breaks

    var answers: Bool { self != .stalls }
}

/// What the outside may rely on once a turn is durable.
struct JointPromise {
    /// Requests that wait and requests that run, with the number of their attempt.
    var waiting: [JointHost.Submitted: UInt32] = [:]
    var running: [JointHost.Submitted: UInt32] = [:]
    /// Failed tries of each.
    var failures: [JointHost.Submitted: UInt32] = [:]
    /// Deferrals of each in a row, which end with a run that a host's death cuts short.
    var deferrals: [JointHost.Submitted: UInt8] = [:]
    /// What a user holds back.
    var stops: [PausedWork: WorkPause] = [:]
}

/// Why the scheduler was called: what its decisions may refer to.
enum JointCause {
    case time
    case submission(TaskRequest)
    case end(JointRequest, Outcome, Reason?)
    case cancellation(Set<Int64>)
    case reload
    case begin
}

/// Some gates.
struct GateSet: Equatable {
    private var bits: UInt32 = 0

    var isEmpty: Bool { bits == 0 }
    var names: [String] { Gate.allCases.filter { bits & 1 << UInt32($0.rawValue) != 0 }.map(\.name) }

    mutating func insert(_ gate: Gate) { bits |= 1 << UInt32(gate.rawValue) }
}
