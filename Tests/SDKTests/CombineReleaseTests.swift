import Combine
import Testing

@Suite("Combine: what is left behind")
struct CombineReleaseTests {
    private final class Token {}
    private typealias Chain = AnyPublisher<Int, Broken>

    private let time = PlayedTime()

    /// Each operator that holds on to its upstream.
    private var operators: [(name: String, apply: (Chain) -> Chain)] {
        let time = time
        return [
            ("map", { $0.map { $0 }.eraseToAnyPublisher() }),
            ("tryMap", { $0.tryMap { $0 }.mapError { _ in .first }.eraseToAnyPublisher() }),
            ("collect", { $0.collect(2).map(\.count).eraseToAnyPublisher() }),
            ("reduce", { $0.reduce(0, +).eraseToAnyPublisher() }),
            ("flatMap", { $0.flatMap { Just($0) }.eraseToAnyPublisher() }),
            ("switchToLatest", { $0.map { Just($0) }.switchToLatest().eraseToAnyPublisher() }),
            ("catch", { $0.catch { Fail<Int, Broken>(error: $0) }.eraseToAnyPublisher() }),
            ("retry", { $0.retry(1).eraseToAnyPublisher() }),
            ("append", { $0.append(1).eraseToAnyPublisher() }),
            ("merge", { $0.merge(with: $0).eraseToAnyPublisher() }),
            ("zip", { $0.zip($0) { $0 + $1 }.eraseToAnyPublisher() }),
            ("combineLatest", { $0.combineLatest($0) { $0 + $1 }.eraseToAnyPublisher() }),
            ("share", { $0.share().eraseToAnyPublisher() }),
            ("debounce", { $0.debounce(for: 5, scheduler: time).eraseToAnyPublisher() }),
            ("throttle", { $0.throttle(for: 5, scheduler: time, latest: true).eraseToAnyPublisher() }),
            ("delay", { $0.delay(for: 5, scheduler: time).eraseToAnyPublisher() }),
            ("timeout", { $0.timeout(5, scheduler: time).eraseToAnyPublisher() }),
            ("receive", { $0.receive(on: time).eraseToAnyPublisher() }),
            ("handleEvents", { $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() }),
        ]
    }

    @Test("nothing is held by what has ended or was cancelled", arguments: ["cancel", "finish", "fail"])
    func release(how: String) {
        for (name, apply) in operators {
            let subject = PassthroughSubject<Int, Broken>()
            weak var upper: Token?
            weak var lower: Token?
            var ends = 0
            do {
                let (above, below) = (Token(), Token())
                (upper, lower) = (above, below)
                let chain = apply(subject.map { value in withExtendedLifetime(above) { value } }.eraseToAnyPublisher())
                let cancellable = chain.sink(
                    receiveCompletion: { _ in ends += 1 }, receiveValue: { _ in withExtendedLifetime(below) {} })
                subject.send(1)
                subject.send(2)
                switch how {
                case "finish": subject.send(completion: .finished)
                case "fail": subject.send(completion: .failure(.second))
                default: cancellable.cancel()
                }
                time.pass(100)
                #expect(ends == (how == "cancel" ? 0 : 1), "\(name)")
            }
            #expect(upper == nil && lower == nil, "\(name)")
        }
    }

    @Test("a sink that is released is cancelled, up to the source")
    func sink() {
        for (name, apply) in operators where name != "merge" && name != "zip" && name != "combineLatest" {
            let source = Source<Int, Broken>()
            var cancellable: AnyCancellable? = apply(source.eraseToAnyPublisher())
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            #expect(source.cancellations == 0 && cancellable != nil, "\(name)")
            cancellable = nil
            #expect(source.cancellations == 1, "\(name)")
        }
    }
}
