import Control
import Engine
import Host
import JSON
import Record
import TaskModel
import Wire

/// Sends events to every open stream, as `text/event-stream`. Loop thread only.
final class EventHub: HostAudience {
    /// One client of `GET /v1/events`.
    private struct Listener {
        let stream: any ControlStream
        /// The requested runs, by id; nil: everything.
        let runs: Set<String>?
        /// It asked for what runs use.
        let wantsUsage: Bool
    }

    private unowned let host: Host
    private var listeners: [UInt64: Listener] = [:]
    private var nextListener: UInt64 = 0
    /// Clients that asked for what runs use.
    private(set) var usageListeners = 0
    /// Clients that read too slowly.
    private(set) var droppedReaders: UInt64 = 0
    private var log: EventLog
    /// Events are kept until then for a client that went away; while there is one, always.
    private var keepsUntil = Instant(nanoseconds: 0)
    /// How long a client that went away may take to come back.
    private static let patience = TimeSpan.minutes(1)

    init(host: Host) {
        self.host = host
        log = EventLog(from: UInt64(max(0, host.moment.time.nanoseconds / 1000)))
    }

    /// Adds a client. A client that reconnects receives the events that it missed, or `events.lost` when they are no longer
    /// known.
    ///
    /// - Parameters:
    ///   - runs: the requested runs, by id; nil: everything.
    ///   - wantsUsage: it also gets what runs in progress use.
    /// - Returns: whether it is up to date.
    func add(_ stream: any ControlStream, runs: Set<String>?, wantsUsage: Bool = false) -> Bool {
        if !keepsEvents { log.forget() }
        let knows = stream.lastEventID.map { catchUp(stream, after: $0, runs) } ?? false
        let number = nextListener
        nextListener += 1
        stream.didClose = { [weak self] in self?.remove(number) }
        listeners[number] = Listener(stream: stream, runs: runs, wantsUsage: wantsUsage)
        if wantsUsage { usageListeners += 1 }
        return knows
    }

    private func remove(_ number: UInt64) {
        guard let listener = listeners.removeValue(forKey: number) else { return }
        if listener.stream.wasDropped { droppedReaders += 1 }
        if listener.wantsUsage { usageListeners -= 1 }
        guard listeners.isEmpty else { return }
        keepsUntil = host.moment.instant + Self.patience
    }

    private var keepsEvents: Bool { !listeners.isEmpty || host.moment.instant < keepsUntil }

    private func catchUp(_ stream: any ControlStream, after id: String, _ runs: Set<String>?) -> Bool {
        guard let missed = log.events(after: id) else {
            send("events.lost", .object(["lastEventID": .string(id)]), to: stream)
            return false
        }
        for event in missed where runs.map({ runs in event.run.map(runs.contains) ?? false }) ?? true {
            stream.send(event.event)
        }
        return true
    }

    func finish() {
        for listener in listeners.values { listener.stream.finish() }
        listeners.removeAll()
        usageListeners = 0
    }

    /// Sends one event to one client.
    private func send(_ event: String, _ document: JSONOutput, to stream: any ControlStream) {
        stream.send(StreamedEvent(event, id: log.number(), data: document.bytes()))
    }

    /// Sends the state of a run to a client that came later.
    func replay(_ record: RunRecord, output: [UInt8], to stream: any ControlStream) {
        let head = Self.head(record.id, record.identifier, record.application)
        if let started = record.startedAt {
            send("run.started", .object(head + [.init("at", .string(started.iso8601))]), to: stream)
        }
        if !output.isEmpty {
            let text = String(decoding: output, as: UTF8.self)
            send("run.output", .object(head + [.init("text", .string(text))]), to: stream)
        }
        if record.outcome != nil { send("run.ended", RunDocument.json(record), to: stream) }
    }

    private func tell(_ event: String, run: String? = nil, _ document: @autoclosure () -> JSONOutput) {
        guard keepsEvents else { return }
        let event = log.add(event, run: run, document().bytes())
        for listener in listeners.values {
            if let wanted = listener.runs {
                guard let run, wanted.contains(run) else { continue }
            }
            listener.stream.send(event)
        }
    }

    private func tell(
        _ event: String, _ run: RunHandle, _ members: @autoclosure () -> [JSONOutput.Member]
    ) {
        guard keepsEvents, let (id, head) = head(of: run) else { return }
        tell(event, run: id.description, .object(head + members()))
    }

    /// The run's id, and the members that name it; nil: it has been forgotten.
    private func head(of run: RunHandle) -> (id: ULID, members: [JSONOutput.Member])? {
        guard let id = host.decider.id(of: run), let task = host.decider.task(of: run),
            let identifier = host.runs.identifier(of: run)
        else { return nil }
        return (id, Self.head(id, identifier, host.installed.applicationName(of: task)))
    }

