package import TaskModel

// Launches that failed for want of something that the host or the machine should have had: nobody's fault, and tried again.
extension Engine {
    /// An application is tried again after this at the latest: somebody may sit and wait for it.
    private static let longestHold = TimeSpan.seconds(60)

    /// The worker cannot be launched, or is lost, and its application did nothing. What has not begun waits for another try:
    /// in the engine, or as a request, whose run ends as interrupted. What went on is interrupted.
    mutating func lacked(_ worker: WorkerHandle, _ shortage: Shortage, at now: Moment, into actions: inout [Action]) {
        guard isCurrent(worker) else { return }
        switch workers[Int(worker.index)].phase {
        case .free, .killing: return
        case .launching: giveBack(worker.index, shortage, at: now, into: &actions)
        case .ready, .leaving:
            forEachRun(of: worker.index) { engine, index in
                guard engine.runs[Int(index)].phase != .ending else { return }
                let isCancelled = engine.runs[Int(index)].reason == .userCancelled
                engine.condemn(index, as: isCancelled ? .cancelled : .interrupted, at: now)
                engine.runs[Int(index)].killed = nil
                engine.runs[Int(index)].shortage = shortage
            }
            kill(worker.index, at: now, into: &actions)
        }
    }

    private mutating func giveBack(
        _ worker: UInt32, _ shortage: Shortage, at now: Moment, into actions: inout [Action]
    ) {
        let application = workers[Int(worker)].application
        let isInFront = isInFront(worker)
        kill(worker, at: now, into: &actions)
        hold(application, for: shortage, at: now)
        // From the last one on, so that the first comes first again.
        while let index = workers[Int(worker)].last {
            if runs[Int(index)].hasRequest || stopRequests > 0 {
                endReturned(index, shortage, at: now, into: &actions)
            } else {
                detach(index)
                runs[Int(index)].phase = .pending
                runs[Int(index)].launched = nil
                enqueueFirst(index)
            }
        }
        returnWaiting(of: application, shortage, at: now, into: &actions)
        if stopRequests == 0 {
            // A person still wants to see it, or it is still to be introduced.
            if isInFront { applications[Int(application)].isForeground = true }
            if workers[Int(worker)].isAwaited { applications[Int(application)].isAwaited = true }
        }
        noteState(of: application)
        makeRoom(for: shortage, at: now, into: &actions)
        placeWaiting(at: now, into: &actions)
    }

    /// Its request waits for another try.
    mutating func endReturned(_ index: UInt32, _ shortage: Shortage, at now: Moment, into actions: inout [Action]) {
        runs[Int(index)].shortage = shortage
        if stopRequests > 0 { runs[Int(index)].reason = .hostStopping }
        end(index, as: .interrupted, at: now, into: &actions)
    }

    /// Runs of requests do not wait out the pause as runs, which hold places.
    private mutating func returnWaiting(
        of application: UInt32, _ shortage: Shortage, at now: Moment, into actions: inout [Action]
    ) {
        var candidate = applications[Int(application)].waitingFirst
        while let index = candidate {
            candidate = runs[Int(index)].next
            guard runs[Int(index)].hasRequest else { continue }
            dequeue(index)
            endReturned(index, shortage, at: now, into: &actions)
        }
    }

    // MARK: The pause

    /// The shortage because of which no worker of the application is launched now.
    package func shortage(of application: UInt32) -> ShortageTally? {
        applications[Int(application)].isHeld ? applications[Int(application)].tally : nil
    }

    /// When the application is tried again; `distantFuture`: nothing holds it.
    package func holdEnd(of application: UInt32) -> Instant { holds[application] }

    private mutating func hold(_ application: UInt32, for shortage: Shortage, at now: Moment) {
        let slot = Int(application)
        if applications[slot].tally == nil {
            applications[slot].tally = ShortageTally(shortage, at: now.instant)
        } else {
            applications[slot].tally?.add(shortage, at: now.instant)
        }
        let pause = min(applications[slot].tally?.pause ?? .zero, Self.longestHold)
        applications[slot].isHeld = true
        holds.set(application, to: now.instant + pause)
        reconsider(application)
    }

    /// The pause is over, or something shows that it need not go on.
    mutating func endHold(of application: UInt32) {
        guard applications[Int(application)].isHeld else { return }
        applications[Int(application)].isHeld = false
        holds.remove(application)
        reconsider(application)
    }

    mutating func holdIsOver(_ application: UInt32, at now: Moment, into actions: inout [Action]) {
        endHold(of: application)
        placeWaiting(at: now, into: &actions)
        launchIfWanted(application, at: now, into: &actions)
    }

    // MARK: Room

    /// Workers without runs hold what a launch lacks: half of them are let go, the least recently used first.
    private mutating func makeRoom(for shortage: Shortage, at now: Moment, into actions: inout [Action]) {
        switch shortage {
        case .descriptors, .memory, .processes: letGo((idle.count + 1) / 2, at: now, into: &actions)
        case .zygote, .time, .host: return
        }
    }

    /// Lets so many workers without runs leave, the least recently used first.
    mutating func letGo(_ count: Int, at now: Moment, into actions: inout [Action]) {
        for _ in 0..<max(0, count) {
            guard let worker = idle.first else { return }
            terminate(worker, at: now, into: &actions)
        }
    }
}
