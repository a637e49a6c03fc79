import Control
import Engine
import Host
import Linux
import Record
import Scheduling
import Setting
import TaskModel

/// One answer to who reads the metrics, put together in portions: first what the tasks' figures are, then their text. The
/// figures of one portion are of one moment. Thread: the loop's.
final class MetricsReport {
    /// A task that has labels of its own.
    struct Row {
        var labels: MetricLabels
        var definition: TaskDefinition
        var runs: MetricLabels
        var tally: RunTally
        var figures: RunCounters.TaskFigures?
        var next: Timestamp?
        /// Those that hold its request.
        var gates: [Gate]
        /// The second time of its schedule after its last success; nil: it has no schedule.
        var deadline: Timestamp?
        var missed: UInt32
    }

    /// Of the fleet: the requests of one identifier.
    struct Queue {
        var identifier: String
        /// How long its oldest request has waited, in seconds; 0: none waits.
        var age: Double
    }

    /// How many tasks have labels of their own; the others are `other`.
    static let mostTasks = Limit.metricTasks.most

    private unowned let api: HostAPI
    private let past: PastTally
    private var writer: MetricsWriter
    private var nextTask = TaskIndex.first
    private var rows: [Row] = []
    private var others = RunTally()
    private var otherKinds: [TaskKind: RunTally] = [:]
    /// The family that is written, and its next row.
    private var family = 0
    private var row = 0
    /// Rows between two looks at the clock.
    private static let portion = 20

    private let queues: [Queue]

    /// - Parameter queues: as the fleet's database says; none without a fleet, or without an answer of it.
    init(_ api: HostAPI, _ form: MetricsForm, _ queues: [Queue]) {
        self.api = api
        self.queues = queues
        past = api.pastTally
        writer = MetricsWriter(form)
    }

    private var host: Host { api.host }
    private var created: Timestamp { api.startedAt }

    /// Goes on until the moment has come.
    ///
    /// - Returns: the whole text; nil: there is more to be done.
    func write(until end: Instant) throws(StoreError) -> [[UInt8]]? {
        repeat {
            if !past.isWhole {
                try past.step()
            } else if host.installed.tasks.contains(nextTask) {
                for _ in 0..<Self.portion { gather() }
            } else if family < TaskFamily.allCases.count {
                writeRows()
            } else {
                writeHost()
                return writer.finish()
            }
        } while Clock.moment().instant < end
        return nil
    }

    // MARK: Gathering

    private func gather() {
        guard host.installed.tasks.contains(nextTask) else { return }
        let index = nextTask
        nextTask = index.next
        let task = host.installed.tasks[index]
        let figures = host.runs.counters[index]
        let earlier = past.tasks[index] ?? RunTally()
        let tally = figures.map { earlier.followed(by: $0.tally) } ?? earlier
        guard !task.isRemoved, rows.count < Self.mostTasks else {
            otherKinds[task.definition.kind, default: RunTally()] =
                (otherKinds[task.definition.kind] ?? RunTally()).followed(by: tally)
            others = others.followed(by: tally)
            return
        }
        let application = host.installed.name(of: task.application)
        let outlook = host.requests.outlook(of: index)
        rows.append(
            Row(
                labels: ["task": task.definition.identifier], definition: task.definition,
                runs: [
                    "task": task.definition.identifier, "application": application, "kind": task.definition.kind.name,
                ], tally: tally, figures: figures, next: outlook?.next, gates: outlook?.gates ?? [],
                deadline: host.decider.secondTime(of: index, after: tally.lastSuccess ?? created),
                missed: host.decider.missed(of: index)))
    }

    // MARK: Tasks

    /// The families with a sample for each task.
    private enum TaskFamily: CaseIterable {
        case runs, cpu, peak, ratio, lastRun, lastSuccess, lastOutcome, next, deadline, failures, gates, missed,
            overlaps, differences, errorWriters
    }

