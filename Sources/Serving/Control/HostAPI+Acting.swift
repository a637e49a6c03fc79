import Control
import Engine
import Host
import JSON
import Scheduling
import Setting
import TaskModel

// Commands for the host. Each is on disk when its answer is sent.
extension HostAPI {
    // MARK: Requests

    /// Of an earliestBeginDate, in nanoseconds: a year. Apple advises a week at most.
    private static let farthest: Int64 = 366 * 86_400 * 1_000_000_000

    /// A request of the user.
    func submit(_ request: TaskRequest) throws(Problem) -> JSONOutput {
        if let date = request.terms.earliestBeginDate,
            date.nanoseconds.subtractingReportingOverflow(host.moment.time.nanoseconds).partialValue > Self.farthest
        {
            throw .meaningless(
                "$.earliestBeginDate", found: date.iso8601,
                expected: "a date within a year; a schedule in the manifest looks further")
        }
        do throws(SubmissionFault) {
            return host.requests.document(of: try host.requests.submit(request, application: nil))
        } catch {
            throw .submission(error)
        }
    }

    func listRequests() -> LongListing {
        var pending = host.decider.pendingRequests(of: nil).prefix(Self.mostListed)[...]
        var orphans = host.requests.orphanDocuments.prefix(Self.mostListed - pending.count)
        return LongListing("requests") { [unowned self] in
            while let handle = pending.popFirst() {
                // It may have been cancelled or started since.
                if host.decider.request(handle)?.phase == .pending {
                    return host.requests.document(of: handle)
                }
            }
            return orphans.popFirst()
        }
    }

    /// Requests that one reply lists.
    private static let mostListed = 10_000

    func cancelRequest(_ identifier: String) throws(Problem) -> JSONOutput {
        let isCancelled = host.requests.cancel(identifier)
        if !isCancelled {
            _ = try task(identifier)
            if let key = host.requests.pendingClaim(identifier).flatMap(host.requests.fleetKey) {
                throw .conflict(
                    "it is the fleet's request \(key); \(identifier); taskhost cancel \(key) --fleet takes it back")
            }
            if host.requests.waitsForSchedule(identifier) {
                throw .conflict(
                    "it waits for a time of its schedule, which stays; \(identifier); taskhost skip \(identifier) leaves out "
                        + "that time")
            }
        }
        return .object(["cancelled": .integer(isCancelled ? 1 : 0)])
    }

    func skipTime(_ identifier: String) throws(Problem) -> JSONOutput {
        let task = try task(identifier)
        guard let time = host.requests.skipTime(identifier) else {
            let hasSchedule = host.installed.tasks[task].definition.schedule != nil
            throw .conflict(
                hasSchedule
                    ? "another request is pending in its place; \(identifier); taskhost cancel \(identifier) takes that back"
                    : "it has no schedule; \(identifier); a request is taken back with taskhost cancel \(identifier)")
        }
        let next = host.requests.pending(identifier).flatMap {
            host.decider.request($0)?.request.scheduledFor
        }
        return .object([
            "identifier": .string(identifier), "leftOut": .string(time.iso8601),
            "scheduledFor": JSONOutput(next?.iso8601),
        ])
    }

    func cancelRequests() -> JSONOutput {
        .object(["cancelled": .integer(Int64(host.requests.cancelAll()))])
    }

    // MARK: Runs

    struct RunWish {
        /// nil: all tasks.
        var identifiers: [String]?
        var payload: [UInt8] = []
        var settings: [UInt8] = []
        /// The number of the try, from 1 on, as whoever repeats it counts.
        var attempt: UInt32 = 1
    }

    func run(_ wish: RunWish) throws(Problem) -> JSONOutput {
        // Each with its name, if it matches the task's wildcard.
        var wanted: [(task: TaskIndex, name: String?)] = []
        for identifier in wish.identifiers ?? [] {
            if let task = host.installed.task(named: identifier), !host.installed.tasks[task].isRemoved {
                wanted.append((task, nil))
            } else if let index = host.installed.application(named: identifier) {
                wanted += host.installed.tasks(of: index).filter(isDeclared).map { ($0, nil) }
            } else if let task = host.installed.permittedTask(identifier), !host.installed.tasks[task].isRemoved {
                wanted.append((task, identifier))
            } else {
                throw noSuchTask(identifier)
            }
        }
        if wish.identifiers == nil { wanted = host.installed.tasks.indices.filter(isDeclared).map { ($0, nil) } }
        wanted.removeAll { host.installed.tasks[$0.task].isRemoved }
        guard let batch = posted.admit(wanted.count, bytes: wish.payload.count + wish.settings.count) else {
            throw .tooManyRuns(limit: PostedRuns.mostRuns)
        }
        var runs: [JSONOutput] = []
        for (task, name) in wanted {
            let run = try PastAPI.reading(
                host.submit(
                    task, as: name, attempt: wish.attempt, payload: wish.payload, settings: wish.settings,
                    observer: batch))
            runs.append(document(run))
        }
        return .object(["runs": .array(runs)])
    }

    /// A manifest declares it. Tasks that the host adds for an application's events run only by their own names.
    private func isDeclared(_ task: TaskIndex) -> Bool { host.installed.tasks[task].definition.handler != .event }

    func document(_ run: RunHandle) -> JSONOutput {
        let waits = host.device.state.effective.isAsleep == .yes && host.decider.run(run)?.started == nil
        return .object(identity(of: run) + [.init("waitsFor", waits ? "the end of sleep" : nil)])
    }

    func identity(of run: RunHandle) -> [JSONOutput.Member] {
        [
            .init("run", JSONOutput(host.decider.id(of: run)?.description)),
            .init("identifier", JSONOutput(host.runs.identifier(of: run))),
        ]
    }

    func cancelRun(_ text: String) throws(Problem) -> JSONOutput {
        let record = try past.run(text)
        guard let run = host.runs.run(withID: record.id) else {
            throw .conflict("the run has ended already; \(record.id); see taskhost show \(record.id)")
        }
        host.cancel(run)
        return document(run)
    }

    // MARK: Device

    func setDevice(_ values: [(ConditionName, String)]) throws(Problem) -> JSONOutput {
        // The words were checked by the route's schema.
        guard host.device.override(values.map { ($0.0, $0.1) }) else {
            throw .meaningless("$", found: "a word that no condition has", expected: "words of GET /v1/device")
        }
        return deviceDocument
    }

    func resetDevice() -> JSONOutput {
        host.device.reset()
        return deviceDocument
    }
}
