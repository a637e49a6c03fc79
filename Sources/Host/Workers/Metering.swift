import Engine
import Linux
import Setting
import TaskModel
import Workers

/// Reads the memory, and the processor time of children, of trees that no control group meters: in portions over several turns,
/// and the more seldom the more it costs (`MeteringPlan`). Thread: the loop's.
final class Metering {
    private let decider: Decider
    private let table: WorkerTable
    private let listener: Listener
    private var plan = MeteringPlan<WorkerHandle>()
    /// Workers that take no run until their memory is known.
    private var weighing: Set<WorkerHandle> = []
    /// Of the turn `turn`.
    private var portion = TurnPortion()
    private var turn: UInt64?

    init(_ decider: Decider, _ table: WorkerTable, _ listener: Listener) {
        self.decider = decider
        self.table = table
        self.listener = listener
    }

    /// No walk is left for the next turn.
    var isSettled: Bool { plan.isSettled }

    /// Tells the engine what is known of the tree's usage. If the tree is to be read again by now, it is read first, as far as
    /// the turn allows, and the engine hears of the rest when that is read.
    func meter(_ record: WorkerRecord) {
        if plan.begin(record.handle, at: decider.machine.instant) {
            record.group.beginWalk()
            if visit(record) { return finish(record.handle) }
        }
        listener.meter(record)
    }

    /// Tells the engine the memory of the tree when all of it is read.
    func weigh(_ record: WorkerRecord) {
        weighing.insert(record.handle)
        _ = plan.begin(record.handle, at: decider.machine.instant, isForced: true)
        record.group.beginWalk()
        if visit(record) { finish(record.handle) }
    }

    /// Goes on with the walks in progress.
    func advance() {
        guard !plan.isSettled else { return }
        beginTurn()
        let (portion, table) = (portion, table)
        let over = plan.advance(
            at: decider.machine.instant, isTimeOver: { portion.isOver }, clock: Clock.threadTime,
            step: { Self.step($0, in: table) })
        for worker in over { finish(worker) }
    }

    /// The worker is being removed.
    func forget(_ worker: WorkerHandle) {
        plan.forget(worker)
        weighing.remove(worker)
    }

    private func visit(_ record: WorkerRecord) -> Bool {
        beginTurn()
        let (portion, table) = (portion, table)
        return plan.visit(
            record.handle, at: decider.machine.instant, isTimeOver: { portion.isOver }, clock: Clock.threadTime,
            step: { Self.step($0, in: table) })
    }

    private func beginTurn() {
        guard turn != decider.turn else { return }
        turn = decider.turn
        portion = TurnPortion()
        plan.beginTurn()
    }

    private static func step(_ worker: WorkerHandle, in table: WorkerTable) -> Bool {
        guard let record = table[worker], !record.isGone else { return false }
        return record.group.stepWalk()
    }

    private func finish(_ worker: WorkerHandle) {
        let record = table[worker].flatMap { $0.isGone ? nil : $0 }
        if weighing.remove(worker) != nil { return listener.tellWeight(of: worker, record) }
        if let record { listener.meter(record) }
    }
}
