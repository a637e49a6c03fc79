import Scheduling
import TaskModel
import TestSupport

// What happens to the host, at random.
extension SimulatedHost {
    func live(steps: Int) throws {
        try restart()
        count.restarts -= 1
        for _ in 0..<steps {
            count.steps += 1
            try step()
        }
    }

    private func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22: try submit()
        case 22..<46: try end()
        case 46..<62: try passTime()
        case 62..<70: try changeConditions()
        case 70..<74: try changeFiles()
        case 74..<77: try cancel()
        case 77..<80: try simulateLaunch()
        case 80..<88: try changeApplication()
        case 88..<92: try reload()
        case 92..<94: try jump()
        case 94..<95: try sleep()
        case 95..<96: try changePause()
        case 96..<97: try crash()
        case 97..<98:
            isStopped = true
            try call("stop") { scheduler, now in scheduler.stop(at: now) }
        default: if isStopped || random.chance(0.3) { try restart() }
        }
        if isStopped && random.chance(0.3) { try restart() }
    }

    private func application() -> ApplicationIndex { memories.indices.randomElement(using: &random) ?? .first }

    // MARK: Requests

    private func submit() throws {
        let task = rules.indices.randomElement(using: &random) ?? .first
        var terms = RequestTerms()
        if random.chance(0.4) { terms.earliestBeginDate = date() }
        terms.requiresExternalPower = random.chance(0.2)
        terms.requiresNetwork = random.chance(0.2)
        terms.strategy = Bool.random(using: &random) ? .queue : .fail
        terms.origin = random.chance(0.2) ? .person : .application
        let suffix: Int64 = rules[task].isWildcard ? 1000 * Int64.random(in: 1...4, using: &random) : 0
        let request = TaskRequest(
            identity: Int64(task.number) + suffix, kind: rules[task].kind, terms: terms,
            submitted: now.time)
        let before = rows[request.identity]
        let wasForced = forced.remove(request.identity) != nil
        do {
            try call("submit \(request.identity) \(request.kind) \(terms.strategy)") {
                _ = try $0.submit(request, of: task, at: $1)
            }
        } catch let fault as SubmissionFault {
            note("  \(fault.sentence)")
            count.refusals[fault.code, default: 0] += 1
            if wasForced { forced.insert(request.identity) }
            try expect(
                rows[request.identity]?.request.submitted == before?.request.submitted,
                "a refused submission changes what is pending")
        }
    }

    /// A date that is near, far or long past.
    private func date() -> Timestamp {
        let spans: [TimeSpan] = [.minutes(10), .seconds(86_400), .seconds(40 * 86_400)]
        let reach = (spans.randomElement(using: &random) ?? .zero).nanoseconds
        if random.chance(0.02) { return Timestamp(nanoseconds: Bool.random(using: &random) ? .max : .min + 1) }
        return Timestamp(nanoseconds: now.time.nanoseconds + Int64.random(in: -reach / 10...reach, using: &random))
    }

    private func cancel() throws {
        if random.chance(0.3) {
            let application = application()
            return try call("cancel all of \(application)") {
                $0.cancelAll(application: application, at: $1)
            }
        }
        let identity = rows.keys.sorted().randomElement(using: &random) ?? 4711
        let isPending = rows[identity].map { !$0.isRunning } ?? false
        let isTime = isPending && isScheduledTime(rows[identity])
        if isTime && random.chance(0.5) {
            skipped.insert(identity)
            let time = try call("skip \(identity)") { $0.skip(identity: identity, at: $1) }
            try expect(time != nil && rows[identity]?.request.scheduledFor != time, "a time is not left out")
            return
        }
        let before = rows[identity]?.request
        let answer = try call("cancel \(identity)") { $0.cancel(identity: identity, at: $1) }
        try expect(answer == (isPending && !isTime), "cancel says \(answer) of a request that is pending: \(isPending)")
        try expect(!isTime || rows[identity]?.request == before, "a cancel moves a schedule")
    }

    /// What waits is a time of the schedule, and no further try of one that has begun.
    private func isScheduledTime(_ row: Row?) -> Bool {
        guard let row, row.request.terms.origin == .schedule, row.request.attempt == 1, !row.hasStarted else {
            return false
        }
        let task = row.task
        return !isRemoved[task] && rules[task].schedule != nil
    }

    private func simulateLaunch() throws {
        guard !isStopped, let identity = rows.keys.sorted().randomElement(using: &random),
            rows[identity]?.isRunning == false, !isRemoved[rows[identity]?.task ?? .first]
        else { return }
        forced.insert(identity)
        let answer = try call("simulate launch \(identity)") {
            $0.simulateLaunch(identity: identity, at: $1)
        }
        try expect(answer, "nothing is pending where something is")
        try expect(
            !forced.contains(identity) || runs.values.contains { $0.row.request.identity == identity }
                || rows[identity].map { outdated.contains(rules[$0.task].application) } ?? false,
            "a forced launch does not start")
    }

    // MARK: Ends

    private func end() throws {
        if isCrowded && random.chance(0.9) { return }
        let list = runs.keys.sorted { ($0.index, $0.generation) < ($1.index, $1.generation) }
        guard let handle = list.randomElement(using: &random), let run = runs[handle] else { return }
        let reasons: [Reason?] = [
            nil, nil, nil, .budget, .powerLost, .userActive, .hostStopping, .userCancelled, .simulated, .noProgress,
        ]
        var outcome = Outcome.allCases.randomElement(using: &random) ?? .failed
        // A run that has asked for another time once is likely to ask again.
        if run.row.request.deferrals > 0 && random.chance(0.9) { outcome = .deferred }
        let longest = random.chance(0.1) ? Deferral.longest : .minutes(10)
        let wish = TimeSpan(
            nanoseconds: .random(in: Deferral.shortest.nanoseconds...longest.nanoseconds, using: &random))
        let deferral = outcome == .deferred ? Deferral(wish) : nil
        let reason = outcome == .succeeded ? nil : reasons.randomElement(using: &random) ?? nil
        let cpu = random.chance(0.1) ? nil : TimeSpan.milliseconds(Int64.random(in: 0...60_000, using: &random))
        runs[handle] = nil
        let identity = run.row.request.identity
        let newer = scheduler.handle(identity: identity)
        let task = rules[run.row.task]
        let expected = sequel(of: run, outcome, reason, task)
        let deferrals: UInt8 = deferral == nil ? 0 : run.row.request.deferrals + 1
        var pause: TimeSpan?
        if let expected, expected.isFailure {
            let factor = Int64(1) << Int64(min(expected.failures - 1, 40))
            pause = min(TimeSpan(nanoseconds: task.backoff.nanoseconds * factor), limits.longestBackoff)
        }
        if let deferral { pause = max(deferral.pause, leastDeferral(deferrals, task)) }
        // The new pause has to be known before the call is judged.
        let pending = newer.flatMap { scheduler.request($0) }
        var returns = expected != nil
        if let pending {
            let end = now.time.nanoseconds + (pause?.nanoseconds ?? 0)
            let soonest = pause == nil ? now.time.nanoseconds : max(now.time.nanoseconds, end)
            returns =
                returns && !forced.contains(identity) && pending.request.terms.origin == .schedule
                && soonest < (pending.request.scheduledFor?.nanoseconds ?? .min)
        }
        if returns, let expected {
            count.retries += 1
            retrying = (identity, expected.failures, pause.map { now.instant + $0 })
        }
        if task.identity == identity { paceEnds[identity] = now.instant + limits.pace }
        let before = rows
        followed = []
        try call("end \(identity) \(outcome) \(reason.map { "\($0)" } ?? "") after \(run.row.request.attempt)") {
            $0.ended(
                handle, RequestEnd(outcome: outcome, reason: reason, cpuTime: cpu, deferral: deferral), at: $1)
        }
        if outcome == .succeeded { try judgeFollowers(of: run.row.task, waiting: before) }
        if returns, let expected {
            let attempt = scheduler.request(handle)?.request.attempt ?? 0
            try expect(attempt == expected.attempt, "attempt \(attempt) instead of \(expected.attempt)")
            let row = scheduler.request(handle)?.request.deferrals
            try expect(row == deferrals, "\(row as Any) deferrals instead of \(deferrals)")
            count.longestRow = max(count.longestRow, deferrals)
        }
        try expect(scheduler.request(handle) == nil || returns, "a request outlives its end")
    }

    /// From the tenth in a row on, deferrals wait as failures do.
    private func leastDeferral(_ row: UInt8, _ task: TaskSchedulingRules) -> TimeSpan {
        guard row >= 10 else { return .zero }
        let factor = Int64(1) << Int64(min(row - 10, 30))
        return min(TimeSpan(nanoseconds: task.backoff.nanoseconds * factor), limits.longestBackoff)
    }

    /// What the brief of retries says: nil: it is forgotten.
    private func sequel(
        of run: Run, _ outcome: Outcome, _ reason: Reason?, _ task: TaskSchedulingRules
    ) -> (attempt: UInt32, failures: UInt32, isFailure: Bool)? {
        let attempt = run.row.request.attempt
        if run.isDoomed || run.isOvertaken || reason == .userCancelled { return nil }
        if [.succeeded, .cancelled, .refused].contains(outcome) { return nil }
        if outcome == .deferred { return (attempt, run.failures, false) }
        if outcome == .interrupted || reason == .hostStopping { return (attempt + 1, run.failures, false) }
        let gaveWay = [.expired, .failed, .unreported].contains(outcome)
        if gaveWay && (reason == .powerLost || reason == .userActive) { return (attempt, run.failures, false) }
        return run.failures + 1 < task.attempts ? (attempt + 1, run.failures + 1, true) : nil
    }

    // MARK: Time

    private func move(_ span: TimeSpan) {
        now.instant = now.instant + span
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds)
    }

    private func passTime() throws {
        let deadline = scheduler.nextDeadline(at: now)
        let longest = TimeSpan.minutes([1, 60, 3000].randomElement(using: &random) ?? 1)
        let span = TimeSpan(nanoseconds: Int64.random(in: 0...longest.nanoseconds, using: &random))
        let alarm = windows.map { WindowAlarm($0, at: now.time).deadline(at: now) } ?? .distantFuture
        let next = min(deadline, alarm)
        move(next == .distantFuture ? span : min(next - now.instant, span))
        try followWindows()
        try call("advance") { $0.advance(to: $1) }
    }

    /// The clock is set.
    private func jump() throws {
        count.jumps += 1
        let reach = [1, 7200, 86_400 * 400, 86_400 * 4000].randomElement(using: &random) ?? 1
        let step = TimeSpan.seconds(Int64.random(in: -Int64(reach)...Int64(reach), using: &random))
        now.time = Timestamp(nanoseconds: max(0, now.time.nanoseconds + step.nanoseconds))
        try followWindows()
        try call("jump by \(step.seconds) s") { $0.advance(to: $1) }
    }

    /// The machine sleeps: the calendar advances, the monotonic clock stops.
    private func sleep() throws {
        let span = TimeSpan.minutes(Int64.random(in: 1...3000, using: &random))
        now.time = Timestamp(nanoseconds: now.time.nanoseconds + span.nanoseconds)
        try followWindows()
        try call("sleep for \(span)") { $0.advance(to: $1) }
    }

    // MARK: World

    private func changeConditions() throws {
        let names = ConditionName.ofMachine
        if random.chance(isCrowded ? 0.9 : 0.4) {
            conditions = .ideal
            isWindowSet = false
        }
        for _ in 0..<Int.random(in: isCrowded ? 0...1 : 1...3, using: &random) {
            guard let name = names.randomElement(using: &random) else { continue }
            // It holds everything.
            if name == .sleep && random.chance(0.7) { continue }
            let value =
                name == .battery
                ? "\(Int.random(in: 0...100, using: &random))" : name.values.randomElement(using: &random)
            _ = name.set(value ?? "unknown", in: &conditions)
            if name == .window { isWindowSet = true }
        }
        if !isWindowSet { windows?.tell(&conditions, at: now.time) }
        let conditions = conditions
        try call("conditions") { $0.setConditions(conditions, at: $1) }
    }

    /// Files come and go.
    private func changeFiles() throws {
        guard let task = rules.indices.randomElement(using: &random),
            let name = [ConditionName.paths, .changed].randomElement(using: &random)
        else { return }
        let isMet = random.chance(0.6)
        if isMet && rules[task].awaits.contains(name) {
            met[task, default: []].insert(ConditionSet(name))
        } else if !isMet {
            met[task]?.remove(ConditionSet(name))
        }
        try call("\(name) of \(task): \(isMet)") { $0.setMet(isMet, name, of: task, at: $1) }
    }

    private func changeApplication() throws {
        let application = application()
        switch Int.random(in: 0..<9, using: &random) {
        case 7, 8:
            let interval =
                random.chance(0.2) ? nil : TimeSpan.minutes([0, 5, 60, 3000].randomElement(using: &random) ?? 0)
            try call("fetch interval of \(application): \(interval.map { "\($0)" } ?? "never")") {
                $0.setFetchInterval(interval, application: application, at: $1)
            }
        case 5:
            let isOutdated = outdated.insert(application).inserted
            if !isOutdated { outdated.remove(application) }
            try call("earlier revision of \(application): \(isOutdated)") {
                $0.setOutdated(isOutdated, application: application, at: $1)
            }
        case 0:
            for (handle, run) in runs where rules[run.row.task].application == application {
                runs[handle]?.isDoomed = true
            }
            try call("quit \(application)") { $0.quit(application: application, at: $1) }
        case 1: try call("open \(application)") { $0.open(application: application, at: $1) }
        case 2:
            let denied = Bool.random(using: &random)
            try call("deny refresh of \(application): \(denied)") {
                $0.setRefreshDenied(denied, application: application, at: $1)
            }
        case 3:
            try call("lift \(application)") { $0.liftQuarantine(application: application, at: $1) }
        case 4:
            let used = TimeSpan.seconds(Int64.random(in: 0...100, using: &random))
            try call("charge \(application)") {
                $0.charge(application: application, cpuTime: used, at: $1)
            }
        default:
            let state = ApplicationState.allCases.randomElement(using: &random) ?? .active
            if state == .active || state == .inactive {
                inFront.insert(application)
            } else {
                inFront.remove(application)
            }
            try call("state \(application) \(state)") {
                $0.setState(state, application: application, at: $1)
            }
        }
    }

    /// The user pauses or resumes something.
    private func changePause() throws {
        let parts: [PausedPart] = [
            .host, .application(application()), .task(rules.indices.randomElement(using: &random) ?? .first),
        ]
        guard let part = parts.randomElement(using: &random) else { return }
        if stops[part] != nil || random.chance(0.2) {
            let wasPaused = stops.removeValue(forKey: part) != nil
            let answer = try call("resume \(part)") { $0.resume(part, at: $1) }
            return try expect(answer == wasPaused, "resume says \(answer) of what is paused: \(wasPaused)")
        }
        let until = random.chance(0.5) ? date() : nil
        stops[part] = WorkPause(since: now.time, until: until)
        count.pauses += 1
        let pause = WorkPause(since: now.time, until: until)
        try call("pause \(part) until \(until.map { "\($0.nanoseconds)" } ?? "-")") {
            $0.pause(part, pause, at: $1)
        }
    }

    private func crash() throws {
        let application = application()
        try call("crash of \(application)") { $0.crashed(application: application, at: $1) }
    }

    private func reload() throws {
        if rules.count < 40 && random.chance(0.1) {
            let known = schedules.count
            let new = makeRules(application(), identity: Int64(rules.count))
            _ = rules.append(new)
            _ = isRemoved.append(false)
            for schedule in schedules.dropFirst(known) { _ = scheduler.addSchedule(schedule) }
            _ = scheduler.addTask(new)
            return try call("new task \(rules.count - 1)") { $0.advance(to: $1) }
        }
        let task = rules.indices.randomElement(using: &random) ?? .first
        if Bool.random(using: &random) {
            let removed = !isRemoved[task]
            isRemoved[task] = removed
            for (identity, row) in rows where row.task == task { forced.remove(identity) }
            return try call("task \(task) removed: \(removed)") {
                $0.setRemoved(removed, task: task, at: $1)
            }
        }
        // Those of events stay what they are.
        guard !rules[task].kind.isEvent else { return }
        let known = schedules.count
        var new = makeRules(rules[task].application, identity: rules[task].identity)
        // A wildcard stays one: its identities are not those of the task.
        new.isWildcard = rules[task].isWildcard
        if new.isWildcard { new.schedule = nil }
        new.kind = new.isWildcard ? .continuedProcessing : new.kind == .continuedProcessing ? .processing : new.kind
        rules[task] = new
        met[task] = nil
        for schedule in schedules.dropFirst(known) { _ = scheduler.addSchedule(schedule) }
        for (identity, row) in rows where row.task == task && !row.isRunning {
            rows[identity]?.request.kind = new.kind
        }
        try call("new rules of \(task)") { $0.setRules(new, of: task, at: $1) }
    }
}
