extension Publisher {
    /// The results of a function of the result before and each value.
    public func scan<T>(_ initial: T, _ step: @escaping (T, Output) -> T) -> AnyPublisher<T, Failure> {
        staged {
            var result = initial
            return { value in
                result = step(result, value)
                return .pass(result)
            }
        }
    }

    /// The last result of a function of the result before and each value, at the end.
    public func reduce<T>(_ initial: T, _ step: @escaping (T, Output) -> T) -> AnyPublisher<T, Failure> {
        gathered {
            var result = initial
            return (
                { value in
                    result = step(result, value)
                    return .skip
                }, { result }
            )
        }
    }

    /// All values as one array, at the end.
    public func collect() -> AnyPublisher<[Output], Failure> {
        gathered {
            var all: [Output] = []
            return (
                { value in
                    all.append(value)
                    return .skip
                }, { all }
            )
        }
    }

    /// The number of the values, at the end.
    public func count() -> AnyPublisher<Int, Failure> { reduce(0) { count, _ in count + 1 } }

    /// No values; the end alone.
    public func ignoreOutput() -> AnyPublisher<Output, Failure> {
        gathered { ({ _ in .skip }, { nil }) }
    }

    /// The last value, at the end.
    public func last() -> AnyPublisher<Output, Failure> { last { _ in true } }

    /// The last value of which something is true, at the end.
    public func last(where isLast: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        gathered {
            var last: Output?
            return (
                { value in
                    if isLast(value) { last = value }
                    return .skip
                }, { last }
            )
        }
    }

    /// Whether something is true of a value: as soon as there is one, or at the end.
    public func contains(where isIt: @escaping (Output) -> Bool) -> AnyPublisher<Bool, Failure> {
        gathered { ({ isIt($0) ? .last(true) : .skip }, { false }) }
    }

    /// Whether something is true of all values: as soon as it is not, or at the end.
    public func allSatisfy(_ isTrue: @escaping (Output) -> Bool) -> AnyPublisher<Bool, Failure> {
        gathered { ({ isTrue($0) ? .skip : .last(false) }, { true }) }
    }

    /// The largest value, at the end.
    public func max(
        by isLess: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> { best { isLess($1, $0) } }

    /// The smallest value, at the end.
    public func min(
        by isLess: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> { best(isLess) }

    /// The first value that comes before all others.
    private func best(_ isBefore: @escaping (Output, Output) -> Bool) -> AnyPublisher<Output, Failure> {
        gathered {
            var best: Output?
            return (
                { value in
                    best = best.map { isBefore(value, $0) ? value : $0 } ?? value
                    return .skip
                }, { best }
            )
        }
    }
}

extension Publisher where Output: Equatable {
    /// Whether there is this value: as soon as it comes, or at the end.
    public func contains(_ value: Output) -> AnyPublisher<Bool, Failure> { contains { $0 == value } }
}

extension Publisher where Output: Comparable {
    /// The largest value, at the end.
    public func max() -> AnyPublisher<Output, Failure> { max(by: <) }
    /// The smallest value, at the end.
    public func min() -> AnyPublisher<Output, Failure> { min(by: <) }
}
