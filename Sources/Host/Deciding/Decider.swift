import Engine
import Linux
import Scheduling
package import TaskModel
import Transfers

/// Engine, scheduler and transfer queue, at the time of the turn, with decisions that are not carried out yet. Others ask and
/// command these by the decider's names alone. Thread: the loop's.
package final class Decider {
    package private(set) var now: ClockReading
    /// The machine's time of the turn: another than the host's where that is virtual.
    package private(set) var machine: ClockReading
    /// The host's clock stands still until somebody moves it.
    package let isVirtual: Bool
    /// The number of the turn.
    private(set) var turn: UInt64 = 0
    /// From the end of a wait to the beginning of the next, since the host started to serve.
    package private(set) var longestTurn = TimeSpan.zero
    /// The same of all turns, without the host's start.
    package private(set) var turns = Histogram.short
    var engine: Engine
    /// Its tables have the engine's indices.
    var scheduler: Scheduler
    /// Its handles are those of the ledger.
    var transfers: TransferQueue
    /// The engine's actions that this turn carries out, in the order of the decisions. The list and the engine's take turns:
    /// a turn allocates nothing for them.
    private(set) var work: [Action] = []
    /// Carries out a decision of the scheduler.
    var carryOut: (Decision) -> Void = { _ in }
    /// Called for every run that has its outcome: its request is done, or will be tried again.
    var runEnded: (RunHandle) -> Void = { _ in }
    /// Carries out a decision of the transfer queue.
    var carryOutTransfer: (TransferDecision) -> Void = { _ in }
    /// Ends transfers that could not begin; false: there were none.
    var endRefused: () -> Bool = { false }
    /// Actions of the engine that were searched for ends already.
    private var scanned = 0
    /// Called for every application whose state has changed, after the scheduler.
    var stateChanged: (ApplicationIndex, ApplicationState) -> Void = { _, _ in }

    /// - Parameter virtualSince: the host's clock is virtual, and begins no earlier; nil: it is the machine's.
    init(
        engine: consuming Engine, scheduler: consuming Scheduler, transfers: TransferQueue,
        virtualSince: Timestamp? = nil
    ) {
        machine = Clock.moment()
        isVirtual = virtualSince != nil
        now = machine
        now.time = max(now.time, virtualSince ?? now.time)
        self.engine = engine
        self.scheduler = scheduler
        self.transfers = transfers
    }

    // MARK: Time

    package func refreshClock() {
        machine = Clock.moment()
        if !isVirtual { now = machine }
    }

    /// Moves a virtual clock.
    func moveClock(to instant: Instant) {
        precondition(isVirtual, "the machine's clock moves by itself")
        now = ClockReading(instant: instant, time: now.time + (instant - now.instant))
    }

    /// The same moment by the machine's clock, for processes, which have no other.
    func byMachine(_ instant: Instant) -> Instant {
        guard isVirtual, instant != .distantFuture else { return instant }
        return machine.instant + (instant - now.instant)
    }

    /// The same moment by the machine's calendar.
    func byMachine(_ time: Timestamp) -> Timestamp { isVirtual ? machine.time + (time - now.time) : time }

    /// The moment that somebody means who has only the machine's calendar.
    func byHost(_ time: Timestamp) -> Timestamp { isVirtual ? now.time + (time - machine.time) : time }

    /// Counts a turn, and how long the one before took.
    ///
    /// - Returns: the present time.
    func endTurn() -> Instant {
        turn &+= 1
        let end = Clock.moment().instant
        longestTurn = max(longestTurn, end - machine.instant)
        turns.observe(end - machine.instant)
        return end
    }

    /// What came before does not count.
    package func forgetTurns() {
        longestTurn = .zero
        turns = .short
    }

    // MARK: Deciding

    /// Feeds an event to the engine.
    func hear(_ event: Event) { engine.handle(event, at: now) }

    /// Calls the transfer queue, after it has received applications' states; its decisions are carried out in this turn.
    func ask<Result>(_ question: (inout TransferQueue, ClockReading) -> Result) -> Result {
        passStates()
        return question(&transfers, now)
    }

    /// Takes in a run.
    func admit(_ submission: Submission) -> RunHandle { engine.admit(submission, at: now) }

    /// Decides everything that is due.
    func advance() {
        engine.advance(to: now)
        scheduler.advance(to: now)
        // An application that has just come to the foreground is not launched for events.
        passStates()
        transfers.advance(to: now)
    }

    /// The first call warns what runs, the second kills it.
    ///
    /// - Parameter isCancel: the user cancels the runs for which alone the host was started.
    func stop(isCancel: Bool) {
        scheduler.stop(at: now)
        hear(isCancel ? .cancelling : .stopping)
    }

    /// Passes changed states of applications to the scheduler and to `stateChanged`.
    ///
    /// - Returns: false: there was no change.
    @discardableResult
    func passStates() -> Bool {
        var hadNews = false
        while let change = engine.takeStateChange() {
            scheduler.setState(change.state, application: change.application, at: now)
            stateChanged(change.application, change.state)
            hadNews = true
        }
        return hadNews
    }

    /// Tells the scheduler which applications' processes are of an earlier revision, or no longer are.
    ///
    /// - Returns: false: there was no change.
    func passRenewals() -> Bool {
        var hadNews = false
        while let change = engine.takeRenewal() {
            scheduler.setOutdated(change.isOutdated, application: change.application, at: now)
            hadNews = true
        }
        return hadNews
    }

    /// Carries out decisions, and passes ended runs and applications' states on, until nothing is left. Before the commit: the
    /// consequences of an end belong to the same transaction.
    package func settle() {
        var next = 0
        while true {
            if next < scheduler.decisions.count {
                carryOut(scheduler.decisions[next])
                next += 1
            } else if scanned < engine.actions.count {
                if case .write(.finish(let run)) = engine.actions[scanned] { runEnded(run) }
                scanned += 1
            } else if !passStates() && !settleTransfers() && !passRenewals() {
                break
            }
        }
        scheduler.removeDecisions()
    }

    /// The engine's actions so far are carried out in this turn.
    func takeWork() {
        swap(&work, &engine.actions)
        scanned = 0
    }

    /// The turn's actions have been carried out.
    func removeWork() { work.removeAll(keepingCapacity: true) }

    /// Whether all that was decided has been done.
    var isSettled: Bool { engine.actions.isEmpty && scheduler.decisions.isEmpty && transfers.decisions.isEmpty }

    /// When one of them has something to decide, though nothing happens.
    var nextDeadline: Instant {
        min(engine.nextDeadline, scheduler.nextDeadline(at: now), transfers.nextDeadline(at: now))
    }
}
