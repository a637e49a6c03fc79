package import TaskModel

// Launches that failed because the host or the machine lacked a resource: not the application's fault, and retried.
extension Engine {
    /// The longest pause before the next try: the user may be waiting for it.
    private static let longestHold = TimeSpan.seconds(60)

    /// The worker cannot be launched, or is lost, through no fault of its application. Runs that have not begun wait for
    /// another try, in the engine or as a request whose run ends as interrupted. Runs in progress are interrupted.
    mutating func lacked(
        _ worker: WorkerHandle, _ shortage: Shortage
    ) {
        guard let worker = workers.index(worker) else { return }
        switch workers[worker].phase {
        case .killing, .gone: return
        case .spare: kill(worker)
        case .launching: giveBack(worker, shortage)
        case .ready, .leaving:
            forEachRun(of: worker) { engine, run in
                guard engine.runs[run].phase != .ending else { return }
                let isCancelled = engine.runs[run].reason == .userCancelled
                engine.markForKill(run, as: isCancelled ? .cancelled : .interrupted)
                engine.runs[run].killed = nil
                engine.runs[run].shortage = shortage
            }
            kill(worker)
        }
    }

    private mutating func giveBack(
        _ worker: WorkerIndex, _ shortage: Shortage
    ) {
        let application = workers[worker].application
        let isInFront = isInFront(worker)
        kill(worker)
        hold(application, for: shortage)
        // From the last one on, so that the first comes first again.
        while let run = workers[worker].runs.last {
            if runs[run].hasRequest || stopRequests > 0 {
                endReturned(run, shortage)
            } else {
                returnToQueue(run)
            }
        }
        returnWaiting(of: application, shortage)
        if stopRequests == 0 {
            // The user still wants it in the foreground, or it still needs its first launch.
            if isInFront { applications[application].isForeground = true }
            if workers[worker].isAwaited { applications[application].isAwaited = true }
        }
        noteState(of: application)
        makeRoom(for: shortage)
        placeWaiting()
    }

    /// It has not begun, and gets another worker before all other runs of its application.
    mutating func returnToQueue(_ run: RunIndex) {
        detach(run)
        runs[run].phase = .pending
        runs[run].launched = nil
        enqueueFirst(run)
    }

    /// Its request waits for another try.
    mutating func endReturned(_ run: RunIndex, _ shortage: Shortage) {
        runs[run].shortage = shortage
        guard stopRequests == 0 else { return endUnstarted(run, because: stopReason) }
        end(run, as: .interrupted)
    }

    /// Runs of requests do not wait out the pause as runs, which hold places.
    private mutating func returnWaiting(
        of application: ApplicationIndex, _ shortage: Shortage
    ) {
        var candidate = applications[application].waiting.first
        while let run = candidate {
            candidate = runs.next(after: run)
            guard runs[run].hasRequest else { continue }
            dequeue(run)
            endReturned(run, shortage)
        }
    }

    // MARK: The pause

    /// The shortage because of which no worker of the application is launched now.
    package func shortage(of application: ApplicationIndex) -> ShortageTally? {
        applications[application].isHeld ? applications[application].tally : nil
    }

    /// When the application is tried again; `distantFuture`: no pause.
    package func holdEnd(of application: ApplicationIndex) -> Instant { holds[application] }

    private mutating func hold(_ application: ApplicationIndex, for shortage: Shortage) {
        if applications[application].tally == nil {
            applications[application].tally = ShortageTally(shortage, at: now.instant)
        } else {
            applications[application].tally?.add(shortage, at: now.instant)
        }
        let pause = min(applications[application].tally?.pause ?? .zero, Self.longestHold)
        applications[application].isHeld = true
        holds.set(application, to: now.instant + pause)
        reconsider(application)
    }

    /// The pause is over, or there is evidence that it can end.
    mutating func endHold(of application: ApplicationIndex) {
        guard applications[application].isHeld else { return }
        applications[application].isHeld = false
        holds.remove(application)
        reconsider(application)
    }

    mutating func holdIsOver(_ application: ApplicationIndex) {
        endHold(of: application)
        placeWaiting()
        launchIfWanted(application)
    }

    /// Descriptors came free: the application that is tried next, if it lacks some, is tried now.
    mutating func tryFirstHeld() {
        guard let application = holds.due(at: .distantFuture), applications[application].tally?.cause == .descriptors
        else { return }
        holdIsOver(application)
    }

    // MARK: Room

    /// Workers without runs hold resources that a launch lacks: the spare ones, and half of the others, are ended, the least recently
    /// used first.
    private mutating func makeRoom(for shortage: Shortage) {
        switch shortage {
        case .descriptors, .memory, .processes:
            endSpares()
            letGo((idle.count + suspended.count + 1) / 2)
        case .zygote, .time, .host: return
        }
    }

    /// Ends up to `count` workers without runs: suspended ones first, the least recently used first.
    mutating func letGo(_ count: Int) {
        for _ in 0..<max(0, count) {
            if let worker = suspended.first {
                endSuspended(worker, because: .suspendedLimit)
            } else if let worker = idle.first {
                terminate(worker)
            }
        }
    }
}
