import Engine
import Record
import TaskModel

/// Records the ends that the host makes of applications' processes. Thread: the loop's.
final class Terminations {
    private let decider: Decider
    private let keeper: RecordKeeper
    private let installed: Installation
    private let announcer: Announcer
    private let table: WorkerTable

    init(
        _ decider: Decider, _ keeper: RecordKeeper, _ installed: Installation, _ announcer: Announcer,
        _ table: WorkerTable
    ) {
        self.decider = decider
        self.keeper = keeper
        self.installed = installed
        self.announcer = announcer
        self.table = table
    }

    /// Writes those that were decided in this turn, with what each process held.
    func write(_ work: [Action]) {
        for action in work {
            guard case .write(.terminated(let worker, let reason, let callback, let took)) = action,
                let application = decider.application(of: worker)
            else { continue }
            let record = table[worker]
            let held = record?.lifecycle.assertions ?? []
            let termination = Termination(
                application: installed.name(of: application), at: decider.now.time,
                reason: reason, callback: callback, took: took,
                assertions: held.prefix(Termination.maximumAssertions).map { $0.open(at: decider.now.instant) },
                assertionCount: UInt32(held.count), wasSuspended: record?.isFrozen ?? false)
            keeper.write(.termination(termination))
            announcer.note(termination)
        }
    }
}
