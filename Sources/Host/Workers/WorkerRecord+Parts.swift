import Engine
import Record
import TaskModel
import Wire

/// How fast a worker's wire and pipes are read.
struct ReadingPace {
    /// Of its frames.
    var budget = WireBudget()
    /// Bytes that it prints.
    var printBudget = RateBucket(price: WireBudget.bytePrice)
    /// It exceeded its budget: until then its wire, and its pipes, are not read.
    var wireQuiet: Instant?
    var logQuiet: Instant?
    /// The host has it on its list of those.
    var isQuiet = false
    /// It does not read replies: its wire is not read until it does.
    var isBackedUp = false

    /// Its wire is not read at present.
    var isLeftAlone: Bool { wireQuiet != nil || isBackedUp }
}

/// A worker's way to its end.
package struct WorkerEnding {
    /// Its zygote was lost, and its end is not processed yet: later events belong to that.
    var isLost = false
    /// It is to be killed in this turn or the next.
    var isMarkedForKill = false
    /// How often its launch was looked at and went on slowly, and the processor time that it had at the last look.
    var looks = 0
    var usedAtLook: TimeSpan?
    /// The host has begun to kill its tree.
    var hasBeenKilled = false
    /// Its tree is empty, as the engine knows.
    package var hasTreeExited = false
    /// Its tree ran out of memory, and no process was found killed for it yet.
    var ranOutOfMemory = false
    /// Its report of its crash; true only if it ends so.
    var crash: CrashReport?
}

/// What a worker prints, and for whom.
struct WorkerOutput {
    /// The run that started last gets the process's output.
    var printing: OutputTarget?
    /// Its output before its first run, such as skipped grants, or why its launch fails: for the runs that wait for it.
    var early = OutputEnds()
    var endedRuns = EndedRuns()
    /// A run has printed to standard error.
    var hasErrors = false
    /// The last bytes of that, where its program is confined.
    private(set) var errors: [UInt8] = []
    /// Its program has succeeded.
    var hasSucceeded = false
    /// What confinement refused it, in the order of its calls.
    private var denials: [Denial] = []
    /// Those that its last run was told.
    private(set) var told: [Denial] = []

    /// So many are kept.
    private static let mostDenials = 64
    /// So many are named of a run: those that explain most.
    static let mostTold = 6

    mutating func keep(_ denial: Denial) {
        if denials.count < Self.mostDenials, !denials.contains(where: denial.isSame) { denials.append(denial) }
    }

    var hasDenials: Bool { !denials.isEmpty }

    /// Sentences about them.
    ///
    /// - Parameters:
    ///   - keeps: another run of the worker may have met them as well.
    ///   - canBeLearned: taskhost learn takes its task.
    mutating func takeDenials(keeping keeps: Bool, canBeLearned: Bool) -> [String] {
        guard !denials.isEmpty else { return [] }
        told = denials
        if !keeps { denials = [] }
        let all = Denial.byWeight(told)
        let rest = all.count - Self.mostTold
        return all.prefix(Self.mostTold).map(\.sentence)
            + (rest > 0
                ? ["denied: \(rest) more" + (canBeLearned ? "; taskhost learn names all that a task needs" : "")] : [])
    }

    /// Its run has succeeded, and another follows.
    mutating func forgetDenials() {
        if !denials.isEmpty { denials = [] }
    }

    func namesDenial(of place: String) -> Bool { told.contains { $0.place == place } }

    /// Keeps the last bytes of the errors.
    mutating func append(errors bytes: ArraySlice<UInt8>) {
        errors.append(contentsOf: bytes.suffix(GuessedDenial.mostBytes))
        errors.removeFirst(max(0, errors.count - GuessedDenial.mostBytes))
    }
}

/// Requests of a worker that the host answers.
struct WorkerCalls {
    /// Unanswered ones, including those whose answer is not written yet.
    var open = 0
    /// Answers that are not written yet, oldest first, by the number of their last frame.
    private var unwritten: [UInt64] = []

    /// - Parameter frame: the number of the answer's last frame.
    mutating func answered(with frame: UInt64) { unwritten.append(frame) }

    /// - Parameter written: the number of the last frame that is written.
    mutating func settle(written: UInt64) {
        guard !unwritten.isEmpty else { return }
        let count = unwritten.prefix { $0 <= written }.count
        unwritten.removeFirst(count)
        open -= count
    }
}

/// The states that a worker's application was told, and the assertions that it holds.
struct WorkerLifecycle {
    /// How many states it received, and the last of them that it returned from.
    private var statesTold: UInt32 = 0
    private var statesReturned: UInt32 = 0
    /// Its open assertions, oldest first; their numbers grow.
    private(set) var assertions: [HeldAssertion] = []
    private var lastAssertion: UInt64 = 0

    /// It has not returned yet from a state that it was told.
    var owesReturn: Bool { statesReturned < statesTold }

    /// The number of the next state for it.
    mutating func nextState() -> UInt32 {
        statesTold += 1
        return statesTold
    }

    /// It has returned from that state, and from all before it: once, and only for one that was sent.
    mutating func takeReturn(of state: UInt32) throws(WireError) {
        guard state > statesReturned, state <= statesTold else { throw .badValue }
        statesReturned = state
    }

    /// It has begun one more, with a number above all before.
    mutating func hold(_ assertion: HeldAssertion) throws(WireError) {
        guard assertion.said.id > lastAssertion, assertions.count < ServiceLimits.assertions else { throw .badValue }
        lastAssertion = assertion.said.id
        assertions.append(assertion)
    }

    /// It has ended one of its assertions.
    mutating func letGo(of id: UInt64) throws(WireError) {
        guard let place = assertions.firstIndex(where: { $0.said.id == id }) else { throw .badValue }
        assertions.remove(at: place)
    }
}

/// What the journal says of a worker.
struct WorkerJournal {
    /// How many entries of each kind it caused, listed or not.
    var told: [JournalKind: Int] = [:]
    /// Why it is not called for the fetches that it requested.
    var wasToldOfFetch = false
}
