import Control
import JSON
import Linux
import Setting
import Synchronization
import TaskModel

/// Answers what the machine lacks, after a look at it on a thread of its own. Whoever asks during a look gets the answer of the
/// next one; all of them get the same. Thread: the loop's.
final class Examiner: EventSource {
    /// Why pressure cannot be watched; nil: it can.
    typealias Trial = @Sendable () -> String?

    /// Those who wait at most.
    private static let most = 256

    /// Where the thread leaves its result.
    private final class Desk: Sendable {
        let answer = Mutex<[UInt8]?>(nil)
        let answered: Descriptor
        private let isServing: Bool

        init(isServing: Bool) throws(SystemError) {
            self.isServing = isServing
            answered = try Descriptor.eventCounter()
        }

        func look(_ facts: MachineFacts, _ trial: Trial?) {
            var facts = facts
            facts.look()
            facts.pressureFault = trial?()
            let document: JSONOutput = [
                "serving": .bool(isServing), "checks": .array(MachineExamination.checks(facts).map(\.json)),
            ]
            answer.withLock { $0 = document.bytes() }
            answered.raise()
        }
    }

    private let desk: Desk
    /// They get the answer of the look that is under way.
    private var asking: [Exchange] = []
    private var next: (facts: MachineFacts, trial: Trial?, exchanges: [Exchange])?

    init(isServing: Bool) throws(HostError) {
        desk = try HostError.rethrowing(system: Desk(isServing: isServing))
    }

    /// Answers in a later turn.
    func ask(_ facts: MachineFacts, _ trial: Trial?, for exchange: Exchange) throws(Problem) {
        let exchanges = (next?.exchanges ?? []) + [exchange]
        guard exchanges.count <= Self.most else { throw .tooBusy }
        next = (facts, trial, exchanges)
        if asking.isEmpty { begin() }
    }

    private func begin() {
        guard let (facts, trial, exchanges) = next.take() else { return }
        asking = exchanges
        // Without a thread to be had the loop does it.
        if !DetachedThread.start({ [desk] in desk.look(facts, trial) }) { desk.look(facts, trial) }
    }

    func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(desk.answered.number, tag: 0, urgent: false)
    }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        desk.answered.clear()
        guard let document = desk.answer.withLock({ $0.take() }) else { return }
        for exchange in asking { exchange.reply(json: [document]) }
        asking = []
        begin()
    }

    /// A further result is ignored.
    func close() {
        for exchange in asking + (next?.exchanges ?? []) {
            exchange.refuse(.conflict("the host is stopping; the examination"))
        }
        (asking, next) = ([], nil)
    }
}
