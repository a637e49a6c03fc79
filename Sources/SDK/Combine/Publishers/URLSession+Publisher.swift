import TaskHostFoundation

extension URLSession {
    /// Sends the data and the response of a request, or fails. Each subscriber has its own task, which starts when it asks for a
    /// value and is cancelled with it.
    public struct DataTaskPublisher: Publisher {
        /// The data and the response, of any status.
        public typealias Output = (data: Data, response: URLResponse)
        /// How it fails.
        public typealias Failure = URLError
        /// What is requested.
        public let request: URLRequest
        /// Whose tasks they are.
        public let session: URLSession

        /// - Parameters:
        ///   - request: what is requested.
        ///   - session: whose tasks they are; not a background session, whose tasks have no completion handlers.
        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
            Fetching(AnySubscriber(subscriber), request, session).open()
        }
    }

    /// Sends the data and the response of a request, or fails.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// Sends the data and the response of a request, or fails.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }
}

/// One subscriber's task.
private final class Fetching: Outlet<(data: Data, response: URLResponse), URLError>, @unchecked Sendable {
    typealias Output = (data: Data, response: URLResponse)
    private struct State {
        var task: URLSessionDataTask?
        var isStarted = false
        var result: Output?
        var end: Subscribers.Completion<URLError>?
    }
    private let request: URLRequest
    private let session: URLSession
    private let state = Guarded(State())

    init(_ subscriber: AnySubscriber<Output, URLError>, _ request: URLRequest, _ session: URLSession) {
        self.request = request
        self.session = session
        super.init(subscriber)
    }

    override func requested(_ demand: Subscribers.Demand) {
        let isFirst = state.change { state in
            defer { if demand > .none { state.isStarted = true } }
            return demand > .none && !state.isStarted
        }
        guard isFirst else { return }
        let task = session.dataTask(with: request) { [self] data, response, error in
            state.change { state in
                if error == nil, let response {
                    state.result = (data ?? Data(), response)
                    state.end = .finished
                } else {
                    state.end = .failure(error as? URLError ?? URLError(.unknown))
                }
            }
            hand()
        }
        state.change { $0.task = task }
        // What was cancelled meanwhile is not started.
        if isOpen { task.resume() } else { released() }
    }

    override func next(canSend: Bool) -> Step {
        state.change { state in
            if let result = state.result {
                state.result = nil
                return .value(result)
            }
            return state.end.map { .end($0) } ?? .nothing
        }
    }

    override func released() {
        let task = state.change { state in
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }
}
