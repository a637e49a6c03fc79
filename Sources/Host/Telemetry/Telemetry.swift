import Engine
import JSON
import Linux
package import Setting
import TaskModel
import Wire

/// Sends traces of runs to a collector: OTLP over HTTP in JSON, in batches, by the transfer process. What comes faster than it goes
/// is dropped and counted. Thread: the loop's.
package final class Telemetry: TimedSource {
    private static let batch = 512
    private static let most = Limit.spans.most
    private static let pause = TimeSpan.seconds(5)
    /// How long the host's end waits for the collector.
    private static let lastPause = TimeSpan.seconds(5)
    /// Reports of progress of one run that are kept.
    private static let mostSteps = 32
    /// Runs whose attempts before are remembered.
    private static let mostPrevious = 4096

    private let settings: TelemetrySettings
    private let outgoing: Outgoing
    private let decider: Decider
    private let installed: Installation
    /// What comes before and after the spans of each batch.
    private let frame: (head: [UInt8], tail: [UInt8])
    private let grants: [NetworkGrant]

    /// Spans that wait, oldest first.
    private var spans: [[UInt8]] = []
    /// When they are sent, unless a batch is full before.
    private var due = Instant.distantFuture
    private var isSending = false
    /// When the host ends; `distantFuture`: it does not.
    private var end = Instant.distantFuture
    private var steps: [ULID: [RunTrace.Step]] = [:]
    /// The last unsuccessful run of an identifier.
    private var previous: [String: ULID] = [:]

    /// - Parameter state: the state folder.
    package init(
        _ settings: TelemetrySettings, state: String, _ outgoing: Outgoing, _ decider: Decider,
        _ installed: Installation
    ) {
        self.settings = settings
        self.outgoing = outgoing
        self.decider = decider
        self.installed = installed
        // The collector is the operator's choice: any address, at the endpoint's port.
        let port = WebURL(settings.endpoint)?.port
        let everything = NetworkAddress.Network(NetworkAddress(high: 0, low: 0), length: 0)
        // A wide grant leaves out what is not public, unless that is named.
        grants = ([everything] + NetworkAddress.ranges.map(\.network)).map { NetworkGrant(.network($0), port: port) }
        var attributes = [
            OTLP.attribute("service.name", settings.name), OTLP.attribute("service.version", Release.version),
            OTLP.attribute("service.instance.id", Self.instance(state)),
            OTLP.attribute("host.name", MachineIdentity.name),
            OTLP.attribute("os.type", "linux"),
        ]
        attributes += settings.attributes.map { OTLP.attribute($0.key, $0.value) }
        let document: JSONOutput = .object([
            "resourceSpans": [
                .object([
                    "resource": ["attributes": .array(attributes)],
                    "scopeSpans": [
                        .object([
                            "scope": .object(["name": "taskhost", "version": .string(Release.version)]),
                            "spans": [.verbatim([0])],
                        ])
                    ],
                ])
            ]
        ])
        let parts = document.bytes(.compact).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        frame = (Array(parts[0]), Array(parts[1]))
    }

    /// Tells this host from others, without the machine's id itself.
    private static func instance(_ state: String) -> String {
        let seed = MachineIdentity.seed(stateFolder: state, makes: false) + Array(state.utf8)
        // FNV-1a, 64 bits.
        let number = seed.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(number, radix: 16)
    }

    // MARK: Runs

    func progressed(_ run: ULID, _ report: ProgressReport) {
        guard steps[run]?.count ?? 0 < Self.mostSteps else { return }
        steps[run, default: []].append(RunTrace.Step(at: decider.now.time, report: report))
    }

    /// The run is recorded.
    func ended(_ slot: RunSlot, _ context: RunContext) {
        let definition = installed.tasks[slot.task].definition
        var trace = RunTrace(
            slot: slot, context: context, identifier: context.identifier ?? definition.identifier,
            application: installed.applicationName(of: slot.task), task: definition)
        trace.steps = steps.removeValue(forKey: slot.id) ?? []
        if slot.attempt > 1 { trace.previous = previous[trace.identifier] }
        if slot.outcome == .succeeded {
            previous[trace.identifier] = nil
        } else {
            if previous.count >= Self.mostPrevious { previous.removeAll() }
            previous[trace.identifier] = slot.id
        }
        add(trace.spans())
    }

    private func add(_ new: [[UInt8]]) {
        guard spans.count + new.count <= Self.most else { return outgoing.noteLoss(of: new.count, in: .traces) }
        if spans.isEmpty { due = decider.now.instant + Self.pause }
        spans += new
        if spans.count >= Self.batch { send() }
    }

    /// One batch at a time: the others wait here.
    private func send() {
        guard !isSending, !spans.isEmpty else { return }
        let count = min(spans.count, Self.batch)
        let body = frame.head + [UInt8](spans[..<count].joined(separator: [UInt8(ascii: ",")])) + frame.tail
        spans.removeFirst(count)
        due = spans.isEmpty ? .distantFuture : decider.now.instant + Self.pause
        isSending = true
        outgoing.post(
            Outgoing.Letter(
                lane: .traces, url: settings.endpoint + "/v1/traces",
                headers: [HTTPHeader("Content-Type", "application/json")], body: body, count: count,
                prepare: { [grants] order in order.grants = grants },
                didEnd: { [unowned self] _, _ in
                    isSending = false
                    if end != .distantFuture || spans.count >= Self.batch || due <= decider.now.instant { send() }
                }))
    }

    /// Sends all that it has, for a short time.
    package func finish() {
        end = decider.now.instant + Self.lastPause
        due = decider.now.instant
        send()
    }

    /// Nothing is left to send, or no time.
    package var hasFinished: Bool { spans.isEmpty && !isSending || decider.now.instant >= end }

    // MARK: EventSource

    var nextDeadline: Instant { min(isSending ? .distantFuture : due, end) }

    func advance(to now: ClockReading) { if !isSending, due <= now.instant { send() } }

    func close() {
        if !spans.isEmpty { outgoing.noteLoss(of: spans.count, in: .traces) }
        spans = []
    }
}
