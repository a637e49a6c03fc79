package import TaskModel

// Background sessions whose events an application has to handle: it is resumed or launched for them, and has limited time to
// call all completion handlers.
extension Engine {
    /// The application is needed for the events of its sessions. Events that arrive while it handles others wait until it is
    /// done.
    mutating func sessionEvents(_ application: ApplicationIndex) {
        guard stopRequests == 0 else { return }
        applications[application].awaitsSessions = true
        deliverSessions(of: application)
    }

    /// Whether the application will be launched again for its sessions' events.
    package func awaitsSessions(_ application: ApplicationIndex) -> Bool {
        applications[application].awaitsSessions && applications[application].isAwaited
    }

    /// Notifies the application's worker as soon as one runs.
    mutating func deliverSessions(of application: ApplicationIndex) {
        guard applications[application].awaitsSessions, sleep.isAwake, stopRequests == 0 else { return }
        guard let worker = applications[application].worker else {
            applications[application].isAwaited = true
            return launchIfWanted(application)
        }
        switch workers[worker].phase {
        case .launching: workers[worker].isAwaited = true
        case .leaving, .killing: applications[application].isAwaited = true
        case .spare, .gone: return
        case .ready:
            guard !workers[worker].handlesSessions, workers[worker].disconnectedUntil == nil else { return }
            thaw(worker)
            applications[application].awaitsSessions = false
            workers[worker].handlesSessions = true
            workers[worker].sessionsSince = now.instant
            sessionDeadlines.set(worker, to: now.instant + limits.profile.eventTime)
            actions.append(.effect(.handleSessionEvents(workers.handle(worker))))
            guard workers[worker].runs.isEmpty else { return }
            // Its background time restarts afterwards.
            workers[worker].backgroundSince = nil
            workers[worker].assertionEnd = nil
            becomeIdle(worker)
        }
    }

    /// It has called every completion handler that it was given for its sessions' events.
    mutating func sessionsHandled(_ worker: WorkerHandle) {
        guard let worker = workers.index(worker), workers[worker].handlesSessions else { return }
        workers[worker].handlesSessions = false
        sessionDeadlines.remove(worker)
        workers[worker].stillness?.sessions = .distantFuture
        guard workers[worker].phase == .ready else { return }
        deliverSessions(of: workers[worker].application)
        if workers[worker].runs.isEmpty && !workers[worker].handlesSessions {
            becomeIdle(worker)
        }
    }

    /// It has not called all of them in time.
    mutating func sessionsAreDue(_ worker: WorkerIndex) {
        sessionDeadlines.remove(worker)
        guard workers[worker].phase == .ready, workers[worker].handlesSessions else { return }
        noteTermination(
            of: worker, because: .sessionEventsTimeout, in: .handleSessionEvents,
            took: now.instant - workers[worker].sessionsSince)
        kill(worker)
    }
}
