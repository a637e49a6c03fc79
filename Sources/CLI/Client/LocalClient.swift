import Control
import JSON
import Linux
import Serving
import Setting
import TaskModel

/// A host in this process, for one verb when there is no daemon: it answers the same requests, starts nothing on its own,
/// and ends with the verb. One that looks gives the state folder back before the verb prints: who reads that may take days.
final class LocalClient: HostClient {
    /// nil: it was given back.
    private var live: Service?
    /// Makes it anew.
    private let make: () throws(Failure) -> Service
    private let inputs = InputWatch()
    /// Replaces a missing state folder for a verb that only reads.
    private let passing: PassingFolder?
    private var isClosed = false

    /// - Parameters:
    ///   - looks: if there is no state yet, none is created.
    ///   - lasts: it has the state folder until the verb ends, which may be long; else a daemon that starts waits for it.
    ///   - need: without manifests that are needed there is nothing to be asked.
    ///   - passes: another folder stands in for the state folder, whatever that is.
    init(
        _ arguments: Arguments, _ terminal: Terminal, looks: Bool, lasts: Bool = false, manifests need: ManifestNeed,
        passes: Bool = false
    ) throws(Failure) {
        let configuration = try Configuration.read(arguments, terminal)
        let manifests =
            switch need {
            case .needed: try Places.manifests(arguments)
            case .ifAny: Places.manifestsIfAny(arguments) ?? []
            case .none: [] as [String]
            }
        let state = try Places.state(arguments)
        passing = try passes ? Self.standIn(terminal) : Self.standIn(for: state, looks: looks, terminal)
        let path = passing?.path ?? state
        let inputs = inputs
        make = { () throws(Failure) in
            try Opening.asFailure { () throws(HostError) in
                let service = try Service(
                    stateFolder: path, for: lasts ? .lasting : .passing, configuration: configuration,
                    manifests: manifests, purpose: .verb
                ) {
                    terminal.note("taskhost: \($0)")
                }
                service.examine(state)
                try service.add(inputs)
                return service
            }
        }
        live = try make()
        if looks { giveBack(before: terminal) }
    }

    /// To run tasks of these applications regardless of their conditions, or to query them.
    ///
    /// - Parameters:
    ///   - writable: what all applications may write, these or others.
    ///   - looks: if there is no state yet, none is created.
    init(
        _ applications: [InstalledApplication], writable: [String], state: String, looks: Bool = false,
        _ configuration: HostConfiguration, _ terminal: Terminal
    ) throws(Failure) {
        passing = try Self.standIn(for: state, looks: looks, terminal)
        let path = passing?.path ?? state
        let inputs = inputs
        make = { () throws(Failure) in
            try Opening.asFailure { () throws(HostError) in
                let service = try Service(
                    stateFolder: path, for: looks ? .passing : .lasting, configuration: configuration, manifests: [],
                    purpose: .runs
                ) {
                    terminal.note("taskhost: \($0)")
                }
                try service.install(applications, writable: writable)
                try service.add(inputs)
                return service
            }
        }
        live = try make()
        if looks { giveBack(before: terminal) }
    }

    /// The host, made anew if it was given back.
    private func service() throws(Failure) -> Service {
        if let live { return live }
        let new = try make()
        live = new
        return new
    }

    private func giveBack(before terminal: Terminal) {
        terminal.willPrint = { [weak self] in
            guard let self, !isClosed, let service = live else { return }
            live = nil
            try? service.close()
        }
    }

    private static func standIn(for state: String, looks: Bool, _ terminal: Terminal) throws(Failure) -> PassingFolder?
    {
        guard looks, try Opening.look(at: state) == .nothing else { return nil }
        return try standIn(terminal)
    }

    private static func standIn(_ terminal: Terminal) throws(Failure) -> PassingFolder {
        try PassingFolder("/tmp/taskhost-look-", terminal)
    }

    deinit {
        // Everything that must be kept is on disk; workers that do not exit die with this process.
        if !isClosed { try? live?.close() }
    }

    /// Ends every worker. Their runs can still be queried.
    func close() throws(Failure) {
        guard !isClosed else { return }
        isClosed = true
        guard let live else { return }
        try Opening.asFailure { () throws(HostError) in try live.close() }
    }

    /// Runs tasks again and again, and measures them.
    ///
    /// - Parameter tasks: each with its name, if it matches the task's wildcard.
    func series(
        of tasks: [(task: String, name: String?)], times: Int, atOnce: Int, payload: [UInt8], settings: [UInt8],
        _ progress: ProgressLine, _ terminal: Terminal
    ) throws(Failure) -> RunSeries.Summary {
        let series = RunSeries(
            on: try service(), tasks, times: times, atOnce: atOnce, payload: payload, settings: settings,
            progress: { ended, total in if progress.isOn { terminal.status("\(ended) of \(total) runs") } },
            waits: { name, shortage, pause in
                terminal.note(WaitingLine.text(name, shortage.wanted, pause: pause.seconds))
            })
        return try Opening.asFailure { () throws(HostError) in try series.run() }
    }