    /// Writes a portion of the present family.
    private func writeRows() {
        let present = TaskFamily.allCases[family]
        if row == 0 { begin(present) }
        let last = min(row + Self.portion, rows.count)
        for place in row..<last { write(present, rows[place]) }
        row = last
        guard row == rows.count else { return }
        finish(present)
        (family, row) = (family + 1, 0)
    }

    private func begin(_ family: TaskFamily) {
        switch family {
        case .runs:
            writer.family("taskhost_runs", .counter, "Runs that have ended, those of the record included.")
        case .cpu:
            writer.family(
                "taskhost_run_cpu_seconds", .counter, "Processor time of ended runs, those of the record included.")
        case .peak: writer.family("taskhost_run_peak_memory_bytes", .gauge, "Highest memory of the last run.")
        case .ratio:
            writer.family("taskhost_run_budget_used_ratio", .gauge, "Part of its budget that the last run used.")
        case .lastRun:
            writer.family("taskhost_task_last_run_timestamp_seconds", .gauge, "When a run ended last; 0: never.")
        case .lastSuccess:
            writer.family(
                "taskhost_task_last_success_timestamp_seconds", .gauge, "When a run succeeded last; 0: never.")
        case .lastOutcome: writer.family("taskhost_task_last_outcome", .gauge, "1 for the outcome of the last run.")
        case .next:
            writer.family(
                "taskhost_task_next_run_timestamp_seconds", .gauge,
                "When the task runs next at the earliest; 0: nothing is pending, or it waits for an event.")
        case .deadline:
            writer.family(
                "taskhost_task_success_deadline_timestamp_seconds", .gauge,
                "The second time of its schedule after the last success; 0: it has no schedule.")
        case .failures:
            writer.family("taskhost_task_consecutive_failures", .gauge, "Failed runs since the last success.")
        case .gates:
            writer.family("taskhost_gate_closed", .gauge, "1 for each gate that holds the task's request.")
        case .missed:
            writer.family(
                "taskhost_schedules_missed", .counter, "Times of schedules that passed while no host ran.")
        case .overlaps:
            writer.family("taskhost_overlaps", .counter, "Runs that had waited for another run of their identifier.")
        case .differences:
            writer.family(
                "taskhost_runs_unlike_themselves", .counter, "Runs unlike the last ones of their task, by how.")
        case .errorWriters:
            writer.family(
                "taskhost_runs_wrote_errors", .counter, "Runs that succeeded and wrote to standard error.")
        }
    }

    private func write(_ family: TaskFamily, _ row: Row) {
        switch family {
        case .runs: writeRuns(row.runs, row.tally)
        case .cpu: writer.sample(row.labels, row.tally.cpuTime.seconds)
        case .peak: if let peak = row.figures?.peak { writer.sample(row.labels, peak) }
        case .ratio:
            for (name, ratio) in [
                ("wall", row.figures?.wall), ("cpu", row.figures?.cpu), ("memory", row.figures?.memory),
            ] {
                if let ratio { writer.sample(row.labels.adding("resource", name), ratio) }
            }
        case .lastRun: writer.sample(row.labels, row.tally.lastEnd)
        case .lastSuccess: writer.sample(row.labels, row.tally.lastSuccess)
        case .lastOutcome:
            if let outcome = row.tally.lastOutcome {
                writer.sample(row.labels.adding("outcome", outcome.name), 1 as UInt64)
            }
        case .next: writer.sample(row.labels, row.next)
        case .deadline: writer.sample(row.labels, row.deadline)
        case .failures: writer.sample(row.labels, row.tally.failures)
        case .gates: for gate in row.gates { writer.sample(row.labels.adding("gate", gate.name), 1 as UInt64) }
        case .missed: writer.sample(row.labels, UInt64(row.missed), created: created)
        case .overlaps: writer.sample(row.labels, row.figures?.overlaps ?? 0, created: created)
        case .differences:
            for kind in RunDifference.Kind.allCases {
                guard let count = row.figures?.differences[kind] else { continue }
                writer.sample(row.labels.adding("difference", kind.name), count, created: created)
            }
        case .errorWriters:
            if let count = row.figures?.errorWriters, count > 0 { writer.sample(row.labels, count, created: created) }
        }
    }

