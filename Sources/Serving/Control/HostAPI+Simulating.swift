import Control
import Engine
import Host
import JSON
import Linux
import Record
import Setting
import TaskModel

// The two debugging commands of the BackgroundTasks framework.
extension HostAPI {
    /// A launch that waits for its application to have been launched once.
    struct Simulation {
        var identifier: String
        /// By then the application has submitted the request, or never will: it has 5 s for the change of its state.
        var deadline: Instant
        var answer: (Result<JSONOutput, Problem>) -> Void
    }

    /// Launches the pending request of that identifier now, regardless of its gates. An application that is not running
    /// is launched first, as the user would before the debugger's command: it may then submit its requests.
    func simulateLaunch(_ identifier: String, answer: @escaping (Result<JSONOutput, Problem>) -> Void) {
        do throws(Problem) {
            let task = try task(identifier)
            if let document = launchPending(identifier) { return answer(.success(document)) }
            let application = host.installed.tasks[task].application
            guard host.installed.applications[application].library?.isApplication == true, mayStillSubmit(application)
            else {
                return answer(.failure(nothingScheduled(identifier)))
            }
            let limit = host.place.configuration.profile.lifecycleCallback
            simulations.append(
                Simulation(identifier: identifier, deadline: host.moment.instant + limit, answer: answer))
            host.applications.wake(application)
        } catch {
            answer(.failure(error))
        }
    }

    /// It is not running, or was launched a moment ago.
    private func mayStillSubmit(_ application: ApplicationIndex) -> Bool {
        let span = host.place.configuration.profile.lifecycleCallback
        return host.decider.state(of: application) == .notRunning
            || host.workers.hasYoung(of: application, within: span)
    }

    /// A request of that identifier was submitted, or will not be: simulations that wait for it end.
    func settleSimulations(of identifier: String) {
        let ready = simulations.filter { $0.identifier == identifier }
        simulations.removeAll { $0.identifier == identifier }
        for simulation in ready {
            let document = launchPending(simulation.identifier)
            simulation.answer(document.map { .success($0) } ?? .failure(nothingScheduled(simulation.identifier)))
        }
    }

    private func launchPending(_ identifier: String) -> JSONOutput? {
        guard let handle = host.requests.pending(identifier), host.requests.simulateLaunch(handle),
            let run = host.requests.running[handle]
        else { return nil }
        host.note(.simulatedLaunch, identifier, "Simulating launch for task with identifier \(identifier)")
        return document(run)
    }

    private func nothingScheduled(_ identifier: String) -> Problem {
        host.note(.simulatedLaunch, identifier, "No task request with identifier \(identifier) has been scheduled")
        return .nothingScheduled(identifier)
    }

    /// Expires the task's run as the end of its budget would.
    func simulateExpiration(_ identifier: String) throws(Problem) -> JSONOutput {
        _ = try task(identifier)
        let runs = host.runs.active(of: identifier)
        guard let first = runs.first else { throw .nothingRunning(identifier) }
        host.note(.simulatedExpiration, identifier, "Simulating expiration for task with identifier \(identifier)")
        for run in runs { host.simulateExpiration(run) }
        return document(first)
    }

    /// Moves the virtual clock, and answers when it has stopped.
    func moveClock(_ exchange: Exchange) throws(Problem) {
        guard host.decider.isVirtual else {
            throw .conflict(
                "the host has the machine's clock, which nobody moves; simulate advance; start another with taskhost serve "
                    + "--clock virtual on an empty --state folder")
        }
        let seconds = min(exchange.body["seconds"]?.double ?? 0, Self.longestMove)
        let span = TimeSpan(nanoseconds: Int64(max(0, seconds) * 1e9))
        let isMoving = host.moveClock(by: span) { [unowned self] left in
            clockMover = nil
            let document: JSONOutput = .object([
                "time": .string(host.moment.time.iso8601), "left": .double(left.seconds),
            ])
            host.afterCommit { exchange.reply(document) }
        }
        guard isMoving else {
            throw .conflict("the clock is being moved already; simulate advance; wait for the other command")
        }
        clockMover = exchange
    }

    /// A year.
    private static let longestMove = 366.0 * 86_400

    /// Lets a fault happen to the task's runs in progress, or to its next one.
    func simulate(_ fault: SimulatedFault, _ identifier: String) throws(Problem) -> JSONOutput {
        guard host.faults.isAllowed else {
            throw .conflict(
                "faults happen only on a daemon that allows them; simulate \(fault.rawValue); start it with taskhost serve "
                    + "--faults")
        }
        let task = try task(identifier)
        let struck = fault.isOfLaunch ? [] : host.runs.active(of: identifier).compactMap(process)
        for (run, record) in struck { host.faults.strike(fault, run, in: record) }
        guard !struck.isEmpty || host.faults.arm(fault, for: identifier, of: task) else {
            throw .conflict(
                "\(Faults.most) faults wait for runs already; simulate \(fault.rawValue); run these tasks first")
        }
        host.note(.simulatedFault, identifier, "Simulating \(fault.rawValue) for task with identifier \(identifier)")
        return .object([
            "identifier": .string(identifier), "fault": .string(fault.rawValue),
            "run": JSONOutput(struck.first.flatMap { host.decider.run($0.run)?.id.description }),
        ])
    }

    /// The process of a run that has started.
    private func process(of run: RunHandle) -> (run: RunHandle, record: WorkerRecord)? {
        guard host.decider.run(run)?.started != nil, let worker = host.runs[run].worker,
            let record = host.workers.table[worker], record.pid != nil
        else { return nil }
        return (run, record)
    }
}

extension HostAPI: TimedSource {
    var nextDeadline: Instant {
        // A request of a verb in the host's own process, between two turns, makes no descriptor ready.
        guard longAnswers.isEmpty else { return Instant(nanoseconds: 0) }
        return min(
            simulations.map(\.deadline).min() ?? .distantFuture, quits.map(\.end).min() ?? .distantFuture)
    }

    func advance(to now: ClockReading) {
        for simulation in simulations where simulation.deadline <= now.instant {
            settleSimulations(of: simulation.identifier)
        }
    }

    func afterCommit(at now: ClockReading) -> Bool {
        settleQuits()
        let isAnswering = longAnswers.goOn()
        return backup.goOn() || isAnswering
    }

    func close() {
        longAnswers.end()
        refuseQuits()
        backup.end()
        for simulation in simulations {
            simulation.answer(.failure(.conflict("the host is stopping; simulate launch")))
        }
        simulations.removeAll()
        host.move = nil
        clockMover?.refuse(.conflict("the host is stopping; simulate advance"))
        clockMover = nil
    }
}

extension HostAPI: ControlHandler {
    func handle(_ request: ControlRequest, answer: @escaping (ControlReply) -> Void) {
        // A request in this process comes from its own user.
        host.runs.announcer.actor = request.peer == .own ? ThisProcess.user : request.peer.user
        defer { host.runs.announcer.actor = nil }
        router.handle(request) { [unowned host] reply in host.tell { answer(reply) } }
    }

    func openStream(_ request: ControlRequest, to stream: any ControlStream) -> ControlReply? {
        router.openStream(request, to: stream)
    }

    func letsReaders(_ method: ControlRequest.Method, _ path: String) -> Bool { router.letsReaders(method, path) }

    func methods(of path: String) -> [ControlRequest.Method] { router.methods(of: path) }
}
