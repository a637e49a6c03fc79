import Engine
import TaskModel
import TestSupport

// The disk, which others fill as well.
extension SimulatedHost {
    func tellSpace() throws {
        try expect(world.limits.diskFloor != nil, "a disk without a meter is read")
        if random.chance(0.02) { refuse() }
        let isLow = random.chance(0.1)
        if isLow { wasDiskLow = true }
        feed(.spaceMetered(free: .mebibytes(UInt64.random(in: isLow ? 0...127 : 128...10_000, using: &random))))
        if isLow && random.chance(0.3) {
            feed(.diskFull([.ample, .short, .none].randomElement(using: &random) ?? .ample))
        }
    }

    private func refuse() {
        let alive = workers.values.filter(\.isAlive).sorted { $0.handle.index < $1.handle.index }
        guard let writer = alive.randomElement(using: &random) else { return }
        refused.insert(writer.application)
        for worker in alive where worker.application == writer.application { meter(worker) }
        feed(.diskRefused(application: writer.application))
    }

    /// Processes have written to the folders since, or have cleaned up.
    func weighFolders(_ application: ApplicationIndex) throws {
        try expect(world.limits.diskFloor != nil, "folders without a meter are weighed")
        let before = weights[application] ?? ByteCount(bytes: 0)
        let change = ByteCount.mebibytes(UInt64.random(in: 0...16, using: &random))
        weights[application] =
            random.chance(0.7)
            ? ByteCount(bytes: before.bytes + change.bytes) : ByteCount(bytes: before.bytes - min(before, change).bytes)
        for (run, known) in runs
        where world.tasks[known.task].application == application
            && weights[application] ?? before > world.tasks[known.task].disk
        {
            runs[run]?.wasTooHeavy = true
        }
        let alive = workers.values.filter { $0.application == application && $0.isAlive }
        for worker in alive.sorted(by: { $0.handle.index < $1.handle.index }) { meter(worker) }
        feed(.diskMetered(application: application, used: weights[application] ?? before))
    }
}
