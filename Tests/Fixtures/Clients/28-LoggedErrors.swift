import BackgroundTasks
import os

struct SyncError: Error { let code: Int }

func logErrors(_ logger: Logger, _ error: any Error, _ known: NSError?) {
    logger.error("\(error as NSError, privacy: .public)")
    logger.error("failed: \(error as NSError)")
    logger.fault("\(NSError(domain: "org.example", code: 3), align: .left(columns: 9), privacy: .sensitive)")
    logger.error("\(SyncError(code: 1)) \(SyncError(code: 2) as NSError) \(URLError(.timedOut))")
    logger.error("\(CocoaError(.fileNoSuchFile), privacy: .public) \(error) \(error.localizedDescription)")
    if let known { logger.error("\(known) \(known.code) \(known.domain, privacy: .public)") }
    os_log(.error, "\(error as NSError)")
    os_log("%{public}@", type: .error, error as NSError)
    do {
        try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: "com.example.refresh"))
    } catch let error as NSError where error.domain == BGTaskScheduler.errorDomain {
        logger.error("not submitted: \(error, privacy: .public)")
    } catch {
        logger.error("not submitted: \(error, privacy: .public)")
    }
}
