package import Engine
import Linux
package import Scheduling
package import TaskModel
import Transfers

/// The three that decide, at the time of the turn, and what they decided and nobody has done yet. Thread: the loop's.
package final class Decider {
    package private(set) var now: ClockReading
    /// The number of the turn.
    private(set) var turn: UInt64 = 0
    /// From the end of a wait to the beginning of the next, since the host said that it serves.
    package private(set) var longestTurn = TimeSpan.zero
    package var engine: Engine
    /// Its tables have the engine's indices.
    package var scheduler: Scheduler
    /// Its handles are the hub's.
    var transfers: TransferQueue
    /// What the engine asked for.
    var actions: [Action] = []
    /// What the scheduler decided.
    var decisions: [Decision] = []
    /// What the queue of transfers decided.
    var transferDecisions: [TransferDecision] = []
    /// What this turn does of what the engine asked for.
    var work = TurnWork()
    /// Told of every application whose state is another one, after the scheduler.
    var stateChanged: (ApplicationIndex, ApplicationState) -> Void = { _, _ in }

    init(engine: consuming Engine, scheduler: Scheduler, transfers: TransferQueue) {
        now = Clock.moment()
        self.engine = engine
        self.scheduler = scheduler
        self.transfers = transfers
    }

    // MARK: Time

    package func refreshClock() { now = Clock.moment() }

    /// Counts a turn, and how long the one before took.
    ///
    /// - Returns: the present time.
    func endTurn() -> Instant {
        turn &+= 1
        let end = Clock.moment().instant
        longestTurn = max(longestTurn, end - now.instant)
        return end
    }

    /// What came before does not count.
    func forgetLongestTurn() { longestTurn = .zero }

    // MARK: Deciding

    /// Tells the engine what happened.
    func hear(_ event: Event) { engine.handle(event, at: now, into: &actions) }

    /// Takes in a run.
    func admit(_ submission: Submission) -> RunHandle { engine.admit(submission, at: now, into: &actions) }

    /// Decides what is due.
    func advance() {
        engine.advance(to: now, into: &actions)
        scheduler.advance(to: now, into: &decisions)
        // Nobody is woken who has just come to the front.
        passStates()
        transfers.advance(to: now, into: &transferDecisions)
    }

    /// The first call warns what runs, the second kills it.
    ///
    /// - Parameter isCancel: a person wants what runs to end, and the host was there for that alone.
    func stop(isCancel: Bool) {
        scheduler.stop(at: now)
        hear(isCancel ? .cancelling : .stopping)
    }

    /// Tells the scheduler and whoever else asks for it of applications whose state is another one.
    ///
    /// - Returns: false: there was no news.
    @discardableResult
    func passStates() -> Bool {
        var hadNews = false
        while let change = engine.takeStateChange() {
            scheduler.setState(change.state, application: change.application, at: now, into: &decisions)
            stateChanged(change.application, change.state)
            hadNews = true
        }
        return hadNews
    }

    /// Tells the scheduler of applications whose process is of an earlier revision, or is so no more.
    ///
    /// - Returns: false: there was no news.
    func passRenewals() -> Bool {
        var hadNews = false
        while let change = engine.takeRenewal() {
            scheduler.setOutdated(change.isOutdated, application: change.application, at: now, into: &decisions)
            hadNews = true
        }
        return hadNews
    }

    /// What the engine asked for until now is done in this turn.
    func takeWork() { work.take(&actions) }

    /// Whether all that was decided has been done.
    var isSettled: Bool { actions.isEmpty && decisions.isEmpty && transferDecisions.isEmpty }

    /// When one of them has something to decide, though nothing happens.
    var nextDeadline: Instant {
        min(engine.nextDeadline, scheduler.nextDeadline(at: now), transfers.nextDeadline(at: now))
    }
}
