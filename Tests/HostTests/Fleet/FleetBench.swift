import Engine
import Foundation
import Glibc
import Linux
import Record
import Scheduling
import TaskModel
import TestSupport
import Testing
@testable import Host
@testable import Setting

/// A host in a fleet of which the test moves the clock, with tasks that are programs.
final class FleetBench {
    static let application = "com.example.fleet"

    static func task(_ word: String) -> String { "\(application).\(word)" }

    let folder: TestSupport.Folder
    let table: ClaimTable
    let store: MemoryClaims
    let host: HostUnderTest
    /// Somebody who shares requests, and runs none.
    let rival: MemoryClaims
    private let watchman: Watchman
    /// Both ends of what the task `waits` reads a line of.
    private let gate: Int32
    private var keys: UInt64 = 0

    /// - Parameters:
    ///   - table: the fleet; nil: a new one.
    ///   - state: a state folder that a dead host left; nil: a new one.
    ///   - calendar: when the task `timed` is to run, once in the fleet; nil: there is no such task.
    ///   - handlers: the library of the task `tell`, which is then the only one; nil: the tasks are programs.
    ///   - fate: what becomes of the store's calls.
    ///   - wrap: what the host gets for its store.
    init(
        _ table: ClaimTable? = nil, in folder: TestSupport.Folder? = nil, state: String = "state",
        lease: TimeSpan = .seconds(30), calendar: String? = nil, handlers: String? = nil,
        openRecord: @escaping RecordOpening.Way = RecordOpening.open,
        fate: @escaping (MemoryClaims.Call) -> MemoryClaims.Fate = { _ in .done() },
        wrap: (MemoryClaims) -> any ClaimStore = { $0 }
    ) throws {
        self.folder = try folder ?? TestSupport.Folder()
        self.table = table ?? ClaimTable(lease: lease)
        store = try MemoryClaims(self.table, clock: Instant(nanoseconds: 1 << 42), fate: fate)
        rival = try MemoryClaims(self.table, clock: self.table.now)
        let fifo = self.folder.file("gate").path
        if mkfifo(fifo, 0o644) != 0, errno != EEXIST { throw TestSupport.Problem("mkfifo \(fifo)") }
        gate = open(fifo, O_RDWR | O_CLOEXEC)
        let manifest = try self.folder.write(
            "m/\(Self.application).json",
            (handlers.map(Self.manifest(of:)) ?? Self.manifest(reading: fifo, calendar)).data)
        host = try HostUnderTest(
            stateFolder: self.folder.file(state).path, configuration: HostConfiguration(), schedules: true,
            openRecord: openRecord)
        watchman = Watchman()
        try host.add(watchman)
        let catalogue = Catalogue([manifest.path], profile: .modern)
        try host.install(#require(catalogue.applications.first, "\(catalogue.diagnostics)"))
        try host.restore()
        host.decider.refreshClock()
        // In a daemon's order.
        try host.join(fleet: wrap(store), most: 8) { [store] in store.now }
        var conditions = DeviceConditions()
        conditions.network = .none
        host.device.observe(conditions, sources: [:])
        host.begin()
    }

    deinit { Glibc.close(gate) }

    private static func manifest(reading fifo: String, _ calendar: String?) throws -> ManifestText {
        func program(_ script: String, attempts: Int = 1) -> [String: Any] {
            [
                "kind": "processing", "handler": ["command": ["/bin/sh", "-c", script]],
                "budget": ["wallClock": "10m", "grace": "1m"], "retry": ["attempts": attempts, "backoff": "2m"],
            ]
        }
        var tasks = [
            task("noop"): program("echo done"), task("fails"): program("exit 1", attempts: 3),
            task("waits"): program("trap 'exit 3' TERM; echo waits; read line < '\(fifo)'"),
        ]
        if let calendar {
            tasks[task("timed")] = program("cat")
            tasks[task("timed")]?["schedule"] = [
                "calendar": calendar, "timeZone": "UTC", "scope": "fleet", "payload": "its time",
            ]
        }
        return ManifestText(members: [
            "identifier": application, "tasks": tasks, "permissions": ["read": [fifo]],
        ])
    }

    private static func manifest(of library: String) -> ManifestText {
        ManifestText(members: [
            "identifier": application, "library": library,
            "tasks": [task("tell"): ["kind": "processing", "handler": "tell_claim"]],
        ])
    }

    // MARK: The fleet

    /// Shares a request of the task.
    func share(_ word: String, change: (inout TaskRequest) -> Void = { _ in }) -> ULID {
        var terms = RequestTerms()
        terms.origin = .person
        var request = TaskRequest(identifier: Self.task(word), kind: .processing, terms: terms)
        change(&request)
        keys += 1
        let key = ULID(high: 7, low: keys << 8 | UInt64(store.holder))
        rival.submit(key, request)
        return key
    }

    func state(of key: ULID) -> ClaimTable.Row.State? { table.rows[key]?.state }

    /// Lets what `waits` end: one run of it.
    func openGate() { _ = write(gate, "go\n", 3) }

    // MARK: The host

    var fleet: FleetClaims { get throws { try #require(host.fleet) } }

    /// Turns until something is so.
    func run(_ location: SourceLocation = #_sourceLocation, until isDone: () throws -> Bool) throws {
        watchman.begin()
        var fault: (any Error)?
        var isSo = false
        try host.run {
            do { isSo = try isDone() } catch { fault = error }
            return isSo || fault != nil || watchman.hasLostPatience
        }
        if let fault { throw fault }
        try #require(isSo, "the host has waited long enough", sourceLocation: location)
    }

    /// Time passes for the fleet; then the host has a turn.
    func pass(_ span: TimeSpan) throws {
        table.advance(to: table.now + span)
        var hasTurned = false
        host.afterCommit { hasTurned = true }
        try run { hasTurned }
    }

    /// The record's runs of a task, oldest first.
    func runs(_ word: String) throws -> [RunRecord] {
        try host.history.runs(matching: RunFilter(), before: nil, limit: 100).elements.reversed()
            .filter { $0.identifier == Self.task(word) }
    }

    /// The program of `waits` has begun to wait, and its run has not ended.
    func isWaiting() -> Bool {
        host.runs.active(of: Self.task("waits")).contains { run in
            host.decider.run(run).map { $0.started != nil && !host.output(of: $0.id).isEmpty } ?? false
        }
    }

    /// The requests of the record.
    func recorded() throws -> [String] {
        var identifiers: [String] = []
        try host.history.forEachRequest { identifiers.append($0.identifier) }
        return identifiers
    }

    func close() throws {
        openGate()
        watchman.begin()
        try host.close()
        let fault = try fleet.ledger.check()
        #expect(table.check() == nil && fault == nil)
    }
}

/// Ends a wait of the host that takes too long.
private final class Watchman: EventSource {
    private var patience = Patience()
    private(set) var hasLostPatience = false
    private(set) var nextDeadline = Instant.distantFuture

    func begin() {
        patience = Patience()
        renew()
    }

    private func renew() {
        if let milliseconds = patience.milliseconds() {
            nextDeadline = Clock.moment().instant + .milliseconds(Int64(milliseconds))
        } else {
            hasLostPatience = true
            nextDeadline = .distantFuture
        }
    }

    func attach(to registry: any SourceRegistry) throws(SystemError) {}
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {}
    func advance(to now: ClockReading) { renew() }
    func close() {}
}
