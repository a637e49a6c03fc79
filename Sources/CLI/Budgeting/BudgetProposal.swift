import TaskModel

/// A task's budget as its last runs suggest it: half as much again as 99 of 100 used.
struct BudgetProposal {
    enum Figure: String, CaseIterable {
        case wallClock, cpuTime, memory

        /// The outcome of a run that used more than its budget of it.
        var excess: Outcome {
            switch self {
            case .wallClock: .overran
            case .cpuTime: .exceededCPU
            case .memory: .exceededMemory
            }
        }

        func value(of run: RunRecord) -> UInt64? {
            switch self {
            case .wallClock: run.figures.wallTime.map { UInt64(max(0, $0.nanoseconds)) }
            case .cpuTime: run.figures.cpuTime.map { UInt64(max(0, $0.nanoseconds)) }
            case .memory: run.figures.peakMemory?.bytes
            }
        }

        /// What the task has now; nil: no limit.
        func limit(in budget: Budget) -> UInt64? {
            switch self {
            case .wallClock: budget.wallClock == .unlimited ? nil : UInt64(budget.wallClock.nanoseconds)
            case .cpuTime: budget.cpuTime.map { UInt64($0.nanoseconds) }
            case .memory: budget.memory == .unlimited ? nil : budget.memory.bytes
            }
        }

        func text(_ value: UInt64) -> String {
            self == .memory ? "\(ByteCount(bytes: value))" : "\(TimeSpan(nanoseconds: Int64(clamping: value)))"
        }

        /// The next larger number that a person would write.
        func rounded(_ value: UInt64) -> UInt64 {
            let second: UInt64 = 1_000_000_000
            let mebibyte: UInt64 = 1 << 20
            let steps: [(below: UInt64, step: UInt64)] =
                self == .memory
                ? [(64 * mebibyte, mebibyte), (1024 * mebibyte, 16 * mebibyte), (.max, 128 * mebibyte)]
                : [
                    (60 * second, second), (600 * second, 10 * second), (7200 * second, 60 * second),
                    (.max, 600 * second),
                ]
            let step = steps.first { value < $0.below }?.step ?? 1
            return (value + step - 1) / step * step
        }

        /// Less says more about this machine's load than about the task.
        var least: UInt64 {
            switch self {
            case .wallClock: 5_000_000_000
            case .cpuTime: 1_000_000_000
            case .memory: 16 << 20
            }
        }
    }

    struct Line {
        var figure: Figure
        var share: FigureShare
        var proposed: UInt64
        var now: UInt64?
        var outliers: [(run: RunRecord, value: UInt64)]
        /// Runs that ended because they had reached the present limit.
        var ended: Int
    }

    /// Oldest last.
    let runs: [RunRecord]
    let lines: [Line]

    /// So many runs are looked at, and so many are too few.
    static let most = 30
    static let least = 5

    /// - Parameter past: the task's runs, newest first.
    /// - Returns: nil when fewer than `least` of them succeeded.
    init?(_ past: [RunRecord], _ budget: Budget) {
        let runs = Array(past.filter { $0.outcome == .succeeded }.prefix(Self.most))
        guard runs.count >= Self.least, let oldest = runs.last else { return nil }
        self.runs = runs
        let span = past.filter { $0.submittedAt >= oldest.submittedAt }
        var lines: [Line] = []
        for figure in Figure.allCases {
            let used = runs.compactMap { run in figure.value(of: run).map { (run: run, value: $0) } }
            guard let share = FigureShare(used.map(\.value)) else { continue }
            let ended = span.count { $0.outcome == figure.excess }
            let now = figure.limit(in: budget)
            var proposed = max(figure.least, share.most + share.most / 2)
            // A run lasts longer than its grace, which is the end of its budget.
            if figure == .wallClock, budget.declared.contains(.grace) {
                proposed = max(proposed, UInt64(budget.grace.nanoseconds) * 2)
            }
            // What those would have used is not known.
            if ended > 0, let now { proposed = max(proposed, now.multipliedReportingOverflow(by: 2).partialValue) }
            lines.append(
                Line(
                    figure: figure, share: share, proposed: figure.rounded(proposed), now: now,
                    outliers: share.outliers.map { used[$0] }, ended: ended))
        }
        self.lines = lines
    }
}
