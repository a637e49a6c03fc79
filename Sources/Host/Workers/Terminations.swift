import Engine
import Record
import TaskModel

/// The host's terminations of applications' processes: their records and events. Thread: the loop's.
final class Terminations {
    private let decider: Decider
    private let keeper: RecordKeeper
    private let installed: Installation
    private let table: WorkerTable
    private let announcer: Announcer

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ table: WorkerTable,
        _ announcer: Announcer
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.table = table
        self.announcer = announcer
    }

    /// Writes those that were decided in this turn.
    func write(_ decided: [Action]) {
        for action in decided {
            guard case .terminated(let worker, let reason, let callback, let took) = action,
                let application = decider.engine.application(of: worker)
            else { continue }
            let record = table[worker]
            let held = record?.assertions ?? []
            let termination = Termination(
                application: installed.applications[application].definition.identifier, at: decider.now.time,
                reason: reason, callback: callback, took: took,
                assertions: held.prefix(Termination.maximumAssertions).map { $0.open(at: decider.now.instant) },
                assertionCount: UInt32(held.count), wasSuspended: record?.isFrozen ?? false)
            keeper.write(.termination(termination))
            announcer.note(termination)
        }
    }
}