    /// Runs one task, and then ends every worker.
    ///
    /// - Parameter attempt: the number of the try; nil: 1.
    func run(
        toItsEnd identifier: String, payload: [UInt8], attempt: Int64? = nil, _ terminal: Terminal
    ) throws(Failure) -> ULID {
        var started: ULID?
        var isOver = false
        try follow(inputs: []) { (signal) throws(Failure) in
            switch signal {
            case .opened where started == nil:
                var members: [JSONOutput.Member] = [
                    .init("identifiers", .array([.string(identifier)])),
                    .init("payload", .string(Base64.encode(payload))),
                ]
                if let attempt { members.append(.init("attempt", .integer(attempt))) }
                let document = try self.document(.startRuns, body: .object(members))
                started = try (document["runs"]?.array?.first).map { (run) throws(Failure) in
                    try StartedRun(run, terminal).id
                }
            case .event(let event):
                if event.name == "run.ended", event.run == started { isOver = true }
            default: break
            }
            return started != nil && !isOver
        }
        // Notes may come after a run's end, until its worker has left.
        try close()
        guard let started else { throw .ourBug("the host started no run; \(identifier); report it") }
        return started
    }

    /// Its own loop handles them.
    var leavesSignals: Bool { false }

    func send(_ request: ControlRequest) throws(Failure) -> ControlReply {
        let service = try service()
        let reply = try Opening.asFailure { () throws(HostError) in try service.reply(to: request) }
        guard let reply else { throw .ourBug("the host gave no reply; \(request.path); report it") }
        return reply
    }

    func followOnce(
        _ choice: EventChoice, inputs descriptors: [Int32], pause: () -> TimeSpan?,
        _ body: (HostSignal) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let stream = LocalStream()
        let service = try service()
        let request = choice.request
        if let refusal = service.handler.openStream(request, to: stream) {
            throw HostProblem.failure(refusal, request.path)
        }
        defer { stream.didClose?() }
        inputs.watch(descriptors)
        defer { inputs.watch([]) }
        guard try body(.opened) else { return true }
        while true {
            while let event = stream.events.first {
                stream.events.removeFirst()
                guard try body(.event(event)) else { return true }
            }
            if stream.isFinished { return false }
            inputs.timeout(after: pause())
            try Opening.asFailure { () throws(HostError) in
                try service.run { !stream.events.isEmpty || stream.isFinished || inputs.hasNews }
            }
            for input in inputs.takeReady() { guard try body(.input(input)) else { return true } }
            if inputs.takeTimeout() { guard try body(.timeout) else { return true } }
        }
    }
}

/// How a verb uses manifests.
enum ManifestNeed {
    /// It is about tasks.
    case needed
    /// It is about the machine or the record.
    case ifAny
    /// It reads them itself.
    case none
}

/// The events of a host in this process.
private final class LocalStream: ControlStream {
    var events: [HostEvent] = []
    private(set) var isFinished = false
    var didClose: (() -> Void)?

    func send(_ event: StreamedEvent) {
        guard let value = try? JSONParser.parse(Array(event.data), maximumBytes: event.data.count) else { return }
        events.append(HostEvent(name: event.name, data: value))
    }

    func finish() { isFinished = true }
}

/// Other things that the verb waits for while the host's loop runs.
private final class InputWatch: EventSource {
    private weak var registry: (any SourceRegistry)?
    private var descriptors: [Int32] = []
    private var ready: [Int32] = []
    private var deadline = Instant.distantFuture
    private var isOver = false

    var hasNews: Bool { !ready.isEmpty || isOver }

    func watch(_ new: [Int32]) {
        for descriptor in descriptors { registry?.remove(descriptor) }
        descriptors = new.filter { (try? registry?.add($0, tag: UInt32(bitPattern: $0), urgent: false)) != nil }
        ready = []
    }

    func timeout(after pause: TimeSpan?) {
        deadline = pause.map { Clock.moment().instant + $0 } ?? .distantFuture
        isOver = false
    }

    func takeReady() -> [Int32] {
        defer { ready = [] }
        return ready
    }

    func takeTimeout() -> Bool {
        defer { isOver = false }
        return isOver
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) { self.registry = registry }

    func serve(_ tag: UInt32, _ source: ReadySource, at now: ClockReading) {
        let descriptor = Int32(bitPattern: tag)
        if !ready.contains(descriptor) { ready.append(descriptor) }
    }

    var nextDeadline: Instant { deadline }

    func advance(to now: ClockReading) {
        deadline = .distantFuture
        isOver = true
    }

    func close() {}
}
