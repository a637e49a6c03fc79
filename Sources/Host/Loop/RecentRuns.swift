import TaskModel

/// The runs that a worker ended last: a handler may go on after its completion, and what it does wrong then still belongs
/// to its run.
struct RecentRuns {
    /// Runs that are kept, and sentences that one may get: a worker cannot make the host write without end.
    private static let most = 16

    private var runs: [(run: RunHandle, sequence: Int64, sentencesLeft: Int)] = []
    private var oldest = 0

    mutating func add(_ run: RunHandle, sequence: Int64) {
        if runs.count < Self.most {
            runs.append((run, sequence, Self.most))
        } else {
            runs[oldest] = (run, sequence, Self.most)
            oldest = (oldest + 1) % Self.most
        }
    }

    /// The run's number in the store, when it may get one more sentence.
    mutating func takeSequence(of run: RunHandle) -> Int64? {
        guard let index = runs.firstIndex(where: { $0.run == run && $0.sentencesLeft > 0 }) else { return nil }
        runs[index].sentencesLeft -= 1
        return runs[index].sequence
    }
}
