import Engine
import Host
import TaskModel

/// Counts the unfinished runs that clients of the control API requested: each uses memory, and there is no other limit on
/// waiting runs. Thread: the loop's.
final class PostedRuns {
    /// At once: all tasks of a large installation.
    static let mostRuns = Limit.postedRuns.most
    /// Of payloads and settings, each counted once a request.
    static let mostBytes = Limit.postedBytes.most

    private var runs = 0
    private var bytes = 0

    /// Accepts one request's runs; nil: there are too many. It is the observer of these runs.
    func admit(_ runs: Int, bytes: Int) -> Batch? {
        guard runs <= Self.mostRuns - self.runs, bytes <= Self.mostBytes - self.bytes else { return nil }
        self.runs += runs
        if runs > 0 { self.bytes += bytes }
        return Batch(runs, bytes, of: self)
    }

    /// The runs of one request.
    final class Batch: RunObserver {
        /// Those that have not ended.
        var left: Int {
            didSet {
                owner.runs -= oldValue - left
                if left == 0 { owner.bytes -= bytes }
            }
        }
        private let bytes: Int
        private let owner: PostedRuns

        fileprivate init(_ runs: Int, _ bytes: Int, of owner: PostedRuns) {
            left = runs
            self.bytes = bytes
            self.owner = owner
        }

        func run(_ run: RunHandle, didEnd slot: RunSlot) { left -= 1 }
    }
}
