import BackgroundTasks
import Foundation
import os.log

enum Scheduling {
    private static let log = OSLog(subsystem: "com.example", category: "scheduling")

    static func submit(_ request: BGTaskRequest) {
        do {
            try BGTaskScheduler.shared.submit(request)
            os_log("submitted %{public}@", log: log, type: .info, request.identifier)
        } catch BGTaskScheduler.Error.notPermitted {
            os_log(.error, log: log, "not permitted: %{public}@", request.identifier)
        } catch BGTaskScheduler.Error.tooManyPendingTaskRequests {
            os_log("too many", log: log, type: .error)
        } catch let error as BGTaskScheduler.Error where error.code == .unavailable {
            os_log("unavailable: %@", log: log, type: .fault, error.localizedDescription)
        } catch {
            let error = error as NSError
            os_log("%{public}@ %d %@", log: log, error.domain, error.code, error.userInfo as NSDictionary)
        }
    }

    static func describe(_ code: BGTaskScheduler.Error.Code) -> String {
        switch code {
        case .unavailable: return "unavailable"
        case .tooManyPendingTaskRequests: return "too many"
        case .notPermitted: return "not permitted"
        case .immediateRunIneligible: return "not now"
        @unknown default: return "unknown \(code.rawValue)"
        }
    }

    static func classify(_ error: any Error) -> Int? {
        let nsError = error as NSError
        guard nsError.domain == BGTaskScheduler.errorDomain else { return nil }
        switch BGTaskScheduler.Error.Code(rawValue: nsError.code) {
        case .some(.unavailable): return 1
        case .some(let code): return code.rawValue
        case nil: return nil
        }
    }
}
