package import TaskModel

/// What a pause holds back, by its place in the scheduler's tables.
package enum PausedPart: Sendable, BitwiseCopyable, Hashable {
    case host
    case application(ApplicationIndex)
    case task(TaskIndex)
}

// Pauses by the user. Dates pass during a pause, and what became due starts once after it. What the user starts himself is
// not held.
extension Scheduler {
    /// Holds a part back, or gives its pause another end.
    ///
    /// - Parameter pause: one from the record begins in the past.
    package mutating func pause(
        _ part: PausedPart, _ pause: WorkPause, at now: ClockReading
    ) {
        observe(now)
        var pause = pause
        if let old = self.pause(of: part) { pause.since = old.since }
        set(pause, of: part)
    }

    /// The user ends the pause.
    /// - Returns: whether there was one.
    package mutating func resume(
        _ part: PausedPart, at now: ClockReading
    ) -> Bool {
        observe(now)
        guard pause(of: part) != nil else { return false }
        end(of: part)
        startReady()
        return true
    }

    package func pause(of part: PausedPart) -> WorkPause? {
        switch part {
        case .host: hostPause
        case .application(let application): applications[application].pause
        case .task(let task): taskPauses[task]
        }
    }

    /// Whether the user paused the task itself.
    func isHeldBack(_ task: TaskIndex) -> Bool { !taskPauses.isEmpty && taskPauses[task] != nil }

    /// Whether any pause holds the task's work. Allocates nothing.
    package func isPaused(_ task: TaskIndex) -> Bool {
        hostPause != nil || isHeldBack(task) || applications[tasks[task].rules.application].pause != nil
    }

    /// What holds the task's work: its own pause, its application's and the host's. Without one it allocates nothing.
    package func pauses(of task: TaskIndex) -> [(part: PausedPart, pause: WorkPause)] {
        guard isPaused(task) else { return [] }
        let parts: [PausedPart] = [.host, .application(tasks[task].rules.application), .task(task)]
        return parts.compactMap { part in pause(of: part).map { (part, $0) } }
    }

    /// Pauses whose ends have come.
    mutating func endPauses() {
        if hostPause?.isOver(at: now.time) == true { endByTime(.host) }
        while let task = pauseEnds.first(upTo: now.time.nanoseconds) {
            endByTime(.task(task))
        }
    }

    mutating func endByTime(_ part: PausedPart) {
        end(of: part)
        decisions.append(.pauseEnded(part))
    }

    private mutating func end(of part: PausedPart) {
        guard let pause = pause(of: part) else { return }
        set(nil, of: part)
        let (from, to) = (pause.since.nanoseconds, now.time.nanoseconds)
        switch part {
        case .host:
            for application in applications.indices { noteHold(.paused, Self.all, of: application, from: from, to: to) }
        case .application(let application): noteHold(.paused, Self.all, of: application, from: from, to: to)
        case .task(let task):
            noteHold(.paused, task.number, of: tasks[task].rules.application, from: from, to: to)
        }
        // A time that takes the place of the run in progress came during the pause.
        forEachRequest(in: running) { scheduler, index in
            guard let next = scheduler.pendingByIdentity[scheduler.requests[index].identity],
                scheduler.requests[next].place == .parked
            else { return }
            scheduler.place(next)
        }
    }

    /// The subject of a past pause of all the application's tasks.
    static let all = UInt32.max

    private mutating func set(
        _ pause: WorkPause?, of part: PausedPart
    ) {
        gateChanges &+= 1
        switch part {
        case .host: hostPause = pause
        case .application(let application):
            applications[application].pause = pause
            settle(application)
        case .task(let task):
            taskPauses[task] = pause
            if let end = pause?.until { pauseEnds.set(task, to: end.nanoseconds) } else { pauseEnds.remove(task) }
            guard hasBegun else { return }
            for index in pendingSlots(of: tasks[task].rules.application, where: { $0.task == task }) {
                unplace(index)
                place(index)
            }
        }
    }

    /// The report on the pauses that hold a request of the task; nil when there is none.
    func pauseReport(_ slot: RequestSlot) -> GateReport? {
        let pauses = pauses(of: slot.task)
        guard let since = pauses.map(\.pause.since).min() else { return nil }
        let names = pauses.map { part, _ in
            switch part {
            case .host: "all work"
            case .application: "its application"
            case .task: "the task"
            }
        }
        let ends = pauses.compactMap(\.pause.until)
        return Self.report(
            .paused, holds: true, since: since.nanoseconds, next: ends.count == pauses.count ? ends.max() : nil,
            found: "the user paused \(names.joined(separator: " and "))", opens: "the end of the user's pause")
    }
}
