package import Foundation

/// Refreshes every feed of a list, a few at a time. What one feed does wrong is that feed's alone.
package struct FeedRefresher: Sendable {
    /// What came of it.
    package struct Summary: Sendable, Equatable, CustomStringConvertible {
        package var feeds = 0
        package var refreshed = 0
        package var unchanged = 0
        package var failed = 0
        package var newItems = 0
        /// Feeds that were left to the next run.
        package var left = 0

        package init() {}

        package var description: String {
            "feeds \(feeds), refreshed \(refreshed), unchanged \(unchanged), failed \(failed), left \(left), new items "
                + "\(newItems)"
        }

        /// One feed that fails is the feed's fault; all of them are the machine's, or the network's.
        package var isSuccess: Bool { left == 0 && (feeds == 0 || failed < feeds) }
    }

    private enum Outcome: Sendable {
        case refreshed(newItems: Int)
        case unchanged
        case failed(FeedProblem)
    }

    private static let concurrency = 4

    private let fetcher: FeedFetcher
    private let database: FeedDatabase
    private let now: @Sendable () -> Int64

    /// - Parameter now: seconds since 1970.
    package init(fetcher: FeedFetcher, database: FeedDatabase, now: @escaping @Sendable () -> Int64) {
        self.fetcher = fetcher
        self.database = database
        self.now = now
    }

    /// - Parameters:
    ///   - say: gets a sentence about each feed that failed.
    ///   - progress: gets how many feeds are done.
    package func refresh(
        _ addresses: [URL], say: @Sendable (String) -> Void, progress: @Sendable (Int) -> Void
    ) async -> Summary {
        var summary = Summary()
        summary.feeds = addresses.count
        await withTaskGroup(of: (URL, Outcome).self) { group in
            var waiting = addresses[...]
            func startNext() {
                guard !Task.isCancelled, let address = waiting.popFirst() else { return }
                group.addTask { (address, await refresh(address)) }
            }
            for _ in 0..<Self.concurrency { startNext() }
            var done = 0
            for await (address, outcome) in group {
                switch outcome {
                case .refreshed(let count):
                    summary.refreshed += 1
                    summary.newItems += count
                case .unchanged: summary.unchanged += 1
                case .failed(.stopped): summary.left += 1
                case .failed(let problem):
                    summary.failed += 1
                    say("\(address.absoluteString): \(problem)")
                }
                done += 1
                progress(done)
                startNext()
            }
            summary.left += waiting.count
        }
        return summary
    }

    private func refresh(_ address: URL) async -> Outcome {
        do throws(FeedProblem) {
            let memory = try database.memory(of: address)
            switch try await fetcher.fetch(address, memory) {
            case .unchanged:
                try database.note(nil, of: address, at: now())
                return .unchanged
            case .document(let document, let found, let memory):
                let feed = try FeedParser.parse(document, address: found)
                return .refreshed(newItems: try database.store(feed, of: address, memory: memory, at: now()))
            }
        } catch {
            // What cannot be noted is told all the same.
            if error != .stopped { try? database.note(error, of: address, at: now()) }
            return .failed(error)
        }
    }
}
