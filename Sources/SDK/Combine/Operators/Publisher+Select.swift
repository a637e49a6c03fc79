extension Publisher {
    /// The first value.
    public func first() -> AnyPublisher<Output, Failure> { first { _ in true } }

    /// The first value of which something is true.
    public func first(where isFirst: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        staged { { isFirst($0) ? .last($0) : .skip } }
    }

    /// The first values.
    /// - Parameter count: how many; none for 0 or less.
    public func prefix(_ count: Int) -> AnyPublisher<Output, Failure> { output(in: 0..<Swift.max(0, count)) }

    /// Values until the first one of which something is false.
    public func prefix(while isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        staged { { isIncluded($0) ? .pass($0) : .end(.finished) } }
    }

    /// Values until another publisher sends one. Its failure and its end change nothing.
    public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> AnyPublisher<Output, Failure> {
        AnyPublisher(succession: { line in
            let inlet = Inlet<P.Output, P.Failure>()
            line.keep(inlet)
            inlet.request(.max(1))
            inlet.open(publisher) { _ in
                line.end(.finished)
                return .none
            } ended: { _ in
            }
            if line.isOpen { line.follow(self) { line.end($0) } }
        })
    }

    /// Values from the first one of which something is false.
    public func drop(while isDropped: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        staged {
            var isDropping = true
            return { value in
                if isDropping { isDropping = isDropped(value) }
                return isDropping ? .skip : .pass(value)
            }
        }
    }

    /// Values after another publisher sent one. When it ends without one, this finishes or fails as it did.
    public func drop<P: Publisher>(untilOutputFrom publisher: P) -> AnyPublisher<Output, Failure>
    where P.Failure == Failure {
        AnyPublisher(succession: { line in
            let isDropping = Guarded(true)
            let inlet = Inlet<P.Output, P.Failure>()
            line.keep(inlet)
            inlet.request(.max(1))
            inlet.open(publisher) { _ in
                isDropping.change { $0 = false }
                // No more of it is needed; what it sends from here on, and its end, are ignored.
                inlet.cancel()
                return .none
            } ended: { end in
                if isDropping.value { line.end(end) }
            }
            if line.isOpen { line.follow(self.filter { _ in !isDropping.value }) { line.end($0) } }
        })
    }

    /// One value by its number.
    /// - Parameter index: 0 for the first.
    public func output(at index: Int) -> AnyPublisher<Output, Failure> { output(in: index...index) }

    /// Values by their numbers.
    /// - Parameter range: 0 is the first value.
    public func output<R: RangeExpression>(in range: R) -> AnyPublisher<Output, Failure> where R.Bound == Int {
        let range = range.relative(to: 0..<Int.max)
        guard !range.isEmpty else { return Empty().eraseToAnyPublisher() }
        return staged {
            var number = 0
            return { value in
                defer { number += 1 }
                if number < range.lowerBound { return .skip }
                return number + 1 < range.upperBound ? .pass(value) : .last(value)
            }
        }
    }
}
