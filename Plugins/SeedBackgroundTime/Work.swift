import UIKit

/// The work of the listings, which the article leaves to its reader.
final class Work: @unchecked Sendable {  // `lock` is around what its threads share
    private let lock = NSLock()
    private var timesInBackground = 0
    private let log = URL.documentsDirectory.appending(path: "log.txt")

    /// Prints a line, and keeps it: outside of runs nobody sees what is printed.
    func note(_ line: String) {
        print(line)
        lock.withLock {
            if !FileManager.default.fileExists(atPath: log.path) { try? Data().write(to: log) }
            guard let file = try? FileHandle(forWritingTo: log) else { return }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: Data((line + "\n").utf8))
        }
    }

    // MARK: Creating background-safe tasks

    func register() {
        let taskID = UIApplication.shared.beginBackgroundTask(expirationHandler: {})

        // runs on main or background thread
        finishLongRunningTask(taskID)

        UIApplication.shared.endBackgroundTask(taskID)
    }

    private func finishLongRunningTask(_ taskID: UIBackgroundTaskIdentifier) {
        note("the background-safe task is done, with time: \(taskID != .invalid)")
    }

    func doWork() { note("the task of didEnterBackground is done") }

    // MARK: Avoiding application termination with expiration handlers

    func startLoop() {
        let loop = Loop(work: self, steps: lock.withLock { steps() })
        Thread { loop.run() }.start()
    }

    /// The first time that the application is in the background three steps are enough; from then on no time is.
    private func steps() -> Int {
        timesInBackground += 1
        return timesInBackground == 1 ? 3 : .max
    }
}

/// The listing's variables, which its two pieces of code share.
private final class Loop: @unchecked Sendable {  // `lock` is around what its two threads share
    private let work: Work
    private let lock = NSLock()
    private var steps: Int
    private var taskID = UIBackgroundTaskIdentifier.invalid
    private var myFlag = true
    private var isExhausted = false

    init(work: Work, steps: Int) {
        self.work = work
        self.steps = steps
    }

    func run() {
        // expirationHandler only called if background time allowed exceeded
        let taskID = UIApplication.shared.beginBackgroundTask {
            self.work.note("Exhausted time")
            // Changed: the listing goes on until the application is suspended; here the expiration ends the loop.
            let taskID = self.lock.withLock {
                self.isExhausted = true
                return self.taskID
            }
            UIApplication.shared.endBackgroundTask(taskID)
        }
        lock.withLock { self.taskID = taskID }
        while lock.withLock({ myFlag && !isExhausted }) {
            work.note("\(UIApplication.shared.backgroundTimeRemaining)")
            let needsMore = someCalculationNeedsMoreTime()
            lock.withLock { myFlag = needsMore }
        }
        guard !lock.withLock({ isExhausted }) else { return }
        work.note("the loop is done")
        // Only called if loop terminated due to myFlag and not expiration of time
        UIApplication.shared.endBackgroundTask(taskID)
    }

    /// Takes a second of background time. In front, where that does not pass, it is done at once and needs no more.
    private func someCalculationNeedsMoreTime() -> Bool {
        let end = UIApplication.shared.backgroundTimeRemaining - 1
        var left = UIApplication.shared.backgroundTimeRemaining
        while left > end, left < .greatestFiniteMagnitude, !lock.withLock({ isExhausted }) {
            usleep(10_000)
            left = UIApplication.shared.backgroundTimeRemaining
        }
        return lock.withLock {
            steps -= 1
            return steps > 0 && left < .greatestFiniteMagnitude
        }
    }
}
