import BackgroundTasks
import Feeds
import Foundation
import Synchronization
import TaskHostExtensions

/// Refreshes RSS and Atom feeds: an application of one task, which asks for its next run first thing.
@main
enum FeedRefresh {
    private static let identifier = "org.taskhost.examples.feed-refresh"
    /// Feeds are asked no more often than this.
    private static let interval: TimeInterval = 15 * 60

    static func main() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            guard let task = task as? BGAppRefreshTask else { return task.setTaskCompleted(success: false) }
            handle(task)
        }
        scheduleFirst()
    }

    /// Whether a task has asked for the next run. Held while a request is submitted: launched for a task, the answer to what
    /// is pending may come after that, and a first request would replace the next one.
    private static let hasAsked = Mutex(false)

    /// Launched without a task, as after its installation, it asks for one.
    private static func scheduleFirst() {
        BGTaskScheduler.shared.getPendingTaskRequests { requests in
            hasAsked.withLock { if requests.isEmpty && !$0 { schedule(in: 0) } }
        }
    }

    private static func handle(_ task: BGAppRefreshTask) {
        hasAsked.withLock {
            $0 = true
            schedule(in: interval)
        }
        let work = Task { task.setTaskCompleted(success: await refresh(task)) }
        task.expirationHandler = { work.cancel() }
    }

    /// First thing in the handler: whatever becomes of this run, there will be another one.
    private static func schedule(in span: TimeInterval) {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = Date(timeIntervalSinceNow: span)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("no further refresh is scheduled: \(error.localizedDescription)")
        }
    }

    private static func refresh(_ task: BGAppRefreshTask) async -> Bool {
        do throws(FeedProblem) {
            let settings = try FeedSettings(json: task.settings)
            let list = feeds(of: settings, task)
            for fault in list.faults { print(fault) }
            let database = try FeedDatabase(file: task.stateDirectory.appending(path: "feeds.sqlite"))
            let fetcher = FeedFetcher(timeout: settings.timeout, maximumBytes: settings.maximumBytes)
            defer { fetcher.close() }
            let total = Int64(list.addresses.count)
            task.showProgress(completed: 0, of: total)
            let refresher = FeedRefresher(
                fetcher: fetcher, database: database, now: { Int64(Date().timeIntervalSince1970) })
            let summary = await refresher.refresh(list.addresses) { sentence in
                print(sentence)
            } progress: { done in
                task.showProgress(completed: Int64(done), of: total)
            }
            print(summary)
            return summary.isSuccess
        } catch {
            print(error)
            return false
        }
    }

    private static func feeds(of settings: FeedSettings, _ task: BGTask) -> FeedList {
        var list = FeedList()
        list.add(
            file: settings.listFile(
                state: task.stateDirectory, cache: task.cacheDirectory, manifest: task.manifestDirectory))
        for (index, text) in settings.feeds.enumerated() { list.add(text, from: "settings.feeds[\(index)]") }
        return list
    }
}
