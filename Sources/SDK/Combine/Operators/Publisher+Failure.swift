extension Publisher {
    /// The same with other failures.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> AnyPublisher<Output, E> {
        AnyPublisher { next in
            self.receive(
                subscriber: AnySubscriber(
                    receiveSubscription: { next.receive(subscription: $0) }, receiveValue: { next.receive($0) },
                    receiveCompletion: { next.receive(completion: $0.mapFailure(transform)) }))
        }
    }

    /// Goes on with another publisher after a failure.
    /// - Parameter handler: makes that publisher.
    public func `catch`<P: Publisher>(
        _ handler: @escaping (Failure) -> P
    ) -> AnyPublisher<Output, P.Failure> where P.Output == Output {
        AnyPublisher(succession: { line in
            line.follow(self) { end in
                switch end {
                case .finished: line.end(.finished)
                case .failure(let error): line.follow(handler(error)) { line.end($0) }
                }
            }
        })
    }

    /// Goes on with another publisher after a failure.
    /// - Parameter handler: makes that publisher, or throws another failure.
    public func tryCatch<P: Publisher>(
        _ handler: @escaping (Failure) throws -> P
    ) -> AnyPublisher<Output, any Error> where P.Output == Output {
        AnyPublisher(succession: { line in
            line.follow(self) { end in
                switch end {
                case .finished: line.end(.finished)
                case .failure(let error):
                    do {
                        line.follow(try handler(error)) { line.end($0.mapFailure { $0 }) }
                    } catch { line.end(.failure(error)) }
                }
            }
        })
    }

    /// Sends a value in place of a failure, and finishes.
    public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
        self.catch { _ in Just(output) }
    }

    /// Sends a value if there was none when the upstream finishes.
    public func replaceEmpty(with output: Output) -> AnyPublisher<Output, Failure> {
        AnyPublisher(succession: { line in
            let isEmpty = Guarded(true)
            let upstream = self.map { value in
                isEmpty.change { $0 = false }
                return value
            }
            line.follow(upstream) { end in
                guard end.isFinished, isEmpty.value else { return line.end(end) }
                line.follow(Just(output)) { _ in line.end(.finished) }
            }
        })
    }

    /// Attaches anew after a failure, up to a number of times; then it fails.
    public func retry(_ retries: Int) -> AnyPublisher<Output, Failure> {
        AnyPublisher(succession: { line in attempt(line, retries: retries) })
    }

    private func attempt(_ line: Succession<Output, Failure>, retries: Int) {
        line.follow(self) { end in
            if end.isFinished || retries <= 0 { line.end(end) } else { attempt(line, retries: retries - 1) }
        }
    }

    /// The same, for where it cannot fail. A failure ends the process.
    /// - Parameter prefix: what the message starts with.
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> AnyPublisher<Output, Never> {
        mapError { error in
            fatalError((prefix.isEmpty ? "" : prefix + ": ") + "\(error)", file: file, line: line)
        }
    }

    /// Another value in place of nil.
    public func replaceNil<T>(with output: T) -> AnyPublisher<T, Failure> where Output == T? {
        map { $0 ?? output }
    }
}

extension Publisher where Failure == Never {
    /// The same with a type of failures that do not come.
    public func setFailureType<E: Error>(to failureType: E.Type) -> AnyPublisher<Output, E> {
        AnyPublisher { next in
            self.receive(
                subscriber: AnySubscriber(
                    receiveSubscription: { next.receive(subscription: $0) }, receiveValue: { next.receive($0) },
                    receiveCompletion: { _ in next.receive(completion: .finished) }))
        }
    }
}
