extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// The values of the newest publisher; that before is cancelled.
    public func switchToLatest() -> AnyPublisher<Output.Output, Failure> { switching() }

    fileprivate func switching() -> AnyPublisher<Output.Output, Failure> {
        AnyPublisher(succession: { line in
            let open = Guarded((outer: true, inner: 0))
            let outer = Inlet<Output, Failure>()
            line.keep(outer)
            outer.request(.unlimited)
            outer.open(self) { inner in
                let number = open.change { open in
                    open.inner += 1
                    return open.inner
                }
                line.follow(inner, isLatest: true) { end in
                    let isOver = open.change { open in
                        if open.inner == number { open.inner = 0 }
                        return !open.outer && open.inner == 0
                    }
                    if isOver || !end.isFinished { line.end(end) }
                }
                return .none
            } ended: { end in
                let isOver = open.change { open in
                    open.outer = false
                    return open.inner == 0
                }
                if isOver || !end.isFinished { line.end(end) }
            }
        })
    }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// The values of the newest publisher, which does not fail; that before is cancelled.
    public func switchToLatest() -> AnyPublisher<Output.Output, Failure> {
        map { $0.setFailureType(to: Failure.self) }.switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher {
    /// The values of the newest publisher; that before is cancelled.
    public func switchToLatest() -> AnyPublisher<Output.Output, Output.Failure> {
        setFailureType(to: Output.Failure.self).switchToLatest()
    }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
    /// The values of the newest publisher; that before is cancelled.
    public func switchToLatest() -> AnyPublisher<Output.Output, Never> {
        switching()
    }
}
