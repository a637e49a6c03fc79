extension Publisher {
    /// Values as a function makes them; fails with what it throws.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> AnyPublisher<T, any Error> {
        trying { { .pass(try transform($0)) } }
    }

    /// The results of a function, without nil; fails with what it throws.
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> AnyPublisher<T, any Error> {
        trying { { try transform($0).map { .pass($0) } ?? .skip } }
    }

    /// The values of which something is true; fails with what is thrown.
    public func tryFilter(
        _ isIncluded: @escaping (Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        trying { { try isIncluded($0) ? .pass($0) : .skip } }
    }

    /// Values that differ from the one before; fails with what is thrown.
    public func tryRemoveDuplicates(
        by areSame: @escaping (Output, Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        trying {
            var last: Output?
            return { value in
                if let last, try areSame(last, value) { return .skip }
                last = value
                return .pass(value)
            }
        }
    }

    /// The results of a function of the result before and each value; fails with what it throws.
    public func tryScan<T>(
        _ initial: T, _ step: @escaping (T, Output) throws -> T
    ) -> AnyPublisher<T, any Error> {
        trying {
            var result = initial
            return { value in
                result = try step(result, value)
                return .pass(result)
            }
        }
    }

    /// The last result of a function of the result before and each value; fails with what it throws.
    public func tryReduce<T>(
        _ initial: T, _ step: @escaping (T, Output) throws -> T
    ) -> AnyPublisher<T, any Error> {
        tryGathered {
            var result = initial
            return (
                { value in
                    result = try step(result, value)
                    return .skip
                }, { result }
            )
        }
    }

    /// The first value of which something is true; fails with what is thrown.
    public func tryFirst(
        where isFirst: @escaping (Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        trying { { try isFirst($0) ? .last($0) : .skip } }
    }

    /// The last value of which something is true; fails with what is thrown.
    public func tryLast(
        where isLast: @escaping (Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        tryGathered {
            var last: Output?
            return (
                { value in
                    if try isLast(value) { last = value }
                    return .skip
                }, { last }
            )
        }
    }

    /// Values until the first one of which something is false; fails with what is thrown.
    public func tryPrefix(
        while isIncluded: @escaping (Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        trying { { try isIncluded($0) ? .pass($0) : .end(.finished) } }
    }

    /// Values from the first one of which something is false; fails with what is thrown.
    public func tryDrop(
        while isDropped: @escaping (Output) throws -> Bool
    ) -> AnyPublisher<Output, any Error> {
        trying {
            var isDropping = true
            return { value in
                if isDropping { isDropping = try isDropped(value) }
                return isDropping ? .skip : .pass(value)
            }
        }
    }

    /// Whether something is true of a value; fails with what is thrown.
    public func tryContains(where isIt: @escaping (Output) throws -> Bool) -> AnyPublisher<Bool, any Error> {
        tryGathered { ({ try isIt($0) ? .last(true) : .skip }, { false }) }
    }

    /// Whether something is true of all values; fails with what is thrown.
    public func tryAllSatisfy(_ isTrue: @escaping (Output) throws -> Bool) -> AnyPublisher<Bool, any Error> {
        tryGathered { ({ try isTrue($0) ? .skip : .last(false) }, { true }) }
    }
}
