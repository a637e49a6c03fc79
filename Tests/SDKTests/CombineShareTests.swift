import Combine
import Foundation
import FoundationNetworking
import Testing

@Suite("Combine: sharing, watching and waiting")
struct CombineShareTests {
    @Test("one subscription for all, from the first to the last")
    func share() {
        let source = Source<Int, Broken>()
        let shared = source.share()
        #expect(source.lines.isEmpty)
        let (first, second) = (shared.probe(), shared.probe(.max(1)))
        #expect(source.lines.count == 1)
        source.send(1)
        source.send(2)
        #expect(first.values == [1, 2] && second.values == [1])
        first.cancel()
        #expect(source.cancellations == 0)
        second.cancel()
        #expect(source.cancellations == 1)
        let again = shared.probe()
        #expect(source.lines.count == 2)
        source.send(completion: .failure(.first))
        #expect(again.failure == .first)
    }

    @Test("a multicast sends when it is connected, until that is cancelled")
    func multicast() {
        let source = Source<Int, Never>()
        let multicast = source.multicast(subject: CurrentValueSubject(0))
        let probe = multicast.probe()
        #expect(probe.values == [0] && source.lines.isEmpty)
        let connection = multicast.connect()
        source.send(1)
        connection.cancel()
        #expect(probe.values == [0, 1] && source.cancellations == 1 && probe.ends.isEmpty)
        let connectable = [1, 2].publisher.makeConnectable()
        let (a, b) = (connectable.probe(), connectable.probe())
        #expect(a.values.isEmpty)
        let other = connectable.connect()
        #expect(a.values == [1, 2] && b.values == [1, 2] && b.hasFinished)
        other.cancel()
    }

    @Test("a subject takes what a publisher sends, until that is cancelled")
    func subject() {
        let (source, subject) = (Source<Int, Broken>(), PassthroughSubject<Int, Broken>())
        let probe = subject.probe()
        let cancellable = source.subscribe(subject)
        source.send(1)
        cancellable.cancel()
        source.send(2)
        #expect(probe.values == [1] && source.requests == [.unlimited] && source.cancellations == 1)
        source.subscribe(AnySubscriber(subject))
        source.send(3)
        source.send(completion: .failure(.second))
        #expect(probe.values == [1, 3] && probe.failure == .second)
    }

    @Test("a published property takes values, and its own old ones no more")
    func assign() {
        final class Model: ObservableObject { @Published var text = "" }
        let (model, subject) = (Model(), PassthroughSubject<String, Never>())
        subject.map { $0 + "!" }.assign(to: &model.$text)
        subject.send("a")
        #expect(model.text == "a!")
        Just("b").assign(to: &model.$text)
        subject.send("c")
        #expect(model.text == "b")
    }

    @Test("events are told as they happen")
    func events() {
        var seen: [String] = []
        let source = Source<Int, Broken>()
        let watched = source.handleEvents(
            receiveSubscription: { _ in seen.append("subscription") }, receiveOutput: { seen.append("value \($0)") },
            receiveCompletion: { _ in seen.append("end") }, receiveCancel: { seen.append("cancel") },
            receiveRequest: { seen.append("request \($0)") })
        let probe = watched.probe(.max(1), more: .max(2))
        #expect(source.send(5) == .max(2))
        probe.cancel()
        probe.cancel()
        #expect(seen == ["subscription", "request max(1)", "value 5", "request max(2)", "cancel"])
        seen = []
        _ = watched.probe()
        source.send(completion: .finished)
        #expect(seen == ["subscription", "request unlimited", "end"])
    }

    private final class Lines: TextOutputStream {
        var text = ""
        func write(_ string: String) { text += string }
    }

    @Test("events are printed, with a prefix")
    func prints() {
        let (lines, subject) = (Lines(), PassthroughSubject<Int, Broken>())
        let probe = subject.print("feed", to: lines).probe(.max(2))
        subject.send(1)
        subject.send(completion: .failure(.first))
        let printed = lines.text.split(separator: "\n").map(String.init)
        #expect(printed[0].hasPrefix("feed: receive subscription: ("))
        #expect(
            Array(printed[1...]) == [
                "feed: request max(2)", "feed: receive value: (1)", "feed: receive error: (first)",
            ])
        #expect(probe.failure == .first)
    }

    @Test("values can be awaited, one at a time, until the end or a failure")
    func values() async throws {
        var seen: [Int] = []
        for await value in [1, 2, 3].publisher.values { seen.append(value) }
        #expect(seen == [1, 2, 3])
        let failing = [4].publisher.setFailureType(to: Broken.self).append(Fail(error: .second)).values
        await #expect(throws: Broken.second) { for try await value in failing { seen.append(value) } }
        #expect(seen == [1, 2, 3, 4])
        let source = Source<Int, Never>()
        var iterator = source.values.makeAsyncIterator()
        #expect(source.requests.isEmpty)
        source.send(completion: .finished)
        #expect(await iterator.next() == nil)
    }

    @Test("a task that is cancelled waits for no value, and its subscription is cancelled")
    func cancelledValues() async {
        let (requested, ask) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, note) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            let publisher = Empty<Int, Never>(completeImmediately: false)
                .handleEvents(receiveCancel: { note.yield() }, receiveRequest: { _ in ask.yield() })
            var count = 0
            for await _ in publisher.values { count += 1 }
            return count
        }
        for await _ in requested { break }
        task.cancel()
        for await _ in cancelled { break }
        #expect(await task.value == 0)
    }

    /// Answers requests within the process: the last part of the path is the status, `fail` none.
    private final class Answering: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            guard let url = request.url, let status = Int(url.lastPathComponent),
                let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
            else {
                client?.urlProtocol(self, didFailWithError: URLError(.cannotFindHost))
                return
            }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("hello".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
        override func stopLoading() {}
    }

    @Test("a session's task gives its data and response, or fails")
    func dataTask() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Answering.self]
        let session = URLSession(configuration: configuration)
        let url = try #require(URL(string: "http://example.invalid/404"))
        var seen: [String] = []
        for try await (data, response) in session.dataTaskPublisher(for: url).values {
            seen.append(String(decoding: data, as: UTF8.self) + " \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        }
        #expect(seen == ["hello 404"])
        let wrong = session.dataTaskPublisher(for: URLRequest(url: url.deletingLastPathComponent()))
        await #expect(throws: URLError(.cannotFindHost)) { for try await _ in wrong.values {} }
        #expect(wrong.request.url?.host == "example.invalid" && wrong.session === session)
    }
}
