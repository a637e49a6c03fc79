import TaskModel

// Clocks that jump.
extension Scheduler {
    mutating func beginTurn() {
        turn += 1
        startsInTurn = 0
    }

    /// Takes note of the moment of a call. A call of a later turn begins one.
    mutating func setClock(_ now: ClockReading) {
        if hasMoment, self.now.instant != now.instant { beginTurn() }
        self.now = now
        hasMoment = true
    }

    /// The same; new schedules submit their first requests, and after a backward step of the calendar, times that were set
    /// by the wrong clock are set again: all of them after a large step, those of paces after any. A large forward step undoes
    /// that; otherwise forward steps need no work: requests that they make due are due.
    mutating func observe(_ now: ClockReading) {
        let last = hasMoment ? self.now : nil
        setClock(now)
        while let task = newcomers.popLast() { submitOccurrence(of: task, after: now.time) }
        guard let last, hasBegun else { return }
        let passed = Int64(clamping: now.instant.nanoseconds &- min(last.instant.nanoseconds, now.instant.nanoseconds))
        let (expected, overflow) = last.time.nanoseconds.addingReportingOverflow(passed)
        guard !overflow else { return }
        if Self.span(from: expected, to: now.time.nanoseconds) >= Self.smallStep { settleDoubts() }
        let step = Self.span(from: now.time.nanoseconds, to: expected)
        guard step > Self.leastStep else { return }
        for application in applicationDates.slots { settle(application) }
        setBack = step > Self.smallStep - min(setBack, Self.smallStep) ? Self.smallStep : setBack + step
        if setBack >= Self.smallStep {
            setBack = .zero
            renewOccurrences(.clock)
        } else {
            keepPaces(after: step)
        }
        renewEvents()
    }
}
