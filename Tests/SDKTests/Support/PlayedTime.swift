import Combine

/// A scheduler whose time passes when it is told to. Its unit is a millisecond.
final class PlayedTime: Scheduler {
    struct SchedulerTimeType: Strideable {
        struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
            var magnitude: Int
            init(_ magnitude: Int) { self.magnitude = magnitude }
            init(integerLiteral value: Int) { magnitude = value }
            init?<T: BinaryInteger>(exactly source: T) { magnitude = Int(source) }
            static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
            static func + (a: Self, b: Self) -> Self { Self(a.magnitude + b.magnitude) }
            static func - (a: Self, b: Self) -> Self { Self(a.magnitude - b.magnitude) }
            static func * (a: Self, b: Self) -> Self { Self(a.magnitude * b.magnitude) }
            static func += (a: inout Self, b: Self) { a = a + b }
            static func -= (a: inout Self, b: Self) { a = a - b }
            static func *= (a: inout Self, b: Self) { a = a * b }
            static func seconds(_ s: Int) -> Self { Self(s * 1_000) }
            static func seconds(_ s: Double) -> Self { Self(Int(s * 1_000)) }
            static func milliseconds(_ ms: Int) -> Self { Self(ms) }
            static func microseconds(_ us: Int) -> Self { Self(us / 1_000) }
            static func nanoseconds(_ ns: Int) -> Self { Self(ns / 1_000_000) }
        }
        var time: Int
        func distance(to other: Self) -> Stride { Stride(other.time - time) }
        func advanced(by n: Stride) -> Self { Self(time: time + n.magnitude) }
    }
    typealias SchedulerOptions = Never

    private struct Job {
        let time: Int
        let number: Int
        let interval: Int?
        let action: () -> Void
    }
    private var jobs: [Job] = []
    private var number = 0
    private(set) var now = SchedulerTimeType(time: 0)
    let minimumTolerance: SchedulerTimeType.Stride = 0

    var isIdle: Bool { jobs.isEmpty }

    func schedule(options: Never?, _ action: @escaping () -> Void) { add(now.time, nil, action) }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) { add(date.time, nil, action) }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = add(date.time, interval.magnitude, action)
        return AnyCancellable { self.jobs.removeAll { $0.number == number } }
    }

    /// Runs what is due until so many milliseconds from now, in its order.
    func pass(_ milliseconds: Int = 0) {
        let end = now.time + milliseconds
        while let next = jobs.filter({ $0.time <= end }).min(by: { ($0.time, $0.number) < ($1.time, $1.number) }) {
            jobs.removeAll { $0.number == next.number }
            now.time = max(now.time, next.time)
            if let interval = next.interval {
                jobs.append(
                    Job(time: next.time + interval, number: next.number, interval: interval, action: next.action))
            }
            next.action()
        }
        now.time = end
    }

    @discardableResult private func add(_ time: Int, _ interval: Int?, _ action: @escaping () -> Void) -> Int {
        number += 1
        jobs.append(Job(time: time, number: number, interval: interval, action: action))
        return number
    }
}
