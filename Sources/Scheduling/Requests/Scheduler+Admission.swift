import TaskModel

// Whether a submission is taken, and the sentences for those that are not.
extension Scheduler {
    func check(
        _ request: TaskRequest, of index: TaskIndex, replacing old: RequestIndex?
    ) throws(SubmissionFault) {
        let task = tasks[index]
        let kind = request.kind
        if task.isRemoved {
            throw SubmissionFault(
                .notPermitted, "the manifest no longer has this task; put it back and run taskhost reload")
        }
        if request.terms.origin == .application && (kind.isEvent || task.rules.kind.isEvent) {
            throw SubmissionFault(
                .notPermitted,
                "the host itself makes the requests for tasks of the kind \(task.rules.kind.name); set a fetch interval, or let taskhost notify send something"
            )
        }
        if kind != task.rules.kind {
            throw SubmissionFault(
                .notPermitted,
                "the request is of kind \(kind.name) and the manifest's task of kind \(task.rules.kind.name); submit a \(Self.requestType(task.rules.kind)) or change the task's \"kind\""
            )
        }
        if task.rules.lacksMode {
            let mode = kind.backgroundMode ?? ""
            throw SubmissionFault(
                .notPermitted,
                "a task of kind \(kind.name) needs the background mode \"\(mode)\"; add it to \"backgroundModes\" in the manifest"
            )
        }
        if kind == .continuedProcessing && request.terms.requiredResources != 0 {
            throw SubmissionFault(
                .notPermitted,
                "the required resources are not available on this host; look at BGTaskScheduler.supportedResources first"
            )
        }
        let application = applications[task.rules.application]
        if kind == .appRefresh && (application.memory.isRefreshDenied || conditions.backgroundRefresh == .no) {
            let whose = application.memory.isRefreshDenied ? "for this application" : "on this machine"
            throw SubmissionFault(
                .unavailable, "background refresh is turned off \(whose); turn it on, then submit again")
        }
        if kind.isEvent && application.memory.isForceQuit {
            throw SubmissionFault(
                .notPermitted,
                "the user quit the application, and nothing is fetched for it or delivered to it; open it first, with taskhost foreground"
            )
        }
        try checkCount(request, of: application, replacing: old)
        if kind == .continuedProcessing { try checkImmediate(request, of: index, replacing: old) }
    }

    private func checkCount(
        _ request: TaskRequest, of application: ScheduledApplication, replacing old: RequestIndex?
    ) throws(SubmissionFault) {
        // The user may have one for each task.
        guard request.terms.origin == .application else { return }
        var count = Int(application.count(request.kind))
        if let old, requests[old].counts { count -= 1 }
        let most = pendingLimit(request.kind)
        guard count >= most else { return }
        throw SubmissionFault(
            .tooManyPendingTaskRequests,
            "the application has \(count) pending \(Self.family(request.kind)) request\(count == 1 ? "" : "s"), and \(most) may wait at once; cancel one, or submit an identifier that is pending already to replace it"
        )
    }

    private func checkImmediate(
        _ request: TaskRequest, of task: TaskIndex, replacing old: RequestIndex?
    ) throws(SubmissionFault) {
        let application = applications[tasks[task].rules.application]
        let mayFail = request.terms.strategy == .fail
        guard application.isInFront else {
            throw SubmissionFault(
                mayFail ? .immediateRunIneligible : .notPermitted,
                "continued processing begins in the foreground, and the application is \(application.state.name); submit it from the user's action in the foreground (taskhost foreground)"
            )
        }
        guard mayFail else { return }
        let obstacle: String? =
            if isStopped || !hasBegun {
                "the host is stopping"
            } else if !startsByItself {
                "no daemon serves"
            } else if isPaused(task) {
                "the user has paused it (taskhost resume)"
            } else if application.isQuarantined {
                "the application is in quarantine after crashes"
            } else if application.isOutdated {
                "a run of the application's earlier revision is in progress"
            } else if runningByIdentity[request.identity] != nil {
                "an earlier run of the identifier is in progress"
            } else if occupied.total >= limits.concurrency || occupied.isFull(.continuedProcessing, limits) {
                "as many runs are in progress as the host allows"
            } else if let condition = classes.obstacle(of: .continuedProcessing) {
                condition.found(conditions) ?? condition.meaning
            } else if let first = queues.first(in: .continued, classes.passing), first.request != old {
                "other continued processing waits before it"
            } else {
                nil
            }
        guard let obstacle else { return }
        throw SubmissionFault(
            .immediateRunIneligible, "it cannot start at once: \(obstacle); try later, or use the strategy queue")
    }

    private func pendingLimit(_ kind: TaskKind) -> Int {
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: limits.pendingRefreshes
        case .processing, .healthResearch: limits.pendingProcessings
        case .continuedProcessing: limits.pendingContinued
        }
    }

    private static func family(_ kind: TaskKind) -> String {
        switch kind {
        case .appRefresh, .backgroundFetch, .remoteNotification: "refresh"
        case .processing, .healthResearch: "processing"
        case .continuedProcessing: "continued processing"
        }
    }

    private static func requestType(_ kind: TaskKind) -> String {
        switch kind {
        case .appRefresh: "BGAppRefreshTaskRequest"
        case .processing: "BGProcessingTaskRequest"
        case .healthResearch: "BGHealthResearchTaskRequest"
        case .continuedProcessing: "BGContinuedProcessingTaskRequest"
        case .backgroundFetch, .remoteNotification: "request of the host's own"
        }
    }
}
