/// Events of the host that the delegate has not received. Only the newest progress of each task waits, so that a slow
/// delegate has at most a few events for each.
struct EventQueue: Sendable {
    private var events: [TransferNews] = []
    private var first = 0
    private var progress: [Int: TransferNews.Counts] = [:]
    /// An operation of the delegate's queue is on its way, or under way.
    private var isServed = false

    var isEmpty: Bool { first == events.count && !isServed }

    /// - Returns: whether the caller has to serve the queue.
    mutating func add(_ news: TransferNews) -> Bool {
        if case .progress(let counts) = news.kind, progress.updateValue(counts, forKey: news.number) != nil {
            return false
        }
        events.append(news)
        defer { isServed = true }
        return !isServed
    }

    /// nil: it is empty, and the server is done.
    mutating func take() -> TransferNews? {
        guard first < events.count else {
            (events, first, isServed) = ([], 0, false)
            return nil
        }
        var news = events[first]
        first += 1
        if case .progress = news.kind, let newest = progress.removeValue(forKey: news.number) {
            news.kind = .progress(newest)
        }
        return news
    }
}
