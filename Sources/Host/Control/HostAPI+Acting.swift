import Control
import Engine
import JSON
import Linux
import Record
import Scheduling
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

    /// Of an earliestBeginDate, in nanoseconds: a year. Apple advises a week at most (reference §1.5).
    private static let farthest: Int64 = 366 * 86_400 * 1_000_000_000

    func submit(_ wish: RequestWish) throws(Problem) -> JSONOutput {
        let task = try task(wish.identifier)
        if let date = wish.terms.earliestBeginDate,
            date.nanoseconds.subtractingReportingOverflow(host.moment.time.nanoseconds).partialValue > Self.farthest
        {
            throw .meaningless(
                "$.earliestBeginDate", found: date.iso8601,
                expected: "a date within a year; a schedule in the manifest looks further")
        }
        do throws(SubmissionFault) {
            let handle = try host.submitRequest(
                wish.identifier, application: nil, kind: host.tasks[Int(task)].definition.kind, terms: wish.terms,
                payload: wish.payload)
            return host.document(of: handle)
        } catch {
            throw .submission(error)
        }
    }

    func listRequests() -> LongListing {
        var pending = host.scheduler.pending(application: nil).prefix(Self.mostListed)[...]
        var orphans = host.orphanDocuments.prefix(Self.mostListed - pending.count)
        return LongListing("requests") { [unowned self] in
            while let handle = pending.popFirst() {
                // Gone since it was asked for: cancelled, or a run by now.
                if host.scheduler.request(handle)?.phase == .pending { return host.document(of: handle) }
            }
            return orphans.popFirst()
        }
    }

    /// Requests that one reply lists.
    private static let mostListed = 10_000

    func cancelRequest(_ identifier: String) throws(Problem) -> JSONOutput {
        let isCancelled = host.cancelRequest(identifier)
        if !isCancelled {
            _ = try task(identifier)
            if host.waitsForSchedule(identifier) {
                throw .conflict(
                    "it waits for a time of its schedule, which stays; \(identifier); taskhost skip \(identifier) leaves out "
                        + "that time")
            }
        }
        return .object(["cancelled": .integer(isCancelled ? 1 : 0)])
    }

    func skipTime(_ identifier: String) throws(Problem) -> JSONOutput {
        let task = try task(identifier)
        guard let time = host.skipTime(identifier) else {
            let hasSchedule = host.tasks[Int(task)].definition.schedule != nil
            throw .conflict(
                hasSchedule
                    ? "another request is pending in its place; \(identifier); taskhost cancel \(identifier) takes that back"
                    : "it has no schedule; \(identifier); a request is taken back with taskhost cancel \(identifier)")
        }
        let next = host.pendingRequest(identifier).flatMap { host.scheduler.request($0)?.request.scheduledFor }
        return .object([
            "identifier": .string(identifier), "leftOut": .string(time.iso8601),
            "scheduledFor": JSONOutput(next?.iso8601),
        ])
    }

    func cancelRequests() -> JSONOutput {
        .object(["cancelled": .integer(Int64(host.cancelAllRequests()))])
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
            } else if let index = host.application(named: identifier) {
                wanted += host.tasks.indices.filter { host.tasks[$0].application == index }.map(UInt32.init)
            } else {
                throw noSuchTask(identifier)
            }
        }
        if wish.identifiers == nil { wanted = host.tasks.indices.map(UInt32.init) }
        wanted.removeAll { host.tasks[Int($0)].isRemoved }
        guard let batch = posted.admit(wanted.count, bytes: wish.payload.count + wish.settings.count) else {
            throw .tooManyRuns(limit: PostedRuns.mostRuns)
        }
        var runs: [JSONOutput] = []
        for task in wanted {
            let run = host.submit(task, payload: wish.payload, settings: wish.settings, observer: batch)
            if let run { runs.append(document(run)) } else { batch.left -= 1 }
        }
        return .object(["runs": .array(runs)])
    }

    func document(_ run: RunHandle) -> JSONOutput {
        .object(identity(of: run))
    }

    func identity(of run: RunHandle) -> [JSONOutput.Member] {
        [
            .init("run", JSONOutput(host.engine.run(run)?.id.description)),
            .init("identifier", JSONOutput(host.identifier(of: run))),
        ]
    }

    func cancelRun(_ text: String) throws(Problem) -> JSONOutput {
        let record = try record(text)
        guard let run = host.run(withID: record.id) else {
            throw .conflict("the run has ended already; \(record.id); see taskhost show \(record.id)")
        }
        host.cancel(run)
        return document(run)
    }

    // MARK: Device

    func setDevice(_ values: [(ConditionName, String)]) throws(Problem) -> JSONOutput {
        for (name, word) in values where !host.overrideCondition(name, word) {
            throw .meaningless(
                "$.\(name.rawValue)", found: JSONWriter.quoted(word),
                expected: "one of " + name.values.joined(separator: ", "))
        }
        return DeviceDocument.json(host.device)
    }

    func resetDevice() -> JSONOutput {
        host.resetConditions()
        return DeviceDocument.json(host.device)
    }

    // MARK: Applications

    enum Step: String, CaseIterable {
        case foreground
        case background
        case quit
        case lift
        case deny
        case allow
    }

    func move(_ identifier: String, _ step: Step) throws(Problem) -> JSONOutput {
        let application = try application(identifier)
        switch step {
        case .foreground: host.foreground(application)
        case .background: host.background(application)
        case .quit: host.quit(application)
        case .lift: host.liftQuarantine(application)
        case .deny: host.setRefreshDenied(true, application)
        case .allow: host.setRefreshDenied(false, application)
        }
        return applicationDocument(application)
    }
}
