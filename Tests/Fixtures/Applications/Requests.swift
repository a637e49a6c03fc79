import BackgroundTasks
import os

/// Submits, lists and cancels requests.
@main struct App {
    static let logger = Logger()

    static func main() { registerHandlers() }

    static func registerHandlers() {
        for name in ["r1", "p1", "h1"] {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.\(name)", using: nil) { _ in }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.ex.app.work", using: nil) { task in
            Task {
                do { try await work() } catch { logger.error("\("\(error)", privacy: .public)") }
                task.setTaskCompleted(success: true)
            }
        }
    }

    static func tellPending() async {
        let count = await BGTaskScheduler.shared.pendingTaskRequests().count
        logger.log("left \(count)")
    }

    static func work() async throws {
        let scheduler = BGTaskScheduler.shared
        let refresh = BGAppRefreshTaskRequest(identifier: "com.ex.app.r1")
        refresh.earliestBeginDate = Date(timeIntervalSinceNow: 900)
        try scheduler.submit(refresh)
        let processing = BGProcessingTaskRequest(identifier: "com.ex.app.p1")
        processing.requiresExternalPower = true
        processing.requiresNetworkConnectivity = true
        try await scheduler.submitTaskRequest(processing)
        let again = BGProcessingTaskRequest(identifier: "com.ex.app.p1")
        (again.requiresExternalPower, again.requiresNetworkConnectivity) = (true, true)
        // "Already queued" replaces; on the main thread, which iOS 27 forbids.
        await withCheckedContinuation { done in
            DispatchQueue.main.async { scheduler.submitTaskRequest(again) { _ in done.resume() } }
        }
        let health = BGHealthResearchTaskRequest(identifier: "com.ex.app.h1")
        health.earliestBeginDate = .distantFuture
        // It answers late, on a queue of its own: the run must not end before.
        await withCheckedContinuation { done in
            scheduler.submitTaskRequest(health) { error in
                logger.log("completion \(error == nil)")
                done.resume()
            }
        }

        for request in await scheduler.pendingTaskRequests() {
            let begin = request.earliestBeginDate.map { Int($0.timeIntervalSinceNow.rounded(.up)) }
            logger.log("pending \(request.identifier, privacy: .public) \("\(type(of: request))", privacy: .public)")
            if request is BGAppRefreshTaskRequest { logger.log("in \(begin ?? 0)") }
            if let request = request as? BGProcessingTaskRequest {
                logger.log("power \(request.requiresExternalPower) network \(request.requiresNetworkConnectivity)")
            }
            // What is listed are copies.
            request.earliestBeginDate = nil
        }
        let kept = await scheduler.pendingTaskRequests().first?.earliestBeginDate != nil
        logger.log("unchanged \(kept)")
        scheduler.cancel(taskRequestWithIdentifier: "com.ex.app.p1")
        scheduler.cancel(taskRequestWithIdentifier: "unknown")
        await tellPending()
        scheduler.cancelAllTaskRequests()
        await tellPending()

        // The script refuses the next one.
        logger.log("ready")
        while true {
            do {
                try scheduler.submit(refresh)
                await Task.yield()
            } catch let error as BGTaskScheduler.Error {
                logger.log("code \(error.code.rawValue) \((error as NSError).domain, privacy: .public)")
                logger.log("\(error.localizedDescription, privacy: .public)")
                return
            }
        }
    }
}