    /// What the tasks without labels of their own come to together.
    private func finish(_ family: TaskFamily) {
        guard others.lastEnd != nil else { return }
        switch family {
        case .runs:
            for (kind, tally) in otherKinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                writeRuns(["task": "other", "application": "other", "kind": kind.name], tally)
            }
        case .cpu: writer.sample(["task": "other"], others.cpuTime.seconds)
        default: return
        }
    }

    private func writeRuns(_ labels: MetricLabels, _ tally: RunTally) {
        let kinds = tally.counts.sorted {
            ($0.key.outcome.rawValue, $0.key.origin?.rawValue ?? 0) < (
                $1.key.outcome.rawValue, $1.key.origin?.rawValue ?? 0
            )
        }
        for (kind, count) in kinds {
            writer.sample(
                labels.adding("outcome", kind.outcome.name).adding("origin", kind.origin?.name ?? "forced"), count)
        }
    }

    // MARK: The host

    private func writeHost() {
        writeRunFigures()
        writeNow()
        writeLoop()
        writeOutgoing()
        if let fleet = host.fleet { write(fleet) }
        writeProcess()
    }

    private func writeRunFigures() {
        let counters = host.runs.counters
        writer.family("taskhost_run_duration_seconds", .histogram, "How long runs took.")
        for (kind, histogram) in counters.durations.sorted(by: {
            ($0.key.kind.rawValue, $0.key.outcome.rawValue) < ($1.key.kind.rawValue, $1.key.outcome.rawValue)
        }) {
            writer.sample(["kind": kind.kind.name, "outcome": kind.outcome.name], histogram, created: created)
        }
        writer.family("taskhost_request_wait_seconds", .histogram, "How long gates held requests that then ran.")
        for (gate, histogram) in counters.waits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.sample(["gate": gate.name], histogram, created: created)
        }
        writer.family(
            "taskhost_schedule_delay_seconds", .histogram, "From the time of a schedule to the start of its run.")
        writer.sample([:], counters.delays, created: created)
        writer.family("taskhost_expirations", .counter, "Warnings to runs, by reason.")
        for (reason, count) in counters.expirations.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.sample(["reason": reason.name], count, created: created)
        }
        writer.family("taskhost_degraded_runs", .counter, "Runs for which a limit was not enforced.")
        for (limit, count) in counters.degraded.sorted(by: { $0.key < $1.key }) {
            writer.sample(["limit": limit], count, created: created)
        }
    }

    private func writeNow() {
        let configuration = host.place.configuration
        writer.family("taskhost_build_info", .gauge, "1, with the version, the tier of control groups and the profile.")
        writer.sample(
            ["version": Release.version, "tier": host.workers.tier, "profile": configuration.profile.name], 1 as UInt64)
        writer.family("taskhost_start_time_seconds", .gauge, "When the host started.")
        writer.sample([:], created)
        writer.family("taskhost_runs_running", .gauge, "Runs in progress.")
        var running: [TaskKind: UInt64] = [:]
        for run in host.decider.activeRuns {
            guard let slot = host.decider.run(run), slot.isActive else { continue }
            running[host.installed.tasks[slot.task].definition.kind, default: 0] += 1
        }
        let pending = host.decider.pendingKinds()
        for kind in TaskKind.allCases { writer.sample(["kind": kind.name], running[kind] ?? 0) }
        writer.family("taskhost_requests_pending", .gauge, "Requests that wait.")
        for kind in TaskKind.allCases { writer.sample(["kind": kind.name], UInt64(pending[kind] ?? 0)) }
        writer.family("taskhost_workers", .gauge, "Worker processes.")
        let states = host.workers.states
        for state in WorkerState.allCases { writer.sample(["state": state.rawValue], UInt64(states[state] ?? 0)) }
        writer.family("taskhost_application_quarantined", .gauge, "1 for an application in quarantine.")
        for index in host.installed.applications.indices.prefix(Self.mostTasks) where host.installed.isPresent(index) {
            let isQuarantined = host.decider.memory(of: index).quarantinedUntil.map { $0 > host.moment.time }
            writer.sample(["application": host.installed.name(of: index)], isQuarantined == true ? 1 as UInt64 : 0)
        }
        writer.family("taskhost_device_condition", .gauge, "1 for the value of each condition.")
        for name in ConditionName.ofMachine {
            writer.sample(
                ["condition": name.word, "value": name.text(in: host.device.state.effective)], 1 as UInt64)
        }
        writer.family("taskhost_manifest_valid", .gauge, "1 for a manifest that is used, 0 for one with faults.")
        let manifests = api.manifestEntries()
        // Those with faults come first: they are what is looked for.
        for manifest in (manifests.filter { !$0.isUsed } + manifests.filter(\.isUsed)).prefix(Self.mostTasks) {
            writer.sample(["manifest": manifest.path], manifest.isUsed ? 1 as UInt64 : 0)
        }
    }

    private func writeLoop() {
        writer.family("taskhost_store_commit_duration_seconds", .histogram, "How long turns took to be on disk.")
        writer.sample([:], host.keeper.commits, created: created)
        writer.family("taskhost_loop_turn_duration_seconds", .histogram, "How long turns of the loop took.")
        writer.sample([:], host.decider.turns, created: created)
        if let size = try? host.keeper.store.size() {
            writer.family("taskhost_store_size_bytes", .gauge, "Size in use of the record.")
            writer.sample([:], size.bytes)
        }
        writer.family(
            "taskhost_events_dropped_readers", .counter, "Clients of the stream of events that read too slowly.")
        writer.sample([:], api.hub.droppedReaders, created: created)
    }

    private func write(_ fleet: FleetClaims) {
        writer.family("taskhost_fleet_reached", .gauge, "1 while the fleet's database answers.")
        writer.sample([:], fleet.unreachedSince == nil ? 1 as UInt64 : 0)
        writer.family("taskhost_fleet_claims_held", .gauge, "Requests of the fleet that the host has.")
        writer.sample([:], UInt64(fleet.count))
        writer.family("taskhost_fleet_claims", .counter, "What happened to claims of the fleet's requests.")
        for event in FleetDocument.events(fleet) { writer.sample(["event": event.name], event.count, created: created) }
        guard !queues.isEmpty else { return }
        writer.family(
            "taskhost_fleet_oldest_request_age_seconds", .gauge,
            "How long the oldest request has waited to be claimed by a host; 0: none waits.")
        for queue in queues { writer.sample(["queue": queue.identifier], queue.age) }
    }

    private func writeOutgoing() {
        let figures = host.transfers.outgoing.figures
        writer.family("taskhost_outgoing", .counter, "Webhooks and spans that were sent, tried again, and lost.")
        for (kind, figures) in figures {
            for (result, count) in [
                ("delivered", figures.delivered), ("retried", figures.retried), ("dropped", figures.dropped),
            ] {
                writer.sample(["kind": kind, "result": result], count, created: created)
            }
        }
        writer.family("taskhost_outgoing_waiting", .gauge, "Webhooks and spans that are not sent yet.")
        for (kind, figures) in figures { writer.sample(["kind": kind], figures.waiting) }
    }

    private func writeProcess() {
        let figures = ProcessFigures()
        writer.family("process_cpu_seconds", .counter, "Processor time of the host.")
        writer.sample([:], figures.cpuTime.seconds)
        writer.family("process_resident_memory_bytes", .gauge, "Resident memory of the host.")
        writer.sample([:], figures.residentBytes)
        writer.family("process_virtual_memory_bytes", .gauge, "Virtual memory of the host.")
        writer.sample([:], figures.virtualBytes)
        writer.family("process_open_fds", .gauge, "Open descriptors of the host.")
        writer.sample([:], figures.descriptors)
        writer.family("process_max_fds", .gauge, "The most descriptors that the host may open.")
        writer.sample([:], figures.mostDescriptors)
        writer.family("process_start_time_seconds", .gauge, "When the host's process started.")
        writer.sample([:], created)
    }
}
