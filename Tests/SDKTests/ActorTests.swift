import BackgroundTasks
import Testing

@Suite("Actors that are objects")
struct ActorTests {
    @Test("an actor is an NSObject with the actor's own state and executor")
    func state() async {
        let store = Store("a")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { await store.add(number) } }
        }
        #expect(await store.numbers.count == 1000)
        let any: Any = store
        #expect(any is NSObject && any is any Actor && any is Store && (any as? NSObject) == store)
        #expect(store.description == "Store a" && Set<NSObject>([store, Store("a"), store]).count == 2)
        #expect(store.isKind(of: NSObject.self) && "\(type(of: store))" == "Store")
        weak var gone: Store?
        do {
            let other = Store("b")
            gone = other
            await other.add(1)
        }
        #expect(gone == nil)
    }

    @Test("a generic actor finds its superclass")
    func generic() async {
        let box = Box("text")
        #expect(await box.value == "text")
        #expect(await Box(1).value == 1)
        #expect(box as NSObject == box)
    }

    @Test("it is a session's delegate")
    func delegate() async throws {
        let url = try #require(URL(string: "unknown://example.com"))
        #expect(await Loader().load(url) == NSURLErrorUnsupportedURL)
    }
}

private actor Store: NSObject {
    private(set) var numbers: [Int] = []
    private let name: String
    init(_ name: String) { self.name = name }
    func add(_ number: Int) { numbers.append(number) }
    nonisolated override var description: String { "Store \(name)" }
}

private actor Box<Value: Sendable>: NSObject {
    private(set) var value: Value
    init(_ value: Value) { self.value = value }
}

private actor Loader: NSObject, URLSessionDataDelegate {
    private var ended: CheckedContinuation<Int, Never>?

    func load(_ url: URL) async -> Int {
        let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        return await withCheckedContinuation {
            ended = $0
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    nonisolated func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let code = (error as? URLError)?.errorCode ?? 0
        Task { await end(code) }
    }

    private func end(_ code: Int) {
        ended?.resume(returning: code)
        ended = nil
    }
}