    /// The members that name a run.
    private static func head(_ run: ULID, _ identifier: String, _ application: String) -> [JSONOutput.Member] {
        [
            .init("run", .string(run.description)), .init("identifier", .string(identifier)),
            .init("application", .string(application)),
        ]
    }

    // MARK: Runs

    func runDidBegin(_ run: RunHandle) {
        // Without a client the run is not copied.
        guard keepsEvents, let slot = host.decider.run(run) else { return }
        tell(
            "run.submitted", run,
            [.init("attempt", .integer(Int64(slot.attempt))), .init("at", .string(slot.submitted.iso8601))])
    }

    func run(_ run: RunHandle, didStartAt time: Timestamp) {
        tell(
            "run.started", run,
            [
                .init("at", .string(time.iso8601)),
                .init("budget", host.runs.standing(of: run).map { BudgetDocument.json($0.budget) } ?? .null),
            ] + times(of: run))
    }

    func run(_ run: RunHandle, didExpire reason: Reason) {
        tell(
            "run.expired", run,
            [.init("reason", .string(reason.name)), .init("at", .string(host.moment.time.iso8601))] + times(of: run))
    }

    /// When it will be warned, and killed.
    private func times(of run: RunHandle) -> [JSONOutput.Member] {
        let standing = host.runs.standing(of: run)
        return [
            .init("warnsAt", JSONOutput(standing?.warnsAt?.iso8601)),
            .init("endsAt", JSONOutput(standing?.endsAt?.iso8601)),
        ]
    }

    // MARK: Usage

    /// What a run uses. The next report replaces it, so it is not kept for clients that reconnect.
    func run(_ run: RunHandle, uses usage: RunUsage) {
        guard let (ulid, head) = head(of: run) else { return }
        let id = ulid.description
        let event = StreamedEvent(
            "run.usage", id: log.newest, data: JSONOutput.object(head + usage.members + times(of: run)).bytes())
        for listener in listeners.values where listener.wantsUsage && listener.runs?.contains(id) ?? true {
            listener.stream.send(event)
        }
    }

    func run(_ run: RunHandle, didProgress report: ProgressReport) {
        tell(
            "run.progress", run,
            ProgressDocument.members(RunProgress(report: report, titles: host.runs.titles(of: run))))
    }

    func run(_ run: RunHandle, didPrint bytes: ArraySlice<UInt8>, _ mark: LogMark) {
        tell(
            "run.output", run,
            [
                .init("text", .string(String(decoding: bytes, as: UTF8.self))),
                .init("stream", .string(mark.stream.name)), .init("at", .string(mark.at.iso8601)),
            ])
    }

    func run(_ run: RunHandle, waits wait: LaunchWait) {
        tell(
            "run.waiting", run,
            [
                .init("shortage", .string(wait.shortage.name)), .init("waitsFor", .string(wait.shortage.wanted)),
                .init("returns", .integer(Int64(wait.returns))),
                .init("pause", JSONOutput(wait.pause.seconds as Double?)),
            ])
    }

    func run(_ run: RunHandle, didEnd slot: RunSlot) {
        guard keepsEvents, let record = host.record(of: run) else { return }
        tell("run.ended", run: slot.id.description, RunDocument.json(record))
    }

    // MARK: The rest

    /// A request was submitted.
    var didSubmit: (_ identifier: String) -> Void = { _ in }

    func requestChanged(_ what: String, _ identifier: String) {
        if what == "submitted" || what == "replaced" { didSubmit(identifier) }
        let application = host.installed.permittedTask(identifier).map { host.installed.applicationName(of: $0) }
        tell("request.\(what)", .object(["identifier": .string(identifier), "application": JSONOutput(application)]))
    }

    func deviceChanged() { tell("device", DeviceDocument.json(host.device.state)) }

    func application(_ application: ApplicationIndex, isIn state: ApplicationState) {
        tell(
            "application.state",
            .object([
                "application": .string(host.installed.name(of: application)),
                "state": .string(state.name),
            ]))
    }

    var followsTransfers: Bool { keepsEvents }

    func transfer(_ news: TransferNews, _ view: () -> TransferView) {
        tell("transfer.\(news.rawValue)", TransferDocument.json(view()))
    }

    func didTerminate(_ termination: Termination) {
        tell("application.terminated", TerminationDocument.json(termination))
    }

    func journal(_ entry: JournalEntry) { tell("journal", JournalDocument.json(entry)) }
}
