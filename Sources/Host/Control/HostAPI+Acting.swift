import Control
import Engine
import JSON
import Linux
import Scheduling
import Store
import TaskModel
import Wire

// What may be asked of the host. Each is on disk when its answer leaves.
extension HostAPI {
    // MARK: Requests

    struct RequestWish {
        var identifier: String
        var terms = RequestTerms()
        var payload: [UInt8] = []
    }

    func submit(_ wish: RequestWish) throws(Problem) -> JSONOutput {
        let task = try task(wish.identifier)
        if let date = wish.terms.earliestBeginDate, date.nanoseconds - host.moment.time.nanoseconds > Self.farthest {
            throw Problem(
                422, "too-far", title: "Too far ahead",
                detail:
                    "earliestBeginDate is more than a year ahead; \(date.iso8601); choose an earlier date, or a schedule "
                    + "in the manifest")
        }
        let handle: RequestHandle
        do throws(SubmissionFault) {
            handle = try host.submitRequest(
                wish.identifier, application: nil, kind: host.tasks[Int(task)].definition.kind, terms: wish.terms,
                payload: wish.payload)
        } catch {
            throw Self.problem(error)
        }
        host.note(.requestSubmitted, wish.identifier, "by a person")
        return host.document(of: handle)
    }

    /// Of an earliestBeginDate, in nanoseconds: a year. Apple advises a week at most (reference §1.5).
    private static let farthest: Int64 = 366 * 86_400 * 1_000_000_000

    static func problem(_ fault: SubmissionFault) -> Problem {
        Problem(
            fault.code == .notPermitted ? 422 : 409, "submission", title: fault.code.name, detail: fault.sentence,
            code: Int(fault.code.rawValue))
    }

    func requestsDocument() -> JSONOutput {
        .object(["requests": .array(host.scheduler.pending(application: nil).prefix(10_000).map(host.document))])
    }

    func cancelRequest(_ identifier: String) throws(Problem) -> JSONOutput {
        _ = try task(identifier)
        return .object(["cancelled": .integer(host.cancelRequest(identifier) ? 1 : 0)])
    }

    func cancelRequests() -> JSONOutput {
        .object(["cancelled": .integer(Int64(host.cancelRequests(application: nil)))])
    }

    // MARK: Runs

    struct RunWish {
        /// nil: all tasks.
        var identifiers: [String]?
        var payload: [UInt8] = []
        var settings: [UInt8] = []
    }

    func run(_ wish: RunWish) throws(Problem) -> JSONOutput {
        var wanted: [UInt32] = []
        for identifier in wish.identifiers ?? [] {
            if let task = host.task(named: identifier), !host.tasks[Int(task)].isRemoved {
                wanted.append(task)
            } else {
                let application = try application(identifier)
                wanted += host.tasks.indices.filter { host.tasks[$0].application == application }.map(UInt32.init)
            }
        }
        if wish.identifiers == nil { wanted = host.tasks.indices.map(UInt32.init) }
        wanted.removeAll { host.tasks[Int($0)].isRemoved }
        guard wish.payload.count <= FrameHeader.maximumPayload else {
            throw Problem(
                413, "payload-too-large", title: "Payload too large",
                detail:
                    "the payload is larger than \(FrameHeader.maximumPayload) bytes; payload; put it into a file that the "
                    + "manifest grants and pass its path")
        }
        return .object([
            "runs": .array(
                wanted.compactMap { task in
                    host.submit(task, payload: wish.payload, settings: wish.settings, observer: nil).map(document)
                })
        ])
    }

    private func document(_ run: RunHandle) -> JSONOutput {
        .object([
            "run": JSONOutput(host.engine.run(run)?.id.description), "identifier": JSONOutput(host.identifier(of: run)),
        ])
    }

    func cancelRun(_ text: String) throws(Problem) -> JSONOutput {
        let record = try record(text)
        guard let run = host.run(withID: record.id) else {
            throw Problem(
                409, "ended", title: "The run has ended",
                detail: "the run has ended already; \(record.id); see taskhost show \(record.id)")
        }
        host.cancel(run)
        return document(run)
    }

    // MARK: Simulation

    /// A launch that waits for its application to have been launched once.
    struct Simulation {
        var identifier: String
        var application: Int
        var answer: (Result<JSONOutput, Problem>) -> Void
    }

