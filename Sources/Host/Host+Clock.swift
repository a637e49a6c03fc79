import Engine
package import TaskModel

// A virtual clock: it stands still until somebody moves it.
extension Host {
    /// Moves the clock by as much, unless that takes too long for whoever asked.
    ///
    /// - Parameter didEnd: called when it has stopped, with what is left.
    /// - Returns: false: it is being moved already.
    package func moveClock(by span: TimeSpan, didEnd: @escaping (_ left: TimeSpan) -> Void) -> Bool {
        guard move == nil else { return false }
        let target = decider.now.instant + span
        move = ClockMove(to: target, at: decider.machine.instant) { [unowned self] in
            didEnd(target - decider.now.instant)
        }
        return true
    }

    /// Moves the clock on if nobody has to be waited for.
    ///
    /// - Parameter next: when something happens by itself, by this clock.
    /// - Returns: when to look again, by the machine's clock.
    func moveOn(_ move: ClockMove, before next: Instant) -> Instant {
        let machine = decider.machine.instant
        let wait = max(move.quietEnd, isAwaitingWork(move) || !keeper.isSettled ? move.patienceEnd : machine)
        let now = decider.now.instant
        // What is due is done in this turn.
        if next <= now && move.end > machine { return machine }
        if wait > machine && move.end > machine { return min(wait, move.end) }
        guard now < move.target && move.end > machine else {
            self.move = nil
            move.didEnd()
            return machine
        }
        decider.moveClock(to: min(next, move.target))
        move.didMove(at: machine)
        return machine
    }

    /// Whether something goes on that began at the present moment, or takes no time by this clock.
    private func isAwaitingWork(_ move: ClockMove) -> Bool {
        let now = decider.now
        for run in decider.activeRuns {
            guard let slot = decider.run(run), slot.launched != nil else { continue }
            if slot.outcome != nil || slot.started == nil || slot.expired == now.time { return true }
            if move.hasMoved && slot.started?.instant == now.instant { return true }
        }
        return workers.table.living.contains { $0.isComingOrGoing || $0.owesReturn }
    }
}
