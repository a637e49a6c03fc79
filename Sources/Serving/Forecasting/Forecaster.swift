import Control
import Linux
import Setting
import Synchronization
import TaskModel

/// Computes forecasts one after another on a separate thread: a year of many tasks takes longer than a turn may.
/// Thread: the loop's.
final class Forecaster: EventSource {
    private typealias Answered = Result<[UInt8], Problem>

    /// Forecasts that wait at most.
    private static let most = Limit.forecasts.most

    /// Where the thread leaves its result.
    private final class Desk: Sendable {
        let answer = Mutex<Answered?>(nil)
        let answered: Descriptor

        init() throws(SystemError) { answered = try Descriptor.eventCounter() }

        func answer(_ question: ForecastQuestion) {
            let found = question.answer()
            answer.withLock { $0 = found }
            answered.raise()
        }
    }

    private let desk: Desk
    /// The first one is being answered. Its question is the thread's, which also releases it: with ten thousand applications that
    /// takes longer than a turn may.
    private var waiting: [(question: ForecastQuestion?, exchange: Exchange)] = []

    init() throws(HostError) { desk = try HostError.rethrowing(system: Desk()) }

    /// Answers in a later turn.
    func ask(_ question: ForecastQuestion, for exchange: Exchange) throws(Problem) {
        guard waiting.count < Self.most else { throw .tooBusy }
        waiting.append((question, exchange))
        if waiting.count == 1 { begin() }
    }

    private func begin() {
        guard !waiting.isEmpty, let question = waiting[0].question.take() else { return }
        // Without a thread to be had the loop does it.
        if !DetachedThread.start({ [desk] in desk.answer(question) }) { desk.answer(question) }
    }

    func attach(to registry: any SourceRegistry) throws(SystemError) {
        try registry.add(desk.answered.number, tag: 0, urgent: false)
    }

    func serve(_ tag: UInt32, _ ready: ReadySource, at now: ClockReading) {
        desk.answered.clear()
        guard let answer = desk.answer.withLock({ $0.take() }), !waiting.isEmpty else { return }
        switch answer {
        case .success(let document): waiting[0].exchange.reply(json: [document])
        case .failure(let problem): waiting[0].exchange.refuse(problem)
        }
        waiting.removeFirst()
        begin()
    }

    /// Further results are ignored.
    func close() {
        for one in waiting { one.exchange.refuse(.conflict("the host is stopping; the forecast")) }
        waiting.removeAll()
    }
}