    /// Launches the pending request of that identifier now, whatever holds it. An application that is not running is
    /// launched first, as a person does before the debugger's command: then it may submit its requests.
    func simulateLaunch(_ identifier: String, answer: @escaping (Result<JSONOutput, Problem>) -> Void) {
        do throws(Problem) {
            let task = try task(identifier)
            if let run = launchPending(identifier) { return answer(.success(document(run))) }
            let application = host.tasks[Int(task)].application
            guard host.applications[application].library?.isApplication == true,
                host.engine.state(of: UInt32(application)) == .notRunning
            else { return answer(.failure(nothingScheduled(identifier))) }
            simulations.append(Simulation(identifier: identifier, application: application, answer: answer))
            host.wake(application)
        } catch {
            answer(.failure(error))
        }
    }

    /// The application has been launched and has heard of its state, or is gone.
    func settleSimulations(of application: Int) {
        let ready = simulations.filter { $0.application == application }
        simulations.removeAll { $0.application == application }
        for simulation in ready {
            if let run = launchPending(simulation.identifier) {
                simulation.answer(.success(document(run)))
            } else {
                simulation.answer(.failure(nothingScheduled(simulation.identifier)))
            }
        }
    }

    private func launchPending(_ identifier: String) -> RunHandle? {
        guard let handle = host.pendingRequest(identifier), host.simulateLaunch(handle) else { return nil }
        host.note(.simulatedLaunch, identifier, "Simulating launch for task with identifier \(identifier)")
        return host.requests.runs[handle]
    }

    private func nothingScheduled(_ identifier: String) -> Problem {
        host.note(.simulatedLaunch, identifier, "No task request with identifier \(identifier) has been scheduled")
        return Problem(
            404, "nothing-scheduled", title: "Nothing is scheduled",
            detail:
                "no task request with identifier \(identifier) has been scheduled; simulate launch; submit one with "
                + "taskhost submit \(identifier), or run the task at once with taskhost run \(identifier)")
    }

    /// Expires the task's runs as the end of their budget would.
    func simulateExpiration(_ identifier: String) throws(Problem) -> JSONOutput {
        _ = try task(identifier)
        let runs = host.activeRuns(of: identifier)
        guard !runs.isEmpty else {
            throw Problem(
                404, "not-running", title: "It is not running",
                detail: "no run of \(identifier) goes on; simulate expiration; start one with taskhost simulate launch "
                    + "\(identifier)")
        }
        host.note(.simulatedExpiration, identifier, "Simulating expiration for task with identifier \(identifier)")
        for run in runs { host.simulateExpiration(run) }
        return .object(["runs": .array(runs.map(document))])
    }

    // MARK: Device

    func setDevice(_ values: [(ConditionName, String)]) throws(Problem) -> JSONOutput {
        var probe = DeviceConditions()
        let faults = values.filter { !$0.0.set($0.1, in: &probe) }.map { name, word in
            Problem.Fault(
                path: "$.\(name.rawValue)", found: JSONWriter.quoted(word),
                expected: "one of " + name.values.joined(separator: ", "))
        }
        guard faults.isEmpty else {
            throw Problem(
                422, "bad-condition", title: "Not a value of that condition",
                detail: "\(faults[0].path) cannot be \(faults[0].found); device; write \(faults[0].expected)",
                errors: faults)
        }
        for (name, word) in values { _ = host.overrideCondition(name, word) }
        return DeviceDocument.json(host.device)
    }

    func resetDevice() -> JSONOutput {
        host.resetConditions()
        return DeviceDocument.json(host.device)
    }

    // MARK: Applications

    func move(_ identifier: String, _ step: Step) throws(Problem) -> JSONOutput {
        let application = try application(identifier)
        switch step {
        case .foreground: host.foreground(application)
        case .background: host.background(application)
        case .quit: host.quit(application)
        case .lift: host.liftQuarantine(application)
        }
        return .object([
            "application": .string(host.applications[application].definition.identifier),
            "state": .string(host.engine.state(of: UInt32(application)).name),
        ])
    }

    enum Step: String, CaseIterable {
        case foreground
        case background
        case quit
        case lift
    }
}
