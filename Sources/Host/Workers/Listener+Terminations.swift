import Engine
import Record
import TaskModel

extension Listener {
    /// Writes the ends of applications' processes that were decided in this turn: their records and events.
    func write(terminations decided: [Action]) {
        for action in decided {
            guard case .terminated(let worker, let reason, let callback, let took) = action,
                let application = decider.engine.application(of: worker)
            else { continue }
            let record = table[worker]
            let held = record?.assertions ?? []
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
